package metadata_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/metadata"
	"orbweaver/rdf"
)

// TestAppendix1 is the printed algorithm on a case for the head. per_dataset is 2, per_term 3:
//
//	first   d1 has a, b, c: cut to a b;  d2 has z, e, f: cut to z e;  z e before a b, cut to z e a
//	second  d2 has e, g: e g before what first led to: e g z e a
//
// e stands twice and counts at its first place, so the next level is e g z a. With terms: 4 two of them are
// processed. Sorted by IRI, first leads to a b e, second to e g: a b e g.
func TestAppendix1(t *testing.T) {
	for _, tc := range []struct {
		order     metadata.Order
		terms     int
		processed string
		found     string
	}{
		{metadata.Prepended, 4, "first second e g", "a e g z"},
		{metadata.Prepended, 6, "first second e g z a", "a e g z"},
		{metadata.Sorted, 4, "first second a b", "a b e g"},
		{metadata.Sorted, 6, "first second a b e g", "a b e g"},
	} {
		f, _ := appendix1(t, tc.order, tc.terms, false)
		var processed, reached []string
		for _, one := range f.Terms() {
			name := strings.TrimPrefix(one.IRI, "http://x.test/")
			if one.Found {
				reached = append(reached, name)
			}
			if one.Processed {
				processed = append(processed, name)
			}
		}
		slices.Sort(reached)
		if got := strings.Join(reached, " "); got != tc.found {
			t.Errorf("order %d, %d terms: found %s, want %s", tc.order, tc.terms, got, tc.found)
		}
		want := strings.Fields(tc.processed)
		slices.Sort(want)
		slices.Sort(processed)
		if !slices.Equal(processed, want) {
			t.Errorf("order %d, %d terms: processed %v, want %v", tc.order, tc.terms, processed, want)
		}
	}
}

// TestSingle: a query asks about one term, as the paper's does, and terms come in the order of the next level.
func TestSingle(t *testing.T) {
	_, asked := appendix1(t, metadata.Prepended, 6, true)
	if got, want := strings.Join(asked["http://d2.test/"], " "), "first second e g z a"; got != want {
		t.Errorf("asked d2 about %s, want %s", got, want)
	}
	_, asked = appendix1(t, metadata.Prepended, 6, false)
	if got := len(asked["http://d2.test/"]); got != 2 {
		t.Errorf("%d queries for two stages", got)
	}
}

// TestPrependedJudged: a judged expansion goes by scores.
func TestPrependedJudged(t *testing.T) {
	_, err := metadata.New(metadata.Options{
		Terms: []string{"http://x.test/a"}, Limits: paperLimits(), Processors: paperProcessors(), Judged: true, Order: metadata.Prepended,
	})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("%v", err)
	}
}

// appendix1 crawls two datasets that answer in an order of their own, and returns the terms of each query by
// endpoint.
func appendix1(t *testing.T, order metadata.Order, most int, single bool) (*metadata.Focus, map[string][]string) {
	w := newWeb(t)
	below := map[string]map[string]string{
		"http://d1.test/": {"first": "a b c"},
		"http://d2.test/": {"first": "z e f", "second": "e g"},
	}
	asked := map[string][]string{}
	for endpoint, of := range below {
		w.endpoints[endpoint] = func(query string) (*rdf.Results, error) {
			var about []string
			r := &rdf.Results{}
			for n := 0; ; n++ {
				// The last branch of a term asks for its subclasses: ?vN_4 <…subClassOf> <TERM>.
				_, rest, ok := strings.Cut(query, fmt.Sprintf("?v%d_4 <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.test/", n))
				if !ok {
					break
				}
				term, _, _ := strings.Cut(rest, ">")
				about = append(about, term)
				r.Vars = append(r.Vars, fmt.Sprintf("v%d_4", n))
			}
			for column, term := range about {
				for _, name := range strings.Fields(of[term]) {
					row := make([]rdf.Term, len(about))
					row[column] = rdf.NewIRI("http://x.test/" + name)
					r.Rows = append(r.Rows, row)
				}
			}
			asked[endpoint] = append(asked[endpoint], strings.Join(about, "+"))
			return r, nil
		}
	}
	return w.crawl(metadata.Options{
		Terms: []string{"http://x.test/first", "http://x.test/second"}, Order: order, Single: single,
		Limits:     metadata.Limits{Levels: 2, Terms: most, PerTerm: 3, PerDataset: 2},
		Datasets:   []metadata.Dataset{{Name: "d1", Endpoint: "http://d1.test/"}, {Name: "d2", Endpoint: "http://d2.test/"}},
		Processors: []metadata.Processor{metadata.Property(metadata.PaperRelations()...)},
	}), asked
}
