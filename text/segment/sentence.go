package segment

import "strings"

// A judge decides whether a sentence ends at a gap. Its lexicon is nil if it was not trained.
type judge interface {
	ends(g *gap) bool
}

// A gap is a possible sentence boundary: between the tokens last and next of a block. Possible abbreviations
// and their dots are still separate.
type gap struct {
	*worker
	start      int  // index of the sentence's first token
	last, next int  // indices of the tokens beside the gap; tokens between them must not be read
	end        int  // index behind the block's last token
	short      bool // the last token is the dot of a possible abbreviation
	glued      bool // there is no white space
	open       int  // brackets that the sentence has opened and not closed, 0 to 8
	quoted     bool // the sentence has an odd number of straight quotes
	first      int  // index of the block's first token
}

// token returns the text of a token of the block, marked or not; "" outside the block.
func (g *gap) token(i int) string {
	if i < g.first || i >= g.end || i > g.last && i < g.next {
		return ""
	}
	return plain(g.tokens[i]).Of(g.text)
}

// marked returns the dot of an abbreviation, which is merged with it unless a sentence ends.
func marked(t Token) Token { return Token{^t.Start, t.End} }

func isMarked(t Token) bool { return t.Start < 0 }

// plain returns a token without its mark.
func plain(t Token) Token {
	if isMarked(t) {
		return marked(t)
	}
	return t
}

// cut makes sentences of the tokens from first on, which are those of a block, and merges the dots of
// abbreviations where no sentence ends, in place.
func (w *worker) cut(g *gap, first int, wrapped bool) {
	*g = gap{worker: w, start: first, first: first, end: len(w.tokens)}
	to := first
	for from := first; from < g.end; from++ {
		short := isMarked(w.tokens[from])
		t := plain(w.tokens[from])
		w.tokens[to] = t
		g.weigh(t)
		g.last, g.next, g.short = to, from+1, short
		over := g.next == g.end || g.isOver(wrapped)
		if short && !over {
			w.tokens[to-1].End = t.End
			continue
		}
		to++
		if over {
			w.close(g.start, to)
			g.start, g.open, g.quoted = to, 0, false
		}
	}
	w.tokens = w.tokens[:to]
}

// close makes a sentence of the tokens from first up to end.
func (w *worker) close(first, end int) {
	w.sentences = append(w.sentences, Sentence{int32(first), int32(end)})
	if w.lexicon != nil {
		a, b := w.tokens[first].Of(w.text), w.tokens[end-1].Of(w.text)
		w.past.add(word{a, 0, w.lexicon.kind(a, hashOf(a))}, word{b, 0, w.lexicon.kind(b, hashOf(b))}, end-first)
	}
}

// weigh updates the state with a token of the sentence.
func (g *gap) weigh(t Token) {
	switch g.text[t.Start] {
	case '(', '[', '{':
		g.open = min(g.open+1, 8)
	case ')', ']', '}':
		g.open = max(g.open-1, 0)
	case '"':
		g.quoted = !g.quoted
	}
}

// isOver reports whether a sentence ends at the gap. It calls the judge only at possible boundaries: not
// between a word and one in lower case, and within a chunk only after a stop.
func (g *gap) isOver(wrapped bool) bool {
	last, next := g.tokens[g.last], plain(g.tokens[g.next])
	a, b := int(last.End), int(next.Start)
	g.glued = a == b
	if !g.glued && !wrapped && strings.IndexByte(g.text[a:b], '\n') >= 0 {
		return true
	}
	c := g.text[a-1]
	switch {
	case g.glued && (classes[g.text[b]]&(letter|high) == 0 || g.short || isCloser(next.Of(g.text)) || isTurned(next.Of(g.text))):
		return false
	case g.glued && c < 0x80:
		return strings.IndexByte(".!?", c) >= 0 && g.judge.ends(g)
	case g.glued:
		return isFullStop(last.Of(g.text))
	case classes[c]&(letter|digit|high) != 0 && isLower(g.text[b]):
		return (isLong(last, g.text) || isLong(next, g.text)) && g.judge.ends(g)
	}
	return g.judge.ends(g)
}

// isLong reports whether a token may be an address: then the next sentence, or one that begins with an address,
// may begin in lower case.
func isLong(t Token, text string) bool {
	const shortest = 7
	if t.End-t.Start < shortest {
		return false
	}
	for _, c := range []byte(text[t.Start+1 : t.End]) {
		if classes[c]&(joiner|dot) != 0 {
			return true
		}
	}
	return false
}

// endsStop reports whether a token is a stop: a run of dots, exclamation and question marks.
func endsStop(token string) bool {
	if token == "" {
		return false
	}
	switch token[len(token)-1] {
	case '.', '!', '?':
		return true
	}
	return token == "…" || isFullStop(token)
}

// isFullStop reports whether a token is an East Asian full stop, which no blank follows.
func isFullStop(token string) bool { return token == "。" || token == "！" || token == "？" }
