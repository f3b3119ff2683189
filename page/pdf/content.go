package pdf

import (
	"bytes"
	"math"
	"strings"
)

// A matrix maps coordinates: x' = ax + cy + e, y' = bx + dy + f.
type matrix struct{ a, b, c, d, e, f float64 }

func identity() matrix { return matrix{a: 1, d: 1} }

// times is m first, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// A textState is the text state of a content stream (ISO 32000-1, 9.3).
type textState struct {
	font                   *font
	size, leading          float64
	charSpace, wordSpace   float64
	scale                  float64 // horizontal, 1 is 100 %
	device, text, textLine matrix
}

// A drawing is one content stream being interpreted.
type drawing struct {
	*reader
	resources dict
	depth     int
	state     textState
	saved     []textState
	fonts     map[name]*font // of these resources
	marks     int            // open sequences of marked content
	replaced  int            // that of them whose text is replaced; 0: none of this stream
	operands  []object
}

// Limits of a content stream: operands kept per operator, and saved states. An operator also has at most so
// many values.
const maxOperands, maxSaved, maxOperandValues = 64, 64, 1 << 17

// show interprets a content stream.
func (r *reader) show(content []byte, resources dict, device matrix, depth int) {
	d := drawing{reader: r, resources: resources, depth: depth, fonts: make(map[name]*font)}
	d.state = textState{scale: 1, device: device, text: identity(), textLine: identity()}
	defer d.unmark()
	values := maxOperandValues
	l := lexer{b: content, values: &values}
	for !r.out.full() {
		switch o := l.object(0).(type) {
		case end:
			if o == "" {
				return
			}
		case keyword:
			if o == "ID" {
				r.images++
				l.skipImage()
			} else {
				d.operator(o)
			}
			clear(d.operands)
			d.operands = d.operands[:0]
			values = maxOperandValues
		default:
			if len(d.operands) < maxOperands {
				d.operands = append(d.operands, o)
			}
		}
	}
}

// skipImage skips the data of an image up to its end.
func (l *lexer) skipImage() {
	for l.i < len(l.b) {
		n := bytes.Index(l.b[l.i:], []byte("EI"))
		if n < 0 {
			l.i = len(l.b)
			return
		}
		l.i += n + 2
		if isSpace(l.b[l.i-3]) && (l.i == len(l.b) || isSpace(l.b[l.i])) {
			return
		}
	}
}

// num returns an operand, the last being 0, as a number; 0 if it is none.
func (d *drawing) num(fromLast int) float64 {
	if i := len(d.operands) - 1 - fromLast; i >= 0 {
		n, _ := d.operands[i].(float64)
		return n
	}
	return 0
}

// matrix returns the last six operands.
func (d *drawing) matrix() matrix {
	return matrix{d.num(5), d.num(4), d.num(3), d.num(2), d.num(1), d.num(0)}
}

// operator executes the effect of an operator on text.
func (d *drawing) operator(op keyword) {
	s := &d.state
	switch op {
	case "q":
		if len(d.saved) < maxSaved {
			d.saved = append(d.saved, d.state)
		}
	case "Q":
		if n := len(d.saved); n > 0 {
			text, line := s.text, s.textLine
			d.state, d.saved = d.saved[n-1], d.saved[:n-1]
			s.text, s.textLine = text, line
		}
	case "cm":
		s.device = d.matrix().times(s.device)
	case "BDC", "BMC":
		d.mark(op)
	case "EMC":
		if d.marks == d.replaced {
			d.unmark()
		}
		d.marks = max(0, d.marks-1)
	case "BT":
		s.text, s.textLine = identity(), identity()
	case "Do":
		d.form()
	case "Tf":
		d.setFont()
	case "Tc":
		s.charSpace = d.num(0)
	case "Tw":
		s.wordSpace = d.num(0)
	case "Tz":
		s.scale = d.num(0) / 100
	case "TL":
		s.leading = d.num(0)
	default:
		d.textOperator(op)
	}
}

// textOperator executes an operator that moves to or shows text.
func (d *drawing) textOperator(op keyword) {
	s := &d.state
	switch op {
	case "Td":
		d.move(d.num(1), d.num(0))
	case "TD":
		s.leading = -d.num(0)
		d.move(d.num(1), d.num(0))
	case "Tm":
		s.text = d.matrix()
		s.textLine = s.text
	case "T*":
		d.move(0, -s.leading)
	case "Tj":
		d.showLast()
	case "'":
		d.move(0, -s.leading)
		d.showLast()
	case "\"":
		s.wordSpace, s.charSpace = d.num(2), d.num(1)
		d.move(0, -s.leading)
		d.showLast()
	case "TJ":
		if n := len(d.operands); n > 0 {
			a, _ := d.operands[n-1].(array)
			for i, o := range a {
				switch o := o.(type) {
				case str:
					d.string(o, i > 0)
				case float64:
					d.advance(-o / 1000 * s.size * s.scale)
				}
			}
		}
	}
}

