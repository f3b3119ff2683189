package page

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text"
)

// A goldPage is a page with snippets that its main text has (with) and does not have (without).
type goldPage struct {
	url  string
	body []byte

	File    string   `json:"file"`
	With    []string `json:"with"`
	Without []string `json:"without"`
}

// isChosenOn reports whether a page is of the half on which rules are chosen; the other half is for reports.
func (p *goldPage) isChosenOn() bool {
	h := fnv.New32a()
	h.Write([]byte(p.File))
	return h.Sum32()&1 == 0
}

// goldPages returns the pages of extraction-eval.tar.xz by URL. The test is skipped without them or without xz.
func goldPages(tb testing.TB) []*goldPage {
	tb.Helper()
	name := realdata.File(tb, "extraction-eval.tar.xz")
	data, err := exec.Command("xz", "-dc", name).Output()
	if errors.Is(err, exec.ErrNotFound) {
		tb.Skip("no xz to unpack ", name)
	}
	if err != nil {
		tb.Fatal(err)
	}
	files, gold := map[string][]byte{}, map[string]*goldPage{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		files[path.Base(header.Name)] = body
	}
	if err := json.Unmarshal(files["evaldata.json"], &gold); err != nil {
		tb.Fatal(err)
	}
	pages := make([]*goldPage, 0, len(gold))
	for url, p := range gold {
		if p.url, p.body = url, files[p.File]; p.body != nil {
			pages = append(pages, p)
		}
	}
	slices.SortFunc(pages, func(a, b *goldPage) int { return strings.Compare(a.url, b.url) })
	return pages
}

// A tally counts snippets.
type tally struct{ found, missing, wrong int }

func (t tally) precision() float64 { return float64(t.found) / float64(t.found+t.wrong) }
func (t tally) recall() float64    { return float64(t.found) / float64(t.found+t.missing) }
func (t tally) f1() float64        { return 2 * float64(t.found) / float64(2*t.found+t.missing+t.wrong) }

// add counts the snippets of one page, white space collapsed.
func (t *tally) add(p *goldPage, text string) {
	text = collapsed(text)
	for _, s := range p.With {
		if strings.Contains(text, collapsed(s)) {
			t.found++
		} else {
			t.missing++
		}
	}
	for _, s := range p.Without {
		if strings.Contains(text, collapsed(s)) {
			t.wrong++
		}
	}
}

func collapsed(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestMainText measures the main text of real articles on the half of the pages that no rule was chosen on.
// ORBWEAVER_TEXTS names a JSON file of main texts by URL, of another program, to be counted alike.
func TestMainText(t *testing.T) {
	other := map[string]string{}
	if name := os.Getenv("ORBWEAVER_TEXTS"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &other); err != nil {
			t.Fatal(err)
		}
	}
	var chosen, reported, theirs tally
	reader := NewReader(Options{})
	for _, p := range goldPages(t) {
		page, err := reader.Read(context.Background(), response("http://a.test/"+path.Base(p.File), "Content-Type", "text/html"), p.body)
		if err != nil {
			t.Errorf("%s: %v", p.url, err)
			continue
		}
		if p.isChosenOn() {
			chosen.add(p, text.Parts(page.Text, page.Article))
			continue
		}
		reported.add(p, text.Parts(page.Text, page.Article))
		theirs.add(p, other[p.url])
	}
	for name, c := range map[string]tally{"chosen on": chosen, "reported": reported, "the other program, reported": theirs} {
		if c.found > 0 {
			t.Logf("%s: P %.3f R %.3f F1 %.3f %+v", name, c.precision(), c.recall(), c.f1(), c)
		}
	}
	if reported.precision() < 0.9 || reported.recall() < 0.938 {
		t.Errorf("main text: P %.3f R %.3f F1 %.3f", reported.precision(), reported.recall(), reported.f1())
	}
}

func BenchmarkMainText(b *testing.B) {
	pages := goldPages(b)
	reader := NewReader(Options{})
	for b.Loop() {
		for _, p := range pages {
			r := response("http://a.test/"+path.Base(p.File), "Content-Type", "text/html")
			r.Digest = "sha1:" // as an archive gives it
			if _, err := reader.Read(context.Background(), r, p.body); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}
