package sparql

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver"
)

// A Form is the form of a query's result.
type Form uint8

// The forms. CONSTRUCT and DESCRIBE both ask for a graph.
const (
	Select Form = iota
	Ask
	Graph
)

// NoLimit is the Limit of a query without LIMIT.
const NoLimit = -1

const maxQuery = 1 << 20 // bytes

// A Query is a query's text with the properties needed to send it and to interpret the answer.
type Query struct {
	Text   string
	Form   Form
	Modern bool     // it uses words of SPARQL 1.1
	Limit  int64    // of the whole query; NoLimit if none
	Vars   []string // columns of SELECT, in order; nil if not listed

	offset bool // or OFFSET
	tail   int  // where in Text ORDER BY, LIMIT and OFFSET can be added
}

// ReadQuery analyses a query. It only reads words, so that non-standard syntax (Virtuoso's "define", vendor
// functions) passes: the endpoint reports syntax errors. The error wraps ErrInput.
func ReadQuery(text string) (Query, error) {
	q := Query{Text: text, Limit: NoLimit}
	if len(text) > maxQuery {
		return q, fmt.Errorf("query of %d bytes, more than %d: %w", len(text), maxQuery, orbweaver.ErrInput)
	}
	r := queryReader{words: words{text: text}, q: &q}
	for r.next() {
		r.take()
	}
	if !r.formed {
		return q, fmt.Errorf("query: none of SELECT, ASK, CONSTRUCT and DESCRIBE: %w", orbweaver.ErrInput)
	}
	if r.star || q.Form != Select {
		q.Vars = nil
	}
	if q.tail == 0 {
		q.tail = len(text)
	}
	return q, nil
}

// A queryReader collects the properties of a query.
type queryReader struct {
	words
	q       *Query
	formed  bool   // after the word of its form
	grouped bool   // after the first brace: columns are complete
	star    bool   // SELECT *
	last    string // the previous word, in upper case
	curly   int    // open braces
	round   int    // open parentheses
}

// take handles a token.
func (r *queryReader) take() {
	switch token := r.token; token[0] {
	case '{':
		r.curly++
		r.grouped = r.grouped || r.formed
	case '}':
		r.curly--
	case '(':
		r.round++
	case ')':
		r.round--
	case '*':
		r.star = r.star || r.formed && !r.grouped && r.round == 0
	case '?', '$':
		if r.formed && !r.grouped && (r.round == 0 || r.round == 1 && r.last == "AS") {
			r.q.Vars = append(r.q.Vars, token[1:])
		}
		r.last = ""
	default:
		word := strings.ToUpper(token)
		r.word(word)
		r.last = word
	}
}

// word handles a word, in upper case.
func (r *queryReader) word(word string) {
	top := r.curly == 0 && r.round == 0
	switch word {
	case "SELECT", "ASK", "CONSTRUCT", "DESCRIBE":
		r.q.Modern = r.q.Modern || r.formed
		if !r.formed && top {
			r.formed = true
			switch word {
			case "ASK":
				r.q.Form = Ask
			case "CONSTRUCT", "DESCRIBE":
				r.q.Form = Graph
			}
		}
	case "OFFSET":
		r.q.offset = r.q.offset || top
	case "AS", "BIND", "MINUS", "EXISTS", "SERVICE", "GROUP", "HAVING", "IN", "COALESCE", "IF":
		r.q.Modern = true
	case "VALUES":
		r.q.Modern = true
		if top && r.q.tail == 0 {
			r.q.tail = r.start
		}
	}
	if r.last == "LIMIT" && top {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && n >= 0 {
			r.q.Limit = n
		}
	}
}

// words splits a query's text into words, variables and punctuation. It skips comments, IRIs, prefixed names,
// strings and language tags.
type words struct {
	text  string
	at    int
	token string // never empty
	start int    // offset
}

// next moves to the next token.
func (w *words) next() bool {
	for w.at < len(w.text) {
		w.start = w.at
		switch c := w.text[w.at]; {
		case c == '#':
			w.until(func(c byte) bool { return c == '\n' || c == '\r' })
		case c == '<':
			w.iri()
		case c == '"' || c == '\'':
			w.quoted(w.text[w.at : w.at+1])
		case (c == '?' || c == '$') && w.at+1 < len(w.text) && isName(w.text[w.at+1]):
			w.name()
			w.token = w.text[w.start:w.at]
			return true
		case c == ':' || c == '@':
			w.name()
		case isName(c):
			w.name()
			if w.at < len(w.text) && w.text[w.at] == ':' { // a prefix
				continue
			}
			if w.token = strings.TrimRight(w.text[w.start:w.at], ".-"); w.token != "" {
				return true
			}
		default:
			w.at++
			if strings.IndexByte("{}()*", c) >= 0 {
				w.token = w.text[w.start:w.at]
				return true
			}
		}
	}
	return false
}

// until moves to the next byte for which end holds, starting after the current one.
func (w *words) until(end func(byte) bool) {
	for w.at++; w.at < len(w.text) && !end(w.text[w.at]); w.at++ {
	}
}

// name moves behind a name, whose first byte may be any. Variables contain neither "-" nor ".".
func (w *words) name() {
	variable := w.text[w.at] == '?' || w.text[w.at] == '$'
	local := w.text[w.at] == ':'
	w.until(func(c byte) bool {
		return !isName(c) && !(local && (c == ':' || c == '%' || c == '\\')) || variable && (c == '-' || c == '.')
	})
}

// iri moves behind an IRI, or a "<" that begins none.
func (w *words) iri() {
	w.until(func(c byte) bool { return c <= ' ' || strings.IndexByte("<>\"{}|^`\\", c) >= 0 })
	if w.at < len(w.text) && w.text[w.at] == '>' {
		w.at++
		return
	}
	w.at = w.start + 1
}

// quoted moves behind a string.
func (w *words) quoted(quote string) {
	if long := strings.Repeat(quote, 3); strings.HasPrefix(w.text[w.at:], long) {
		quote = long
	}
	for w.at += len(quote); w.at < len(w.text); w.at++ {
		if strings.HasPrefix(w.text[w.at:], quote) {
			w.at += len(quote)
			return
		}
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	w.at = len(w.text)
}

// isName reports whether a byte can stand in a word; beyond ASCII all can.
func isName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c >= 0x80
}