// move moves to the start of a line, relative to that of the previous line.
func (d *drawing) move(x, y float64) {
	d.state.textLine = matrix{a: 1, d: 1, e: x, f: y}.times(d.state.textLine)
	d.state.text = d.state.textLine
}

// advance moves along the line.
func (d *drawing) advance(x float64) {
	t := &d.state.text
	t.e, t.f = t.e+x*t.a, t.f+x*t.b
}

// showLast shows the string that is the last operand.
func (d *drawing) showLast() {
	if n := len(d.operands); n > 0 {
		s, _ := d.operands[n-1].(str)
		d.string(s, false)
	}
}

// string shows a string: it writes its characters. A joined one may continue the one before.
func (d *drawing) string(s str, joined bool) {
	state := &d.state
	if state.font == nil {
		return
	}
	d.glyphs += len(s)
	d.out.begin(state.text.times(state.device), math.Abs(state.size), joined)
	for len(s) > 0 {
		g := state.font.next(&s)
		width := g.width*state.size + state.charSpace
		if g.space {
			width += state.wordSpace
		}
		d.advance(width * state.scale)
		if d.actual == nil {
			d.out.add(g.text)
		} else if !d.actual.written {
			d.actual.written = true
			d.out.add(d.actual.text)
		}
	}
	d.out.ended(state.text.times(state.device))
}

// A replacement is the text of marked content in place of its glyphs (ISO 32000-1, 14.9.4). It stands where the first
// of them does: without any there is none.
type replacement struct {
	text    string
	written bool
}

// mark begins a sequence of marked content. Of replacements in each other the outer one counts.
func (d *drawing) mark(op keyword) {
	d.marks++
	if op == "BMC" || d.actual != nil || len(d.operands) < 2 {
		return
	}
	properties := d.operands[len(d.operands)-1]
	if key, named := properties.(name); named {
		all, _ := d.resolve(d.resources["Properties"]).(dict)
		properties = d.resolve(all[key])
	}
	entries, _ := properties.(dict)
	if s, ok := d.resolve(entries["ActualText"]).(str); ok {
		text := textString(s[:min(len(s), maxActual)])
		d.actual, d.replaced = &replacement{text: strings.Join(strings.Fields(" "+text+" "), " ")}, d.marks
		if text != "" && strings.TrimSpace(text) == "" {
			d.actual.text = " "
		}
	}
}

// maxActual bounds the bytes of a replacement.
const maxActual = 1 << 10

// unmark ends the replacement of this stream, if there is one.
func (d *drawing) unmark() {
	if d.replaced > 0 {
		d.actual, d.replaced = nil, 0
	}
}

// setFont sets the font that the operands name.
func (d *drawing) setFont() {
	if len(d.operands) < 2 {
		return
	}
	d.state.size = d.num(0)
	key, _ := d.operands[len(d.operands)-2].(name)
	f, known := d.fonts[key]
	if !known {
		all, _ := d.resolve(d.resources["Font"]).(dict)
		f = d.fontOf(all[key])
		d.fonts[key] = f
	}
	d.state.font = f
}

// form draws the form that the operand names.
func (d *drawing) form() {
	if len(d.operands) == 0 || d.depth >= maxNested || d.drawn >= maxForms {
		return
	}
	key, _ := d.operands[len(d.operands)-1].(name)
	all, _ := d.resolve(d.resources["XObject"]).(dict)
	s, ok := d.resolve(all[key]).(*stream)
	if ok && s.head["Subtype"] == name("Image") {
		d.images++
	}
	if !ok || s.head["Subtype"] != name("Form") {
		return
	}
	d.drawn++
	resources, ok := d.resolve(s.head["Resources"]).(dict)
	if !ok {
		resources = d.resources
	}
	device := d.state.device
	if m, ok := d.resolve(s.head["Matrix"]).(array); ok && len(m) == 6 {
		d.operands = append(d.operands[:0], m...)
		device = d.matrix().times(device)
	}
	d.show(d.decoded(s), resources, device, d.depth+1)
}
