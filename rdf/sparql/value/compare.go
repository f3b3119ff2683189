package value

import (
	"cmp"
	"math"
	"strings"

	"orbweaver/rdf"
)

// EBV returns the effective boolean value (section 17.2.2).
func EBV(v Value) (bool, error) {
	switch v.class {
	case boolean:
		return v.n != 0, nil
	case integer, decimal:
		return v.sign() != 0, nil
	case float, double:
		f := v.float()
		return f != 0 && !math.IsNaN(f), nil
	case text, langText:
		return v.value != "", nil
	case illTyped:
		name := strings.TrimPrefix(v.datatype, xsd)
		if isInteger(name) || name == "boolean" || name == "decimal" || name == "float" || name == "double" {
			return false, nil
		}
	}
	return false, ErrType
}

// And is the logical and of two effective boolean values or errors (section 17.2).
func And(a bool, aErr error, b bool, bErr error) (bool, error) {
	switch {
	case aErr == nil && !a, bErr == nil && !b:
		return false, nil
	case aErr != nil:
		return false, aErr
	}
	return bErr == nil, bErr
}

// Or is the logical or of two effective boolean values or errors (section 17.2).
func Or(a bool, aErr error, b bool, bErr error) (bool, error) {
	switch {
	case aErr == nil && a, bErr == nil && b:
		return true, nil
	case aErr != nil:
		return false, aErr
	}
	return false, bErr
}

// SameTerm reports whether two values are the same term.
func SameTerm(a, b Value) bool { return a.Term() == b.Term() }

// Equal is the operator "=": by value if both have one, otherwise by term. If equality is undecidable, as for
// literals of unknown datatypes, it returns an error.
func Equal(a, b Value) (bool, error) {
	switch {
	case !a.Bound() || !b.Bound():
		return false, ErrType
	case a.kind == rdf.TripleTerm && b.kind == rdf.TripleTerm:
		return equalTriples(a, b)
	case a.kind != rdf.Literal || b.kind != rdf.Literal:
		return a.kind == b.kind && a.value == b.value, nil
	case a.IsNumeric() && b.IsNumeric():
		c, comparable := compareNumbers(a, b)
		return comparable && c == 0, nil
	case a.class == langText || b.class == langText:
		return a.class == b.class && a.value == b.value && a.dir() == b.dir() && strings.EqualFold(a.lang, b.lang), nil
	case a.class == illTyped, b.class == illTyped, a.class == other, b.class == other:
		if a.value == b.value && a.datatype == b.datatype {
			return true, nil
		}
		return false, ErrType
	case a.class != b.class:
		return false, nil
	}
	c, err := Compare(a, b)
	return c == 0 && err == nil, err
}

// equalTriples is Equal for triple terms: that of their subjects, predicates and objects.
func equalTriples(a, b Value) (bool, error) {
	x, _ := a.Term().Triple()
	y, _ := b.Term().Triple()
	if x == y && x.O.Kind != rdf.Literal && x.O.Kind != rdf.TripleTerm {
		return true, nil
	}
	if x.S != y.S || x.P != y.P { // IRIs and blank nodes
		return false, nil
	}
	return Equal(Of(x.O), Of(y.O))
}

// Compare is the order of "<" and ">": -1, 0 or 1, or an error for values without an order. Ordered are
// numbers except NaN, strings without a language, booleans, dates and times, and durations of one kind.
func Compare(a, b Value) (int, error) {
	if a.IsNumeric() && b.IsNumeric() {
		c, comparable := compareNumbers(a, b)
		if !comparable {
			return 0, ErrType
		}
		return c, nil
	}
	if a.class != b.class {
		return 0, ErrType
	}
	switch a.class {
	case text:
		return strings.Compare(a.value, b.value), nil
	case boolean, yearMonth:
		return order(a.n, b.n), nil
	case dayTime:
		return orderTimes(a, b), nil
	case dateTime, date, timeOfDay:
		return compareTimes(a, b)
	}
	return 0, ErrType
}

