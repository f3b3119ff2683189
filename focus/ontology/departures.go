package ontology

import "orbweaver"

// Paper is the part of the options in which the paper and the default differ. The zero value is the default. In the
// paper, Options.Measure is Frequency.
type Paper struct {
	Folded    bool    // words match by Porter's stem alone, in any case (section 2, preprocessing)
	Satisfied bool    // a page is accepted as the paper's satisfying page (section 5), whatever its score
	Links     Links   // what ranks a link
	Inlinks   Inlinks // what several links to one request are worth
	Unlearned bool    // words of anchors are not learned
}

// Links determine the rank of a link. The paper says that highly ranked links are followed first (section 4),
// and not whether the rank is that of the document or of the text at the link, both of which its relevance
// function takes.
type Links uint8

// The ranks of links.
const (
	Mixed      Links = iota // the page's score, the anchor, the URL and the context: see rank
	PageScore               // the score of the page with the link
	AnchorText              // the score of the link's own text, its anchor and title, by the page's measure
)

// ParseLinks returns the rank of a name in the crawl file.
func ParseLinks(name string) (Links, bool) {
	switch name {
	case "mixed":
		return Mixed, true
	case "page":
		return PageScore, true
	case "text":
		return AnchorText, true
	}
	return Mixed, false
}

// Inlinks determine the score of a request from the ranks of the links to it.
type Inlinks uint8

// The scores of requests.
const (
	MeanLink Inlinks = iota // their mean, shrunk towards 0: see package inlinks
	BestLink                // the highest: a rank stands until a better link comes
)

// literally ranks a link by a measure of the paper alone: the score of its page, or of its own text. Unlike
// links of Mixed, texts are combined as pages are (definition 9), so that with Min a text that lacks a target
// scores 0.
func (f *Focus) literally(found *findings, l *link, page float64) ranking {
	if f.opts.Paper.Links == PageScore {
		return ranking{page: page}
	}
	r, _ := f.relevance(&findings{by: found.by, hits: l.Anchor.hits, words: int(found.lengths[l.At])})
	return ranking{anchor: f.scoreOf(r)}
}

// verdict accepts or rejects a page with a score.
func (f *Focus) verdict(j *orbweaver.Judgement) {
	switch {
	case f.opts.Paper.Satisfied:
	case f.opts.Accept != nil:
		j.Accepted = j.Score >= *f.opts.Accept
	default:
		f.accept.Judge(j)
	}
}
