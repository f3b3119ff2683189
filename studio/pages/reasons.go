package pages

import (
	"strings"

	"orbweaver"
)

// A Reason is a ground of a judgement as people read it.
type Reason struct {
	Words, Evidence string
	Weight          float64
}

// rules say in words what the rules of docs/reference/reasons.md mean.
var rules = map[string]string{
	"raw": "raw value, before it becomes a score", "entity": "it names an entity of the target", "telling": "entities that count for less here",
	"data": "its data names an entity of the target", "threshold": "threshold of acceptance when it was judged", "term": "it has a term", "list": "it is a list of links",
	"keyword": "its words match terms", "cosine": "it shares words with the terms", "depth": "links from a seed", "random": "random order, of the seed",
	"no-text": "why it has no text", "sender": "whose answer came instead of it",
	"needs-script": "it has hardly any text before its scripts run", "verdicts": "verdicts of a person on other pages", "verdict": "verdict of a person on this page",
	"noindex": "it is marked noindex: it is not accepted, and its links are followed", "duplicate": "its bytes are those of an earlier page",
	"near-duplicate": "its text is nearly that of an earlier page", "media-type": "media type", "links-rdf": "it links to RDF", "embedded": "it has embedded data",
	"likeness": "likeness to the topic", "noun": "a noun that speaks for the topic", "other-noun": "a noun that speaks against the topic",
	"terms": "terms shared with layer 0", "labels": "labels of the page", "part": "part of the blend", "judge": "what the judge says",
	"no-answer": "the judge gave no answer", "not-asked": "the judge was not asked", "distance": "links to the nearest relevant page", "seed": "it is a seed",
}

// reasonsOf are reasons in words. A rule without words is shown by its name.
func reasonsOf(all []orbweaver.Reason) []Reason {
	var said []Reason
	for _, r := range all {
		words, part := rules[r.Rule], ""
		if words == "" {
			i := strings.LastIndexByte(r.Rule, '/') // of a part of a blend
			if part, words = r.Rule[:max(i, 0)], rules[r.Rule[i+1:]]; words == "" {
				part, words = "", r.Rule
			}
		}
		if part != "" {
			words = part + ": " + words
		}
		said = append(said, Reason{words, r.Evidence, r.Weight})
	}
	return said
}
