package results

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
)

// term reads a term as Turtle has it, without prefixes; empty is no value.
func (s *source) term(text string) (rdf.Term, error) {
	if text == "" {
		return rdf.Term{}, nil
	}
	if datatype := numberType(text); datatype != "" {
		return rdf.NewTyped(text, datatype), nil
	}
	switch {
	case strings.HasPrefix(text, "<<("):
		t, rest, err := s.triple(text, 0)
		if err == nil && rest != "" {
			err = fmt.Errorf("%.40q behind a triple term", rest)
		}
		return t, err
	case text[0] == '<' && text[len(text)-1] == '>' && len(text) > 1:
		value, err := unescape(text[1 : len(text)-1])
		return s.iri(value), err
	case strings.HasPrefix(text, "_:"):
		return blank(text[2:]), nil
	case text[0] == '"' || text[0] == '\'':
		return s.quoted(text)
	case text == "true" || text == "false":
		return rdf.NewTyped(text, rdf.XSDBoolean), nil
	}
	return rdf.Term{}, fmt.Errorf("%.40q is no term", text)
}

// triple reads a triple term at the start of a text. depth is how many it is within.
func (s *source) triple(text string, depth int) (t rdf.Term, rest string, err error) {
	if depth >= rdf.MaxTripleDepth {
		return t, text, errDeep
	}
	var out rdf.Triple
	rest = text[len("<<("):]
	for _, into := range [...]*rdf.Term{&out.S, &out.P, &out.O} {
		if rest = strings.TrimLeft(rest, " "); strings.HasPrefix(rest, "<<(") {
			*into, rest, err = s.triple(rest, depth+1)
		} else {
			end := tokenEnd(rest)
			*into, err = s.term(rest[:end])
			rest = rest[end:]
		}
		if err != nil {
			return t, rest, err
		}
	}
	rest, ends := strings.CutPrefix(strings.TrimLeft(rest, " "), ")>>")
	if !ends {
		return t, rest, fmt.Errorf("%.40q, where a triple term should end", rest)
	}
	t, err = quote(out)
	return t, rest, err
}

// tokenEnd returns the length of the term that a text begins with.
func tokenEnd(text string) int {
	end := 0
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		quote := text[:1]
		if long := strings.Repeat(quote, 3); strings.HasPrefix(text, long) {
			quote = long
		}
		for end = len(quote); end < len(text) && !strings.HasPrefix(text[end:], quote); end++ {
			if text[end] == '\\' {
				end++
			}
		}
		end = min(end+len(quote), len(text))
	}
	if i := strings.IndexByte(text[end:], '<'); i == 0 || i == 2 && text[end:end+2] == "^^" {
		if close := strings.IndexByte(text[end:], '>'); close > 0 {
			return end + close + 1
		}
		return len(text)
	}
	for end < len(text) && text[end] != ' ' && text[end] != ')' {
		end++
	}
	return end
}

// quoted reads a literal with quotes.
func (s *source) quoted(text string) (rdf.Term, error) {
	quote := text[:1]
	if strings.HasPrefix(text, strings.Repeat(quote, 3)) && len(text) > 5 {
		quote = text[:3]
	}
	end := len(quote)
	for end < len(text) && !strings.HasPrefix(text[end:], quote) {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(text) {
		return rdf.Term{}, fmt.Errorf("%.40q: no end of the quotes", text)
	}
	value, err := unescape(text[len(quote):end])
	if err != nil {
		return rdf.Term{}, err
	}
	rest := text[end+len(quote):]
	switch {
	case rest == "":
		return rdf.NewString(value), nil
	case rest[0] == '@' && len(rest) > 1:
		lang, dir, _ := strings.Cut(rest[1:], "--")
		return s.literal(value, "", lang, dir), nil
	case strings.HasPrefix(rest, "^^<") && strings.HasSuffix(rest, ">"):
		return s.literal(value, rest[3:len(rest)-1], "", ""), nil
	}
	return rdf.Term{}, fmt.Errorf("%.40q behind the quotes", rest)
}

// unescape replaces the escapes of Turtle.
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", errors.New("a backslash at the end")
		}
		if at := strings.IndexByte(`tbnrf"'\`, s[i]); at >= 0 {
			b.WriteByte("\t\b\n\r\f\"'\\"[at])
			continue
		}
		length := map[byte]int{'u': 4, 'U': 8}[s[i]]
		if length == 0 || i+length >= len(s) {
			return "", fmt.Errorf("%.10q is no escape", s[i-1:])
		}
		n, err := strconv.ParseUint(s[i+1:i+1+length], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return "", fmt.Errorf("%.10q is no character", s[i-1:])
		}
		b.WriteRune(rune(n))
		i += length
	}
	return b.String(), nil
}
