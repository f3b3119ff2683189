package pdf

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
)

// A cmap turns codes into text (ISO 32000-1, 9.10.3).
type cmap struct {
	chars  map[int]string
	ranges []codeRange // by first code
}

// A codeRange is consecutive codes with consecutive last characters.
type codeRange struct {
	first, last int
	text        []rune
}

// The limits of a CMap.
const maxRanges, maxCodes, maxCodeText = 4096, 1 << 16, 64

// text returns the text of a code; empty: none.
func (m *cmap) text(code int) string {
	if m == nil {
		return ""
	}
	if s, ok := m.chars[code]; ok {
		return s
	}
	i, exact := slices.BinarySearchFunc(m.ranges, code, func(r codeRange, code int) int { return cmp.Compare(r.first, code) })
	if !exact {
		i--
	}
	if i < 0 || code > m.ranges[i].last {
		return ""
	}
	r := m.ranges[i]
	text := slices.Clone(r.text)
	text[len(text)-1] += rune(code - r.first)
	s := visible(string(text))
	if len(m.chars) < maxCodes {
		m.chars[code] = s
	}
	return s
}

// cmap reads a ToUnicode CMap.
func (r *reader) cmap(data []byte) *cmap {
	m := &cmap{chars: make(map[int]string)}
	values := min(r.codes, 4*maxCodes)
	r.codes -= values
	defer func() { r.codes += max(values, 0) }()
	l := lexer{b: data, values: &values}
	var operands []object
	for {
		switch o := l.object(0).(type) {
		case end:
			if o == "" {
				order.Stably(m.ranges, func(a, b codeRange) int { return cmp.Compare(a.first, b.first) })
				return m
			}
		case keyword:
			switch o {
			case "endbfchar":
				m.addChars(operands)
			case "endbfrange":
				m.addRanges(operands)
			}
			operands = operands[:0]
		default:
			operands = append(operands, o)
		}
	}
}

// code returns the number of a code's bytes.
func code(o object) (int, bool) {
	s, ok := o.(str)
	if !ok || len(s) == 0 || len(s) > 4 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		n = n<<8 | int(c)
	}
	return n, true
}

// addChars reads pairs of code and text.
func (m *cmap) addChars(operands []object) {
	for ; len(operands) >= 2; operands = operands[2:] {
		n, ok := code(operands[0])
		text, is := operands[1].(str)
		if ok && is {
			m.set(n, text)
		}
	}
}

// set sets the text of one code, which is UTF-16.
func (m *cmap) set(n int, text str) {
	if len(m.chars) < maxCodes && len(text) <= maxCodeText {
		if len(text) == 1 {
			m.chars[n] = string(rune(text[0]))
			return
		}
		m.chars[n] = visible(utf16Text(text))
	}
}

// visible returns text without noncharacters.
func visible(s string) string {
	if s == "\x00" || s == "\ufffd" || s == "\ufeff" {
		return ""
	}
	return s
}

// addRanges reads triples of first code, last code, and the text of the first or of each.
func (m *cmap) addRanges(operands []object) {
	for ; len(operands) >= 3; operands = operands[3:] {
		first, ok1 := code(operands[0])
		last, ok2 := code(operands[1])
		if !ok1 || !ok2 || last < first {
			continue
		}
		switch text := operands[2].(type) {
		case str:
			runes := []rune(utf16Text(text))
			if len(runes) > 0 && len(text) <= maxCodeText && len(m.ranges) < maxRanges {
				m.ranges = append(m.ranges, codeRange{first, last, runes})
			}
		case array:
			for i, o := range text {
				if s, ok := o.(str); ok && first+i <= last {
					m.set(first+i, s)
				}
			}
		}
	}
}
