package eval_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/naive"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/value"
)

// runs returns the number of random cases: few, unless ORBWEAVER_RANDOM is set.
func runs(few int) int {
	n, err := strconv.Atoi(os.Getenv("ORBWEAVER_RANDOM"))
	if err != nil {
		return few
	}
	return n
}

// lines formats rows, one per line, for comparison.
func lines(rows [][]rdf.Term) []string {
	var out []string
	for _, row := range rows {
		var b strings.Builder
		for _, t := range row {
			b.WriteString(syntax.Text(t) + "\t")
		}
		out = append(out, b.String())
	}
	return out
}

// naively answers a query with the naive evaluator.
func naively(data []rdf.Quad, q *algebra.Query, union bool) (rows [][]rdf.Term, ok bool) {
	env := &value.Env{Now: time.Unix(0, 0)}
	solutions, ok := naive.NewDataset(data, q.Dataset, union).Evaluate(q.Pattern, env)
	for _, s := range solutions {
		row := make([]rdf.Term, len(q.Columns))
		for i, c := range q.Columns {
			row[i] = s[c.Slot]
		}
		rows = append(rows, row)
	}
	return rows, ok
}

// TestRandomQueries compares with the naive evaluator, every third time over the union of all graphs.
func TestRandomQueries(t *testing.T) {
	done, answers := 0, 0
	for seed := uint64(0); done < runs(2000); seed++ {
		m := &maker{r: rand.New(rand.NewPCG(seed, 1))}
		data, text := m.data(), m.query()
		tree, err := syntax.ParseQuery(text, syntax.Options{})
		if err != nil {
			continue
		}
		q, err := algebra.TranslateQuery(tree)
		if err != nil {
			t.Fatal(err)
		}
		r := memory(t, data).Snapshot()
		kept := contents(t, r)
		union := seed%3 == 0
		want, ok := naively(kept, q, union)
		if !ok {
			continue
		}
		done++
		if len(want) > 0 {
			answers++
		}
		for _, seekCost := range []float64{0, 1e-9, 1e9} { // the default plan, one with lookups, one with tables
			if diff := compareQuery(r, q, want, eval.Options{SeekCost: seekCost, Union: union}); diff != "" {
				t.Fatalf("seed %d, %g, union %v: %s\n%s\n%v", seed, seekCost, union, diff, text, kept)
			}
		}
	}
	if answers*4 < done {
		t.Errorf("%d of %d queries have answers: the others show little", answers, done)
	}
}

// compareQuery returns the difference between the answer to a query and the wanted one.
func compareQuery(r quads.Reader, q *algebra.Query, want [][]rdf.Term, opts eval.Options) string {
	opts.Now = time.Unix(0, 0)
	got, err := evaluate(r, q, opts)
	if err != nil {
		return err.Error()
	}
	if q.Form == algebra.AskForm {
		if *got.boolean != (len(want) > 0) {
			return "got " + strconv.FormatBool(*got.boolean)
		}
		return ""
	}
	a, b := lines(got.rows), lines(want)
	if !isOrdered(q.Pattern) {
		slices.Sort(a)
		slices.Sort(b)
	}
	if !slices.Equal(a, b) {
		return "got\n" + strings.Join(a, "\n") + "\nwant\n" + strings.Join(b, "\n") + "\n" + algebra.Text(q.Pattern, q.Vars)
	}
	return ""
}

