package eval_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/syntax/syntaxtest"
)

// FuzzQuery looks for queries and updates that panic, or exceed their limits.
func FuzzQuery(f *testing.F) {
	for _, c := range syntaxtest.Cases(f, "sparql/sparql11") {
		if !c.Negative && len(c.Text) < 600 {
			f.Add(c.Text)
		}
	}
	for seed := range uint64(200) {
		m := &maker{r: rand.New(rand.NewPCG(seed, 3))}
		f.Add(m.query())
		f.Add(m.update())
	}
	data := (&maker{r: rand.New(rand.NewPCG(1, 4))}).data()
	f.Fuzz(func(t *testing.T, text string) {
		opts := eval.Options{MaxSteps: 20_000, MaxBytes: 1 << 20, MaxRows: 1000}
		if tree, err := syntax.ParseQuery(text, syntax.Options{Base: "u:base"}); err == nil {
			if q, err := algebra.TranslateQuery(tree); err == nil {
				r := memory(t, data).Snapshot()
				if _, err := evaluate(r, q, opts); err == nil {
					opts.Explain, opts.SeekCost = true, 1e9
					if res, err := eval.Query(context.Background(), r, q, opts); err == nil {
						res.Close()
						_ = res.Explain()
					}
				}
			}
		}
		if tree, err := syntax.ParseUpdate(text, syntax.Options{Base: "u:base"}); err == nil {
			if u, err := algebra.TranslateUpdate(tree); err == nil {
				_ = eval.Update(context.Background(), memoryStore{memory(t, data)}, u, eval.UpdateOptions{Options: opts})
			}
		}
	})
}
