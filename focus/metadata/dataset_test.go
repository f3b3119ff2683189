package metadata_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/metadata"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

const zoo = `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix z: <http://zoo.test/> .
z:Cat rdfs:subClassOf z:Animal . z:Dog rdfs:subClassOf z:Animal . z:Lion rdfs:subClassOf z:Cat .
z:Cat owl:equivalentClass <http://other.test/Felis> . <http://other.test/Same> owl:sameAs z:Cat .
[] rdfs:subClassOf z:Animal . z:Animal rdfs:subClassOf z:Thing .
`

// herd is a number of instances of a class.
func herd(class string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<http://zoo.test/%s/%05d> a <http://zoo.test/%s> .\n", class, i, class)
	}
	return b.String()
}

// one crawls with a single dataset, restricted as the test requires.
func one(t *testing.T, refuse func(query string, answer *rdf.Results) (*rdf.Results, error)) (*web, *metadata.Focus) {
	t.Helper()
	w := newWeb(t)
	const url = "http://zoo.test/sparql"
	w.dataset(url, []byte(zoo), []byte(herd("Cat", 2500)), []byte(herd("Animal", 3)))
	able := w.endpoints[url]
	w.endpoints[url] = func(query string) (*rdf.Results, error) {
		answer, err := able(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return refuse(query, answer)
	}
	f := w.crawl(metadata.Options{
		Terms: []string{"http://zoo.test/Animal"}, Limits: paperLimits(),
		Datasets: []metadata.Dataset{{Name: "zoo", Endpoint: url}}, Processors: paperProcessors(),
	})
	return w, f
}

// TestAbilities: whatever a dataset supports, its content is found, in as few questions as possible.
func TestAbilities(t *testing.T) {
	refused := fmt.Errorf("%w: cannot", orbweaver.ErrQuery)
	cut := func(rows int, told string) func(string, *rdf.Results) (*rdf.Results, error) {
		return func(q string, a *rdf.Results) (*rdf.Results, error) {
			if len(a.Rows) > rows {
				a.Rows, a.Cut = a.Rows[:rows], told
			}
			return a, nil
		}
	}
	for _, tc := range []struct {
		name   string
		refuse func(string, *rdf.Results) (*rdf.Results, error)
		how    string
		most   int // questions
	}{
		{"all of 1.1", func(_ string, a *rdf.Results) (*rdf.Results, error) { return a, nil }, terms.Counted, 4},
		{"no sub-selects", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Count(q, "SELECT") > 1 {
				return nil, refused
			}
			return a, nil
		}, terms.Counted, 12},
		{"1.0", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") {
				return nil, refused
			}
			return a, nil
		}, terms.Paged, 18},
		{"1.0 without UNION", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") || strings.Contains(q, "UNION") {
				return nil, refused
			}
			return a, nil
		}, terms.Paged, 45},
		{"1.0, 400 rows an answer, as it says", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") {
				return nil, refused
			}
			return cut(400, "max-rows")(q, a)
		}, terms.Paged, 25},
		{"1.0, 100 rows an answer, as it does not say", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") {
				return nil, refused
			}
			return cut(100, "")(q, a)
		}, terms.Paged, 42},
		{"1.0, long pages further on take too long", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") || strings.Contains(q, "FILTER") && strings.Contains(q, "LIMIT 1000") {
				return nil, orbweaver.ErrTimeout
			}
			return a, nil
		}, terms.Paged, 45},
		{"UNION is forbidden, by a firewall", func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "UNION") {
				return nil, orbweaver.ErrForbidden
			}
			return a, nil
		}, terms.Counted, 45},
		{"two rows an answer", cut(2, "max-rows"), terms.Counted, 25},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, f := one(t, tc.refuse)
			want := []string{"http://other.test/Felis", "http://other.test/Same", "http://zoo.test/Cat", "http://zoo.test/Dog", "http://zoo.test/Lion"}
			if have := found(f.Terms()); !reflect.DeepEqual(have, want) {
				t.Errorf("found %v", have)
			}
			d := f.Datasets()[0]
			counts := map[string]terms.Count{}
			for _, c := range d.Instances {
				counts[c.Class] = c
			}
			for class, n := range map[string]int64{"Cat": 2500, "Animal": 3, "Dog": 0} {
				if c := counts["http://zoo.test/"+class]; c.N != n || c.How != tc.how || c.AtLeast {
					t.Errorf("%s: %+v", class, c)
				}
			}
			asked := 0
			for _, a := range d.Answers {
				asked += a.Asked
			}
			if asked > tc.most || d.Reason != "" || d.Partial {
				t.Errorf("%d questions, %+v\n%s", asked, d, strings.Join(w.asked, "\n"))
			}
		})
	}
}

