package ledger_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// saying returns the data of a page.
func saying(words ...string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for _, word := range words {
			if !yield(rdf.Quad{S: rdf.NewBlank("x"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString(word)}, nil) {
				return
			}
		}
	}
}

// page returns a request and its page with the given data.
func page(url string, data iter.Seq2[rdf.Quad, error], links ...string) (orbweaver.Proposal, *orbweaver.Outcome) {
	r := orbweaver.Request{URL: url}
	o := &orbweaver.Outcome{Request: r, Status: 200, Page: &orbweaver.Page{URL: url, Title: "of " + url, Quads: data}}
	o.Actual = orbweaver.Judgement{Score: 0.5, Reasons: []orbweaver.Reason{{Rule: "entity", Evidence: url, Weight: 1}}}
	for _, to := range links {
		o.Page.Links = append(o.Page.Links, orbweaver.Link{To: to})
	}
	return orbweaver.Proposal{Request: r}, o
}

// says returns the objects of page data with their graphs, sorted.
func says(t *testing.T, l *ledger.Ledger) (all []string) {
	t.Helper()
	for q, err := range l.Quads(rdf.Term{}, rdf.NewIRI("http://v/says"), rdf.Term{}, rdf.Term{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q.G.Value+" "+q.O.Value)
	}
	slices.Sort(all)
	return all
}

// again commits the outcome of a refresh.
func again(t *testing.T, l *ledger.Ledger, id uint64, change orbweaver.Change, o *orbweaver.Outcome) {
	t.Helper()
	o.Change = change
	if err := l.Commit(step.Batch{Done: id, Outcome: o}); err != nil {
		t.Fatal(err)
	}
}

// TestStatementsOfPages: the data of a page are visible from its commit until they are replaced.
func TestStatementsOfPages(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	p, o := page("http://a/1", saying("one", "two"))
	first := put(t, l, p, o)
	p, o = page("http://a/1", saying("turtle"))
	p.Accept, o.Request.Accept = "text/turtle", "text/turtle"
	put(t, l, p, o)
	p, o = page("http://a/2", saying("other"))
	second := put(t, l, p, o)
	want := []string{"http://a/1 one", "http://a/1 two", "http://a/1#document-2 turtle", "http://a/2 other"}
	if got := says(t, l); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	closed(t, l)
	l = open(t, dir)
	if got := says(t, l); !slices.Equal(got, want) {
		t.Errorf("opened again: %q", got)
	}
	for _, step := range []struct {
		id     uint64
		change orbweaver.Change
		data   iter.Seq2[rdf.Quad, error]
		want   []string
	}{
		{first, orbweaver.Unchanged, nil, want},
		{first, orbweaver.Changed, saying("two", "three"), []string{"http://a/1 three", "http://a/1 two", "http://a/1#document-2 turtle", "http://a/2 other"}},
		{second, orbweaver.Changed, nil, []string{"http://a/1 three", "http://a/1 two", "http://a/1#document-2 turtle"}},
		{first, orbweaver.Gone, nil, []string{"http://a/1#document-2 turtle"}},
		{second, orbweaver.Changed, saying("back"), []string{"http://a/1#document-2 turtle", "http://a/2 back"}},
	} {
		url := map[uint64]string{first: "http://a/1", second: "http://a/2"}[step.id]
		_, o := page(url, step.data)
		if step.change == orbweaver.Gone {
			o.Page, o.Err = nil, orbweaver.ErrStatus
		}
		again(t, l, step.id, step.change, o)
		if got := says(t, l); !slices.Equal(got, step.want) {
			t.Errorf("%s %s: %q, want %q", url, step.change, got, step.want)
		}
	}
	closed(t, l)
}

