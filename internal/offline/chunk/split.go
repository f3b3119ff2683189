package chunk

import (
	"strings"
	"unicode/utf8"

	"orbweaver/page"
)

// parts cuts a unit that is longer than the limit: code, lists and tables between lines, all other between sentences; what is still too long
// between words, and a word between characters.
func (c *cutter) parts(u unit) []unit {
	if u.tokens <= c.Tokens {
		return []unit{u}
	}
	body, open, end := u.text, "", ""
	if u.shape == page.Code {
		first, rest, _ := strings.Cut(u.text, "\n")
		body, open, end = strings.TrimSuffix(rest, "\n"+first), first+"\n", "\n"+first
	}
	limit := max(1, c.Tokens-c.Overlap-Tokens(open+end)) // with room for what is repeated
	var texts []string
	lines := strings.Split(body, "\n")
	if len(lines) == 1 {
		texts = gather(c.sentences(body), " ", limit)
	} else {
		texts = gather(lines, "\n", limit)
	}
	parts := make([]unit, 0, len(texts))
	for _, t := range texts {
		if t = strings.Trim(t, "\n"); strings.TrimSpace(t) != "" {
			parts = append(parts, newUnit(open+t+end, u.shape))
		}
	}
	return parts
}

// gather joins texts as long as they have at most limit tokens together. A text that is longer is cut into words, and these into halves.
func gather(texts []string, with string, limit int) (all []string) {
	var waiting []string
	sum := 0
	flush := func() {
		if len(waiting) > 0 {
			all = append(all, strings.Join(waiting, with))
		}
		waiting, sum = nil, 0
	}
	for _, t := range texts {
		n := Tokens(t) + len(with)/2 // a line feed may be a token of its own
		switch {
		case n <= limit:
			if sum+n > limit {
				flush()
			}
			waiting, sum = append(waiting, t), sum+n
		case with == "\n" || len(strings.Fields(t)) > 1:
			flush()
			all = append(all, gather(strings.Fields(t), " ", limit)...)
		default:
			flush()
			all = append(all, halves(t, limit)...)
		}
	}
	flush()
	return all
}

// halves cuts a word between characters.
func halves(s string, limit int) []string {
	if Tokens(s) <= limit || utf8.RuneCountInString(s) < 2 {
		return []string{s}
	}
	at := len(s) / 2
	for !utf8.RuneStart(s[at]) {
		at++
	}
	if at == len(s) {
		for at--; !utf8.RuneStart(s[at]); at-- {
		}
	}
	return append(halves(s[:at], limit), halves(s[at:], limit)...)
}

// sentences returns the sentences of a paragraph.
func (c *cutter) sentences(text string) (all []string) {
	tokens, sentences := c.segmenter.Append(text, nil, nil)
	for _, s := range sentences {
		all = append(all, text[tokens[s.First].Start:tokens[s.End-1].End])
	}
	return all
}