// TestUnable: what a dataset cannot answer is reported.
func TestUnable(t *testing.T) {
	t.Run("no FILTER", func(t *testing.T) {
		_, f := one(t, func(q string, a *rdf.Results) (*rdf.Results, error) {
			if strings.Contains(q, "COUNT") {
				return nil, orbweaver.ErrQuery
			}
			if strings.Contains(q, "FILTER") { // as if it had not read it
				for i := range a.Rows {
					a.Rows[i][0] = rdf.NewIRI(fmt.Sprintf("http://zoo.test/Cat/%05d", i))
				}
			}
			return a, nil
		})
		for _, c := range f.Datasets()[0].Instances {
			if c.Class == "http://zoo.test/Cat" && (c.N != 1000 || !c.AtLeast) {
				t.Errorf("%+v", c)
			}
		}
	})
	t.Run("three failures in a row", func(t *testing.T) {
		w, f := one(t, func(string, *rdf.Results) (*rdf.Results, error) {
			return nil, fmt.Errorf("login: %w", orbweaver.ErrForbidden)
		})
		d := f.Datasets()[0]
		if d.Reason != "forbidden" || len(w.asked) > 4 {
			t.Errorf("%+v, asked %v", d, w.asked)
		}
	})
	t.Run("down", func(t *testing.T) {
		w, f := one(t, func(string, *rdf.Results) (*rdf.Results, error) { return nil, orbweaver.ErrConnect })
		if d := f.Datasets()[0]; d.Reason != "connect" || d.Answers[0].Asked != 1 || len(w.asked) != 2 {
			t.Errorf("%+v, asked %v", d, w.asked)
		}
	})
	t.Run("given up", func(t *testing.T) {
		why := []error{orbweaver.ErrTimeout, orbweaver.ErrGaveUp}
		_, f := one(t, func(string, *rdf.Results) (*rdf.Results, error) {
			err := why[0]
			why = why[1:]
			return nil, err
		})
		if d := f.Datasets()[0]; d.Reason != "timeout" || d.Answers[0].Asked != 2 {
			t.Errorf("the endpoint's own reason is lost: %+v", d)
		}
	})
	t.Run("a graph instead of rows", func(t *testing.T) {
		_, f := one(t, func(string, *rdf.Results) (*rdf.Results, error) { return nil, nil })
		if d := f.Datasets()[0]; d.Reason != string(orbweaver.ErrAnswer) {
			t.Errorf("%+v", d)
		}
	})
}

// TestEndlessPages: a dataset that always has another page is abandoned at a limit.
func TestEndlessPages(t *testing.T) {
	w, n := newWeb(t), 0
	w.endpoints["http://zoo.test/sparql"] = func(query string) (*rdf.Results, error) {
		if !strings.Contains(query, "ORDER BY ?i") {
			return nil, orbweaver.ErrQuery
		}
		n++
		row := []rdf.Term{rdf.NewIRI(fmt.Sprintf("http://zoo.test/Cat/%05d", n))}
		return &rdf.Results{Vars: []string{"i"}, Rows: [][]rdf.Term{row}, Cut: "max-rows"}, nil
	}
	f := w.crawl(metadata.Options{
		Terms: []string{"http://zoo.test/Cat"}, Limits: paperLimits(),
		Datasets: []metadata.Dataset{{Name: "zoo", Endpoint: "http://zoo.test/sparql"}}, Processors: []metadata.Processor{metadata.Instances()},
	})
	if all := f.Datasets()[0].Instances; len(all) != 1 || all[0].N != 1000 || !all[0].AtLeast {
		t.Errorf("%+v", all)
	}
	if n != 1000 {
		t.Errorf("%d pages were asked for", n)
	}
}

