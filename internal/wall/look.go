package wall

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"orbweaver"
)

// maxHeading is the number of bytes up to which the first line of a text may be a heading.
const maxHeading = 60

// A look is what is examined of an answer; texts are normal.
type look struct {
	status    int
	title     heard
	says      heard  // the text
	text      string // main text, or all that is shown
	markup    string // tags, and what stands in scripts, in lower case: never the text
	controls  string // labels of buttons and links, each on a line
	words     int    // of the text
	links     int
	fields    int // to fill in with text
	passwords int
	scripts   int
	forms     int
	frames    int
	refreshes bool
	scripted  bool // Page.Scripted

	heads, shown string // title and heading, and all that is shown
}

// read examines an answer without a page.
func (l *look) read(body []byte) {
	l.examine(body[:min(len(body), maxBody)])
	l.text, l.words = l.shown, wordsIn(l.shown)
	l.title, l.says = phrases().titled(l.heads), phrases().said(l.text)
}

// use examines a page: title and text first, which are read already, and the document if these leave it open whether
// it is one. It returns false if it is.
func (l *look) use(p *orbweaver.Page, body func() []byte) (more bool) {
	l.words, l.links, l.scripted = wordsIn(p.Text), len(p.Links), p.Scripted
	if l.words > maxConsentWords {
		return false
	}
	heading, _, _ := strings.Cut(p.Text, "\n")
	if l.title = phrases().titled(normal(p.Title)); len(heading) < maxHeading && heading != p.Title {
		l.title.join(phrases().titled(normal(heading)))
	}
	explains := phrases().said(normal(p.Title)).at[explaining]
	lead := p.Text[:min(len(p.Text), 2*maxLead+40)]
	l.says = phrases().said(normal(lead))
	few := l.words <= maxWallWords && l.links <= maxWallLinks
	if !few && l.title == (heard{}) && l.says == (heard{}) {
		return false
	}
	l.text = normal(p.Text)
	if len(lead) < len(p.Text) {
		l.says = phrases().said(l.text)
	}
	if l.says.at[explaining] == 0 {
		l.says.at[explaining] = explains
	}
	document := body()
	l.links = 0
	l.examine(document[:min(len(document), maxBody)])
	l.title.join(phrases().titled(l.heads))
	if p.Text == "" {
		l.text, l.words = l.shown, wordsIn(l.shown)
		l.says = phrases().said(l.text)
	}
	return true
}

// examine reads a document in one pass.
func (l *look) examine(body []byte) {
	var text, markup, controls, heads strings.Builder
	label, heading := false, false
	for len(body) > 0 {
		lt := bytes.IndexByte(body, '<')
		if lt < 0 {
			lt = len(body)
		}
		if shown := body[:lt]; len(bytes.TrimSpace(shown)) > 0 {
			text.Write(shown)
			text.WriteByte(' ')
			if label {
				controls.Write(shown)
			}
			if heading {
				heads.Write(shown)
			}
		}
		if body = body[lt:]; len(body) == 0 {
			break
		}
		if bytes.HasPrefix(body, []byte("<!--")) {
			body = after(body, "-->")
			continue
		}
		tag := body[:endOfTag(body)]
		body = body[len(tag):]
		name := nameOf(tag)
		markup.Write(tag)
		markup.WriteByte('\n')
		switch name {
		case "script", "style", "title", "textarea", "noscript":
			end := closing(body, name)
			inside := body[:end]
			switch name {
			case "script":
				l.scripts++
				markup.Write(inside)
				markup.WriteByte('\n')
			case "title":
				heads.Write(inside)
				heads.WriteByte('\n')
			case "noscript":
				continue // what is inside is read: challenges speak there
			}
			body = body[end:]
		case "p", "div", "li", "br", "tr", "section", "/p", "/div", "/li":
			text.WriteByte('\n')
		case "h1", "h2":
			heading = true
			text.WriteByte('\n')
		case "/h1", "/h2":
			heading = false
			heads.WriteByte('\n')
			text.WriteByte('\n')
		case "a", "button":
			label = true
			if name == "a" {
				l.links++
			}
		case "/a", "/button":
			label = false
			controls.WriteByte('\n')
		case "form":
			l.forms++
		case "iframe":
			l.frames++
		case "meta":
			low := bytes.ToLower(tag)
			l.refreshes = l.refreshes || bytes.Contains(low, []byte("http-equiv")) && bytes.Contains(low, []byte("refresh"))
		case "input":
			l.input(tag, &controls)
		}
	}
	l.markup = strings.ToLower(markup.String())
	l.controls = normal(html.UnescapeString(controls.String()))
	l.heads = normal(html.UnescapeString(heads.String()))
	l.shown = normal(html.UnescapeString(text.String()))
}

