package algebra

import (
	"fmt"
	"strconv"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// maxSlots bounds the number of variables.
const maxSlots = 1 << 15

// TranslateQuery translates a query. The error says that it has too many variables; it wraps
// syntax.ErrSize.
func TranslateQuery(q *syntax.Query) (*Query, error) {
	t := newTranslator(q.Base)
	out := &Query{Form: q.Form, Base: q.Base, Dataset: q.Dataset, Prefixes: q.Prefixes}
	for _, s := range t.selected(&q.Select) {
		out.Columns = append(out.Columns, Column{t.names[s], s})
	}
	out.Pattern = t.selection(&q.Select, q.Form == syntax.SelectForm)
	out.Template = t.template(q.Template)
	for _, n := range q.Describe {
		out.Describe = append(out.Describe, t.node(n))
	}
	if q.Form == DescribeForm && q.Describe == nil {
		for _, c := range t.columns(out.Pattern) {
			out.Describe = append(out.Describe, Node{Slot: c.Slot})
		}
	}
	if t.err != nil {
		return nil, t.err
	}
	out.Vars = t.vars
	return out, nil
}

// A translator numbers the variables of one query or operation. After an error it continues, but its result is
// invalid.
type translator struct {
	base   string
	err    error
	vars   []string        // unique names, by slot
	names  []string        // as written, by slot; empty for generated ones
	scope  map[string]Slot // of the query, or of the sub-query within
	blanks map[string]Slot // by label; each label belongs to one basic graph pattern
	taken  map[string]bool // names of slots so far
	groups *grouping       // grouping of the current expression's solutions; nil: none
	remote bool            // within SERVICE, where only names matter
	quoted []quoted        // triple terms of the triples that are being translated
}

func newTranslator(base string) *translator {
	return &translator{base: base, scope: map[string]Slot{}, blanks: map[string]Slot{}, taken: map[string]bool{}}
}

// add numbers a new variable.
func (t *translator) add(unique, name string) Slot {
	if len(t.vars) == maxSlots && t.err == nil {
		t.err = fmt.Errorf("more than %d variables and blank nodes: %w", maxSlots, syntax.ErrSize)
	}
	if t.err != nil {
		return 0
	}
	t.vars, t.names = append(t.vars, unique), append(t.names, name)
	return Slot(len(t.vars) - 1)
}

// fresh numbers a generated variable.
func (t *translator) fresh() Slot { return t.add("."+strconv.Itoa(len(t.vars)), "") }

// slot returns the number of a variable.
func (t *translator) slot(name string) Slot {
	if s, ok := t.scope[name]; ok {
		return s
	}
	unique := name
	if t.taken[name] { // by a variable of an outer or inner query
		unique += "." + strconv.Itoa(len(t.vars))
	}
	t.taken[name] = true
	s := t.add(unique, name)
	t.scope[name] = s
	return s
}

// node translates a node of a pattern or template; blank nodes stay.
func (t *translator) node(n syntax.Node) Node {
	switch {
	case n.Var != "":
		return Node{Slot: t.slot(n.Var)}
	case n.Triple != nil:
		inner := &Triple{t.node(n.Triple.S), t.node(n.Triple.P), t.node(n.Triple.O)}
		return Node{Term: rdf.Term{Kind: rdf.TripleTerm}, Slot: NoSlot, Triple: inner}
	}
	return Node{Term: n.Term}
}

// variable translates a node of a pattern, where blank nodes are variables.
func (t *translator) variable(n syntax.Node) Node {
	if n.Triple != nil {
		q := quoted{t.fresh(), n.Triple}
		t.quoted = append(t.quoted, q)
		return Node{Slot: q.slot}
	}
	if n.Term.Kind != rdf.Blank {
		return t.node(n)
	}
	s, ok := t.blanks[n.Term.Value]
	if !ok {
		s = t.add("_:"+n.Term.Value, "")
		t.blanks[n.Term.Value] = s
	}
	return Node{Slot: s}
}

// template translates a template.
func (t *translator) template(triples []syntax.Triple) (out []Triple) {
	for _, triple := range triples {
		out = append(out, Triple{t.node(triple.S), t.node(triple.P), t.node(triple.O)})
	}
	return out
}

// columns returns the variables of a pattern that have names.
func (t *translator) columns(op Op) (out []Column) {
	if t.err != nil {
		return nil
	}
	for _, s := range Visible(op) {
		if t.names[s] != "" {
			out = append(out, Column{t.names[s], s})
		}
	}
	return out
}

// whole translates a group including its filters.
func (t *translator) whole(g *syntax.Group) Op {
	op, filter := t.group(g)
	if filter != nil {
		return &Filter{op, filter}
	}
	return op
}

// group translates a group (section 18.2.2.6). It returns the filters separately, since those of OPTIONAL
// become the condition of the join.
func (t *translator) group(g *syntax.Group) (op Op, filter Expr) {
	op = &BGP{}
	var filters []Expr
	var triples []syntax.Triple // of one basic graph pattern: filters do not end it
	for _, e := range g.Elements {
		switch e := e.(type) {
		case *syntax.Triples:
			triples = append(triples, e.Triples...)
			continue
		case *syntax.Filter:
			filters = append(filters, t.expr(e.Expr))
			continue
		}
		op = join(op, t.triples(triples))
		triples = nil
		op = t.element(op, e)
	}
	op = join(op, t.triples(triples))
	switch len(filters) {
	case 0:
		return op, nil
	case 1:
		return op, filters[0]
	}
	return op, &Call{"&&", filters}
}

// element joins an element of a group to the previous ones.
func (t *translator) element(op Op, e syntax.Pattern) Op {
	switch e := e.(type) {
	case *syntax.Optional:
		right, filter := t.group(e.Group)
		return &LeftJoin{op, right, filter}
	case *syntax.Minus:
		return &Minus{op, t.whole(e.Group)}
	case *syntax.Bind:
		return &Extend{op, t.slot(e.Var), t.expr(e.Expr)}
	}
	return join(op, t.pattern(e))
}

// pattern translates a single element.
func (t *translator) pattern(e syntax.Pattern) Op {
	switch e := e.(type) {
	case *syntax.Group:
		return t.whole(e)
	case *syntax.Union:
		op := t.whole(e.Branches[0])
		for _, g := range e.Branches[1:] {
			op = &Union{op, t.whole(g)}
		}
		return op
	case *syntax.Graph:
		return &Graph{t.node(e.Name), t.whole(e.Group)}
	case *syntax.Service:
		return t.service(e)
	case *syntax.Values:
		return t.values(e)
	case *syntax.SubSelect:
		return t.subSelect(&e.Select)
	}
	return &BGP{}
}

// join joins two patterns; the empty pattern is the unit (section 18.2.2.8).
func join(left, right Op) Op {
	switch {
	case isUnit(left):
		return right
	case isUnit(right):
		return left
	}
	return &Join{left, right}
}

// isUnit reports whether a pattern is the empty one.
func isUnit(op Op) bool {
	b, ok := op.(*BGP)
	return ok && len(b.Patterns) == 0
}

// values translates VALUES.
func (t *translator) values(v *syntax.Values) Op {
	out := &Values{Rows: v.Rows}
	for _, name := range v.Vars {
		out.Vars = append(out.Vars, t.slot(name))
	}
	return out
}

// service translates SERVICE. Its group is translated only for the names of its variables.
func (t *translator) service(s *syntax.Service) Op {
	name := t.node(s.Name)
	if t.remote { // the remote endpoint evaluates a nested SERVICE: here it acts like GRAPH
		return &Graph{name, t.whole(s.Group)}
	}
	t.remote = true
	pattern := t.whole(s.Group)
	t.remote = false
	return &Service{Silent: s.Silent, Name: name, Columns: t.columns(pattern), base: t.base, group: s.Group}
}

// subSelect translates a sub-query: variables that it does not select get separate slots.
func (t *translator) subSelect(s *syntax.Select) Op {
	outer, groups := t.scope, t.groups
	inner := map[string]Slot{}
	for _, item := range s.Items {
		inner[item.Var] = t.slot(item.Var)
	}
	t.scope, t.groups = inner, nil
	op := t.selection(s, true)
	t.scope, t.groups = outer, groups
	return op
}

// triples translates triples and paths to a basic graph pattern, joined with the remaining paths (sections
// 18.2.2.4 and 18.2.2.5). The order of triples and paths does not matter.
func (t *translator) triples(triples []syntax.Triple) Op {
	b := &BGP{}
	var paths []*Path
	t.quoted = nil
	for _, triple := range triples {
		s, o := t.variable(triple.S), t.variable(triple.O)
		if triple.Path == nil {
			b.Patterns = append(b.Patterns, Triple{s, t.variable(triple.P), o})
			continue
		}
		paths = append(paths, t.path(b, s, direct(triple.Path, false), o)...)
	}
	if len(t.quoted) > 0 {
		return t.unquoted(b, paths)
	}
	op := Op(b)
	for _, p := range paths {
		op = join(op, p)
	}
	return op
}

// path translates a path between two nodes. Single steps and sequences of them become triples of b.
func (t *translator) path(b *BGP, s Node, path PathExpr, o Node) (rest []*Path) {
	switch p := path.(type) {
	case *PathIRI:
		b.Patterns = append(b.Patterns, Triple{s, Node{Term: rdf.NewIRI(p.IRI)}, o})
	case *PathInverse:
		return t.path(b, o, p.Path, s)
	case *PathSequence:
		last := len(p.Parts) - 1
		for i, part := range p.Parts {
			next := o
			if i < last {
				next = Node{Slot: t.fresh()}
			}
			rest = append(rest, t.path(b, s, part, next)...)
			s = next
		}
	default:
		rest = append(rest, &Path{s, path, o})
	}
	return rest
}

// direct returns a path, or its inverse, with PathInverse only around single steps.
func direct(path PathExpr, inverse bool) PathExpr {
	switch p := path.(type) {
	case *PathInverse:
		return direct(p.Path, !inverse)
	case *PathSequence:
		parts := all(p.Parts, inverse)
		for i, j := 0, len(parts)-1; inverse && i < j; i, j = i+1, j-1 {
			parts[i], parts[j] = parts[j], parts[i]
		}
		return &PathSequence{Parts: parts}
	case *PathAlternative:
		return &PathAlternative{Parts: all(p.Parts, inverse)}
	case *PathRepeat:
		return &PathRepeat{Path: direct(p.Path, inverse), Mark: p.Mark}
	}
	if inverse {
		return &PathInverse{Path: path}
	}
	return path
}

// all applies direct to several paths.
func all(paths []PathExpr, inverse bool) []PathExpr {
	out := make([]PathExpr, len(paths))
	for i, p := range paths {
		out[i] = direct(p, inverse)
	}
	return out
}
