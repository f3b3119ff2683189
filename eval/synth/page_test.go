package synth

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// TestHTMLIsThePage: the page reader's result for the HTML equals Page.
func TestHTMLIsThePage(t *testing.T) {
	w, reader := newWeb(t, Defaults(5000)), page.NewReader(page.Options{})
	for id := int64(0); id < w.Pages; id += 331 {
		html, want := w.HTML(nil, id), w.Page(id)
		r := &step.Response{
			Request: orbweaver.Request{URL: want.URL}, Status: 200,
			Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(bytes.NewReader(html)),
		}
		got, err := reader.Read(t.Context(), r, html)
		if err != nil {
			t.Fatal(err)
		}
		if got.URL != want.URL || got.Title != want.Title || len(got.Links) != len(want.Links) {
			t.Fatalf("%s: title %q, %d links; want %q, %d", got.URL, got.Title, len(got.Links), want.Title, len(want.Links))
		}
		words, few := len(strings.Fields(got.Text)), len(strings.Fields(want.Text))
		if words < few || words > few+2*len(got.Links)+2 { // includes anchors and the heading
			t.Errorf("page %d: %d words, want %d", id, words, few)
		}
		for i, l := range got.Links {
			if l.To != want.Links[i].To || l.Anchor != want.Links[i].Anchor {
				t.Errorf("page %d: link %d: %+v, want %+v", id, i, l, want.Links[i])
			}
		}
	}
}

// TestDuplicates: a duplicate has the bytes and digest of another page of its topic.
func TestDuplicates(t *testing.T) {
	w, found := newWeb(t, Defaults(5000)), 0
	for id := range w.Pages {
		if w.Fate(id) != Duplicate {
			continue
		}
		original := w.source(id)
		if found++; original == id || w.Topic(original) != w.Topic(id) || w.Fate(original) == Duplicate || !bytes.Equal(w.HTML(nil, id), w.HTML(nil, original)) {
			t.Fatalf("page %d and its original %d", id, original)
		}
		if a, b := w.Page(id), w.Page(original); a.Digest != b.Digest || a.URL == b.URL || a.Digest == w.Page(0).Digest {
			t.Fatalf("page %d and its original %d: digests %s, %s", id, original, a.Digest, b.Digest)
		}
	}
	if found < 150 {
		t.Errorf("%d duplicates", found)
	}
}

// TestSize: half of the pages are larger than the median.
func TestSize(t *testing.T) {
	w, larger := newWeb(t, Defaults(4000)), 0
	for id := range int64(400) {
		if len(w.HTML(nil, id*10)) > 16_000 {
			larger++
		}
	}
	if larger < 160 || larger > 240 {
		t.Errorf("%d of 400 are larger than the median", larger)
	}
}

// TestWordsTellTheTopic: the target's terms occur on its pages and rarely elsewhere.
func TestWordsTellTheTopic(t *testing.T) {
	w := newWeb(t, Defaults(20_000))
	var named, all [2]int
	for id := int64(0); id < w.Pages; id += 7 {
		about := 0
		if w.Topic(id) == 0 {
			about = 1
		}
		all[about]++
		text := w.Page(id).Text
		for _, term := range w.Terms() {
			if strings.Contains(text, term) {
				named[about]++
				break
			}
		}
	}
	if named[1]*10 < all[1]*9 || named[0]*20 > all[0] {
		t.Errorf("%d of %d relevant pages have a term, %d of %d others", named[1], all[1], named[0], all[0])
	}
}

func BenchmarkPage(b *testing.B) {
	w := newWeb(b, Defaults(1e7))
	b.ReportAllocs()
	for n := int64(0); b.Loop(); n += 7919 {
		w.Page(n % w.Pages)
	}
}

func BenchmarkHTML(b *testing.B) {
	w := newWeb(b, Defaults(1e7))
	var html []byte
	bytes := int64(0)
	for n := int64(0); b.Loop(); n += 7919 {
		html = w.HTML(html[:0], n%w.Pages)
		bytes += int64(len(html))
	}
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/page")
}
