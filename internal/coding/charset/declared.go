package charset

import (
	"bytes"
	"mime"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/htmlindex"
)

// maxDeclared is how far into a document a <meta> counts. The HTML standard has no limit; browsers decode
// again.
const maxDeclared = 256 << 10

// declared returns the encoding that a document is said to have; no name: none, or none that is known.
func declared(body []byte, contentType string) Encoding {
	_, params, _ := mime.ParseMediaType(contentType)
	if name := nameOf(params["charset"]); name != "" {
		return Encoding{name, Header}
	}
	body = bytes.TrimLeft(body[:min(len(body), maxDeclared)], " \t\r\n\f")
	if len(body) == 0 || body[0] != '<' {
		return Encoding{}
	}
	prolog := nameOf(byProlog(body))
	if prolog != "" && !isHTML(contentType) {
		return Encoding{inASCII(prolog), Prolog}
	}
	if name := nameOf(byMeta(body)); name != "" {
		return Encoding{inASCII(name), Meta}
	}
	if prolog != "" {
		return Encoding{inASCII(prolog), Prolog}
	}
	return Encoding{}
}

func isHTML(contentType string) bool {
	return len(contentType) >= 9 && strings.EqualFold(contentType[:9], "text/html")
}

// nameOf returns the WHATWG name of an encoding by a label; empty: there is no such encoding.
func nameOf(label string) string {
	if e := lookup(strings.TrimSpace(label)); e != nil {
		name, _ := htmlindex.Name(e)
		return name
	}
	return ""
}

// inASCII is the encoding of a declaration that could be read: it is no UTF-16.
func inASCII(name string) string {
	switch name {
	case "utf-16le", "utf-16be":
		return "utf-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// byProlog returns the encoding in an XML declaration.
func byProlog(body []byte) string {
	if !bytes.HasPrefix(body, []byte("<?xml")) {
		return ""
	}
	declaration, _, _ := bytes.Cut(body[:min(len(body), head)], []byte("?>"))
	_, rest, _ := bytes.Cut(declaration, []byte("encoding"))
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	name, _, _ := bytes.Cut(rest[1:], rest[:1])
	return string(name)
}

// byMeta returns the encoding in the first <meta> that names one that is known.
func byMeta(body []byte) string {
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			if name, more := z.TagName(); more && string(name) == "meta" {
				if label := metaLabel(z); nameOf(label) != "" {
					return label
				}
			}
		}
	}
}

// metaLabel returns the encoding in the attributes of a <meta>.
func metaLabel(z *html.Tokenizer) string {
	charset, content, isType := "", "", false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			charset = string(value)
		case "content":
			content = string(value)
		case "http-equiv":
			isType = strings.EqualFold(strings.TrimSpace(string(value)), "content-type")
		}
	}
	if charset == "" && isType {
		if i := strings.Index(strings.ToLower(content), "charset"); i >= 0 {
			charset = strings.TrimLeft(content[i+len("charset"):], " \t\r\n=\"'")
			charset = charset[:end(charset)]
		}
	}
	return charset
}

// end is the length of a label at the start of a value.
func end(s string) int {
	if i := strings.IndexAny(s, " \t\r\n;\"'"); i >= 0 {
		return i
	}
	return len(s)
}