// TestNoDocuments: documents are requested only if a processor examines them.
func TestNoDocuments(t *testing.T) {
	w := newWeb(t)
	w.dataset("http://zoo.test/sparql", []byte(zoo))
	f := w.crawl(metadata.Options{
		Terms: []string{"http://zoo.test/Animal"}, Limits: paperLimits(),
		Datasets:   []metadata.Dataset{{Name: "zoo", Endpoint: "http://zoo.test/sparql"}},
		Processors: []metadata.Processor{metadata.Property(metadata.PaperRelations()...)},
	})
	if len(w.asked) != 2 || f.Terms()[0].Problem != "" || len(found(f.Terms())) == 0 {
		t.Errorf("asked %q, %+v", w.asked, f.Terms()[0])
	}
}

// TestTruncation: truncation is per dataset and per term, in the order of IRIs, and precedes the removal of
// known terms.
func TestTruncation(t *testing.T) {
	w := newWeb(t)
	var a, b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&a, "<http://x.test/a%02d> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.test/top> .\n", i)
		fmt.Fprintf(&b, "<http://x.test/b%02d> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.test/top> .\n", i)
	}
	w.dataset("http://a.test/", []byte(a.String()))
	w.dataset("http://b.test/", []byte(b.String()))
	opts := metadata.Options{
		Terms:      []string{"http://x.test/top", "http://x.test/a00"},
		Limits:     metadata.Limits{Levels: 2, Terms: 5, PerTerm: 6, PerDataset: 4},
		Datasets:   []metadata.Dataset{{Name: "b", Endpoint: "http://b.test/"}, {Name: "a", Endpoint: "http://a.test/"}},
		Processors: paperProcessors(),
	}
	f := w.crawl(opts)
	want := []string{"http://x.test/a00", "http://x.test/a01", "http://x.test/a02", "http://x.test/a03", "http://x.test/b00", "http://x.test/b01"}
	if have := found(f.Terms()); !reflect.DeepEqual(have, want) {
		t.Errorf("found %v", have)
	}
	processed := 0
	for _, term := range f.Terms() {
		if term.Processed {
			processed++
		}
	}
	if processed != 5 {
		t.Errorf("%d terms were processed", processed)
	}
}

// TestProvenance: paths show how a term was reached, and deduced facts have their premises.
func TestProvenance(t *testing.T) {
	_, f := one(t, func(_ string, a *rdf.Results) (*rdf.Results, error) { return a, nil })
	for _, term := range f.Terms() {
		switch term.IRI {
		case "http://zoo.test/Lion":
			up := "http://www.w3.org/2000/01/rdf-schema#subClassOf"
			want := []terms.Path{{
				{From: "http://zoo.test/Animal", Property: up, Inverse: true, To: "http://zoo.test/Cat", Dataset: "zoo"},
				{From: "http://zoo.test/Cat", Property: up, Inverse: true, To: "http://zoo.test/Lion", Dataset: "zoo"},
			}}
			if !reflect.DeepEqual(term.Paths, want) {
				t.Errorf("paths %+v", term.Paths)
			}
			fallthrough
		case "http://other.test/Felis", "http://other.test/Same":
			if len(term.Deduced) != 1 || term.Deduced[0].Object != "http://zoo.test/Animal" || len(term.Deduced[0].Premises) != 2 {
				t.Errorf("%s: deduced %+v", term.IRI, term.Deduced)
			}
		case "http://zoo.test/Cat":
			if term.Instances != 2500 || len(term.Deduced) != 0 || term.Stage != 1 {
				t.Errorf("%+v", term)
			}
		}
	}
}

