package ontology

import (
	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// WordID returns the ID of the suggestion of a word or phrase, as Suggestions gives it for one that pages have in their
// text. lang is the language that it is written in; empty: unknown.
func WordID(phrase, lang string) string {
	var words reader
	english, key := isEnglish(lang), uint64(0)
	words.reset(phrase)
	for n := 0; words.next(); n++ {
		stem := words.stem(phrase, 0, english)
		if key = fold(key, stem); n == 0 {
			key = stem
		}
	}
	return idOf(orbweaver.SuggestWord, key)
}

// EntityID returns the ID of the suggestion of an entity by its IRI.
func EntityID(iri string) string { return idOf(orbweaver.SuggestEntity, hashOf(iri)) }

// BroaderID is the ID of the suggestion that an entity is below another one.
func BroaderID(narrow, broad string) string {
	return idOf(orbweaver.SuggestBroader, fold(hashOf(narrow), hashOf(broad)))
}

// Lexicon returns a lexicon of all entries of an ontology, which finds words as pages are judged by them.
func Lexicon(o *kb.Ontology) *text.Lexicon { return newLexicon(o, false) }

// Weight returns what a match of an entity of the ontology counts for the targets, at least 0.
func (f *Focus) Weight(entity int) float64 { return f.now.Load().weights.page[entity] }

// IsDecided reports whether a person decided a suggestion.
func (f *Focus) IsDecided(id string) bool { return f.decided[id] }
