package krs

import "iter"

// A Stored is a document as the KRS keeps it: its distinct nouns in the order of their first occurrence in the KRS, with
// their numbers of occurrences. Their order in the text, and all other words, are not kept.
type Stored struct {
	ID    string // IRI; empty in the background
	Title string // empty in the background
	Nouns []Mention
}

// Stored returns the documents of the corpus, by IRI. Those that a crawl learned (With) are not among them.
func (s *Snapshot) Stored() iter.Seq[Stored] {
	return func(yield func(Stored) bool) {
		for i, name := range s.names {
			if !yield(Stored{name[0], name[1], s.mentions(s.corpus[i])}) {
				return
			}
		}
	}
}

// Others returns the documents of the background, by ID.
func (s *Snapshot) Others() iter.Seq[Stored] {
	return func(yield func(Stored) bool) {
		for _, t := range s.others {
			if !yield(Stored{Nouns: s.mentions(t)}) {
				return
			}
		}
	}
}

// mentions returns the nouns of a document.
func (s *Snapshot) mentions(t bag) []Mention {
	all := make([]Mention, len(t))
	for i, term := range t {
		all[i] = Mention{Key: s.keys[term.at], Times: int(term.times)}
	}
	return all
}
