// Package value has the values of SPARQL expressions: what literals mean, the operators and functions
// over them (section 17 of SPARQL 1.1 Query), the order of ORDER BY and the aggregates.
//
// Integers and decimals are exact at any size, floats and doubles are IEEE 754's. What is compared or
// computed is the value; a term that came in goes out in the lexical form it came in. Variables, the
// lazy forms (|| && IF COALESCE BOUND IN EXISTS) and everything about graphs are not its business.
package value

import (
	"errors"
	"time"

	"orbweaver/rdf"
)

// ErrType is SPARQL's type error (section 17.2). To who evaluates, any error is as good.
var ErrType = errors.New("type error")

// ErrUnknownFunction says that there is no function by an IRI.
var ErrUnknownFunction = errors.New("unknown function")

// A Value is a term with, where its datatype is known and its lexical form right, what it means. The
// zero Value is no value, that of an unbound variable.
type Value struct {
	term rdf.Term
}

// Of returns a term's value; the zero term's is unbound.
func Of(t rdf.Term) Value { return Value{t} }

// Term returns the value as a term: as it came, or in canonical form when it was computed.
func (v Value) Term() rdf.Term { return v.term }

// Bound reports whether there is a value at all.
func (v Value) Bound() bool { return v.term.Kind != rdf.None }

// Bool returns an xsd:boolean.
func Bool(b bool) Value { return Value{} }

// Integer returns an xsd:integer.
func Integer(n int64) Value { return Value{} }

// String returns an xsd:string.
func String(s string) Value { return Of(rdf.NewString(s)) }

// IRI returns an IRI.
func IRI(s string) Value { return Of(rdf.NewIRI(s)) }

// EBV is the effective boolean value (section 17.2.2).
func EBV(v Value) (bool, error) { return false, ErrType }

// And is the logical and of two effective boolean values, each of which may be an error.
func And(a bool, aErr error, b bool, bErr error) (bool, error) { return false, ErrType }

// Or is the logical or of two effective boolean values, each of which may be an error.
func Or(a bool, aErr error, b bool, bErr error) (bool, error) { return false, ErrType }

// Equal is the operator "=".
func Equal(a, b Value) (bool, error) { return false, ErrType }

// Compare is what the operators "<" and ">" ask: -1, 0 or 1, or an error for what has no order.
func Compare(a, b Value) (int, error) { return 0, ErrType }

// Order is the order of ORDER BY: -1, 0 or 1.
func Order(a, b Value) int { return 0 }

// SameTerm reports whether two values are the same term.
func SameTerm(a, b Value) bool { return a.Term() == b.Term() }

// An Env is what functions know of the query that is executed. One goroutine uses it at a time.
type Env struct {
	Now  time.Time // what NOW returns, and in which time zone
	Base string    // absolute IRI that IRI() resolves against; empty: none

	// NewBlank returns the label of a blank node: a new one each time for "", which BNODE() asks for.
	// For BNODE(s), which asks for ":" with s behind, it is the same within one solution.
	NewBlank func(label string) string
	Random   func() float64 // of RAND: at least 0, less than 1
	NewUUID  func() string  // of UUID and STRUUID: 36 characters, lower case
}

// Call calls a function or operator by its name in algebra.Call. Lazy forms are unknown to it.
func Call(env *Env, name string, args []Value) (Value, error) { return Value{}, ErrType }

// Function calls a function by its IRI: a cast. Others are errors that wrap ErrUnknownFunction.
func Function(env *Env, iri string, args []Value) (Value, error) { return Value{}, ErrUnknownFunction }

// An Aggregate takes the values of a group in, one after the other.
type Aggregate interface {
	Add(v Value, err error) // what the expression gave for one solution
	Result() (Value, error)
}

// NewAggregate returns an aggregate by its name. COUNT(*) is given any bound value for each solution.
func NewAggregate(env *Env, name string, distinct bool, separator string) Aggregate { return nil }
