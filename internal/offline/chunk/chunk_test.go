package chunk

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// read reads a page.
func read(t testing.TB, html string) (string, []page.Block) {
	t.Helper()
	response := &step.Response{Request: orbweaver.Request{URL: "http://x.example/"}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}}
	p, blocks, err := page.NewReader(page.Options{}).ReadBlocks(t.Context(), response, []byte(html))
	if err != nil {
		t.Fatal(err)
	}
	return p.Text, blocks
}

// words makes a paragraph of n sentences.
func words(topic string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Sentence %d about %s says what there is to say of it today. ", i+1, topic)
	}
	return "<p>" + b.String() + "</p>"
}

// TestCut: a page is cut at headings; a section that is too long at paragraphs, then at sentences; short neighbours are one chunk below
// their common heading.
func TestCut(t *testing.T) {
	text, blocks := read(t, "<main><h1>Fleet</h1>"+words("the fleet", 3)+
		"<h2>Airbus</h2>"+words("Airbus", 8)+"<h3>A320</h3>"+words("the A320", 20)+
		"<h2>Boeing</h2><p>There is one of them, and it is painted blue.</p><h2>Fokker</h2><p>There are two of these, in the hangar.</p></main>")
	var got []string
	for _, p := range Cut(text, blocks, "en", Options{Tokens: 150}) {
		got = append(got, fmt.Sprintf("%s: %.40q", strings.Join(p.Headings, " > "), p.Text))
		if p.Tokens > 150 {
			t.Errorf("%d tokens: %s", p.Tokens, p.Text)
		}
	}
	want := []string{
		`Fleet: "# Fleet\n\nSentence 1 about the fleet sa"`,
		`Fleet > Airbus: "## Airbus\n\nSentence 1 about Airbus says"`,
		`Fleet > Airbus > A320: "### A320\n\nSentence 1 about the A320 say"`,
		`Fleet > Airbus > A320: "Sentence 8 about the A320 says what ther"`,
		`Fleet > Airbus > A320: "Sentence 16 about the A320 says what the"`,
		`Fleet: "## Boeing\n\nThere is one of them, and i"`,
	}
	for i := range got {
		if i >= len(want) || got[i][:min(20, len(got[i]))] != want[i][:min(20, len(want[i]))] {
			t.Errorf("chunk %d: %s", i+1, got[i])
		}
	}
	if len(got) < len(want) {
		t.Errorf("%d chunks, want %d or more: %s", len(got), len(want), got)
	}
	if last := got[len(got)-1]; !strings.HasPrefix(last, "Fleet: ") {
		t.Errorf("the last one is %s", last)
	}
	if whole := Cut(text, blocks, "en", Options{Tokens: 5000}); len(whole) != 1 || !slices.Equal(whole[0].Headings, []string{"Fleet"}) || !strings.Contains(whole[0].Text, "\n\n## Fokker\n\n") {
		t.Errorf("not one chunk: %+v", whole)
	}
}

// TestCutKeepsAll: whatever the limit, no word is lost, and no chunk is longer than the limit.
func TestCutKeepsAll(t *testing.T) {
	text, blocks := read(t, "<main>"+words("a page without a heading", 30)+"<h2>List</h2><ul>"+strings.Repeat("<li>An item of a list, which is not short</li>", 30)+
		"</ul><pre>"+strings.Repeat("line of code;\n", 60)+"</pre><p>"+strings.Repeat("長い文章です。", 200)+"</p><p>"+strings.Repeat("x", 3000)+"</p></main>")
	squeeze := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n-#`", r) }), "")
	}
	want := squeeze(text)
	for _, limit := range []int{MinTokens, 50, 128, 512, 10_000} {
		var all strings.Builder
		for _, p := range Cut(text, blocks, "en", Options{Tokens: limit}) {
			all.WriteString(p.Text)
			if p.Tokens > limit+limit/8+8 {
				t.Errorf("limit %d: %d tokens: %.100q", limit, p.Tokens, p.Text)
			}
		}
		if got := squeeze(all.String()); got != want {
			t.Errorf("limit %d: %d bytes, want %d", limit, len(got), len(want))
		}
	}
}

// TestOverlap: a chunk begins with the last sentences of the one before in its section.
func TestOverlap(t *testing.T) {
	text, blocks := read(t, "<main><h1>Fleet</h1>"+words("it", 40)+"</main>")
	pieces := Cut(text, blocks, "en", Options{Tokens: 100, Overlap: 30})
	if len(pieces) < 3 {
		t.Fatalf("%d pieces", len(pieces))
	}
	for i, p := range pieces[1:] {
		first, _, _ := strings.Cut(p.Text, ".")
		if !strings.Contains(pieces[i].Text, first+".") {
			t.Errorf("%q is not in the chunk before", first)
		}
	}
}

// TestMarkdown: tables, code with fences in it, quotes, and no characters that hide text.
func TestMarkdown(t *testing.T) {
	text, blocks := read(t, "<main>"+words("x", 5)+"<table><tr><th>Type</th><th>a|b</th></tr><tr><td>A320</td><td>180</td></tr></table><pre>a\n```\nb</pre><blockquote>Said\u202e so\U000E0041, they\u0007 say, all of them.</blockquote></main>")
	got := Markdown(text, blocks, Plain)
	for _, want := range []string{"| Type | a\\|b |\n| --- | --- |\n| A320 | 180 |", "````\na\n```\nb\n````", "> Said so, they say, all of them."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

// TestTokens: one class of characters each, by hand from the table.
func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, " ": 1, "abcdefghij": 3, "東京": 3, "12": 2, "한국": 2, "a\n": 2, strings.Repeat("é", 800): 100, strings.Repeat(" ", 800): 50} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
