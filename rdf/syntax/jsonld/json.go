package jsonld

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

// maxReports bounds the reported repairs of one document.
const maxReports = 100

// A decoder reads JSON (RFC 8259) into the values of encoding/json, with numbers as written. encoding/json
// does not give control over depth, duplicate names, positions and repairs. Each method starts at the first
// byte of what it reads.
type decoder struct {
	text    []byte
	pos     int
	name    string // of the document, in errors
	script  bool   // the text of a script: repairs text around the JSON
	lenient bool
	report  func(error)
	reports int
	left    int // values left
	depth   int
	opts    Options
}

// newDecoder returns a decoder at the start of a text, after an optional byte order mark.
func newDecoder(text []byte, opts Options) *decoder {
	d := &decoder{text: text, name: opts.Name, lenient: opts.Lenient, report: opts.Report, left: opts.MaxValues, opts: opts}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		d.pos = len("\ufeff")
	}
	return d
}

// documents reads the whole text and returns its values: one, or more after repairs. With an error it returns what
// stands before the mistake.
func (d *decoder) documents() ([]any, error) {
	if d.script && d.pos > 0 {
		if err := d.wrong(0, "a byte order mark in a script"); err != nil {
			return nil, err
		}
	}
	var all []any
	for {
		if err := d.space(len(all) > 0); err != nil {
			return all, err
		}
		if d.pos == len(d.text) {
			break
		}
		if len(all) > 0 {
			if err := d.wrong(d.pos, "the document goes on behind its end with "+source.Show(d.text[d.pos:])); err != nil {
				return all, err
			}
		}
		value, err := d.value()
		if err == nil || isPart(value) {
			all = append(all, value)
		}
		if err != nil {
			return all, err
		}
	}
	if len(all) == 0 {
		return nil, d.wrong(d.pos, "there is no document")
	}
	return all, nil
}

// fail returns a mistake at an offset.
func (d *decoder) fail(offset int, msg string) error {
	line, column := position(d.text[:min(offset, len(d.text))])
	return &syntax.Error{Name: d.name, Line: line, Column: column, Msg: msg}
}

// position returns line and column of the byte after a text.
func position(before []byte) (line, column int) {
	last := bytes.LastIndexByte(before, '\n')
	return 1 + bytes.Count(before, []byte{'\n'}), 1 + utf8.RuneCount(before[last+1:])
}

// wrong reports a mistake that can be repaired and returns nil; in strict mode it returns the mistake.
func (d *decoder) wrong(offset int, msg string) error {
	if !d.lenient {
		return d.fail(offset, msg)
	}
	if d.reports++; d.reports <= maxReports {
		d.report(d.fail(offset, msg))
	}
	return nil
}

// peek returns the current byte, 0 at the end.
func (d *decoder) peek() byte {
	if d.pos < len(d.text) {
		return d.text[d.pos]
	}
	return 0
}

// value reads a value of any kind.
func (d *decoder) value() (any, error) {
	if d.left--; d.left < 0 {
		return nil, d.fail(d.pos, fmt.Sprintf("more than %d values", d.opts.MaxValues))
	}
	switch c := d.peek(); {
	case c == '{' || c == '[':
		if d.depth++; d.depth > d.opts.MaxDepth {
			return nil, d.fail(d.pos, fmt.Sprintf("nested deeper than %d", d.opts.MaxDepth))
		}
		defer func() { d.depth-- }()
		if c == '{' {
			return d.object()
		}
		return d.array()
	case c == '"':
		return d.quoted()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	}
	for _, word := range []struct {
		name  string
		value any
	}{{"true", true}, {"false", false}, {"null", nil}} {
		if bytes.HasPrefix(d.text[d.pos:], []byte(word.name)) {
			d.pos += len(word.name)
			return word.value, nil
		}
	}
	return nil, d.fail(d.pos, "a value is missing, found "+source.Show(d.text[d.pos:]))
}

// object reads an object from "{" on.
func (d *decoder) object() (any, error) {
	members := map[string]any{}
	err := d.members('}', func() error {
		start := d.pos
		if d.peek() != '"' {
			return d.fail(d.pos, "a name in quotes is missing, found "+source.Show(d.text[d.pos:]))
		}
		name, err := d.quoted()
		if err != nil {
			return err
		}
		if err := d.space(false); err != nil {
			return err
		}
		if d.peek() != ':' {
			return d.fail(d.pos, `":" is missing, found `+source.Show(d.text[d.pos:]))
		}
		d.pos++
		if err := d.space(false); err != nil {
			return err
		}
		if _, twice := members[name]; twice {
			if err := d.wrong(start, fmt.Sprintf("the name %q comes twice, the last stands", cut(name))); err != nil {
				return err
			}
		}
		value, err := d.value()
		if err == nil || isPart(value) {
			members[name] = value
		}
		return err
	})
	return members, err
}

// array reads an array from "[" on.
func (d *decoder) array() (any, error) {
	items := []any{}
	err := d.members(']', func() error {
		item, err := d.value()
		if err == nil || isPart(item) {
			items = append(items, item)
		}
		return err
	})
	return items, err
}

// isPart reports whether a value is what was read of an object or an array before a mistake.
func isPart(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// members reads the members between brackets, with their commas.
func (d *decoder) members(closing byte, member func() error) error {
	comma := -1 // offset of the last comma
	for d.pos++; ; {
		if err := d.space(false); err != nil {
			return err
		}
		if d.peek() == closing {
			if comma >= 0 {
				if err := d.wrong(comma, "a comma with nothing behind it"); err != nil {
					return err
				}
			}
			d.pos++
			return nil
		}
		if err := member(); err != nil {
			return err
		}
		if err := d.space(false); err != nil {
			return err
		}
		if comma = -1; d.peek() == ',' {
			comma = d.pos
			d.pos++
		} else if next := d.peek(); next == '"' || next == '{' && closing == ']' {
			if err := d.wrong(d.pos, "a comma is missing"); err != nil {
				return err
			}
		} else if next != closing {
			return d.fail(d.pos, fmt.Sprintf(`"," or "%c" is missing, found %s`, closing, source.Show(d.text[d.pos:])))
		}
	}
}

// number reads a number and keeps it as written.
func (d *decoder) number() (any, error) {
	start := d.pos
	digits := func() bool {
		from := d.pos
		for d.peek() >= '0' && d.peek() <= '9' {
			d.pos++
		}
		return d.pos > from
	}
	if d.peek() == '-' {
		d.pos++
	}
	zero := d.peek() == '0'
	whole := d.pos
	good := digits() && !(zero && d.pos > whole+1)
	if d.peek() == '.' {
		d.pos++
		good = digits() && good
	}
	if d.peek()|0x20 == 'e' {
		d.pos++
		if d.peek() == '+' || d.peek() == '-' {
			d.pos++
		}
		good = digits() && good
	}
	if !good || d.pos-start > d.opts.MaxToken {
		return nil, d.fail(start, "no number: "+source.Show(d.text[start:]))
	}
	return json.Number(d.text[start:d.pos]), nil
}

// cut shortens a text for an error message.
func cut(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
