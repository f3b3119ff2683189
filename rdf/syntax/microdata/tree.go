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

// maxTags bounds the nodes of a tree.
const maxTags = 1 << 18

// Bytes reads a page whole: UTF-8, of MaxToken bytes at most.
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

// Tree returns the tree of a page as HTML's parser makes it, in time and memory that are linear in
// the page's length. HTML asks that formatting elements which were left open (<b>, <font> and so on)
// be opened again in every block that follows, and that attributes of each further <body> be compared
// with those of all before: pages of a few kilobytes make gigabytes or take minutes by that. Here
// formatting elements are plain elements, but that an <a> ends the one before it, and a <body> or
// <html> too many is one as well. What is in <noscript> is markup: nobody runs scripts.
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

// A renamed tag's name ends in mark, which makes it one that the parser knows nothing of. closing is
// the end tag put before an <a> in an open one. Wherever these came into a text, they are taken out
// again by restore.
const (
	mark    = "\x01"
	closing = "</a" + mark + " " + mark + ">"

	manyRoots = 16 // tags of <html> and <body>, those in comments counted
)

// tame renames what makes parsing expensive. It looks for tags in comments, scripts and attributes
// too: what the parser takes for a tag is among them for certain.
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

// nameEnd returns where the name of a tag ends, its slash counted; 1 where none ends soon, which is
// then none of those looked for.
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

// restore undoes in a node what tame did to the page.
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
