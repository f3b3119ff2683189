package ontology

import (
	"sync"

	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// knowledge is the state that Prepare needs. It is immutable: Prepare may read it on any goroutine while a
// decision replaces it.
type knowledge struct {
	ontology *kb.Ontology
	targets  []int32
	combine  Combine
	links    Links
	lexicon  *text.Lexicon
	weights  weights
	data     *dataNames // nil: data names nothing
}

// newKnowledge resolves the targets in the ontology and computes the weights of its entities. It returns
// every problem.
func newKnowledge(opts Options) (*knowledge, []error) {
	targets, problems := resolve(opts)
	if len(problems) > 0 {
		return nil, problems
	}
	var w weights
	var err error
	var weighing sync.WaitGroup
	weighing.Go(func() { w, err = newWeights(opts, targets) })
	lexicon := newLexicon(opts.Ontology, opts.Paper.Folded)
	if weighing.Wait(); err != nil {
		return nil, []error{err}
	}
	k := &knowledge{
		ontology: opts.Ontology,
		targets:  targets,
		combine:  opts.Combine,
		links:    opts.Paper.Links,
		lexicon:  lexicon,
		weights:  w,
	}
	k.data = newDataNames(k, opts.Data)
	return k, nil
}

// newLexicon returns a lexicon of all entries. Entries of entities without weight are included: where they
// match, a shorter entry within them must not.
func newLexicon(o *kb.Ontology, folded bool) *text.Lexicon {
	count := 0
	for _, e := range o.Entries() {
		count += len(e.Entities)
	}
	phrases := make([]text.Phrase, 0, count)
	for _, e := range o.Entries() {
		for _, i := range e.Entities {
			phrases = append(phrases, text.Phrase{Text: e.Text, Lang: e.Lang, ID: i, Origin: originOf(o, e, i)})
		}
	}
	if folded {
		return text.NewFoldedLexicon(phrases)
	}
	return text.NewLexicon(phrases)
}

// originOf returns the origin of an entity's entry.
func originOf(o *kb.Ontology, e kb.Entry, entity int32) text.Origin {
	switch kind := o.Entity(int(entity)).Kind; {
	case e.Coined:
		return text.Coined
	case kind == kb.Property:
		return text.Relation
	case kind == kb.Instance:
		return text.Name
	}
	return text.Term
}

// heaviest returns the entity of greatest weight, the first among equals; its weight may be 0.
func (k *knowledge) heaviest(entities []int32) (entity int32, weight float64) {
	for i, e := range entities {
		if w := k.weights.page[e]; i == 0 || w > weight {
			entity, weight = e, w
		}
	}
	return entity, weight
}
