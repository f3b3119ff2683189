package crawlform

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"orbweaver/internal/crawlfile"
)

// offset returns the byte of a place: a line and a character in it, from 1.
func (e *editing) offset(line, column int) int {
	i := 0
	for range line - 1 {
		i += strings.IndexByte(e.src[i:], '\n') + 1
	}
	for range column - 1 {
		_, size := utf8.DecodeRuneInString(e.src[i:])
		i += size
	}
	return i
}

// at returns a byte of the text, 0 behind its end.
func (e *editing) at(i int) byte {
	if i < len(e.src) {
		return e.src[i]
	}
	return 0
}

// lineEnd returns the offset of the next line feed, or the end.
func (e *editing) lineEnd(i int) int {
	if n := strings.IndexByte(e.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(e.src)
}

// skip returns the next offset that is no blank; with lines, no comment and no line feed either.
func (e *editing) skip(i int, lines bool) int {
	for ; i < len(e.src); i++ {
		switch c := e.src[i]; {
		case c == ' ', c == '\t', lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			i = e.lineEnd(i) - 1
		default:
			return i
		}
	}
	return len(e.src)
}

// brace returns i if a map in braces begins there, else -1.
func (e *editing) brace(i int) int {
	if e.at(i) == '{' {
		return i
	}
	return -1
}

// past returns the offset behind the quoted text, list, map or plain word that begins at i. Plain words end before what ends them in a
// list or map in brackets, or with the line.
func (e *editing) past(i int, flow bool) int {
	switch c := e.at(i); c {
	case '"', '\'':
		for i++; i < len(e.src) && e.src[i] != c; i++ {
			if c == '"' && e.src[i] == '\\' {
				i++
			}
		}
		if i++; c == '\'' && e.at(i) == c { // '' within
			return e.past(i, flow)
		}
		return min(i, len(e.src))
	case '[', '{':
		for i = e.skip(i+1, true); i < len(e.src) && e.src[i] != ']' && e.src[i] != '}'; i = e.skip(i, true) {
			if c := e.src[i]; c == ',' || c == ':' {
				i++
				continue
			}
			i = e.past(i, true)
		}
		return min(i+1, len(e.src))
	}
	start := i
	for ; i < len(e.src) && e.src[i] != '\n'; i++ {
		c := e.src[i]
		if c == '#' && i > start && (e.src[i-1] == ' ' || e.src[i-1] == '\t') || flow && strings.IndexByte(",]}", c) >= 0 || c == ':' && i > start && strings.IndexByte(" \n,]}\x00", e.at(i+1)) >= 0 && flow {
			break
		}
	}
	return max(start+1, start+len(strings.TrimRight(e.src[start:i], " \t")))
}

// colon returns the offset of the colon behind the key that begins at i.
func (e *editing) colon(i int) int {
	if c := e.at(i); c == '"' || c == '\'' {
		i = e.past(i, true)
	}
	for i < len(e.src)-1 && !(e.src[i] == ':') {
		i++
	}
	return i
}

// lines returns where the lines of an entry begin and end, without the comments and empty lines behind it.
func (e *editing) lines(s spot, in *crawlfile.Entry) (start, end int) {
	start, end = e.offset(in.Line, 1), s.end
	for _, other := range s.in.Entries {
		if at := e.offset(other.Line, 1); other.Line > in.Line && at < end {
			end = at
		}
	}
	for first := e.lineEnd(start); end > first+1; {
		last := strings.LastIndexByte(strings.TrimSuffix(e.src[:end], "\n"), '\n') + 1
		if line := strings.TrimSpace(e.src[last:end]); last <= first || line != "" && line[0] != '#' && line != "..." && line != "---" {
			break
		}
		end = last
	}
	return start, end
}

// replace writes the value of an entry in lines anew. The comment on its first line stays, and lines of list items that stay.
func (e *editing) replace(s spot, in *crawlfile.Entry, value *crawlfile.Node) string {
	start, end := e.lines(s, in)
	colon := e.colon(e.offset(in.Line, in.Column))
	from := e.skip(colon+1, false)
	behind := colon + 1 // where the comment begins
	if c := e.at(from); c != '\n' && c != '#' && c != 0 {
		behind = e.past(from, false)
		if strings.IndexByte("|>&*!", c) >= 0 {
			behind = e.lineEnd(from)
		}
	}
	comment := strings.TrimRight(e.src[min(behind, end):min(e.lineEnd(behind), end)], " \t\n")
	if c := strings.TrimSpace(comment); c != "" && c[0] != '#' {
		comment = ""
	}
	indent := strings.Repeat(" ", in.Column-1)
	text := written(value, indent, e.items(in.Value, end))
	line, rest, _ := strings.Cut(text, "\n")
	if rest != "" {
		rest = "\n" + rest
	}
	return e.src[:start] + e.src[start:colon+1] + line + comment + rest + "\n" + e.src[end:]
}

// items returns the lines of list items as they are written, by their texts.
func (e *editing) items(list *crawlfile.Node, end int) map[string]string {
	kept := map[string]string{}
	for i, item := range list.Items {
		line := e.src[e.offset(item.Line, 1):]
		to := end
		if i+1 < len(list.Items) {
			to = e.offset(list.Items[i+1].Line, 1)
		}
		if line = e.src[len(e.src)-len(line) : max(to, len(e.src)-len(line))]; isLeaf(item) && strings.HasPrefix(strings.TrimSpace(line), "- ") {
			kept[item.Text] = strings.TrimSpace(line)
		}
	}
	return kept
}

// written writes a value behind its key and colon. kept are lines of list items that are written already.
func written(n *crawlfile.Node, indent string, kept map[string]string) string {
	if isLeaf(n) {
		return " " + leaf(n)
	}
	const most = 72
	if short := flow(n); len(kept) == 0 && n.Kind == crawlfile.List && len(n.Items) <= 4 && len(short) <= most && !strings.Contains(short, "{") || len(n.Items)+len(n.Entries) == 0 {
		return " " + short
	}
	var b strings.Builder
	if n.Kind == crawlfile.Map {
		return strings.TrimRight(block(n, indent+"  "), "\n")
	}
	for _, item := range n.Items {
		line, there := kept[item.Text]
		if !there || !isLeaf(item) {
			line = "- " + strings.TrimSpace(block(item, indent+"    "))
		}
		fmt.Fprintf(&b, "\n%s  %s", indent, line)
	}
	return b.String()
}

// block writes a list or map in lines, each indented, after a line feed; a leaf as it is.
func block(n *crawlfile.Node, indent string) string {
	if isLeaf(n) {
		return leaf(n)
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, e := range n.Entries {
		b.WriteString(indent + crawlfile.Scalar(e.Key) + ":" + written(e.Value, indent, nil) + "\n")
	}
	for _, item := range n.Items {
		b.WriteString(indent + "- " + strings.TrimSpace(block(item, indent+"  ")) + "\n")
	}
	return b.String()
}

// percent is a share, which needs no quotes.
var percent = regexp.MustCompile(`^[0-9.]+%$`)

// leaf writes a single value.
func leaf(n *crawlfile.Node) string {
	if n.Kind == crawlfile.Text && !percent.MatchString(n.Text) {
		return crawlfile.Scalar(n.Text)
	}
	return n.Text
}

// flow writes a value in brackets.
func flow(n *crawlfile.Node) string {
	var parts []string
	switch {
	case isLeaf(n):
		return leaf(n)
	case n.Kind == crawlfile.List:
		for _, item := range n.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for _, e := range n.Entries {
		parts = append(parts, crawlfile.Scalar(e.Key)+": "+flow(e.Value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// flowEntry returns where an entry of a map in braces begins and ends.
func (e *editing) flowEntry(in *crawlfile.Entry) (start, end int) {
	start = e.offset(in.Line, in.Column)
	return start, e.past(e.skip(e.colon(start)+1, true), true)
}

// putFlow writes a key of a map in braces.
func (e *editing) putFlow(s spot, name string, in *crawlfile.Entry, value *crawlfile.Node) string {
	if in != nil {
		start, end := e.flowEntry(in)
		return e.src[:start] + e.src[start:e.colon(start)+1] + " " + flow(value) + e.src[end:]
	}
	end, comma := s.open+1, ""
	for i := range s.in.Entries {
		_, last := e.flowEntry(&s.in.Entries[i])
		end, comma = max(end, last), ", "
	}
	return e.src[:end] + comma + crawlfile.Scalar(name) + ": " + flow(value) + e.src[end:]
}

// cutFlow removes a key of a map in braces, with a comma.
func (e *editing) cutFlow(s spot, in *crawlfile.Entry) string {
	start, end := e.flowEntry(in)
	if next := e.skip(end, true); e.at(next) == ',' {
		return e.src[:start] + e.src[e.skip(next+1, true):]
	}
	if before := strings.LastIndexByte(e.src[:start], ','); before > s.open && len(s.in.Entries) > 1 {
		start = before
	}
	return e.src[:start] + e.src[end:]
}
