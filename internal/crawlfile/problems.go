package crawlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// maxProblems is how many problems are reported: who has more reads the first ones anyway.
const maxProblems = 100

// A Problem is one thing wrong with a file.
type Problem struct {
	File   string // path as the user gave it, or as the crawl file names it
	Line   int    // from 1; 0 when it is about the file as a whole
	Column int    // from 1; 0 when it is about the line as a whole
	Key    string // such as focus.ontology.files[2], list items counted from 1; may be empty
	Msg    string // what is wrong
	Hint   string // what to do about it; may be empty
}

// String writes a problem as `file:line: key: message (hint)`, leaving out what there is none of. No password is
// in it: what is wrong may well be the URL that has one.
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

// Problems are all that is wrong with a file, in the order of its lines. They wrap
// orbweaver.ErrInput.
type Problems []Problem

// Error gives each problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is(err, orbweaver.ErrInput) hold.
func (ps Problems) Unwrap() error { return orbweaver.ErrInput }

// inOrder sorts problems by place, those of the main file first, and cuts what nobody would read.
func inOrder(ps []Problem, mainFile string) Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(foreign(a, mainFile), foreign(b, mainFile)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(ps) - maxProblems; more > 0 {
		ps = append(ps[:maxProblems:maxProblems], Problem{File: mainFile, Msg: fmt.Sprintf("and %d more problems", more)})
	}
	return ps
}

// foreign is 1 for a problem of another file than the main one, else 0.
func foreign(p Problem, mainFile string) int {
	if p.File == mainFile {
		return 0
	}
	return 1
}
