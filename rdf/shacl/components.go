package shacl

import (
	"errors"
	"fmt"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/value"
)

// component is a parameter that makes a constraint. Its others are read with it.
type component struct {
	parameter    string
	single       bool // at most one value
	onlyProperty bool // not for node shapes
	parse        func(p *parser, s *shape, values []rdf.Term) error
}

// components are the constraint components of SHACL Core (section 4), by parameter. The functions that make their parsers are not
// inlined: each use would be a copy of all that they return.
func components() []component {
	return []component{
		{parameter: "class", parse: each("Class", isIRI, ofClass)},
		{parameter: "datatype", single: true, parse: each("Datatype", isIRI, ofDatatype)},
		{parameter: "nodeKind", single: true, parse: each("NodeKind", isNodeKind, ofKind)},
		{parameter: "minCount", single: true, onlyProperty: true, parse: counting("MinCount", func(n, most int64) string {
			if n < most {
				return fmt.Sprintf("%d values, at least %d are needed", n, most)
			}
			return ""
		})},
		{parameter: "maxCount", single: true, onlyProperty: true, parse: counting("MaxCount", func(n, most int64) string {
			if n > most {
				return fmt.Sprintf("%d values, at most %d are allowed", n, most)
			}
			return ""
		})},
		{parameter: "minExclusive", single: true, parse: ranged("MinExclusive", ">", func(order int) bool { return order > 0 })},
		{parameter: "minInclusive", single: true, parse: ranged("MinInclusive", ">=", func(order int) bool { return order >= 0 })},
		{parameter: "maxExclusive", single: true, parse: ranged("MaxExclusive", "<", func(order int) bool { return order < 0 })},
		{parameter: "maxInclusive", single: true, parse: ranged("MaxInclusive", "<=", func(order int) bool { return order <= 0 })},
		{parameter: "minLength", single: true, parse: measuring("MinLength", func(n, limit int64) bool { return n >= limit })},
		{parameter: "maxLength", single: true, parse: measuring("MaxLength", func(n, limit int64) bool { return n <= limit })},
		{parameter: "pattern", single: true, parse: parsePattern},
		{parameter: "languageIn", single: true, parse: parseLanguageIn},
		{parameter: "uniqueLang", single: true, onlyProperty: true, parse: parseUniqueLang},
		{parameter: "equals", parse: pair("Equals", equals)},
		{parameter: "disjoint", parse: pair("Disjoint", disjoint)},
		{parameter: "lessThan", onlyProperty: true, parse: pair("LessThan", less(func(order int) bool { return order < 0 }))},
		{parameter: "lessThanOrEquals", onlyProperty: true, parse: pair("LessThanOrEquals", less(func(order int) bool { return order <= 0 }))},
		{parameter: "not", parse: parseNot},
		{parameter: "and", parse: members("And", func(conforming, all int) bool { return conforming == all })},
		{parameter: "or", parse: members("Or", func(conforming, all int) bool { return conforming > 0 })},
		{parameter: "xone", parse: members("Xone", func(conforming, all int) bool { return conforming == 1 })},
		{parameter: "node", parse: parseNode},
		{parameter: "property", parse: parseProperty},
		{parameter: "qualifiedValueShape", single: true, onlyProperty: true, parse: parseQualified},
		{parameter: "closed", single: true, parse: parseClosed},
		{parameter: "hasValue", parse: parseHasValue},
		{parameter: "in", single: true, parse: parseIn},
	}
}

// each parses a component that holds of each value node alone, once for each value of its parameter. ok returns what is wrong.
//
//go:noinline
func each(name string, valid func(rdf.Term) error, ok func(c *check, v, parameter rdf.Term) (string, error)) func(*parser, *shape, []rdf.Term) error {
	return func(_ *parser, s *shape, parameters []rdf.Term) error {
		for _, parameter := range parameters {
			if err := valid(parameter); err != nil {
				return err
			}
			s.add(name, func(c *check) error {
				return c.each(func(v rdf.Term) (string, error) { return ok(c, v, parameter) })
			})
		}
		return nil
	}
}

// add adds a constraint.
func (s *shape) add(name string, f func(*check) error) {
	s.constraints = append(s.constraints, constraint{name, f})
}

// each fails for each value node of which wrong says something.
func (c *check) each(wrong func(rdf.Term) (string, error)) error {
	for _, v := range c.values {
		message, err := wrong(v)
		if err != nil {
			return err
		}
		if message == "" {
			continue
		}
		if err := c.fail(v, message); err != nil {
			return err
		}
	}
	return nil
}

