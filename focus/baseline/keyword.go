package baseline

import (
	"context"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/text"
)

type keyword struct {
	lexicon *text.Lexicon
	terms   []string
	links   links
}

// occurrences holds how often each term occurs on a page, and in which words; nil when none does.
type occurrences []occurrence

type occurrence struct {
	times int
	words string // their most frequent written form on the page
}

// NewKeyword returns the paper's keyword baseline (Ehrig and Maedche, section 5): a page is relevant when one
// of the terms occurs in its title or text. Words match as in a text.Lexicon; terms of several words match as
// phrases. Only links of relevant pages are followed, all at score 1, in discovery order; other pages score
// 0. A term without a word wraps orbweaver.ErrInput.
func NewKeyword(terms []string) (orbweaver.Focus, error) {
	if err := checkTerms(terms); err != nil {
		return nil, err
	}
	phrases := make([]text.Phrase, len(terms))
	for i, t := range terms {
		phrases[i] = text.Phrase{Text: t, ID: int32(i)}
	}
	return &keyword{lexicon: text.NewLexicon(phrases), terms: terms}, nil
}

func checkTerms(terms []string) error {
	if len(terms) == 0 {
		return fmt.Errorf("no terms: %w", orbweaver.ErrInput)
	}
	for _, t := range terms {
		var words text.Scanner
		if words.Reset(t); !words.Next() {
			return fmt.Errorf("term %q has no word: %w", t, orbweaver.ErrInput)
		}
	}
	return nil
}

func (k *keyword) Prepare(_ context.Context, p *orbweaver.Page) (any, error) {
	return k.prepare(p), nil
}

func (k *keyword) prepare(p *orbweaver.Page) occurrences {
	m := k.lexicon.Matcher(p.Lang)
	defer m.Release()
	w := wordingsOf(m, p)
	var found occurrences
	for id, n := range w.times(len(k.terms)) {
		if n > 0 && found == nil {
			found = make(occurrences, len(k.terms))
		}
		if n > 0 {
			found[id] = occurrence{n, strings.Clone(w.Most(int32(id)))}
		}
	}
	return found
}

func (k *keyword) findings(p *orbweaver.Page) occurrences {
	if found, ok := p.Findings.(occurrences); ok {
		return found
	}
	return k.prepare(p)
}

func (k *keyword) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := k.findings(p)
	if found == nil {
		return orbweaver.Judgement{}, nil
	}
	var evidence []string
	for i, o := range found {
		if o.times > 0 {
			evidence = append(evidence, string(text.AppendWording(nil, o.words, o.times, k.terms[i])))
		}
	}
	j := because(1, RuleKeyword, strings.Join(evidence, ", "))
	j.Accepted = true
	return j, nil
}

func (k *keyword) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	if k.findings(p) == nil {
		return nil, nil
	}
	return k.links.each(p, same(because(1, RuleKeyword, "a term occurs on "+p.URL))), nil
}