// TestLongDocument: a document of many statements is stored whole, without those of an interrupted attempt.
func TestLongDocument(t *testing.T) {
	long := func(from int) iter.Seq2[rdf.Quad, error] {
		var words []string
		for i := range 60_000 {
			words = append(words, fmt.Sprintf("word %d", from+i))
		}
		return saying(words...)
	}
	dir := t.TempDir()
	l := open(t, dir)
	if _, err := l.Load(t.Context(), func(yield func(rdf.Quad, error) bool) {
		yield(rdf.Quad{S: rdf.NewIRI("http://v/left"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString("left"), G: rdf.NewIRI("http://a/1")}, nil)
	}, ""); err != nil {
		t.Fatal(err)
	}
	p, o := page("http://a/1", long(0))
	id := put(t, l, p, o)
	if got := says(t, l); len(got) != 60_000 {
		t.Errorf("%d statements", len(got))
	}
	_, o = page("http://a/1", long(30_000))
	again(t, l, id, orbweaver.Changed, o)
	if got := says(t, l); len(got) != 60_000 || !slices.Contains(got, "http://a/1 word 89999") {
		t.Errorf("changed: %d statements", len(got))
	}
	closed(t, l)
}

// TestInMemoryKeepsNoData: an in-memory ledger keeps facts, but no data of pages.
func TestInMemoryKeepsNoData(t *testing.T) {
	l, err := ledger.OpenInMemory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, o := page("http://a/1", saying("one"))
	put(t, l, p, o)
	fact := rdf.Quad{S: rdf.NewIRI("http://a/1"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString("fact"), G: rdf.NewIRI("http://v/g")}
	if err := l.Commit(step.Batch{Facts: []rdf.Quad{fact}}); err != nil {
		t.Fatal(err)
	}
	if got := says(t, l); !slices.Equal(got, []string{"http://v/g fact"}) {
		t.Errorf("%q", got)
	}
	closed(t, l)
}

// described returns the default graph as lines.
func described(t *testing.T, l *ledger.Ledger) (all []string) {
	t.Helper()
	s := l.Statements()
	c := s.Cursor()
	for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any}); c.Next(); {
		q, err := quads.Terms(s, c.Quad())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(q.S.Value, " ", q.P.Value, " ", q.O.Value))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestMaterialize: descriptions are the same at once and in steps, and after a refresh the same as without an
// earlier outcome.
func TestMaterialize(t *testing.T) {
	crawl := describe.Activity{Node: rdf.NewIRI("urn:crawl"), Name: "test", Software: "test"}
	tell := map[string]func(*ledger.Ledger) error{
		"at once": func(l *ledger.Ledger) error { return l.MaterializeAll(t.Context(), crawl, nil) },
		"by bits": func(l *ledger.Ledger) error {
			for l.Pending() > 0 {
				if err := l.Materialize(crawl, 2); err != nil {
					return err
				}
			}
			return nil
		},
	}
	var before, after []string
	for name, tell := range tell {
		for _, early := range []bool{true, false} {
			l := open(t, t.TempDir())
			p, o := page("http://a/1", saying("one"), "http://a/2", "http://a/3")
			first := put(t, l, p, o)
			p, o = page("http://a/2", nil, "http://a/1")
			second := put(t, l, p, o)
			p, o = page("http://a/3", nil)
			o.Page, o.Err = nil, orbweaver.ErrTimeout
			put(t, l, p, o)
			must := func() {
				if err := tell(l); err != nil || l.Pending() != 0 {
					t.Fatal(name, err, l.Pending())
				}
			}
			if early {
				must()
				for q := range l.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.Term{}) {
					if q.G.IsZero() {
						t.Errorf("a focus is shown what was told: %v", q)
					}
				}
				same(t, name, &before, described(t, l))
			}
			_, o = page("http://a/1", saying("new"), "http://a/2", "http://a/4")
			o.Actual.Reasons[0].Rule = "another"
			again(t, l, first, orbweaver.Changed, o)
			_, o = page("http://a/2", nil)
			o.Page, o.Err = nil, orbweaver.ErrStatus
			again(t, l, second, orbweaver.Gone, o)
			must()
			same(t, fmt.Sprint(name, ", early ", early), &after, described(t, l))
			closed(t, l)
		}
	}
	text := strings.Join(after, "\n")
	for _, want := range []string{"http://a/4 " + describe.HasInlink + " http://a/1", "http://a/2 " + describe.NS + "failure status", "rule another", "http://a/1 http://rdfs.org/ns/void#triples 1", "urn:crawl"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "rule entity") || strings.Contains(text, describe.HasInlink+" http://a/2") {
		t.Errorf("what was before is still told:\n%s", text)
	}
}

// same compares a result with the first of its kind.
func same(t *testing.T, name string, first *[]string, got []string) {
	t.Helper()
	if *first == nil {
		*first = got
	}
	if !slices.Equal(*first, got) {
		t.Errorf("%s:\n%s\nelsewhere\n%s", name, strings.Join(got, "\n"), strings.Join(*first, "\n"))
	}
}

// TestUpdate: an update is atomic and durable.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	graph := rdf.NewIRI("http://v/g")
	fact := func(word string) rdf.Quad {
		return rdf.Quad{S: rdf.NewIRI("http://a/1"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString(word), G: graph}
	}
	if err := l.Update(t.Context(), func(c *ledger.Change) error {
		if err := c.Add(fact("one")); err != nil {
			return err
		}
		r, release, err := c.View()
		if err != nil {
			return err
		}
		if n, err := r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Named}); n != 1 || err != nil {
			t.Errorf("within the update: %d statements, %v", n, err)
		}
		return release()
	}); err != nil {
		t.Fatal(err)
	}
	failed := l.Update(t.Context(), func(c *ledger.Change) error {
		if err := c.Add(fact("two")); err != nil {
			return err
		}
		if err := c.Clear(graph); err != nil {
			return err
		}
		return orbweaver.ErrInput
	})
	if got := says(t, l); failed == nil || !slices.Equal(got, []string{"http://v/g one"}) {
		t.Errorf("after an update that failed (%v): %q", failed, got)
	}
	if err := l.Update(t.Context(), func(c *ledger.Change) error {
		if err := c.Remove(fact("one")); err != nil {
			return err
		}
		return c.Add(fact("three"))
	}); err != nil {
		t.Fatal(err)
	}
	closed(t, l)
	l = open(t, dir)
	if got := says(t, l); !slices.Equal(got, []string{"http://v/g three"}) {
		t.Errorf("opened again: %q", got)
	}
	closed(t, l)
}
