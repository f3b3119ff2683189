package page

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on the text of an article that a page states in its data.
const (
	maxStated  = 256 << 10 // bytes of it that are read
	maxAligned = 32 << 20  // bytes that are searched for its blocks, in all
	telling    = 20        // letters and digits of a block that are looked for
	covered    = 70        // percent of the stated text that the page's blocks must have
)

// stated returns the text of the article that JSON-LD states (schema.org articleBody), letters and digits in lower case
// alone; nil if the page states none, or little. It is a hint of a stranger: alignWithStated checks it.
func (d *document) stated() []byte {
	const key = `"articleBody"`
	var best []byte
	for rest := d.source; ; {
		at := bytes.Index(rest, []byte(key))
		if at < 0 {
			return best
		}
		rest = bytes.TrimLeft(rest[at+len(key):], " \t\r\n")
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		value := bytes.TrimLeft(rest[1:], " \t\r\n")
		if said := jsonString(value); len(said) > len(best) {
			best = said
		}
		if len(best) > 0 {
			break // the first that says something
		}
	}
	return best
}

// jsonString returns the letters and digits of a JSON string that b begins with; nil if there is none within maxStated.
func jsonString(b []byte) []byte {
	if len(b) == 0 || b[0] != '"' {
		return nil
	}
	b = b[:min(len(b), maxStated)]
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			var said string
			literal := bytes.Map(func(r rune) rune { // some write line ends as they are
				if r < ' ' {
					return ' '
				}
				return r
			}, b[:i+1])
			if json.Unmarshal(literal, &said) != nil {
				return nil
			}
			return lettersOf(html.UnescapeString(untagged(said)))
		}
	}
	return nil
}

// untagged returns a text without what stands between < and >, as some pages state theirs in HTML.
func untagged(s string) string {
	if !strings.Contains(s, "</") {
		return s
	}
	var out strings.Builder
	for s != "" {
		text, rest, _ := strings.Cut(s, "<")
		out.WriteString(text)
		out.WriteByte(' ')
		_, s, _ = strings.Cut(rest, ">")
	}
	return out.String()
}

// lettersOf returns the letters and digits of a text, in lower case.
func lettersOf(s string) []byte {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && ('a' <= r && r <= 'z' || '0' <= r && r <= '9'):
			out = append(out, byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return out
}

// alignWithStated narrows the article to the blocks that the page's data states, if the page has most of what it states.
// Blocks between them that were the article's stay.
func (d *document) alignWithStated(s selection) {
	said := d.stated()
	if len(said) < article {
		return
	}
	in, first, last := make([]bool, len(s.blocks)), -1, -1
	found, searched := 0, 0
	for i := range s.blocks {
		b := &s.blocks[i]
		if b.flags&hidden != 0 || b.size() < telling || searched > maxAligned {
			continue
		}
		searched += len(said)
		text := lettersOf(string(d.text[b.start:b.end]))
		if len(text) < telling || !bytes.Contains(said, text) {
			continue
		}
		in[i], last = true, i
		if found += len(text); first < 0 {
			first = i
		}
	}
	if found*100 < len(said)*covered {
		return
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		switch {
		case in[i]:
			b.flags &^= apart
		case i > last:
			b.flags |= apart
		}
	}
}
