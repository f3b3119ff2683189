package page

import "strings"

// A definition is a link reference definition of Markdown: [name]: address "title".
type definition struct {
	ref        string
	start, end int
	used       bool
}

// define finds the definitions of the text, of a name the first.
func (t *textLinks) define() {
	text := t.page.Text
	for i := nextIndex(text, "]:", 0); i >= 0 && len(t.definitions) < t.limit; i = nextIndex(text, "]:", i+2) {
		line := lineStart(text, i)
		if text[line] != '[' || line > 0 && text[line-1] != '\n' {
			continue
		}
		rest, _, _ := strings.Cut(text[i+2:min(len(text), i+2+2*maxContext)], "\n")
		ref, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		name := labelOf(text[line+1 : i])
		if name == "" || name[0] == '^' || ref == "" { // [^1]: is a footnote
			continue
		}
		ref = strings.TrimSuffix(strings.TrimPrefix(ref, "<"), ">")
		if t.definitions == nil {
			t.definitions = map[string]*definition{}
		}
		if t.definitions[name] == nil {
			t.definitions[name] = &definition{ref: ref, start: line, end: i + 2 + len(rest)}
		}
	}
}

// lineStart returns the start of the line of an offset, or a place within it that is far enough from it.
func lineStart(text string, i int) int {
	first := max(0, i-maxContext)
	return strings.LastIndexByte(text[first:i], '\n') + 1 + first
}

// labelOf returns the name of a reference as names are compared: without case, white space collapsed.
func labelOf(s string) string {
	if strings.ContainsAny(s, "[]") {
		return ""
	}
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// reference reads the Markdown link that refers to a definition, whose first "]" is at an offset: [text][name],
// [name][] or [name].
func (t *textLinks) reference(at int) {
	text := t.page.Text
	if at < t.skip {
		return
	}
	open := openBracket(text, max(t.read, at-maxContext), at)
	if open < 0 {
		t.read = at
		return
	}
	anchor, end := text[open+1:at], at+1
	name := labelOf(anchor)
	if strings.HasPrefix(text[end:], "[") {
		n := strings.IndexByte(text[end:min(len(text), end+maxContext)], ']')
		if n > 1 {
			name = labelOf(text[end+1 : end+n])
		}
		end += max(n, 0) + 1
	}
	d := t.definitions[name]
	switch {
	case strings.HasPrefix(text[at:], "]:") && lineStart(text, at) == open: // a definition
		line, _, _ := strings.Cut(text[at:min(len(text), at+2*maxContext)], "\n")
		t.skip = at + len(line)
	case d == nil:
		if at-open > 64 { // the search backwards is not for free
			t.failed++
		}
	case open > 0 && text[open-1] == '!':
		d.used = true
		t.skip = end
	default:
		d.used = true
		t.add(d.ref, withoutImages(anchor), open, end)
	}
}

// unreferred takes the definitions that nothing refers to as links without text.
func (t *textLinks) unreferred() {
	for i, text := 0, t.page.Text; len(t.definitions) > 0 && len(t.page.Links) < t.limit; i++ {
		if i = nextIndex(text, "]:", i); i < 0 {
			return
		}
		line := lineStart(text, i)
		d := t.definitions[labelOf(text[min(line+1, i):i])]
		if d != nil && d.start == line && !d.used {
			d.used = true
			t.add(d.ref, "", d.start, d.end)
		}
	}
}

// withoutImages returns the text of a link with images replaced by their text.
func withoutImages(anchor string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(anchor, "![")
		out.WriteString(before)
		alt, after, closed := strings.Cut(rest, "]")
		if !ok || !closed {
			out.WriteString(rest)
			return out.String()
		}
		out.WriteString(alt)
		switch {
		case strings.HasPrefix(after, "("):
			_, after, _ = strings.Cut(after, ")")
		case strings.HasPrefix(after, "["):
			_, after, _ = strings.Cut(after, "]")
		}
		anchor = after
	}
}

// isKnown reports whether a link needs no second one: one without text, as those of PDF, takes its context. A URL
// at the end of a line may be the start of a known one that goes on in the next.
func (t *textLinks) isKnown(to string, start, end int) bool {
	if t.known == nil {
		return false
	}
	if i, ok := t.known[to]; ok {
		if l := &t.page.Links[i]; l.Context == "" {
			l.Context = t.context(start, end)
		}
		return true
	}
	if strings.HasPrefix(t.page.Text[end:], "\n") {
		for i := range t.known {
			if strings.HasPrefix(i, to) {
				return true
			}
		}
	}
	t.known[to] = len(t.page.Links)
	return false
}
