package shacl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/value"
)

// parsePattern parses sh:pattern with sh:flags.
func parsePattern(p *parser, s *shape, parameters []rdf.Term) error {
	flags := p.source.of[s.node][NS+"flags"]
	if parameters[0].Datatype != rdf.XSDString || len(flags) > 1 || len(flags) == 1 && flags[0].Datatype != rdf.XSDString {
		return errors.New("pattern and flags are one string each")
	}
	args := []value.Value{{}, value.Of(parameters[0])}
	if len(flags) == 1 {
		args = append(args, value.Of(flags[0]))
	}
	matches := func(env *value.Env, text string) (bool, error) {
		of := slices.Clone(args)
		of[0] = value.String(text)
		is, err := value.Call(env, "REGEX", of)
		if err != nil {
			return false, err
		}
		return value.EBV(is)
	}
	if _, err := matches(&value.Env{}, ""); err != nil {
		return err
	}
	s.add("Pattern", func(c *check) error {
		env := &value.Env{}
		return c.each(func(v rdf.Term) (string, error) {
			if v.Kind == rdf.Blank {
				return "a blank node matches no pattern", nil
			}
			if is, err := matches(env, v.Value); is && err == nil {
				return "", nil
			}
			return "does not match " + termText(parameters[0]), nil
		})
	})
	return nil
}

// parseLanguageIn parses sh:languageIn.
func parseLanguageIn(p *parser, s *shape, parameters []rdf.Term) error {
	ranges, err := p.source.list(parameters[0])
	if err != nil {
		return err
	}
	for _, r := range ranges {
		if r.Datatype != rdf.XSDString {
			return fmt.Errorf("a language range is a string, not %s", termText(r))
		}
	}
	s.add("LanguageIn", func(c *check) error {
		return c.each(func(v rdf.Term) (string, error) {
			for _, r := range ranges {
				if v.Lang != "" && languageMatches(v.Lang, r.Value) {
					return "", nil
				}
			}
			return "in none of the languages allowed", nil
		})
	})
	return nil
}

// languageMatches is langMatches of SPARQL: basic filtering of RFC 4647.
func languageMatches(tag, in string) bool {
	if in == "*" {
		return true
	}
	return len(tag) >= len(in) && strings.EqualFold(tag[:len(in)], in) && (len(tag) == len(in) || tag[len(in)] == '-')
}

