package metadata

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/kb/relevance"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// maxAnswers bounds the answers of a crawl.
const maxAnswers = 1000

// Question returns the question whose answer promises most, as of the last judged stage; nil if there is none. It is about a rejected class
// above given terms: relevance.Judge.Question.
func (f *Focus) Question() *relevance.Question { return f.state.Question }

// Answers returns what a person said of classes.
func (f *Focus) Answers() map[string]bool { return maps.Clone(f.state.Answers) }

// Over reports whether the search is complete.
func (f *Focus) Over() bool { return f.state.Phase == over }

// Considered reports whether a class is a candidate, accepted or not, that can be answered for.
func (f *Focus) Considered(iri string) bool {
	t := f.state.Terms[iri]
	return f.state.Rejected[iri] != nil || t != nil && t.Stage > 0
}

// Decide records a person's answer about a class: that it belongs to the topic with what is below it, that it does not, or that an earlier
// answer holds no more. If the search is over, the next end of a round judges all candidates again, and processes those newly accepted that were
// found before the last stage.
//
// An error wraps orbweaver.ErrInput and leaves the focus unchanged. It is returned for what is no answer, as for a verdict on a page.
func (f *Focus) Decide(_ context.Context, d orbweaver.Decision) (orbweaver.Lesson, error) {
	s := &f.state
	_, said := s.Answers[d.ID]
	switch {
	case d.ID == "" || d.As != orbweaver.AsTopic:
		return orbweaver.Lesson{}, fmt.Errorf("metadata focus: %s: it learns from answers about classes alone: %w", d.Name(), orbweaver.ErrInput)
	case !f.opts.Judged:
		return orbweaver.Lesson{}, fmt.Errorf("metadata focus: %s: only expand: judged takes answers: %w", d.Name(), orbweaver.ErrInput)
	case !isTerm(d.ID):
		return orbweaver.Lesson{}, fmt.Errorf("metadata focus: %q is not the IRI of a class: %w", d.ID, orbweaver.ErrInput)
	case !said && len(s.Answers) >= maxAnswers:
		return orbweaver.Lesson{}, fmt.Errorf("metadata focus: more than %d answers: %w", maxAnswers, orbweaver.ErrInput)
	}
	if s.Answers == nil {
		s.Answers = map[string]bool{}
	}
	if d.Withdrawn {
		delete(s.Answers, d.ID)
	} else {
		s.Answers[d.ID] = d.Accepted
	}
	s.Question = nil
	if s.Phase == over {
		s.Phase, s.Looked = judging, true
	}
	return orbweaver.Lesson{}, nil
}

// inquire determines the next question. classes are those of the last verdicts.
func (f *Focus) inquire(judge *relevance.Judge, candidates []relevance.Class) {
	f.state.Question = nil
	if q, ask := judge.Question(candidates); ask {
		f.state.Question = &q
	}
}

// overdue returns the new classes that would have been processed, had they been accepted when they were found: by an answer after the
// last stage, the search goes back to the earliest stage that found one.
func (f *Focus) overdue(next []string) (late []string) {
	s, earliest := &f.state, f.opts.Limits.Levels
	for _, iri := range next {
		if stage := s.Terms[iri].Stage; stage < f.opts.Limits.Levels {
			late, earliest = append(late, iri), min(earliest, stage)
		}
	}
	if len(late) > 0 {
		s.Stage = earliest
	}
	return late
}

// facts returns the results as terms.Describe describes them; nothing if they were returned before. Blank nodes of a later description have other
// names.
func (f *Focus) facts() (all []rdf.Quad) {
	s := &f.state
	digest := s.resultsDigest()
	if s.Told != "" && s.Told == digest {
		return nil
	}
	prefix := ""
	if s.Told != "" {
		prefix = "n" + digest
	}
	s.Told = digest
	graph := rdf.NewIRI(FindingsGraph)
	for _, t := range terms.Describe(f.Terms(), f.Datasets()) {
		for _, node := range []*rdf.Term{&t.S, &t.O} {
			if node.Kind == rdf.Blank && prefix != "" {
				*node = rdf.NewBlank(prefix + node.Value)
			}
		}
		all = append(all, rdf.Quad{S: t.S, P: t.P, O: t.O, G: graph})
	}
	return all
}

// resultsDigest identifies which classes are found and processed.
func (s *state) resultsDigest() string {
	names := make([]string, 0, len(s.Order))
	for _, iri := range s.Order {
		names = append(names, fmt.Sprint(iri, " ", s.Terms[iri].Processed, "\n"))
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "")))
	return hex.EncodeToString(sum[:8])
}
