package crawlform

import (
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfile"
)

// An editing changes the text of a file at one key, and leaves all else as it is written. What it did is compared with what was to
// be done: a file that is not what it should be then is refused.
type editing struct {
	src  string
	root *crawlfile.Node
	keys []crawlfile.Key
}

// set returns the text with a key set; without it if value is nil.
func (e *editing) set(k *crawlfile.Key, value *crawlfile.Node) (string, error) {
	path := strings.Split(k.Path, ".")
	path, value = e.spelled(path, value)
	for value == nil && len(path) > 1 && !isKind(path[:len(path)-1]) && e.alone(path) {
		path = path[:len(path)-1]
	}
	var text string
	if value == nil {
		text = e.remove(path)
	} else {
		text = e.put(path, value)
	}
	now, err := parsed([]byte(text))
	if err != nil || !same(now, with(e.root, path, value)) {
		return "", fmt.Errorf("%s: the file is written so that a form cannot change this key: change it in the YAML (%w)", k.Path, orbweaver.ErrInput)
	}
	return text, nil
}

// isKind reports whether a path is that of a kind of focus, whose section may be empty.
func isKind(path []string) bool { return len(path) == 2 && path[0] == "focus" }

// alone reports whether a key is the only one of its section.
func (e *editing) alone(path []string) bool {
	s := e.reach(path)
	return s.depth == len(path)-1 && len(s.in.Entries) == 1 && s.in.Entry(path[s.depth]) != nil
}

// spelled turns the change of a key in a section that is written in short into one of the section.
func (e *editing) spelled(path []string, value *crawlfile.Node) ([]string, *crawlfile.Node) {
	at, section := e.root, path[:len(path)-1]
	for i, name := range section {
		in := at.Entry(name)
		if in == nil || in.Value.Kind == crawlfile.Null {
			break
		}
		if at = in.Value; at.Kind == crawlfile.Map {
			continue
		}
		k := crawlfile.FindKey(e.keys, strings.Join(path[:i+1], "."))
		whole := &crawlfile.Node{Kind: crawlfile.Map}
		if k != nil && k.Shorts() {
			whole.Entries = []crawlfile.Entry{{Key: k.ShortFor(at), Value: at}}
		}
		if whole = with(whole, path[i+1:], value); len(whole.Entries) == 0 {
			whole = nil
		}
		return path[:i+1], whole
	}
	return path, value
}

// with returns a map with a key set, or without it if value is nil.
func with(n *crawlfile.Node, path []string, value *crawlfile.Node) *crawlfile.Node {
	out := &crawlfile.Node{Kind: crawlfile.Map}
	set := false
	inner := func(at *crawlfile.Node) *crawlfile.Node {
		if len(path) == 1 {
			return value
		}
		if at == nil || at.Kind != crawlfile.Map {
			at = &crawlfile.Node{Kind: crawlfile.Map}
		}
		return with(at, path[1:], value)
	}
	for _, e := range n.Entries {
		if e.Key == path[0] {
			set = true
			if v := inner(e.Value); v != nil {
				out.Entries = append(out.Entries, crawlfile.Entry{Key: e.Key, Value: v})
			}
			continue
		}
		out.Entries = append(out.Entries, e)
	}
	if !set && value != nil {
		out.Entries = append(out.Entries, crawlfile.Entry{Key: path[0], Value: inner(nil)})
	}
	return out
}

// same reports whether two values are the same, whatever their notation.
func same(a, b *crawlfile.Node) bool {
	switch {
	case isLeaf(a) && isLeaf(b):
		return a.Text == b.Text
	case a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Entries) != len(b.Entries):
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for _, one := range a.Entries {
		other := b.Entry(one.Key)
		if other == nil || !same(one.Value, other.Value) {
			return false
		}
	}
	return true
}

// A spot is where a map stands in the text.
type spot struct {
	in    *crawlfile.Node // the map
	open  int             // offset of its brace; -1: it is written in lines
	end   int             // offset behind its last line; of a map in lines alone
	depth int             // keys of the path that lead to it
}

// reach follows a path as far as there are maps.
func (e *editing) reach(path []string) spot {
	s := spot{in: e.root, open: e.brace(e.skip(0, true)), end: len(e.src)}
	for _, name := range path[:len(path)-1] {
		in := s.in.Entry(name)
		if in == nil || in.Value.Kind != crawlfile.Map {
			break
		}
		if s.open >= 0 {
			from, _ := e.flowEntry(in)
			s = spot{in: in.Value, open: e.brace(e.skip(e.colon(from)+1, true)), depth: s.depth + 1}
			continue
		}
		_, end := e.lines(s, in)
		s = spot{in: in.Value, open: e.brace(e.skip(e.colon(e.offset(in.Line, in.Column))+1, true)), end: end, depth: s.depth + 1}
	}
	return s
}

// put writes a key.
func (e *editing) put(path []string, value *crawlfile.Node) string {
	s := e.reach(path)
	name := path[s.depth]
	for _, inner := range slices.Backward(path[s.depth+1:]) {
		value = &crawlfile.Node{Kind: crawlfile.Map, Entries: []crawlfile.Entry{{Key: inner, Value: value}}}
	}
	in := s.in.Entry(name)
	switch {
	case s.open >= 0:
		return e.putFlow(s, name, in, value)
	case in != nil:
		return e.replace(s, in, value)
	case len(s.in.Entries) == 0: // an empty file
		return e.src + newline(e.src) + crawlfile.Scalar(name) + ":" + written(value, "", nil) + "\n"
	}
	indent := strings.Repeat(" ", s.in.Entries[0].Column-1)
	line := indent + crawlfile.Scalar(name) + ":" + written(value, indent, nil) + "\n"
	if before := e.before(s, path[:s.depth], name); before != nil {
		_, end := e.lines(s, before)
		return e.src[:end] + newline(e.src[:end]) + line + e.src[end:]
	}
	start, _ := e.lines(s, &s.in.Entries[0])
	return e.src[:start] + line + e.src[start:]
}

// newline ends a last line.
func newline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return ""
	}
	return "\n"
}

// before returns the entry of a map that a new key follows, in the order of the reference; nil: it is the first.
func (e *editing) before(s spot, path []string, name string) (last *crawlfile.Entry) {
	keys := e.keys
	if len(path) > 0 {
		if k := crawlfile.FindKey(e.keys, strings.Join(path, ".")); k != nil {
			keys = k.Keys
		}
	}
	place := func(key string) int {
		return slices.IndexFunc(keys, func(k crawlfile.Key) bool { return k.Name == key })
	}
	for i := range s.in.Entries {
		if place(s.in.Entries[i].Key) < place(name) {
			last = &s.in.Entries[i]
		}
	}
	return last
}

// remove removes a key.
func (e *editing) remove(path []string) string {
	s := e.reach(path)
	in := s.in.Entry(path[s.depth])
	if in == nil || s.depth < len(path)-1 {
		return e.src
	}
	if s.open >= 0 {
		return e.cutFlow(s, in)
	}
	if len(s.in.Entries) == 1 && s.depth > 0 {
		return e.put(path[:s.depth], &crawlfile.Node{Kind: crawlfile.Map})
	}
	start, end := e.lines(s, in)
	return e.src[:start] + e.src[end:]
}
