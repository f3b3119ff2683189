package nautilod

import (
	"fmt"
	"strings"
)

// String returns the query in the syntax of Parse; parsing it gives an equal query.
func (q *Query) String() string {
	var b strings.Builder
	for _, start := range q.From {
		b.WriteString("<" + start + "> ")
	}
	path := Text(q.Path)
	if r, ok := q.Path.(*Repeat); ok && q.Command {
		path = fmt.Sprintf("-p %s <%d-%d>", Text(r.Path), r.Min, r.Max)
	} else if len(q.From) > 0 && strings.HasPrefix(path, "[") {
		path = "(" + path + ")" // without parentheses it would be a test of a predicate
	}
	b.WriteString(path)
	if q.Save {
		b.WriteString(" -saveGraph")
	}
	if len(q.Domains) > 0 {
		b.WriteString(" -domains {" + strings.Join(q.Domains, ",") + "}")
	}
	return b.String()
}

// Text returns a path in the syntax of Parse, with full IRIs.
func Text(path Path) string {
	switch path := path.(type) {
	case *Step:
		return path.text()
	case *Test:
		return "[" + path.Ask + "]"
	case *Sequence:
		return path.text()
	case *Alternative:
		parts := make([]string, len(path.Parts))
		for i, part := range path.Parts {
			parts[i] = Text(part)
		}
		return strings.Join(parts, "|")
	case *Repeat:
		return grouped(path.Path) + path.operator()
	}
	return "ACT[save]"
}

func (s *Step) text() string {
	name := "_"
	if s.Predicate != "" {
		name = "<" + s.Predicate + ">"
	}
	if s.Direction == Inverse {
		return "^" + name
	}
	return name
}

func (s *Sequence) text() string {
	var b strings.Builder
	for i, part := range s.Parts {
		if _, test := part.(*Test); i > 0 && !test {
			b.WriteByte('/')
		}
		if _, either := part.(*Alternative); either {
			b.WriteString(grouped(part))
		} else {
			b.WriteString(Text(part))
		}
	}
	return b.String()
}

// grouped returns a path to which an operator may be appended.
func grouped(path Path) string {
	switch path.(type) {
	case *Sequence, *Alternative:
		return "(" + Text(path) + ")"
	}
	return Text(path)
}

func (r *Repeat) operator() string {
	switch [2]int{r.Min, r.Max} {
	case [2]int{0, Any}:
		return "*"
	case [2]int{1, Any}:
		return "+"
	case [2]int{0, 1}:
		return "?"
	}
	return fmt.Sprintf("<%d-%d>", r.Min, r.Max)
}