// updateNaively applies an update to a list of quads.
func updateNaively(data []rdf.Quad, u *algebra.Update, union bool) (out []rdf.Quad, ok bool) {
	set := map[rdf.Quad]bool{}
	for _, q := range data {
		set[q] = true
	}
	list := func() (out []rdf.Quad) {
		for q := range set {
			out = append(out, q)
		}
		slices.SortFunc(out, func(a, b rdf.Quad) int { // for messages
			return cmp.Or(strings.Compare(a.G.Value, b.G.Value), strings.Compare(a.S.Value, b.S.Value), strings.Compare(a.P.Value, b.P.Value))
		})
		return out
	}
	clearIf := func(match func(rdf.Term) bool) {
		for q := range set {
			if match(q.G) {
				delete(set, q)
			}
		}
	}
	target := func(t algebra.Target) func(rdf.Term) bool {
		return func(g rdf.Term) bool {
			switch t.Kind {
			case algebra.DefaultGraph:
				return g.IsZero()
			case algebra.OneGraph:
				return g == rdf.NewIRI(t.IRI)
			case algebra.NamedGraphs:
				return !g.IsZero()
			}
			return true
		}
	}
	for _, op := range u.Operations {
		switch op := op.(type) {
		case *algebra.InsertData:
			for _, q := range op.Quads {
				set[q] = true
			}
		case *algebra.DeleteData:
			for _, q := range op.Quads {
				delete(set, q)
			}
		case *algebra.Clear:
			clearIf(target(op.Target))
		case *algebra.Drop:
			clearIf(target(op.Target))
		case *algebra.Transfer:
			var moved []rdf.Quad
			for q := range set {
				if target(op.From)(q.G) {
					moved = append(moved, q)
				}
			}
			if op.From == op.To || len(moved) == 0 && op.From.Kind != algebra.DefaultGraph {
				continue
			}
			if op.Kind != algebra.Add {
				clearIf(target(op.To))
			}
			for _, q := range moved {
				if op.Kind == algebra.Move {
					delete(set, q)
				}
				if q.G = (rdf.Term{}); op.To.Kind == algebra.OneGraph {
					q.G = rdf.NewIRI(op.To.IRI)
				}
				set[q] = true
			}
		case *algebra.Modify:
			dataset := naive.NewDataset(list(), op.Dataset, union)
			if op.With != "" && op.Dataset.Default == nil && op.Dataset.Named == nil {
				dataset.Default = dataset.Named[rdf.NewIRI(op.With)]
			}
			solutions, ok := dataset.Evaluate(op.Pattern, &value.Env{Now: time.Unix(0, 0)})
			if !ok {
				return nil, false
			}
			for _, q := range instances(op.Delete, solutions) {
				delete(set, q)
			}
			for _, q := range instances(op.Insert, solutions) {
				set[q] = true
			}
		}
	}
	return list(), true
}

// instances returns a template's quads for solutions.
func instances(template []algebra.Quad, solutions []naive.Solution) (out []rdf.Quad) {
	for _, s := range solutions {
		for _, q := range template {
			var at func(n algebra.Node) rdf.Term
			at = func(n algebra.Node) rdf.Term {
				switch {
				case n.Triple != nil:
					return rdf.NewTripleTerm(rdf.Triple{S: at(n.Triple.S), P: at(n.Triple.P), O: at(n.Triple.O)})
				case n.IsVar():
					return s[n.Slot]
				}
				return quads.Canonical(n.Term)
			}
			made := rdf.Quad{S: at(q.S), P: at(q.P), O: at(q.O), G: at(q.G)}
			if (rdf.Triple{S: made.S, P: made.P, O: made.O}).IsValid() && (made.G.Kind <= rdf.Blank) && (!made.G.IsZero() || q.G.IsDefault()) {
				out = append(out, made)
			}
		}
	}
	return out
}

// TestRandomUpdates compares updates with the naive evaluator.
func TestRandomUpdates(t *testing.T) {
	done := 0
	for seed := uint64(0); done < runs(1000); seed++ {
		m := &maker{r: rand.New(rand.NewPCG(seed, 2))}
		data, text := m.data(), m.update()
		tree, err := syntax.ParseUpdate(text, syntax.Options{})
		if err != nil {
			continue
		}
		u, err := algebra.TranslateUpdate(tree)
		if err != nil {
			t.Fatal(err)
		}
		store := memory(t, data)
		before := contents(t, store.Snapshot())
		union := seed%3 == 0
		want, ok := updateNaively(before, u, union)
		if !ok {
			continue
		}
		done++
		if err := eval.Update(context.Background(), memoryStore{store}, u, eval.UpdateOptions{Options: eval.Options{Union: union}}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if got := contents(t, store.Snapshot()); !rdftest.IsomorphicQuads(got, want) {
			t.Fatalf("seed %d:\n%s\nfrom\n%v\ngot\n%v\nwant\n%v", seed, text, before, got, want)
		}
	}
}
