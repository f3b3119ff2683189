package labelmodel

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
)

// maxTimes bounds how often a noun is written in the text of a KRS's document.
const maxTimes = 1000

// schema reads the documents of a KRS, by IRI. The text of a document is its nouns, each in a block of its own and as often
// as the document has it, so that no collocation spans two of them. A noun that is linked to an entity is written as the
// corpus most often names that, so that one entity is one term. Verbs, adjectives and the order of words are not in a KRS.
func (s *source) schema(path string, give func(document) error) (err error) {
	store, err := krsdb.Open(path, "")
	if err != nil {
		if errors.Is(err, orbweaver.ErrBusy) {
			return err
		}
		return fmt.Errorf("stream: %w (%w)", err, orbweaver.ErrInput)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	snapshot, err := store.Snapshot(krs.Options{})
	if errors.Is(err, krs.ErrEmpty) {
		return nil // the tally of the whole stream reports it
	}
	if err != nil {
		return err
	}
	names := entityNames(snapshot)
	for d := range snapshot.Stored() {
		if err := give(document{ID: d.ID, Title: d.Title, Text: textOf(d, names)}); err != nil {
			return err
		}
	}
	return nil
}

// entityNames returns the lemma by which most documents name each entity, the first in alphabetical order among equals.
func entityNames(s *krs.Snapshot) map[string]string {
	counts := map[krs.Key]int{}
	names := map[string]string{}
	for d := range s.Stored() {
		for _, m := range d.Nouns {
			if m.Linked() {
				counts[m.Key]++
			}
		}
	}
	for k, n := range counts {
		best, known := names[k.IRI]
		if !known || cmp.Or(cmp.Compare(n, counts[krs.Key{Lemma: best, IRI: k.IRI}]), strings.Compare(best, k.Lemma)) > 0 {
			names[k.IRI] = k.Lemma
		}
	}
	return names
}

// textOf returns a document's nouns as text, at most maxText bytes.
func textOf(d krs.Stored, names map[string]string) string {
	var b strings.Builder
	for _, m := range d.Nouns {
		name := m.Lemma
		if m.Linked() {
			name = names[m.IRI]
		}
		for range min(m.Times, maxTimes) {
			if b.Len()+len(name)+2 > maxText {
				return b.String()
			}
			b.WriteString(name)
			b.WriteString("\n\n")
		}
	}
	return b.String()
}