// input counts a field by its type; the value of a button is its label.
func (l *look) input(tag []byte, controls *strings.Builder) {
	switch typ := strings.ToLower(attribute(tag, "type")); typ {
	case "password":
		l.passwords++
	case "hidden", "checkbox", "radio", "image", "reset":
	case "submit", "button":
		controls.WriteString(attribute(tag, "value"))
		controls.WriteByte('\n')
	case "search": // stands on any page
	default:
		if name := strings.ToLower(attribute(tag, "name")); name != "q" && name != "s" && !strings.Contains(name, "search") {
			l.fields++
		}
	}
}

// attribute returns the value of an attribute of a tag, as it stands.
func attribute(tag []byte, name string) string {
	low := bytes.ToLower(tag)
	for from := 0; ; {
		i := bytes.Index(low[from:], []byte(name+"="))
		if i < 0 {
			return ""
		}
		i += from
		from = i + len(name) + 1
		if i == 0 || low[i-1] > ' ' {
			continue
		}
		value := tag[from:]
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			if end := bytes.IndexByte(value[1:], value[0]); end >= 0 {
				return string(value[1 : 1+end])
			}
			return ""
		}
		if end := bytes.IndexAny(value, " \t\r\n>"); end >= 0 {
			value = value[:end]
		}
		return string(value)
	}
}

// endOfTag returns the length of the tag with which a body begins, quoted values passed over.
func endOfTag(body []byte) int {
	quote := byte(0)
	for i := 1; i < len(body); i++ {
		switch c := body[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1
		case (c == '"' || c == '\'') && body[i-1] == '=':
			quote = c
		}
	}
	return len(body)
}

// nameOf returns the name of a tag in lower case, with the slash of an end tag.
func nameOf(tag []byte) string {
	end := 1
	for end < len(tag) && end < 12 && (tag[end] == '/' && end == 1 || tag[end] > ' ' && tag[end] != '>' && tag[end] != '/') {
		end++
	}
	return strings.ToLower(string(tag[1:end]))
}

// closing returns the offset of the end tag of a raw element.
func closing(body []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(body[from:], []byte("</"))
		if i < 0 {
			return len(body)
		}
		from += i
		if rest := body[from+2:]; len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) {
			return from
		}
		from += 2
	}
}

func after(body []byte, end string) []byte {
	if _, rest, ok := bytes.Cut(body, []byte(end)); ok {
		return rest
	}
	return nil
}

// plain is normal for ASCII.
func plain(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	space := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80:
			return "", false
		case c == '\n':
			space = '\n'
		case c == ' ' || c == '\t' || c == '\r':
			if space == 0 {
				space = ' '
			}
		default:
			if space != 0 && len(b) > 0 {
				b = append(b, space)
			}
			if space = 0; c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
		}
	}
	return string(b), true
}

// normal returns a text in lower case, with plain apostrophes and single blanks; line ends stay.
func normal(s string) string {
	if short, ok := plain(s); ok {
		return short
	}
	var b strings.Builder
	b.Grow(len(s))
	space := byte(0)
	for _, r := range strings.ToLower(s) {
		switch r {
		case '\n':
			space = '\n'
			continue
		case ' ', '\t', '\r', '\u00a0', '\u202f':
			if space == 0 {
				space = ' '
			}
			continue
		case '’', '‘', '´', 'ʼ':
			r = '\''
		case '\u00ad', '\u200b':
			continue
		}
		if space != 0 && b.Len() > 0 {
			b.WriteByte(space)
		}
		space = 0
		b.WriteRune(r)
	}
	return b.String()
}

// wordsIn counts words; of scripts without blanks, three characters are one.
func wordsIn(text string) int {
	words, wide, blank := 0, 0, true
	for i := range len(text) {
		c := text[i]
		now := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		if blank && !now {
			words++
		}
		if blank = now; c >= 0xE3 && c <= 0xED {
			wide++
		}
	}
	return words + wide/3
}

// hasAll reports whether the markup has all of some marks.
func (l *look) hasAll(marks []string) bool {
	for _, mark := range marks {
		if !strings.Contains(l.markup, mark) {
			return false
		}
	}
	return true
}

// hasAny reports whether a text has one of some phrases.
func hasAny(s string, some []string) bool {
	return slices.ContainsFunc(some, func(one string) bool { return strings.Contains(s, one) })
}

// hasLine reports whether a line of a text is one of some phrases.
func hasLine(s string, some []string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if slices.Contains(some, strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}
