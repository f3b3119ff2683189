package archive

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
)

// somePages are pages of 20 kB, n of them: a template, its navigation, and running text of a few
// thousand words, most of them rare.
func somePages(n int) (pages [][]byte) {
	rng := rand.New(rand.NewPCG(7, 7))
	words := make([]string, 3000)
	for i := range words {
		for range 2 + rng.IntN(3) {
			words[i] += string("bcdfghklmnprstvwz"[rng.IntN(17)]) + string("aeiou"[rng.IntN(5)])
		}
	}
	word := func() string { return words[int(float64(len(words))*rng.Float64()*rng.Float64()*rng.Float64())] }
	for range n {
		var b strings.Builder
		b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + word() +
			"</title>\n<style>body{margin:0;font:16px/1.6 serif;color:#222}nav ul{list-style:none;display:flex;gap:1em}</style>\n</head>\n<body>\n")
		for b.Len() < 20_000 {
			fmt.Fprintf(&b, "<li><a class=\"nav-link\" href=\"/a/%d.html\">%s</a></li>\n<p>", rng.IntN(100), word())
			for range 40 + rng.IntN(40) {
				b.WriteString(word() + " ")
			}
			fmt.Fprintf(&b, "See <a href=\"%d.html\" title=\"%s\">%s %s</a> &mdash; %s.</p>\n", rng.IntN(100), word(), word(), word(), word())
		}
		pages = append(pages, []byte(b.String()+"</body>\n</html>\n"))
	}
	return pages
}

// served is an answer as a server gives it to a live crawl.
func served(i int) *step.Response {
	return &step.Response{
		Request: orbweaver.Request{URL: fmt.Sprintf("http://127.0.1.%d:8080/a/%d.html", i%254+1, i)}, Status: 200,
		Header: http.Header{
			"Content-Type": {"text/html; charset=utf-8"}, "Content-Length": {"20000"}, "Server": {"nginx/1.24.0"},
			"Date": {"Fri, 20 Nov 2026 12:00:00 GMT"}, "Last-Modified": {"Fri, 20 Nov 2026 12:00:00 GMT"}, "Etag": {`"5f-4e20"`},
		},
		Asked: http.Header{
			"User-Agent": {"orbweaver (+me@example.org)"}, "Accept": {"text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"},
			"Accept-Encoding": {"gzip, br, zstd"},
		},
		Address: "127.0.1.7:8080", Protocol: "http/1.1", At: day.Add(time.Duration(i) * 1234567),
	}
}

// BenchmarkPack packs pages, as different as those of a crawl are; ratio is of archive to payload.
func BenchmarkPack(b *testing.B) {
	web := openWeb(b, realdata.File(b, "wikispeedia.warc.gz"))
	var real [][]byte
	for e := range web.All() {
		if _, page := fetch(b, web, e.URL); len(page) > 10_000 && len(page) < 40_000 {
			real = append(real, page)
		}
		if len(real) == 64 {
			break
		}
	}
	for _, bench := range []struct {
		name  string
		pages [][]byte
	}{{"generated", somePages(64)}, {"real", real}, {"tiny", [][]byte{[]byte("<p>gone</p>")}}} {
		b.Run(bench.name, func(b *testing.B) {
			w := openWriter(b, b.TempDir(), Mark{}, WriterOptions{})
			defer w.Close()
			b.ReportAllocs()
			in, out := 0, 0
			for i := 0; b.Loop(); i++ {
				page := bench.pages[i%len(bench.pages)]
				p, err := w.Pack(served(i), page)
				if err != nil {
					b.Fatal(err)
				}
				in, out = in+len(page), out+p.out.Len()-p.head
				w.press.putBuffer(p.out) // as Append does
			}
			b.SetBytes(int64(in / b.N))
			b.ReportMetric(float64(out)/float64(in), "ratio")
		})
	}
}

// BenchmarkPackAndAppend is what an answer costs a crawl in all.
func BenchmarkPackAndAppend(b *testing.B) {
	pages := somePages(64)
	w := openWriter(b, b.TempDir(), Mark{}, WriterOptions{})
	defer w.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		page := pages[i%len(pages)]
		copy(page[100:], fmt.Sprintf("%09d", i)) // no revisit
		p, err := w.Pack(served(i), page)
		if err == nil {
			_, err = w.Append(p)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestEfforts: a page has the same bytes however much work its compression may cost, and fewer of them in the archive for more of it.
func TestEfforts(t *testing.T) {
	payload := somePages(1)[0]
	var sizes [efforts]int64
	for _, effort := range []Effort{Usual, Hasty, Thorough} {
		w, err := OpenWriter(t.TempDir(), Mark{}, WriterOptions{Effort: func() Effort { return effort }})
		if err != nil {
			t.Fatal(err)
		}
		packed, err := w.Pack(served(1), payload)
		if err != nil {
			t.Fatal(err)
		}
		at, err := w.Append(packed)
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		response, err := w.Read(at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		if err != nil || !bytes.Equal(got, payload) {
			t.Errorf("effort %d: %d bytes of %d, %v", effort, len(got), len(payload), err)
		}
		response.Body.Close()
		sizes[effort] = at.Length
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !(sizes[Thorough] < sizes[Usual] && sizes[Usual] < sizes[Hasty]) {
		t.Errorf("bytes by effort: %v", sizes)
	}
}
