package pdf

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A glyph is the meaning of one character code.
type glyph struct {
	text  string
	width float64 // in units of the font size
	space bool    // word spacing applies
}

// A font turns codes into text.
type font struct {
	simple  [256]glyph // for codes of one byte
	wide    bool       // codes are two bytes
	unicode bool       // and are UTF-16
	mapped  *cmap      // ToUnicode; nil: none
	widths  map[int]float64
	normal  float64 // width of all others
}

// next reads the next code of a string.
func (f *font) next(s *str) glyph {
	code := int((*s)[0])
	if !f.wide || len(*s) == 1 {
		*s = (*s)[1:]
		if f.wide {
			return glyph{}
		}
		return f.simple[code]
	}
	code = code<<8 | int((*s)[1])
	*s = (*s)[2:]
	width, ok := f.widths[code]
	if !ok {
		width = f.normal
	}
	g := glyph{width: width, text: f.mapped.text(code)}
	if g.text == "" && f.unicode && !utf16.IsSurrogate(rune(code)) {
		g.text = string(rune(code))
	}
	return g
}

// fontOf returns the font of an object; nil: invalid, or over the limit.
func (r *reader) fontOf(o object) *font {
	id, indirect := o.(ref)
	if f, known := r.fonts[int(id)]; indirect && known {
		return f
	}
	head, ok := r.resolve(o).(dict)
	if r.built++; !ok || r.built > maxFonts {
		return nil
	}
	f := &font{}
	if s, ok := r.resolve(head["ToUnicode"]).(*stream); ok {
		f.mapped = r.cmap(r.decoded(s))
	}
	if head["Subtype"] == name("Type0") {
		r.composite(f, head)
	} else {
		r.simpleFont(f, head)
	}
	if indirect {
		r.fonts[int(id)] = f
	}
	return f
}

// composite fills a font whose codes are of two bytes.
func (r *reader) composite(f *font, head dict) {
	f.wide, f.normal = true, 1
	if encoding, ok := r.resolve(head["Encoding"]).(name); ok {
		f.unicode = isUnicode(string(encoding))
	}
	below := list(r.resolve(head["DescendantFonts"]))
	if len(below) == 0 {
		return
	}
	cid, _ := r.resolve(below[0]).(dict)
	if n, ok := r.number(cid["DW"]); ok {
		f.normal = n / 1000
	}
	w, _ := r.resolve(cid["W"]).(array)
	f.widths = r.cidWidths(w)
}

// isUnicode reports whether a predefined CMap has UTF-16 codes.
func isUnicode(encoding string) bool {
	return len(encoding) > 8 && encoding[:3] == "Uni" &&
		(strings.Contains(encoding, "UCS2") || strings.Contains(encoding, "UTF16"))
}

// cidWidths reads the widths of a composite font: "first [w w w]" or "first last w".
func (r *reader) cidWidths(w array) map[int]float64 {
	widths := make(map[int]float64)
	left := maxElements // ranges may overlap
	for i := 0; i+1 < len(w); {
		first, _ := r.number(w[i])
		if each, ok := r.resolve(w[i+1]).(array); ok {
			for k := range each[:min(len(each), max(left, 0))] {
				if n, ok := r.number(each[k]); ok {
					widths[int(first)+k] = n / 1000
				}
			}
			left -= len(each)
			i += 2
			continue
		}
		if i+2 >= len(w) {
			break
		}
		last, _ := r.number(w[i+1])
		n, _ := r.number(w[i+2])
		for c := max(0, int(first)); c <= int(min(last, 0xffff)) && left > 0; c++ {
			widths[c] = n / 1000
			left--
		}
		i += 3
	}
	return widths
}

// simpleFont fills a font whose codes are bytes.
func (r *reader) simpleFont(f *font, head dict) {
	names := r.encoding(head)
	first, _ := r.number(head["FirstChar"])
	widths, _ := r.resolve(head["Widths"]).(array)
	unit := 0.001
	if m, ok := r.resolve(head["FontMatrix"]).(array); ok && len(m) == 6 { // a Type 3 font
		unit, _ = r.number(m[0])
	}
	for code := range f.simple {
		g := &f.simple[code]
		g.space = code == ' '
		if g.text = f.mapped.text(code); g.text == "" {
			g.text = names[code]
		}
		g.width = usualWidth(g.text)
		if i := code - int(first); i >= 0 && i < len(widths) {
			if w, ok := r.number(widths[i]); ok {
				g.width = w * unit
			}
		}
	}
}

// usualWidth is the width of a character in a font that does not declare it.
func usualWidth(text string) float64 {
	if len(text) != 1 {
		return 0.5
	}
	switch c := text[0]; {
	case c == 'i' || c == 'j' || c == 'l' || c == '\'' || c == '|':
		return 0.22
	case c == ' ' || c == 'f' || c == 't' || c == 'r' || c == 'I' || c >= '!' && c <= '/' && c != '#' && c != '%' && c != '&' && c != '+' ||
		c == ':' || c == ';' || c == '[' || c == ']':
		return 0.28
	case c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%' || c == '@':
		return 0.85
	case c >= 'A' && c <= 'Z':
		return 0.67
	}
	return 0.54
}

// encoding returns the text of each code of a simple font, by its encoding.
func (r *reader) encoding(head dict) [256]string {
	o := r.resolve(head["Encoding"])
	d, described := o.(dict)
	if described {
		o = r.resolve(d["BaseEncoding"])
	}
	base, _ := o.(name)
	if base == "" && head["Subtype"] == name("TrueType") {
		base = "WinAnsiEncoding"
	}
	table := encodingTable(base)
	if !described {
		return table
	}
	differences, _ := r.resolve(d["Differences"]).(array)
	code := 0
	for _, o := range differences[:min(len(differences), maxDifferences)] {
		switch o := r.resolve(o).(type) {
		case float64:
			code = int(o)
		case name:
			if code >= 0 && code < 256 {
				table[code] = glyphText(string(o))
			}
			code++
		}
	}
	return table
}

// maxDifferences is twice as many as there are codes.
const maxDifferences = 512

// textString decodes a text string (ISO 32000-1, 7.9.2.2).
func textString(s str) string {
	switch {
	case len(s) > 1 && s[:2] == "\xfe\xff":
		return utf16Text(s[2:])
	case len(s) > 2 && s[:3] == "\xef\xbb\xbf":
		return string(s[3:])
	}
	out := make([]byte, 0, len(s)+8)
	for _, c := range []byte(s) {
		out = utf8.AppendRune(out, docEncoding(c))
	}
	return string(out)
}

// utf16Text decodes UTF-16, the high byte first.
func utf16Text(s str) string {
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return string(utf16.Decode(units))
}
