package grammar

import (
	"bytes"

	"orbweaver/rdf"
)

// recover advances behind the statement that holds a mistake: to a full stop with space behind it
// that is in no string, IRI or comment. Where there may be graphs it stops at the brace that ends the
// one it is in, or one that starts within the statement; and behind the one that starts a graph where
// another was not closed. It always advances.
func (p *parser) recover() {
	p.src.Forgive()
	if p.reopened {
		p.reopened = false
		p.src.Advance(1)
		return
	}
	braces := 0
	for {
		c := p.peek()
		window := p.src.Window()
		if len(window) == 0 {
			return
		}
		n := 1
		if c == '{' && p.begins("{|") || c == '|' && p.begins("|}") {
			p.src.Advance(len("{|")) // no braces of graphs
			continue
		}
		switch c {
		case '{':
			braces++
		case '}':
			if braces--; p.graphs && (braces < 0 || braces == 0 && !p.inside) {
				if p.src.Advance(1); braces < 0 {
					p.inside, p.graph = false, rdf.Term{}
				}
				return
			}
		case '.':
			if p.graphs && braces > 0 {
				break
			}
			p.ahead(2)
			if window = p.src.Window(); len(window) == 1 || isSpace(window[1]) {
				p.src.Advance(1)
				return
			}
		case '<':
			n = p.skipIRI()
		case '"', '\'':
			n = p.skipString(c)
		}
		p.src.Advance(n)
	}
}

// skipIRI returns the length of what looks like an IRI, 1 if it does not.
func (p *parser) skipIRI() int {
	p.ahead(minAhead)
	window := p.src.Window()
	if end := bytes.IndexAny(window[1:min(len(window), minAhead)], "> \t\r\n<"); end >= 0 && window[1+end] == '>' {
		return end + 2
	}
	return 1
}

// skipString returns the length of what looks like a string, of its quotes if it does not end.
func (p *parser) skipString(quote byte) int {
	p.ahead(minAhead)
	for {
		window := p.src.Window()
		if !p.unclosed && len(window) >= 3 && window[1] == quote && window[2] == quote {
			if end, _ := longEnd(window, quote); end >= 0 {
				return end + 3
			}
			if p.src.More() {
				continue
			}
			p.src.Forgive()
			p.unclosed = true
			return 3
		}
		line := window[:min(len(window), minAhead)]
		if eol := bytes.IndexAny(line, "\r\n"); eol >= 0 {
			line = line[:eol]
		}
		if end, _ := shortEnd(line, quote); end >= 0 {
			return end + 1
		}
		return 1
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
