package synth

import (
	"fmt"
	"strings"
)

// Numbers of words: shared by all topics, and per topic.
const (
	generalWords = 4096
	topicalWords = 64
)

// terms is the number of a topic's words that serve as a query.
const terms = 3

// makeWords makes all words: pronounceable, distinct, not English.
func (w *Web) makeWords() {
	const letters = "bdfgklmnprstvwxz" // 16, and 4 vowels: 2^18 words of three syllables
	shuffled, made := newShuffle(1<<18, w.dice(forWord, 0)), int64(0)
	next := func() string {
		n := shuffled.to(made)
		made++
		var b [6]byte
		for i := 0; i < len(b); i += 2 {
			b[i], b[i+1] = letters[n&15], "aiou"[n>>4&3]
			n >>= 6
		}
		return string(b[:])
	}
	list := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = next()
		}
		return words
	}
	w.general = list(generalWords)
	for range w.Topics {
		w.topical = append(w.topical, list(topicalWords))
	}
}

// word draws a word from a list; rank r has a probability ∝ r^-2/3.
func word(list []string, d *dice) string {
	u := d.float()
	return list[int(u*u*u*float64(len(list)))]
}

// Terms returns the target's most frequent words, as a user's query.
func (w *Web) Terms() []string { return w.topical[0][:terms] }

// Target is the IRI of the target in Ontology.
const Target = "http://synth.example/topics#T0"

// Ontology returns a small ontology of the target in Turtle, with 50 entities: the target with its terms,
// subclasses named by 31 more of its words, and the two adjacent topics, related to the target, each with
// seven subclasses.
func (w *Web) Ontology() string {
	var b strings.Builder
	b.WriteString("@prefix : <http://synth.example/topics#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n" +
		"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\n")
	class := func(name, rest string, labels []string) {
		fmt.Fprintf(&b, ":%s a owl:Class ;%s rdfs:label %s .\n", name, rest, `"`+strings.Join(labels, `"@en, "`)+`"@en`)
	}
	class("T0", "", w.Terms())
	for i, word := range w.topical[0][terms : terms+31] {
		class(fmt.Sprintf("T0_%d", i), " rdfs:subClassOf :T0 ;", []string{word})
	}
	beside := []int{1}
	if w.Topics > 2 {
		beside = append(beside, w.Topics-1)
	}
	for _, topic := range beside {
		name := fmt.Sprintf("T%d", topic)
		class(name, "", w.topical[topic][:1])
		for i, word := range w.topical[topic][1:8] {
			class(fmt.Sprintf("%s_%d", name, i), " rdfs:subClassOf :"+name+" ;", []string{word})
		}
		fmt.Fprintf(&b, ":near%s a owl:ObjectProperty ; rdfs:label \"near %s\"@en ; rdfs:domain :T0 ; rdfs:range :%s .\n", name, name, name)
	}
	return b.String()
}
