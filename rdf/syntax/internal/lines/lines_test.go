package lines

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// read shows the objects of a document, with their graphs, and each mistake as "!" with its place.
func read(r io.Reader, graphs bool, token int) (shown string, failed bool) {
	p := New(r, syntax.Options{Name: "f", MaxToken: token}.Filled(), graphs)
	var all []string
	for range 100 {
		var q rdf.Quad
		found, err := p.Next(&q)
		var mistake *syntax.Error
		switch {
		case errors.As(err, &mistake):
			all = append(all, fmt.Sprintf("!%d:%d", mistake.Line, mistake.Column))
		case err != nil:
			return strings.Join(all, " "), p.Failed()
		case !found:
			return strings.Join(all, " "), p.Failed()
		default:
			all = append(all, strings.TrimSpace(q.O.Value+" "+q.G.Value))
		}
		if p.Failed() {
			break
		}
	}
	return strings.Join(all, " "), p.Failed()
}

// TestNext: a statement a line, whatever ends it; a mistake costs its line alone.
func TestNext(t *testing.T) {
	const s = "<u:s> <u:p> "
	for _, tc := range []struct{ name, text, triples, quads string }{
		{"none", "\n# x\r\n \t\r", "", ""},
		{"ends of lines", s + "<u:1> .\r\n" + s + "<u:2> .\r" + s + "<u:3> .#x", "u:1 u:2 u:3", "u:1 u:2 u:3"},
		{"a graph", s + "<u:1> <u:g> .", "!1:19", "u:1 u:g"},
		{"a mistake", s + "x .\n" + s + "<u:2> .", "!1:13 u:2", "!1:13 u:2"},
		{"no full stop", s + "<u:1>\n" + s + "<u:2> .", "!1:18 u:2", "!1:18 u:2"},
		{"more behind it", s + "<u:1> . x\n" + s + "<u:2> .", "!1:21 u:2", "!1:21 u:2"},
		{"a literal as a subject", "\"s\" <u:p> <u:o> .", "!1:1", "!1:1"},
		{"a blank node as a predicate", "<u:s> _:p <u:o> .", "!1:7", "!1:7"},
		{"escapes", s + `"a\n\u0042" .`, "a\nB", "a\nB"},
	} {
		for graphs, want := range map[bool]string{false: tc.triples, true: tc.quads} {
			if got, _ := read(strings.NewReader(tc.text), graphs, 0); got != want {
				t.Errorf("%s, graphs %v: %q, want %q", tc.name, graphs, got, want)
			}
		}
	}
}

// TestLongLine: a line that is too long is a mistake, and the next one is read; a reader that fails ends all.
func TestLongLine(t *testing.T) {
	long := "<u:s> <u:p> \"" + strings.Repeat("x", 200_000) + "\" .\n"
	if got, failed := read(strings.NewReader(long+"<u:s> <u:p> <u:2> .\n"), false, 1000); !strings.HasPrefix(got, "!1:") || !strings.HasSuffix(got, " u:2") || failed {
		t.Errorf("%q", got)
	}
	if got, failed := read(io.MultiReader(strings.NewReader("<u:s> <u:p> <u:1> .\n<u:s>"), broken{}), false, 0); !strings.HasPrefix(got, "u:1") || !failed {
		t.Errorf("%q, failed %v", got, failed)
	}
}

// broken is a reader that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
