package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// shapesOf returns the blocks of a document, a line each.
func shapesOf(t *testing.T, url, media, body string) string {
	t.Helper()
	response := &step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: http.Header{"Content-Type": {media}}}
	p, blocks, err := page.NewReader(page.Options{}).ReadBlocks(t.Context(), response, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	names := []string{"text", "heading", "item", "cell", "code", "quote"}
	for _, k := range blocks {
		fmt.Fprintf(&b, "%s %d %d %q", names[k.Shape], k.Level, k.Row, p.Text[k.Start:k.End])
		if k.Code != "" {
			fmt.Fprintf(&b, " %q", k.Code)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestShapes: headings with their level, items, cells with their row, code as it stands, quotes; navigation is no block of the article.
func TestShapes(t *testing.T) {
	sentence := strings.Repeat("An airliner of this kind carries passengers over long distances, and freight below them. ", 3)
	got := shapesOf(t, "http://x.example/", "text/html", `<title>T</title><nav><a href="/">Home</a></nav><main><h1>Fleet</h1><p>`+sentence+`</p>
<h3>Airbus &amp; others</h3><ul><li>A320</li><li><p>A340</p></li></ul>
<table><tr><th>Type</th><th>Seats</th></tr><tr><td>A320</td><td><p>180</p></td></tr></table>
<pre><code>if a &lt; b {
	return
}</code></pre>
<blockquote>It flies by itself, they say.</blockquote><p>`+sentence+`</p></main>`)
	s := strings.TrimSpace(sentence)
	want := `heading 1 0 "Fleet"
text 0 0 "` + s + `"
heading 3 0 "Airbus & others"
item 0 0 "A320"
item 0 0 "A340"
cell 0 1 "Type"
cell 0 1 "Seats"
cell 0 2 "A320"
cell 0 2 "180"
code 0 0 "if a < b { return }" "if a < b {\n\treturn\n}"
quote 0 0 "It flies by itself, they say."
text 0 0 "` + s + `"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestShapesOfMarkdown: Markdown has headings and code, plain text paragraphs alone.
func TestShapesOfMarkdown(t *testing.T) {
	text := "# Fleet #1\n\nTwo lines\nof one paragraph.\n## Airbus\nText.\n\n```go\nx := 1\n\n# no heading\n```\nEnd."
	want := `heading 1 0 "Fleet #1"
text 0 0 "Two lines\nof one paragraph."
heading 2 0 "Airbus"
text 0 0 "Text."
code 0 0 "` + "```go\\nx := 1\\n\\n# no heading\\n```" + `" "x := 1\n\n# no heading"
text 0 0 "End."
`
	if got := shapesOf(t, "http://x.example/a.md", "text/markdown", text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shapesOf(t, "http://x.example/a.txt", "text/plain", "# Fleet\n\nText."); got != "text 0 0 \"# Fleet\"\ntext 0 0 \"Text.\"\n" {
		t.Errorf("plain text: %s", got)
	}
}
