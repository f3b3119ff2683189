package blend

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
)

// The words of combine that stand for an expression over all parts.
const (
	All      = "all"      // every judge
	Any      = "any"      // one judge at least
	Weighted = "weighted" // judges together, by weight
)

// Bounds of an expression.
const (
	maxParts      = 16
	maxExpression = 1000 // bytes
	maxNesting    = 32
)

// An op is an operator of an expression.
type op byte

const (
	leaf op = iota
	not
	and
	or
)

// An expr is an expression over the parts: a part, or an operator with its operands.
type expr struct {
	op   op
	part int
	of   []*expr
}

// A rule says how the parts' chances become one. Weighted is no expression: expr is nil.
type rule struct {
	*expr
	weights   []float64 // of the parts; they add up to 1
	guides    []bool
	everyPart bool // the rule is over all parts, not an expression that names them
}

// parse reads a value of combine. The words all, any and weighted stand for all parts; an expression has names of parts,
// not, and, or (in order of precedence) and parentheses. An error wraps orbweaver.ErrInput.
func parse(text string, parts []Part) (r rule, err error) {
	sum := 0.0
	for _, p := range parts {
		sum += p.Weight
	}
	for _, p := range parts {
		r.weights = append(r.weights, p.Weight/sum)
		r.guides = append(r.guides, p.Guide)
	}
	switch text {
	case Weighted:
		r.everyPart = true
		return r, nil
	case All, Any:
		r.everyPart = true
		r.expr = &expr{op: map[string]op{All: and, Any: or}[text]}
		for i := range parts {
			r.of = append(r.of, &expr{part: i})
		}
		return r, nil
	}
	if len(text) > maxExpression {
		return r, fmt.Errorf("has more than %d characters: %w", maxExpression, orbweaver.ErrInput)
	}
	p := parser{words: words(text), parts: parts}
	if r.expr, err = p.or(0); err == nil && len(p.words) > 0 {
		err = fmt.Errorf("%q is one too many", p.words[0])
	}
	for i, part := range parts {
		if err == nil && !r.names(i) {
			err = fmt.Errorf("does not name part %s: name it, or remove the part", part.Name)
		}
	}
	if err != nil {
		return r, fmt.Errorf("%w: %w", err, orbweaver.ErrInput)
	}
	return r, nil
}

// words splits an expression into words and parentheses.
func words(text string) []string {
	return strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
}

// A parser reads an expression by recursive descent.
type parser struct {
	words []string // still to be read
	parts []Part
}

// takes reads the next word if it is the given one.
func (p *parser) takes(word string) bool {
	if len(p.words) == 0 || p.words[0] != word {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *parser) or(depth int) (*expr, error)  { return p.joined(depth, or, "or", p.and) }
func (p *parser) and(depth int) (*expr, error) { return p.joined(depth, and, "and", p.not) }

// joined reads operands between a word.
func (p *parser) joined(depth int, o op, word string, operand func(int) (*expr, error)) (*expr, error) {
	first, err := operand(depth)
	if err != nil {
		return nil, err
	}
	all := &expr{op: o, of: []*expr{first}}
	for p.takes(word) {
		next, err := operand(depth)
		if err != nil {
			return nil, err
		}
		all.of = append(all.of, next)
	}
	if len(all.of) == 1 {
		return first, nil
	}
	return all, nil
}

// not reads a part, an expression in parentheses, or the negation of either.
func (p *parser) not(depth int) (*expr, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("is nested more than %d deep", maxNesting)
	}
	switch {
	case p.takes("not"):
		of, err := p.not(depth + 1)
		return &expr{op: not, of: []*expr{of}}, err
	case p.takes("("):
		of, err := p.or(depth + 1)
		if err == nil && !p.takes(")") {
			err = fmt.Errorf("lacks a closing parenthesis")
		}
		return of, err
	case len(p.words) == 0:
		return nil, fmt.Errorf("ends where a part is expected")
	}
	name := p.words[0]
	at := slices.IndexFunc(p.parts, func(part Part) bool { return part.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("%q is no part; the parts are %s", name, strings.Join(namesOf(p.parts), ", "))
	}
	p.words = p.words[1:]
	return &expr{part: at}, nil
}

func namesOf(parts []Part) (names []string) {
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names
}

// names reports whether an expression has a part.
func (e *expr) names(part int) bool {
	if e == nil || e.op == leaf {
		return e == nil || e.part == part
	}
	return slices.ContainsFunc(e.of, func(e *expr) bool { return e.names(part) })
}

// A leafValue is the value of a part; ok is false if the part abstains. An operand that abstains is left out.
type leafValue func(part int) (value float64, ok bool)

// value folds an expression: a negation is 1 - x.
func (e *expr) value(of leafValue, conj, disj func(a, b float64) float64) (value float64, ok bool) {
	if e.op == leaf {
		return of(e.part)
	}
	fold := conj
	if e.op == or {
		fold = disj
	}
	for _, operand := range e.of {
		x, has := operand.value(of, conj, disj)
		switch {
		case !has:
		case !ok:
			value, ok = x, true
		default:
			value = fold(value, x)
		}
	}
	if e.op == not {
		value = 1 - value
	}
	return value, ok
}

// accepts reports whether any verdicts of the judges accept a page.
func (r rule) accepts() bool {
	for verdicts := range 1 << len(r.weights) {
		v, ok := r.strictly(func(i int) (float64, bool) { return float64(verdicts >> i & 1), true })
		if ok && v >= half {
			return true
		}
	}
	return false
}

// ofJudges returns the values of parts for a page: a guide in an expression is never true, and left out where the rule is
// over all parts.
func (r rule) ofJudges(of leafValue) leafValue {
	return func(i int) (float64, bool) {
		if r.guides[i] {
			return 0, !r.everyPart
		}
		return of(i)
	}
}

// strictly combines the judges' chances of a page by Gödel's t-norm: and is the minimum, or the maximum. The result is one half at least exactly
// where the expression holds of the parts that are.
func (r rule) strictly(of leafValue) (float64, bool) {
	of = r.ofJudges(of)
	if r.expr == nil {
		return r.pool(of)
	}
	return r.value(of, math.Min, math.Max)
}

// independently combines chances by the product t-norm and its dual, a + b - ab: the chance of the expression if the parts
// are independent of each other.
func (r rule) independently(of leafValue) (float64, bool) {
	if r.expr == nil {
		return r.pool(of)
	}
	return r.value(of, func(a, b float64) float64 { return a * b }, func(a, b float64) float64 { return a + b - a*b })
}

// pool is the logarithmic opinion pool: the mean of the log odds of the parts that do not abstain, by weight (Genest and
// Zidek, "Combining Probability Distributions", 1986).
func (r rule) pool(of leafValue) (value float64, ok bool) {
	sum, weight := 0.0, 0.0
	for i, w := range r.weights {
		if p, has := of(i); has {
			sum, weight = sum+w*logit(p), weight+w
		}
	}
	if weight == 0 {
		return 0, false
	}
	return logistic(sum / weight), true
}

// most bounds log odds: a chance is taken as 0.1 to 99.9 % at the extremes.
const most = 6.9

func logit(p float64) float64 {
	if p <= 0 {
		return -most
	}
	return min(most, max(-most, math.Log(p/(1-p))))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
