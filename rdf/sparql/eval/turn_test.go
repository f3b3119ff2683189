package eval_test

import (
	"errors"
	"testing"

	"orbweaver/rdf/sparql/eval"
)

// turn records what an evaluation tells.
type turn struct {
	cost         float64
	pauses       int
	steps, bytes int64
	plan, pause  error
}

func (t *turn) Planned(cost float64) error {
	t.cost = cost
	return t.plan
}

func (t *turn) Pause(steps, bytes int64) error {
	if t.pauses++; steps <= t.steps {
		return errors.New("no step was made")
	}
	t.steps, t.bytes = steps, bytes
	return t.pause
}

// TestTurn: an evaluation tells its plan's cost before it begins, and its steps and bytes as it goes, in joins, sorts, groups and
// closures; an error of its turn ends it.
func TestTurn(t *testing.T) {
	r := wide(t, 3200)
	no := errors.New("no")
	for _, query := range []string{
		`SELECT * { ?a <u:p> ?b . ?c <u:p> ?d FILTER(?b = ?d + 1) }`,
		`SELECT * { ?a <u:p> ?b . ?c <u:p> ?d FILTER(?d < 20) } ORDER BY ?d`,
		`SELECT (COUNT(DISTINCT ?d) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d } GROUP BY ?a`,
		`SELECT * { ?a <u:p>+ ?b }`,
		`SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b MINUS { ?a <u:q> ?c } }`,
	} {
		for _, given := range []*turn{{}, {plan: no}, {pause: no}} {
			res, err := eval.Query(t.Context(), r, parseQuery(t, query, ""), eval.Options{Turn: given, MaxSteps: 200_000})
			if err == nil {
				for _, err = range res.Rows() {
				}
			}
			switch {
			case given.cost < 1000:
				t.Errorf("%s is thought to cost %g", query, given.cost)
			case given.plan != nil && (!errors.Is(err, no) || given.pauses > 0), given.pause != nil && (!errors.Is(err, no) || given.pauses != 1):
				t.Errorf("%s: %v after %d pauses", query, err, given.pauses)
			case given.plan == nil && given.pause == nil && (err != nil && !errors.Is(err, eval.ErrSteps) || given.pauses < 2):
				t.Errorf("%s: %v after %d pauses", query, err, given.pauses)
			}
		}
	}
}
