package chunk

import (
	"strings"
	"unicode/utf8"

	"orbweaver/page"
)

// parts cuts a unit that is longer than the limit: code, lists and tables between lines, all other between sentences; what is still too long
// between words, and a word between characters.
func (c *cutter) parts(u unit) []unit {
	if u.tokens <= c.limit {
		return []unit{u}
	}
	body, open, end := u.text, "", ""
	if u.shape == page.Code {
		fence, rest, _ := strings.Cut(u.text, "\n")
		if 4*c.count(fence) <= c.Tokens { // longer ones of hostile pages are left out, and not repeated in each part
			body, open, end = strings.TrimSuffix(rest, "\n"+fence), fence+"\n", "\n"+fence
		}
	}
	limit := max(1, c.Tokens-c.Overlap-c.count(open+end)) // with room for what is repeated
	for {
		var texts []string
		if lines := strings.Split(body, "\n"); len(lines) == 1 {
			texts = c.gather(c.sentences(body), " ", limit)
		} else {
			texts = c.gather(lines, "\n", limit)
		}
		parts, most := make([]unit, 0, len(texts)), 0
		for _, t := range texts {
			if t = strings.Trim(t, "\n"); strings.TrimSpace(t) != "" {
				part := c.unit(open+t+end, u.shape)
				parts, most = append(parts, part), max(most, part.tokens)
			}
		}
		if c.Counter == nil || most <= c.limit || limit == 1 {
			return parts
		}
		limit = max(1, limit*3/4) // texts have more tokens together than one by one
	}
}

// gather joins texts as long as they have at most limit tokens together. A text that is longer is cut into words, and these into halves.
func (c *cutter) gather(texts []string, with string, limit int) (all []string) {
	var waiting []string
	sum := 0
	flush := func() {
		if len(waiting) > 0 {
			all = append(all, strings.Join(waiting, with))
		}
		waiting, sum = nil, 0
	}
	for _, t := range texts {
		n := c.count(t)
		if with == "\n" {
			n += c.between // a line feed may be a token of its own
		}
		switch {
		case n <= limit:
			if sum+n > limit {
				flush()
			}
			waiting, sum = append(waiting, t), sum+n
		case with == "\n" || len(strings.Fields(t)) > 1:
			flush()
			all = append(all, c.gather(strings.Fields(t), " ", limit)...)
		default:
			flush()
			all = append(all, c.halves(t, limit)...)
		}
	}
	flush()
	return all
}

// halves cuts a word between characters.
func (c *cutter) halves(s string, limit int) []string {
	if c.count(s) <= limit || utf8.RuneCountInString(s) < 2 {
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
	return append(c.halves(s[:at], limit), c.halves(s[at:], limit)...)
}

// sentences returns the sentences of a paragraph.
func (c *cutter) sentences(text string) (all []string) {
	tokens, sentences := c.segmenter.Append(text, nil, nil)
	for _, s := range sentences {
		all = append(all, text[tokens[s.First].Start:tokens[s.End-1].End])
	}
	return all
}