// compareNumbers compares numbers, promoted to a common type. NaN is not comparable.
func compareNumbers(a, b Value) (c int, comparable bool) {
	switch max(a.class, b.class) {
	case double:
		x, y := a.toDouble(), b.toDouble()
		return order(x, y), x == x && y == y
	case float:
		x, y := a.toFloat(), b.toFloat()
		return order(float64(x), float64(y)), x == x && y == y
	}
	return compareExact(a, b), true
}

// relation is one of the operators "<" ">" "<=" ">=". All are false for NaN.
func relation(op string, a, b Value) (Value, error) {
	c, err := Compare(a, b)
	if err != nil {
		if a.IsNumeric() && b.IsNumeric() {
			return Bool(false), nil
		}
		return Value{}, err
	}
	switch op {
	case "<":
		return Bool(c < 0), nil
	case ">":
		return Bool(c > 0), nil
	case "<=":
		return Bool(c <= 0), nil
	}
	return Bool(c >= 0), nil
}

// Order is the order of ORDER BY (section 15.1): -1, 0 or 1. Unbound sorts first, then blank nodes, IRIs,
// literals, triple terms; it is consistent with "<". The specification leaves the rest open: blank nodes sort by label and
// IRIs by characters. Literals sort as numbers (NaN first, all by exact value), or otherwise by kind of
// value, then by value; dates and times without a time zone sort as if in UTC. Literals without a known value
// come last, by datatype and characters; triple terms by subject, then predicate, then object. Equal values in different forms compare as 0.
func Order(a, b Value) int {
	if c := cmp.Compare(rank(a.kind), rank(b.kind)); c != 0 {
		return c
	}
	if a.kind == rdf.TripleTerm {
		x, _ := a.Term().Triple()
		y, _ := b.Term().Triple()
		return cmp.Or(Order(Of(x.S), Of(y.S)), Order(Of(x.P), Of(y.P)), Order(Of(x.O), Of(y.O)))
	}
	if a.kind != rdf.Literal {
		return strings.Compare(a.value, b.value)
	}
	if a.IsNumeric() && b.IsNumeric() {
		return orderNumbers(a, b)
	}
	if a.class != b.class {
		return cmp.Compare(a.class, b.class)
	}
	switch a.class {
	case boolean, yearMonth:
		return order(a.n, b.n)
	case dateTime, date, timeOfDay, dayTime:
		return orderTimes(a, b)
	case other, illTyped:
		if c := strings.Compare(a.datatype, b.datatype); c != 0 {
			return c
		}
	}
	return cmp.Or(strings.Compare(a.value, b.value), strings.Compare(a.lang, b.lang), cmp.Compare(a.dir(), b.dir()))
}

// rank is the order of kinds of terms.
func rank(k rdf.Kind) int {
	switch k {
	case rdf.None:
		return 0
	case rdf.Blank:
		return 1
	case rdf.IRI:
		return 2
	case rdf.TripleTerm:
		return 4
	}
	return 3
}

// orderNumbers compares numbers by their exact values: promotion to a common type rounds and would not be
// transitive.
func orderNumbers(a, b Value) int {
	if a.class < float && b.class < float {
		return compareExact(a, b)
	}
	x, y := a.toDouble(), b.toDouble() // rounding to nearest is monotonic
	if x != x || y != y {
		return order(boolInt(x == x), boolInt(y == y))
	}
	if c := order(x, y); c != 0 || a.class >= float && b.class >= float {
		return c
	}
	exactA, errA := a.toDecimal()
	exactB, errB := b.toDecimal()
	if errA != nil || errB != nil { // one is infinite, the other a decimal beyond the range of doubles
		return order(boolInt(errA != nil)*int(math.Copysign(1, x)), boolInt(errB != nil)*int(math.Copysign(1, y)))
	}
	return compareExact(exactA, exactB)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
