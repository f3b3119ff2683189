package page

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
)

// A hostile page of any size: it costs far more to read than to send, were reading careless.
type hostile struct {
	name, contentType string
	body              func(n int) string
}

// again repeats a piece up to n bytes, between a start and an end.
func again(start, piece, end string) func(n int) string {
	return func(n int) string { return start + strings.Repeat(piece, max(1, n/len(piece))) + end }
}

// numbered repeats a format with numbers up to about n bytes.
func numbered(format string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

// nested opens elements and closes them all.
func nested(start, open, inside, shut, end string) func(n int) string {
	return func(n int) string {
		k := n / (len(open) + len(shut))
		return start + strings.Repeat(open, k) + inside + strings.Repeat(shut, k) + end
	}
}

func hostilePages() []hostile {
	const h, ttl, xml = "text/html", "text/turtle", "application/rdf+xml"
	const rdfStart = "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:a='http://a.test/'>"
	return []hostile{
		{"elements in each other", h, nested("", "<div>", "a", "</div>", "")},
		{"text in each of them", h, again("", "<div>a", "")},
		{"end tags of nothing, deep inside", h, again(strings.Repeat("<i>", maxStack), "</p>", "")},
		{"elements in each other, a hundred thousand deep", h, func(int) string { return strings.Repeat("<b>", 1e5) + "a" + strings.Repeat("</b>", 1e5) }},
		{"blocks that are never closed", h, again("", "<section><p>a", "")},
		{"tags that do not end", h, again("", "<a ", "")},
		{"quotes that do not end", h, again("", "<a b='", "")},
		{"end tags that do not end", h, again("", "</a ", "")},
		{"CDATA that does not end", h, again("", "<![CDATA[", "")},
		{"comments that nearly end", h, again("<!--", "->", "")},
		{"scripts that nearly end", h, again("<script>", "</scripts", "")},
		{"one script", h, again("<script>", "a<b ", "")},
		{"closed svg", h, again("", "<svg/>a", "")},
		{"quotes in svg", h, again("<svg>", "\"</svg>", "")},
		{"one word in svg", h, again("<svg><svg ", "a", "")},
		{"an open svg", h, again("", "<svg>a ", "")},
		{"an open select", h, again("<select>", "<option>a", "")},
		{"open tables", h, again("", "<table><tr><td>a", "")},
		{"less-than", h, again("", "<", "")},
		{"ends of nothing", h, again("", "</", "")},
		{"comments that do not end", h, again("", "<!--", "")},
		{"references", h, again("", "&amp", "")},
		{"long references that are none", h, again("", "&CounterClockwiseContourIntegra", "")},
		{"links", h, again("", "<a href=x>", "")},
		{"links that are no URL", h, again("", "<a href='http://[/'>", "")},
		{"links in one long word", h, func(n int) string { return strings.Repeat("<a href=x>y</a>", n/30) + strings.Repeat("z", n/2) }},
		{"links with long images", h, again("", "<a href=x><img alt='"+strings.Repeat("t", 9000)+"'>", "")},
		{"links with long titles", h, again("", "<a href=x title='"+strings.Repeat("t", 4000)+"'>a</a>", "")},
		{"one attribute", h, again("<p class='", "a-", "'>x")},
		{"one address", h, again("<a href='", "a", "'>x</a>")},
		{"attributes", h, numbered("<p a%d=b c")},
		{"an attribute that does not end", h, again("<a href=\"", "<p>a ", "")},
		{"a title that does not end", h, again("<title>", "a &amp;", "")},
		{"a first heading", h, again("<h1>", "a ", "")},
		{"scripts in a script", h, again("<script>", "<!--<script", "")},
		{"no blank", h, again("", "a", "")},
		{"blanks alone", h, again("a", " ", "b")},
		{"breaks", h, again("", "a<br><br>", "")},
		{"NULs", h, again("<p>", "a\x00", "")},
		{"no UTF-8", h, again("<p>", "\xff", "")},
		{"hardly any UTF-8", h, again("<p>", "\u00e9\xff", "")},
		{"NULs alone", h, again("", "\x00", "")},
		{"HTML that is called an image", "image/png", again("<!DOCTYPE html><p>", "a <a href=x>b</a> ", "")},
		{"HTML that is called nothing", "", again("<p>", "a <a href=x>b</a> ", "")},
		{"one line of blanks and words", h, again("<p>", "a  b\t", "")},
		{"UTF-16", h, again("\xff\xfe", "<\x00p\x00>\x00a\x00", "")},
		{"an encoding that is none", h, again("<meta charset="+strings.Repeat("x", 900)+">", "a\xff ", "")},
		{"XHTML that closes what it opens", "application/xhtml+xml", again("", "<title/><a href='x'/>", "")},
		{"one line", "text/plain", again("", "a", "")},
		{"many lines", "text/plain", again("", "a\n\n", "")},
		{"blank nodes in each other", ttl, nested("@prefix : <http://a.test/> .\n:a :b ", "[:b ", ":c", "]", " .")},
		{"lists in each other", ttl, again("<http://a.test/> <http://b.test/> ", "(", "")},
		{"a literal", ttl, again("<http://a.test/> <http://b.test/> \"\"\"", "a b ", "\"\"\" .")},
		{"labels", ttl, numbered("<http://a.test/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"a b\" .\n")},
		{"IRIs that are no URL", ttl, numbered("<http://[/%d> <http://b.test/> <http://[/%[1]d> .\n")},
		{"nodes in each other", xml, nested(rdfStart, "<a:a><a:b>", "", "</a:b></a:a>", "</r:RDF>")},
		{"properties", xml, func(n int) string { return rdfStart + "<a:a " + numbered("a:p%d='v' ")(n) + "/></r:RDF>" }},
	}
}

// TestHostilePagesCostWhatTheyWeigh reads a megabyte of each: what is allocated for it is bounded by its
// size, in bytes and in number, and so is what comes out.
func TestHostilePagesCostWhatTheyWeigh(t *testing.T) {
	const size = 1 << 20
	opts := Options{MaxBody: 2 * size, MaxLinks: 5000, MaxText: size / 2}
	for _, tc := range hostilePages() {
		t.Run(tc.name, func(t *testing.T) {
			body := []byte(tc.body(size))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			page, err := NewReader(opts).Read(context.Background(), response("http://a.test/d/p", "Content-Type", tc.contentType), body)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 60*size { // several growing buffers, each new
				t.Errorf("%d bytes allocated for %d", got, len(body))
			}
			if got := after.Mallocs - before.Mallocs; got > size/2 {
				t.Errorf("%d allocations for %d bytes", got, len(body))
			}
			checkSizes(t, page, opts)
		})
	}
}

// checkSizes holds a page against the limits it was read under.
func checkSizes(t *testing.T, page *orbweaver.Page, opts Options) {
	t.Helper()
	if len(page.Text) > opts.MaxText || len(page.Links) > opts.MaxLinks || len(page.Title) > maxValue {
		t.Errorf("text %d, %d links, title %d", len(page.Text), len(page.Links), len(page.Title))
	}
	for _, l := range page.Links {
		if len(l.Anchor) > maxValue || len(l.Context) > 2*maxContext+1 || len(l.Title) > maxValue || len(l.Rel) > maxValue || len(l.Type) > maxValue {
			t.Fatalf("anchor %d, context %d, title %d, rel %d, type %d", len(l.Anchor), len(l.Context), len(l.Title), len(l.Rel), len(l.Type))
		}
		if !utf8.ValidString(l.Anchor + l.Context + l.Title) {
			t.Fatalf("a character is cut: %q, %q, %q", l.Anchor, l.Context, l.Title)
		}
	}
}

func TestCutsKeepCharactersWhole(t *testing.T) {
	wide := strings.Repeat("\u6771", 4000)
	page := read(t, "<title>"+wide+"</title><p>"+wide+"<a href=x title='"+wide+"'>"+wide+"</a>"+wide+"</p>", "Content-Type", "text/html")
	checkSizes(t, page, DefaultOptions())
	if len(page.Title) < maxValue-3 || len(page.Links[0].Anchor) < maxValue-3 || len(page.Links[0].Context) < 2*maxContext-5 {
		t.Errorf("title %d, anchor %d, context %d", len(page.Title), len(page.Links[0].Anchor), len(page.Links[0].Context))
	}
	for limit := range 9 {
		page, err := NewReader(Options{MaxText: limit + 1}).Read(context.Background(), response("http://a.test/", "Content-Type", "text/plain"), []byte(wide))
		if err != nil || !utf8.ValidString(page.Text) || len(page.Text) != (limit+1)/3*3 {
			t.Errorf("limit %d: %q, %v", limit+1, page.Text, err)
		}
	}
}

func TestBlocksAreBounded(t *testing.T) {
	page := read(t, strings.Repeat("a<hr>", maxBlocks+1000)+"<a href=x>b</a>", "Content-Type", "text/html")
	if got := strings.Count(page.Text, "a"); got != maxBlocks || len(page.Links) != 1 {
		t.Errorf("%d blocks, %d links", got, len(page.Links))
	}
}

func TestCodingsOverCodingsStayUnderTheLimit(t *testing.T) {
	body := strings.Repeat("a", 1<<20)
	for range 3 {
		body = string(packed(t, "gzip", body))
	}
	for _, tc := range []struct {
		codings string
		limit   int64
		want    orbweaver.Failure
	}{
		{"gzip, gzip, gzip", 2 << 20, ""},
		{"gzip, gzip, gzip", 1 << 19, orbweaver.ErrTooLarge},
		{"gzip, gzip, gzip, gzip, gzip", 2 << 20, orbweaver.ErrMalformed},
	} {
		resp := response("http://a.test/", "Content-Type", "text/plain", "Content-Encoding", tc.codings)
		_, err := NewReader(Options{MaxBody: tc.limit}).Read(context.Background(), resp, []byte(body))
		if tc.want == "" && err != nil || tc.want != "" && !errors.Is(err, tc.want) {
			t.Errorf("%s within %d: %v, want %v", tc.codings, tc.limit, err, tc.want)
		}
	}
}

// BenchmarkHostile shows that cost grows as size does: MB/s is to be the same for one and for ten.
func BenchmarkHostile(b *testing.B) {
	for _, tc := range hostilePages() {
		for _, size := range []int{1 << 20, 9 << 20} {
			b.Run(fmt.Sprintf("%s/MB=%d", tc.name, size>>20), func(b *testing.B) {
				body := []byte(tc.body(size))
				resp := response("http://a.test/d/p", "Content-Type", tc.contentType)
				reader := NewReader(Options{})
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := reader.Read(context.Background(), resp, body); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
