package notation

import (
	"cmp"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/weburl"
)

// A Problem is an error in a file.
type Problem struct {
	File   string `json:"file"`             // path as the user gave it, or as the crawl file names it
	Line   int    `json:"line,omitempty"`   // from 1; 0: the whole file
	Column int    `json:"column,omitempty"` // from 1; 0: the whole line
	Key    string `json:"key,omitempty"`    // such as focus.ontology.files[2], list items counted from 1; may be empty
	Msg    string `json:"message"`          // the problem
	Hint   string `json:"hint,omitempty"`   // the remedy; may be empty
}

// String formats a problem as `file:line: key: message (hint)`, without empty parts. It hides passwords in URLs.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Msg)
	if p.Hint != "" {
		b.WriteString(" (" + p.Hint + ")")
	}
	return weburl.Redacted(b.String())
}

// Problems are all problems of a file in the order of its lines. They wrap orbweaver.ErrInput.
type Problems []Problem

// Error returns the problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is(err, orbweaver.ErrInput) hold.
func (ps Problems) Unwrap() error { return orbweaver.ErrInput }

// MaxProblems is the maximum number of reported problems.
const MaxProblems = 100

// InOrder sorts problems by place, those of the main file first, and truncates them to MaxProblems.
func (ps Problems) InOrder(mainFile string) Problems {
	order.Stably(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(foreign(a, mainFile), foreign(b, mainFile)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(ps) - MaxProblems; more > 0 {
		ps = append(ps[:MaxProblems:MaxProblems], Problem{File: mainFile, Msg: fmt.Sprintf("and %d more problems", more)})
	}
	return ps
}

// foreign returns 0 for a problem of the main file and 1 for one of another file.
func foreign(p Problem, mainFile string) int {
	if p.File == mainFile {
		return 0
	}
	return 1
}
