package knowledge

import (
	"slices"

	"orbweaver/internal/findings"
	"orbweaver/kb/offer"
	"orbweaver/kb/ontology"
	"orbweaver/kb/terms"
)

// classesOf returns the classes of a metadata crawl: what a path of statements says each to be below of, or the same as,
// the nearest first. Score is 1 for a given class; for one that was found, the score of its judgement, or without one a
// half for each step of its shortest path. Count is the number of statements that lead to it, examples are its document
// and the datasets that state it.
func classesOf(found findings.Findings) *offer.Source {
	s := &offer.Source{}
	label := map[string]string{}
	for _, t := range found.Terms {
		label[t.IRI] = t.Label
	}
	for i := range found.Terms {
		s.Offers = append(s.Offers, classOf(&found.Terms[i], label))
	}
	return s
}

// classOf returns the offer of a class; label has the labels of all.
func classOf(t *terms.Term, label map[string]string) offer.Offer {
	o := offer.Offer{Text: t.Label, IRI: t.IRI, Class: true, Score: 1, Count: 1}
	if o.Text == "" {
		o.Text = ontology.Words(t.IRI)
	}
	if t.Judged != nil {
		o.Score = t.Judged.Score
	} else if len(t.Paths) > 0 {
		for range t.Paths[0] {
			o.Score /= 2
		}
	}
	if t.Document != "" {
		o.Examples = []string{t.Document}
	}
	for _, p := range t.Paths {
		o.Count = max(o.Count, int64(len(t.Paths)))
		o.Examples = exampled(o.Examples, p[len(p)-1].Dataset)
		above, same := relatives(p, label)
		o.Above, o.Same = append(o.Above, above...), append(o.Same, same...)
	}
	return o
}

// exampled adds an example, up to three.
func exampled(all []string, one string) []string {
	if len(all) == maxExamples || one == "" || slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}

// relatives returns the classes on a path that its last one is below of, or the same as, the nearest first. It goes back
// until a statement says something else.
func relatives(p terms.Path, label map[string]string) (above, same []offer.Ref) {
	below := false
	for _, s := range slices.Backward(p) {
		switch property := s.Property[len(terms.Namespace(s.Property)):]; {
		case property == "subClassOf" && s.Inverse:
			below = true
		case !slices.Contains([]string{"equivalentClass", "sameAs", "exactMatch"}, property):
			return above, same
		}
		ref := offer.Ref{Text: label[s.From], IRI: s.From}
		if below {
			above = append(above, ref)
		} else {
			same = append(same, ref)
		}
	}
	return above, same
}
