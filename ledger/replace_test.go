package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// words returns statements of a graph, with a blank node each.
func words(graph string, n int, prefix string) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		for i := range n {
			q := rdf.Quad{S: rdf.NewBlank(fmt.Sprint("b", i)), P: rdf.NewIRI("http://v/says"), O: rdf.NewString(fmt.Sprint(prefix, i)), G: rdf.NewIRI(graph)}
			if !yield(q) {
				return
			}
		}
	}
}

// TestReplace: Replace changes one graph only, and the change survives reopening.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	p, o := page("http://a/1", saying("kept"))
	put(t, l, p, o)
	const graph, many = "http://g/", 20_000 // several groups
	for _, step := range []struct {
		n           int
		prefix      string
		added, gone int64
	}{{many, "a", many, 0}, {many, "b", many, many}, {many, "b", 0, 0}, {many - 5, "b", 0, 5}, {3, "c", 3, many - 5}, {0, "", 0, 3}, {2, "d", 2, 0}} {
		done, err := l.Replace(t.Context(), rdf.NewIRI(graph), words(graph, step.n, step.prefix), "test")
		if err != nil || done.Added != step.added || done.Removed != step.gone {
			t.Fatalf("%+v, %v", done, err)
		}
		var want []string
		for i := range step.n {
			want = append(want, fmt.Sprint(graph, " ", step.prefix, i))
		}
		want = append(want, "http://a/1 kept")
		slices.Sort(want)
		if got := says(t, l); !slices.Equal(got, want) {
			t.Fatalf("%+v: %d statements, not %d: %.200q", step, len(got), len(want), got)
		}
		closed(t, l)
		l = open(t, dir)
		if got := says(t, l); !slices.Equal(got, want) {
			t.Fatalf("%+v, opened again: %d statements, not %d", step, len(got), len(want))
		}
	}
	counted(t, l, 3)
	closed(t, l)
}

// TestReplaceElsewhere: statements of another graph are skipped.
func TestReplaceElsewhere(t *testing.T) {
	l := open(t, t.TempDir())
	if done, err := l.Replace(t.Context(), rdf.NewIRI("http://g/"), words("http://other/", 5, "x"), "test"); err != nil || done.Added != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	counted(t, l, 0)
	closed(t, l)
}

// TestReplaceInterrupted: an interrupted Replace leaves the graph unchanged.
func TestReplaceInterrupted(t *testing.T) {
	l := open(t, t.TempDir())
	const graph = "http://g/"
	if _, err := l.Replace(t.Context(), rdf.NewIRI(graph), words(graph, 50, "a"), "test"); err != nil {
		t.Fatal(err)
	}
	before := says(t, l)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := l.Replace(ended, rdf.NewIRI(graph), words(graph, 10, "b"), "test"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := says(t, l); !slices.Equal(got, before) {
		t.Errorf("%q", got)
	}
	if _, err := l.Replace(t.Context(), rdf.NewIRI(graph), words(graph, 10, "c"), "test"); err != nil {
		t.Fatal(err)
	}
	counted(t, l, 10)
	closed(t, l)
}

// counted checks the number of quads, and the store's own count.
func counted(t *testing.T, l *ledger.Ledger, want int64) {
	t.Helper()
	s := l.Statements()
	defer s.Close()
	n, err := s.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	if err != nil || n != want {
		t.Errorf("%d quads, %v; want %d", n, err, want)
	}
}
