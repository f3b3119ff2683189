package replay

import (
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// nowhere is the target of links without a usable address: a browser makes no request for it.
const nowhere = "about:invalid"

// A linker maps the references of one document to a path of the server.
type linker struct {
	prefix string // webPath, with a timestamp
	base   *weburl.Base
	left   int // bytes left for links; below 0: further links lead nowhere
}

// newLinker returns the linker of the document at a URL. The error means that it is not a URL of the Web.
func newLinker(prefix, url string) (*linker, error) {
	base, err := weburl.NewBase(url)
	if err != nil {
		return nil, err
	}
	return &linker{prefix: prefix, base: base, left: maxRewritten}, nil
}

// rebase sets the base of the document, if it is a URL of the Web.
func (l *linker) rebase(href string) {
	if to, err := l.base.Resolve(href); err == nil {
		if base, err := weburl.NewBase(to); err == nil {
			l.base = base
		}
	}
}

// link returns a reference's path below the prefix, with its fragment. ok is false for a reference that is
// not rewritten: it is empty, stays within the document, or has a scheme by which no browser reaches the
// Web. Any other reference that cannot be resolved leads nowhere.
func (l *linker) link(ref string) (to string, ok bool) {
	ref = strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(ref, "\t\n\r") {
		ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(ref)
	}
	if ref == "" || ref[0] == '#' || otherScheme(ref) {
		return "", false
	}
	if l.left < 0 {
		return nowhere, true
	}
	ref, fragment, marked := strings.Cut(ref, "#")
	target, err := l.base.Resolve(ref)
	if err != nil {
		return nowhere, true
	}
	to = l.prefix + target
	if marked {
		to += "#" + escapeFragment(fragment)
	}
	l.left -= len(to)
	return to, true
}

// check checks the size of a document after its links were rewritten. The error wraps ErrTooLarge.
func (l *linker) check(size int) error {
	if l.left >= 0 && size <= maxRewritten {
		return nil
	}
	return fmt.Errorf("with its links rewritten, above %d bytes: %w", maxRewritten, orbweaver.ErrTooLarge)
}

// otherScheme reports whether a reference has a scheme other than http and https.
func otherScheme(ref string) bool {
	for i := range len(ref) {
		switch c := ref[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			scheme := strings.ToLower(ref[:i])
			return i > 0 && c == ':' && scheme != "http" && scheme != "https"
		}
	}
	return false
}

// escapeFragment escapes the fragment percent-encode set of the URL standard.
func escapeFragment(fragment string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(fragment) {
		switch c := fragment[i]; {
		case c <= ' ', c >= 0x7f, c == '"', c == '<', c == '>', c == '`':
			out.WriteByte('%')
			out.WriteByte(digits[c>>4])
			out.WriteByte(digits[c&15])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// srcset rewrites the candidates of a srcset attribute: HTML, section 4.8.4.2.2, "parsing a srcset
// attribute".
func (l *linker) srcset(value string) (rewritten string, ok bool) {
	var out strings.Builder
	for at := 0; at < len(value); {
		start := at
		for at < len(value) && (isSpace(value[at]) || value[at] == ',') {
			at++
		}
		out.WriteString(value[start:at])
		start = at
		for at < len(value) && !isSpace(value[at]) {
			at++
		}
		url := strings.TrimRight(value[start:at], ",")
		if to, linked := l.link(url); linked {
			out.WriteString(to)
			ok = true
		} else {
			out.WriteString(url)
		}
		if start+len(url) < at { // a comma ends the candidate
			at = start + len(url)
			continue
		}
		start = at
		at += descriptors(value[at:])
		out.WriteString(value[start:at])
	}
	return out.String(), ok
}

// descriptors is the length of a candidate's descriptors: to the comma outside parentheses.
func descriptors(s string) int {
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '(':
			depth = 1 // they do not nest
		case s[i] == ')':
			depth = 0
		case s[i] == ',' && depth == 0:
			return i
		}
	}
	return len(s)
}

// refresh rewrites "5; url=…", of meta and of the header of that name: HTML, section 4.2.5.3.
func (l *linker) refresh(value string) (rewritten string, ok bool) {
	rest := strings.TrimLeft(value, "0123456789. \t\n\f\r")
	wait := strings.TrimSpace(value[:len(value)-len(rest)])
	rest = strings.TrimLeft(strings.TrimLeft(rest, ";,"), " \t\n\f\r")
	if len(rest) > 3 && strings.EqualFold(rest[:3], "url") {
		if after, found := strings.CutPrefix(strings.TrimLeft(rest[3:], " \t\n\f\r"), "="); found {
			rest = strings.TrimLeft(after, " \t\n\f\r")
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[:1]
		rest, _, _ = strings.Cut(rest[1:], quote)
	}
	to, ok := l.link(rest)
	return wait + "; url=" + to, ok
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }
