package chunk

import (
	"strings"
	"testing"
	"unicode"
)

// byWord counts runs of letters and digits, and each other character that is no space; as with models, line feeds are tokens, and a text has more of them than its sentences do.
type byWord struct{}

func (byWord) Name() string { return "by word" }

func (byWord) Count(text string) (n int) {
	before := ' '
	for _, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if was := unicode.IsLetter(before) || unicode.IsDigit(before); word && !was || !word && r != ' ' && (r != '\n' || before != '\n') {
			n++
		}
		before = r
	}
	return n
}

// contrary counts more tokens of texts together than of each alone.
type contrary struct{ byWord }

func (c contrary) Count(text string) int {
	return c.byWord.Count(text) + strings.Count(text, "\n\n") + len(text)/100
}

// TestCounter: with a counter no chunk has more tokens than the limit, all have what it counts, and no word is lost.
func TestCounter(t *testing.T) {
	text, blocks := read(t, "<main><h1>Fleet</h1>"+words("a page", 30)+"<h2>List</h2><ul>"+strings.Repeat("<li>An item of a list, which is not short</li>", 30)+
		"</ul><pre>"+strings.Repeat("line of code;\n", 60)+"</pre>"+strings.Repeat("<p>Short.</p><h3>One</h3><p>A paragraph of some words; not one of many.</p>", 40)+"</main>")
	squeeze := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n-#`", r) }), "")
	}
	for _, counter := range []Counter{byWord{}, contrary{}} {
		for _, limit := range []int{MinTokens, 50, 128, 512, 10_000} {
			var all strings.Builder
			for _, p := range Cut(text, blocks, "en", Options{Tokens: limit, Counter: counter}) {
				all.WriteString(p.Text)
				if p.Tokens > limit || p.Tokens != counter.Count(p.Text) {
					t.Errorf("%T, limit %d: %d tokens, counted %d: %.100q", counter, limit, p.Tokens, counter.Count(p.Text), p.Text)
				}
			}
			if got, want := squeeze(all.String()), squeeze(text); got != want {
				t.Errorf("%T, limit %d: %d bytes, want %d", counter, limit, len(got), len(want))
			}
		}
	}
}

// TestFences: code whose fences are longer than a fourth of a chunk has none, rather than each of its parts.
func TestFences(t *testing.T) {
	text, blocks := read(t, "<main>"+words("it", 5)+"<pre>"+strings.Repeat("`", 5000)+strings.Repeat("\nline of code", 500)+"</pre></main>")
	sum := 0
	for _, p := range Cut(text, blocks, "en", Options{Tokens: 64}) {
		sum += len(p.Text)
	}
	if sum > 2*len(text) {
		t.Errorf("%d bytes of chunks of a text of %d bytes", sum, len(text))
	}
}
