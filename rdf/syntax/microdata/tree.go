package microdata

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"orbweaver/rdf/syntax"
)

// maxTags bounds the tags of a page.
const maxTags = 1 << 18

// Bytes reads a whole page: UTF-8, at most MaxToken bytes.
func Bytes(r io.Reader, opts syntax.Options) ([]byte, error) {
	opts = opts.Filled()
	page, err := io.ReadAll(io.LimitReader(r, int64(opts.MaxToken)+1))
	switch {
	case err != nil:
		return nil, &syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: "reading", Err: err}
	case len(page) > opts.MaxToken:
		return nil, wrong(opts, "page of more than "+strconv.Itoa(opts.MaxToken)+" bytes")
	case !utf8.Valid(page):
		page = bytes.ToValidUTF8(page, []byte("\ufffd"))
	}
	return page, nil
}

// Tree returns the tree of a page as HTML's parser makes it, in time and memory linear in the page's length.
// HTML requires that open formatting elements (<b>, <font> and so on) be reopened in every following block,
// and that attributes of each further <body> be compared with those of all before: with these rules a page of
// a few kilobytes can take gigabytes or minutes. Tree therefore treats formatting elements as plain elements,
// except that an <a> ends the one before it, and treats extra <body> and <html> tags as plain elements, too.
// The content of <noscript> is markup, since no scripts run.
//
// Elements nested more than 512 deep and more than 262144 tags are errors.
func Tree(page []byte, opts syntax.Options) (*html.Node, error) {
	opts = opts.Filled()
	if tags := bytes.Count(page, []byte("<")); tags > maxTags {
		return nil, wrong(opts, "page of more than "+strconv.Itoa(maxTags)+" tags")
	}
	root, err := html.ParseWithOptions(bytes.NewReader(tame(page)), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, wrong(opts, err.Error())
	}
	for n := range everything(root) {
		restore(n)
	}
	return root, nil
}

func wrong(opts syntax.Options, msg string) error {
	return &syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: msg}
}

// The name of a renamed tag ends in mark, so that the parser does not know it. closing is the end tag
// inserted before an <a> in an open one. restore removes both wherever they ended up in a text.
const (
	mark    = "\x01"
	closing = "</a" + mark + " " + mark + ">"

	manyRoots = 16 // tags of <html> and <body>, including those in comments
)

// tame renames the tags that make parsing expensive. It also finds tags in comments, scripts and attributes:
// a superset of the tags that the parser sees.
func tame(page []byte) []byte {
	if bytes.IndexByte(page, mark[0]) >= 0 {
		page = bytes.ReplaceAll(page, []byte(mark), nil)
	}
	out := make([]byte, 0, len(page)+len(page)/8)
	open, roots := false, 0
	var lower [len("</strike>")]byte
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 {
			return append(out, page...)
		}
		out = append(out, page[:i]...)
		page = page[i:]
		end := nameEnd(page)
		name := lower[:copy(lower[:], page[1:end])]
		for i, c := range name {
			if c >= 'A' && c <= 'Z' {
				name[i] = c | 0x20
			}
		}
		renamed := isFormatting(bytes.TrimPrefix(name, []byte("/")))
		switch string(name) {
		case "a":
			if open {
				out = append(out, closing...)
			}
			open = true
		case "/a":
			open = false
		case "html", "body":
			roots++
			renamed = roots > manyRoots
		}
		out = append(out, page[:end]...)
		if renamed {
			out = append(out, mark...)
		}
		page = page[end:]
	}
}

// nameEnd returns the offset at which a tag's name ends, including its slash; 1 if the name is too long to be
// a relevant one.
func nameEnd(tag []byte) int {
	for i, c := range tag[1:min(len(tag), len("</strike>"))] {
		switch {
		case c == '/' && i == 0:
		case c == ' ', c == '\t', c == '\n', c == '\f', c == '\r', c == '/', c == '>':
			return i + 1
		}
	}
	return 1
}

// isFormatting reports whether HTML lists the element as formatting.
func isFormatting(name []byte) bool {
	switch string(name) {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// restore undoes the changes of tame in a node.
func restore(n *html.Node) {
	if n.Type == html.ElementNode && strings.HasSuffix(n.Data, mark) {
		n.Data = strings.TrimSuffix(n.Data, mark)
		n.DataAtom = atom.Lookup([]byte(n.Data))
	}
	n.Data = unmarked(n.Data)
	for i := range n.Attr {
		n.Attr[i].Val = unmarked(n.Attr[i].Val)
	}
}

func unmarked(s string) string {
	if strings.IndexByte(s, mark[0]) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, closing, ""), mark, "")
}
