package chunk

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// FuzzCut: whatever a page is, its chunks are within the limit, valid UTF-8 without empty ones, and the same again.
func FuzzCut(f *testing.F) {
	f.Add("<main><h1>Fleet</h1><p>One. Two of them!</p><h2>A320</h2><ul><li>a<li>b</ul><pre>x\n  y</pre><table><tr><td>1<td>2</table></main>", "text/html", 40, 10)
	f.Add("# Fleet\n\nOne.\n\n```go\nx := 1\n```\n\n## A320\n\nTwo.", "text/markdown", 32, 16)
	f.Add("<h2>\u4e2d\u6587</h2><blockquote>\u4e00\u4e8c\u4e09\u3002</blockquote><h6></h6><p>"+strings.Repeat("word ", 200), "text/html", 32, 0)
	f.Add(strings.Repeat("nobreak", 300), "text/plain", 32, 8)
	f.Fuzz(func(t *testing.T, body, kind string, tokens, overlap int) {
		response := &step.Response{Request: orbweaver.Request{URL: "http://x.example/"}, Status: 200, Header: http.Header{"Content-Type": {kind}}}
		p, blocks, err := page.NewReader(page.Options{}).ReadBlocks(t.Context(), response, []byte(body))
		if err != nil {
			return
		}
		before := 0
		for _, b := range blocks {
			if b.Start < before || b.End < b.Start || b.End > len(p.Text) || b.Shape > page.Quote || b.Level < 0 || b.Level > 6 || b.Shape == page.Heading != (b.Level > 0) {
				t.Fatalf("block %+v after %d of %d bytes", b, before, len(p.Text))
			}
			before = b.End
		}
		o := Options{Tokens: MinTokens + (tokens&0x7fffffff)%2000, Overlap: overlap}
		pieces := Cut(p.Text, blocks, p.Lang, o)
		for _, piece := range pieces {
			if piece.Tokens > o.Tokens || strings.TrimSpace(piece.Text) == "" || !utf8.ValidString(piece.Text) || piece.Tokens != Tokens(piece.Text) {
				t.Errorf("%d tokens of %d at most, estimated %d: %q", piece.Tokens, o.Tokens, Tokens(piece.Text), piece.Text)
			}
		}
		if again := Cut(p.Text, blocks, p.Lang, o); !reflect.DeepEqual(pieces, again) {
			t.Errorf("another time: %+v, %+v", pieces, again)
		}
	})
}
