package rdfa

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

const (
	maxEntity      = 64  // bytes that an entity of the page may expand to
	maxDeclaration = 256 // bytes examined of an entity declaration
)

// xml reads XML that has to be well-formed.
func (p *parser) xml(page []byte) *syntax.Error {
	base := p.document
	if p.opts.Host.hasHead() {
		base = p.baseOfXML(page)
	}
	p.begin(base)
	d := p.decoder(page)
	for !p.out.full {
		token, err := d.RawToken()
		switch {
		case err == io.EOF && len(p.stack) == 1:
			return p.wrong
		case err == io.EOF:
			return p.mistake(d, "<"+p.stack[len(p.stack)-1].name+"> is not closed")
		case err != nil:
			return p.mistake(d, xmlError(err))
		}
		if wrong := p.token(d, token); wrong != nil {
			return wrong
		}
	}
	return p.mistake(d, tooMuch)
}

// xmlError returns the decoder's message without its line number.
func xmlError(err error) string {
	var wrong *xml.SyntaxError
	if errors.As(err, &wrong) {
		return wrong.Msg
	}
	return err.Error()
}

// token reads one token.
func (p *parser) token(d *xml.Decoder, token xml.Token) *syntax.Error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(p.stack) > p.opts.MaxDepth {
			return p.mistake(d, "elements are nested too deep")
		}
		p.tag.reset()
		for _, a := range t.Attr {
			name := written(a.Name)
			if len(p.literals.captures) > 0 {
				p.tag.all = append(p.tag.all, attr{name, a.Value})
			}
			p.tag.add(name, a.Value)
		}
		p.start(written(t.Name))
	case xml.EndElement:
		name := written(t.Name)
		if open := p.stack[len(p.stack)-1].name; len(p.stack) == 1 || open != name {
			return p.mistake(d, "<"+open+"> is closed by </"+name+">")
		}
		p.end()
	case xml.CharData:
		p.text(t, false)
	case xml.Directive:
		declareEntities(d, t)
	}
	return nil
}

// written returns a name as written in the page.
func written(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// decoder returns a decoder at the page's start.
func (p *parser) decoder(page []byte) *xml.Decoder {
	marked := bytes.HasPrefix(page, []byte("\xfe\xff")) || bytes.HasPrefix(page, []byte("\xff\xfe"))
	if marked && !utf8.Valid(page) {
		page = decoded(page)
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(page, []byte("\xef\xbb\xbf"))))
	d.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if marked {
			return r, nil
		}
		return charset.NewReaderLabel(label, r)
	}
	d.Entity = map[string]string{}
	if p.opts.Host.hasHead() {
		for name, value := range xml.HTMLEntity {
			d.Entity[name] = value
		}
	}
	return d
}

// declareEntities reads the short and simple entities of an internal DTD subset.
func declareEntities(d *xml.Decoder, directive []byte) {
	const start = "<!ENTITY"
	for rest := string(directive); ; {
		_, after, found := strings.Cut(rest, start)
		if !found {
			return
		}
		rest = after
		after = after[:min(len(after), maxDeclaration)]
		name, value, _ := strings.Cut(strings.TrimLeft(after, " \t\r\n"), " ")
		value = strings.TrimLeft(value, " \t\r\n")
		if value == "" || value[0] != '"' && value[0] != '\'' {
			continue
		}
		end := strings.IndexByte(value[1:], value[0])
		if end < 0 || end > maxEntity || strings.ContainsAny(value[1:1+end], "&<%") {
			continue
		}
		if _, known := d.Entity[name]; !known {
			d.Entity[name] = value[1 : 1+end]
		}
	}
}

// baseOfXML is baseOf for XHTML.
func (p *parser) baseOfXML(page []byte) iri.Base {
	if !mentionsTag(page, "<base") {
		return p.document
	}
	for d := p.decoder(page); ; {
		token, err := d.RawToken()
		if err != nil {
			return p.document
		}
		t, is := token.(xml.StartElement)
		if !is || written(t.Name) != "base" {
			continue
		}
		for _, a := range t.Attr {
			if written(a.Name) == "href" {
				return p.rebased(a.Value)
			}
		}
	}
}

// mistake returns a mistake at the decoder's position.
func (p *parser) mistake(d *xml.Decoder, msg string) *syntax.Error {
	line, column := d.InputPos()
	return &syntax.Error{Name: p.opts.Name, Line: line, Column: column, Msg: msg}
}