func isIRI(t rdf.Term) error {
	if t.Kind != rdf.IRI {
		return fmt.Errorf("it is an IRI, not %s", termText(t))
	}
	return nil
}

func ofClass(c *check, v, class rdf.Term) (string, error) {
	is, err := c.isA(v, class)
	if is || err != nil {
		return "", err
	}
	return "no instance of " + termText(class), nil
}

func ofDatatype(_ *check, v, datatype rdf.Term) (string, error) {
	switch {
	case v.Kind != rdf.Literal:
		return "no literal of " + termText(datatype), nil
	case v.Datatype != datatype.Value:
		return fmt.Sprintf("a literal of <%s>, not of %s", v.Datatype, termText(datatype)), nil
	case !wellFormed(v):
		return "not in the lexical form of " + termText(datatype), nil
	}
	return "", nil
}

// wellFormed reports whether a literal is in the lexical space of its datatype, as far as SPARQL knows it.
func wellFormed(t rdf.Term) bool {
	if t.Datatype == rdf.LangString || t.Datatype == rdf.XSDString {
		return true
	}
	_, err := value.Function(&value.Env{}, t.Datatype, []value.Value{value.String(t.Value)})
	return err == nil || errors.Is(err, value.ErrUnknownFunction)
}

func isNodeKind(t rdf.Term) error {
	switch strings.TrimPrefix(t.Value, NS) {
	case "BlankNode", "IRI", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral":
		return nil
	}
	return fmt.Errorf("no kind of nodes: %s", termText(t))
}

func ofKind(_ *check, v, kind rdf.Term) (string, error) {
	name := map[rdf.Kind]string{rdf.IRI: "IRI", rdf.Blank: "BlankNode", rdf.Literal: "Literal"}[v.Kind]
	allowed := strings.TrimPrefix(kind.Value, NS)
	if allowed == name || strings.HasPrefix(allowed, name+"Or") || strings.HasSuffix(allowed, "Or"+name) {
		return "", nil
	}
	return fmt.Sprintf("of kind %s, not %s", name, allowed), nil
}

// counting parses a component about the number of value nodes.
//
//go:noinline
func counting(name string, wrong func(n, limit int64) string) func(*parser, *shape, []rdf.Term) error {
	return func(_ *parser, s *shape, parameters []rdf.Term) error {
		limit, err := count(parameters)
		if err != nil {
			return err
		}
		s.add(name, func(c *check) error {
			if message := wrong(int64(len(c.values)), limit); message != "" {
				return c.fail(rdf.Term{}, message)
			}
			return nil
		})
		return nil
	}
}

// ranged parses a component that compares value nodes with a literal, as SPARQL does.
//
//go:noinline
func ranged(name, sign string, holds func(order int) bool) func(*parser, *shape, []rdf.Term) error {
	return each(name, func(t rdf.Term) error {
		if t.Kind != rdf.Literal {
			return fmt.Errorf("it is a literal, not %s", termText(t))
		}
		return nil
	}, func(_ *check, v, limit rdf.Term) (string, error) {
		if order, err := compare(v, limit); err == nil && holds(order) {
			return "", nil
		}
		return "not " + sign + " " + termText(limit), nil
	})
}

// compare compares two terms by value; an error: they have no order.
func compare(a, b rdf.Term) (int, error) {
	if a.Kind != rdf.Literal || b.Kind != rdf.Literal {
		return 0, value.ErrType
	}
	return value.Compare(value.Of(a), value.Of(b))
}

// measuring parses a component about the length of value nodes, in characters.
//
//go:noinline
func measuring(name string, holds func(n, limit int64) bool) func(*parser, *shape, []rdf.Term) error {
	return func(_ *parser, s *shape, parameters []rdf.Term) error {
		limit, err := count(parameters)
		if err != nil {
			return err
		}
		s.add(name, func(c *check) error {
			return c.each(func(v rdf.Term) (string, error) {
				n := int64(len([]rune(v.Value)))
				switch {
				case v.Kind == rdf.Blank:
					return "a blank node has no length", nil
				case !holds(n, limit):
					return fmt.Sprintf("%d characters, the limit is %d", n, limit), nil
				}
				return "", nil
			})
		})
		return nil
	}
}