// TestForeign: a snapshot of other terms, or an invalid one, is rejected.
func TestForeign(t *testing.T) {
	opts := metadata.Options{Terms: []string{"http://zoo.test/Animal"}, Limits: paperLimits(), Processors: paperProcessors()}
	f, err := metadata.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	opts.Terms = []string{"http://zoo.test/Plant"}
	other, err := metadata.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Restore(strings.NewReader(b.String())); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("other terms: %v", err)
	}
	for _, broken := range []string{"", "{}", strings.Replace(b.String(), `"order":["http://zoo.test/Animal"]`, `"order":["x"]`, 1)} {
		if err := f.Restore(strings.NewReader(broken)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

// TestBadOptions: all problems of options are reported at once.
func TestBadOptions(t *testing.T) {
	_, err := metadata.New(metadata.Options{
		Terms:    []string{"no iri", "http://x.test/a>b"},
		Datasets: []metadata.Dataset{{Name: "a", Endpoint: "http://x.test/"}, {Name: "a", Endpoint: "http://x.test/"}},
	})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	for _, want := range []string{"no iri", "a>b", "limits.levels", "limits.terms", "limits.per_term", "limits.per_dataset", "one endpoint", "two are named a"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing of %q in %v", want, err)
		}
	}
}

// TestMatches: a fourth processor follows rdfs:seeAlso and SKOS, in documents and datasets, except to pages.
func TestMatches(t *testing.T) {
	w := newWeb(t)
	w.documents["http://zoo.test/Cat"] = []byte(`
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://zoo.test/Cat> rdfs:seeAlso <http://zoo.test/cat.html>, <http://zoo.test/Feline> .
`)
	w.dataset("http://skos.test/", []byte(`
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://zoo.test/Cat> skos:narrowMatch <http://b.test/Lion> ; skos:broadMatch <http://b.test/Animal> .
<http://b.test/Tiger> skos:broadMatch <http://zoo.test/Cat> . <http://b.test/Katze> skos:exactMatch <http://zoo.test/Cat> .
`))
	f := w.crawl(metadata.Options{
		Terms: []string{"http://zoo.test/Cat"}, Limits: metadata.Limits{Levels: 1, Terms: 9, PerTerm: 9, PerDataset: 9},
		Datasets: []metadata.Dataset{{Name: "skos", Endpoint: "http://skos.test/"}}, Processors: []metadata.Processor{metadata.Matches()},
	})
	want := []string{"http://b.test/Katze", "http://b.test/Lion", "http://b.test/Tiger", "http://zoo.test/Feline"}
	if have := found(f.Terms()); !reflect.DeepEqual(have, want) {
		t.Errorf("found %v", have)
	}
}

// TestProblems: problems of a term's document are reported, and the others continue.
func TestProblems(t *testing.T) {
	w := newWeb(t)
	w.documents["http://zoo.test/Cat"] = []byte(zoo)
	w.documents["http://zoo.test/Empty"] = []byte("@prefix z: <http://zoo.test/> .\n")
	f := w.crawl(metadata.Options{
		Terms:  []string{"http://zoo.test/Cat", "http://zoo.test/Empty", "http://gone.test/A", "urn:x:B"},
		Limits: paperLimits(), Processors: paperProcessors(),
	})
	problems := map[string]string{}
	for _, one := range f.Terms() {
		problems[one.IRI] = one.Problem
	}
	for iri, want := range map[string]string{
		"http://zoo.test/Cat": "", "http://zoo.test/Empty": "no RDF", "http://gone.test/A": "absent", "urn:x:B": "no address",
	} {
		if have := problems[iri]; (want == "") != (have == "") || !strings.Contains(have, want) {
			t.Errorf("%s: %q", iri, have)
		}
	}
	if have := found(f.Terms()); len(have) != 3 {
		t.Errorf("found %v", have)
	}
}