// parseUniqueLang parses sh:uniqueLang.
func parseUniqueLang(_ *parser, s *shape, parameters []rdf.Term) error {
	if parameters[0].Datatype != xsdBool {
		_, err := boolean(parameters)
		return err
	}
	if parameters[0].Value != "true" { // section 4.4.5: the literal true alone
		return nil
	}
	s.add("UniqueLang", func(c *check) error {
		uses := map[string]int{}
		for _, v := range c.values {
			tag := strings.ToLower(v.Lang)
			if tag == "" {
				continue
			}
			if uses[tag]++; uses[tag] == 2 {
				if err := c.fail(rdf.Term{}, "several values in the language "+tag); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return nil
}

// pair parses a component that compares value nodes with the values of another property.
//
//go:noinline
func pair(name string, f func(c *check, property rdf.Term, others []rdf.Term) error) func(*parser, *shape, []rdf.Term) error {
	return func(_ *parser, s *shape, parameters []rdf.Term) error {
		for _, property := range parameters {
			if err := isIRI(property); err != nil {
				return err
			}
			s.add(name, func(c *check) error {
				others, err := c.objects(c.focus, property, false)
				if err != nil {
					return err
				}
				return f(c, property, others)
			})
		}
		return nil
	}
}

func equals(c *check, property rdf.Term, others []rdf.Term) error {
	mine, theirs := setOf(c.values), setOf(others)
	for _, v := range c.values {
		if !theirs[v] {
			if err := c.fail(v, "no value of "+termText(property)); err != nil {
				return err
			}
		}
	}
	for _, v := range others {
		if !mine[v] {
			if err := c.fail(v, "a value of "+termText(property)+" alone"); err != nil {
				return err
			}
		}
	}
	return nil
}

func disjoint(c *check, property rdf.Term, others []rdf.Term) error {
	theirs := setOf(others)
	return c.each(func(v rdf.Term) (string, error) {
		if theirs[v] {
			return "also a value of " + termText(property), nil
		}
		return "", nil
	})
}

// less compares each value with each other one.
//
//go:noinline
func less(holds func(order int) bool) func(*check, rdf.Term, []rdf.Term) error {
	return func(c *check, property rdf.Term, others []rdf.Term) error {
		for _, v := range c.values {
			for _, other := range others {
				if err := c.step(); err != nil {
					return err
				}
				if order, err := compare(v, other); err == nil && holds(order) {
					continue
				}
				if err := c.fail(v, fmt.Sprintf("not below %s, a value of %s", termText(other), termText(property))); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func setOf(terms []rdf.Term) map[rdf.Term]bool {
	out := make(map[rdf.Term]bool, len(terms))
	for _, t := range terms {
		out[t] = true
	}
	return out
}

// parseNot parses sh:not.
func parseNot(p *parser, s *shape, parameters []rdf.Term) error {
	for _, parameter := range parameters {
		other := p.shapeOf(parameter)
		s.add("Not", func(c *check) error {
			return c.each(func(v rdf.Term) (string, error) {
				is, err := c.conforms(other, v)
				if is {
					return "conforms to " + termText(other.node), err
				}
				return "", err
			})
		})
	}
	return nil
}

// members parses a component over a list of shapes; holds says of how many of them a value node conforms to.
//
//go:noinline
func members(name string, holds func(conforming, all int) bool) func(*parser, *shape, []rdf.Term) error {
	return func(p *parser, s *shape, parameters []rdf.Term) error {
		for _, parameter := range parameters {
			list, err := p.source.list(parameter)
			if err != nil {
				return err
			}
			shapes := make([]*shape, len(list))
			for i, node := range list {
				shapes[i] = p.shapeOf(node)
			}
			s.add(name, func(c *check) error {
				return c.each(func(v rdf.Term) (string, error) {
					conforming := 0
					for _, other := range shapes {
						is, err := c.conforms(other, v)
						if err != nil {
							return "", err
						}
						if is {
							conforming++
						}
					}
					if holds(conforming, len(shapes)) {
						return "", nil
					}
					return fmt.Sprintf("conforms to %d of the %d shapes of sh:%s", conforming, len(shapes), strings.ToLower(name)), nil
				})
			})
		}
		return nil
	}
}

// parseNode parses sh:node.
func parseNode(p *parser, s *shape, parameters []rdf.Term) error {
	for _, parameter := range parameters {
		other := p.shapeOf(parameter)
		if other.path != nil {
			return fmt.Errorf("%s is a property shape", termText(parameter))
		}
		s.add("Node", func(c *check) error {
			return c.each(func(v rdf.Term) (string, error) {
				is, err := c.conforms(other, v)
				if is || err != nil {
					return "", err
				}
				return "does not conform to " + termText(other.node), nil
			})
		})
	}
	return nil
}

// parseProperty parses sh:property, whose results are those of the property shape.
func parseProperty(p *parser, s *shape, parameters []rdf.Term) error {
	for _, parameter := range parameters {
		other := p.shapeOf(parameter)
		s.add("Property", func(c *check) error {
			for _, v := range c.values {
				if err := c.validate(other, v, c.reporting); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return nil
}

// parseQualified parses sh:qualifiedValueShape with its counts.
func parseQualified(p *parser, s *shape, parameters []rdf.Term) error {
	of := p.source.of[s.node]
	least, most := of[NS+"qualifiedMinCount"], of[NS+"qualifiedMaxCount"]
	if len(least)+len(most) == 0 || len(least) > 1 || len(most) > 1 {
		return errors.New("it needs one sh:qualifiedMinCount, one sh:qualifiedMaxCount, or both")
	}
	other := p.shapeOf(parameters[0])
	siblings, err := p.siblings(s.node, parameters[0])
	if err != nil {
		return err
	}
	qualified := func(c *check) (n int64, err error) {
		for _, v := range c.values {
			is, err := c.conforms(other, v)
			for i := 0; is && err == nil && i < len(siblings); i++ {
				var also bool
				also, err = c.conforms(siblings[i], v)
				is = !also
			}
			if err != nil {
				return 0, err
			}
			if is {
				n++
			}
		}
		return n, nil
	}
	limit := func(name, than string, values []rdf.Term, wrong func(n, limit int64) bool) error {
		if len(values) == 0 {
			return nil
		}
		limit, err := count(values)
		if err != nil {
			return err
		}
		s.add(name, func(c *check) error {
			n, err := qualified(c)
			if err != nil || !wrong(n, limit) {
				return err
			}
			return c.fail(rdf.Term{}, fmt.Sprintf("%d values conform to %s, %s than %d", n, termText(other.node), than, limit))
		})
		return nil
	}
	err = limit("QualifiedMinCount", "fewer", least, func(n, limit int64) bool { return n < limit })
	return errors.Join(err, limit("QualifiedMaxCount", "more", most, func(n, limit int64) bool { return n > limit }))
}

// siblings returns the other qualified value shapes beside one, if they are to be disjoint (section 4.7.3).
func (p *parser) siblings(node, own rdf.Term) ([]*shape, error) {
	stated := p.source.of[node][NS+"qualifiedValueShapesDisjoint"]
	if len(stated) == 0 {
		return nil, nil
	}
	if is, err := boolean(stated); err != nil || !is {
		return nil, err
	}
	var out []*shape
	for _, parent := range p.owners[node] {
		for _, property := range p.source.of[parent][NS+"property"] {
			for _, q := range p.source.of[property][NS+"qualifiedValueShape"] {
				if s := p.shapeOf(q); q != own && !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
		}
	}
	return out, nil
}

// parseClosed parses sh:closed with sh:ignoredProperties.
func parseClosed(p *parser, s *shape, parameters []rdf.Term) error {
	is, err := boolean(parameters)
	if err != nil || !is {
		return err
	}
	allowed := map[rdf.Term]bool{}
	for _, list := range p.source.of[s.node][NS+"ignoredProperties"] {
		ignored, err := p.source.list(list)
		if err != nil {
			return fmt.Errorf("sh:ignoredProperties: %w", err)
		}
		for _, property := range ignored {
			allowed[property] = true
		}
	}
	for _, property := range p.source.of[s.node][NS+"property"] {
		for _, path := range p.source.of[property][NS+"path"] {
			allowed[path] = true
		}
	}
	s.add("Closed", func(c *check) error { return c.closed(allowed) })
	return nil
}

// closed fails for each statement about a value node with another property than those allowed.
func (c *check) closed(allowed map[rdf.Term]bool) error {
	type statement struct{ property, object rdf.Term }
	for _, v := range c.values {
		if v.Kind == rdf.Literal {
			continue
		}
		var wrong []statement
		err := c.graph.each(v, rdf.Term{}, rdf.Term{}, statementsOf(func(property, object rdf.Term) error {
			if !allowed[property] {
				wrong = append(wrong, statement{property, object})
			}
			if len(wrong) > c.most {
				return fmt.Errorf("%w: more than %d statements about %s", ErrValues, c.most, termText(v))
			}
			return nil
		}))
		if err != nil {
			return err
		}
		for _, w := range wrong {
			if err := c.failAt(&path{iri: w.property}, w.object, "the property is not allowed"); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseHasValue parses sh:hasValue.
func parseHasValue(_ *parser, s *shape, parameters []rdf.Term) error {
	for _, needed := range parameters {
		s.add("HasValue", func(c *check) error {
			if slices.Contains(c.values, needed) {
				return nil
			}
			return c.fail(rdf.Term{}, "lacks the value "+termText(needed))
		})
	}
	return nil
}

// parseIn parses sh:in.
func parseIn(p *parser, s *shape, parameters []rdf.Term) error {
	list, err := p.source.list(parameters[0])
	if err != nil {
		return err
	}
	allowed := setOf(list)
	s.add("In", func(c *check) error {
		return c.each(func(v rdf.Term) (string, error) {
			if allowed[v] {
				return "", nil
			}
			return "not one of the values allowed", nil
		})
	})
	return nil
}
