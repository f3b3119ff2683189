package notation

import (
	"fmt"
	"strings"

	"orbweaver"
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
