//go:build e2e

package studio_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"orbweaver/examples"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/sample"
)

// TestRating: three people rate a sample in a browser by keys without seeing scores, one of them in two goes; Fleiss' kappa on the page is
// what orbweaver rate score says of their sheets.
func TestRating(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"aircraft.ttl", "demo.warc.gz", "demo-truth.tsv", "aircraft.yaml"} {
		content, err := examples.Demo.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), bytes.Replace(content, []byte("../crawls/"), []byte("crawls/"), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	addr := serveFolder(t, dir)
	b := open(t, addr, 1280)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft"))
	b.press("Start")
	b.sees("is over")
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/ratings"))
	b.fills("#n-name", "first")
	b.fills("#n-pages", "8")
	b.press("Draw the sample")
	b.sees("8 pages")

	const pages = 8
	rate := func(rater string, from, to int, answer func(url string) string) {
		b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/ratings/first?rater=" + rater))
		for i := from; i < to; i++ {
			b.holds(fmt.Sprintf(`document.querySelector(".progress span")?.textContent.startsWith("%d of %d") && document.querySelector("form.rate")?.dataset.ready === "true"`, i, pages))
			if strings.Contains(b.value(`document.querySelector("main").innerText`), "accepted") {
				t.Error("a rater sees what the crawl made of the page")
			}
			b.do(chromedp.KeyEvent(answer(b.value(`document.querySelector("main .meta bdi").nextElementSibling ? document.querySelectorAll("main .meta bdi")[1].textContent : ""`))))
		}
		b.holds(fmt.Sprintf(`document.querySelector(".progress span")?.textContent.startsWith("%d of %d")`, to, pages))
	}
	about := func(url string) string { // by what a person may know of a host
		if strings.Contains(url, "skylines") || strings.Contains(url, "hangar") || strings.Contains(url, "carriers") {
			return "r"
		}
		return "n"
	}
	rate("anna", 0, 3, about)
	rate("ben", 0, pages, func(url string) string {
		if strings.Contains(url, "airfields") {
			return "r"
		}
		return about(url)
	})
	rate("anna", 3, pages, about) // where she was
	rate("cleo", 0, pages, func(url string) string {
		if strings.Contains(url, "carriers") {
			return "n"
		}
		return about(url)
	})
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/ratings/first/result"))
	b.sees("Fleiss' kappa")
	shown := b.value(`document.querySelector("#fleiss").textContent.trim()`)

	sheets, err := filepath.Glob(filepath.Join(dir, "ratings", "*", "*", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(dir, "ratings", "*", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var raters []string
	for _, file := range append(sheets, more...) {
		if base := filepath.Base(file); regexp.MustCompile(`^(anna|ben|cleo)\.csv$`).MatchString(base) {
			raters = append(raters, file)
		}
	}
	var out bytes.Buffer
	if err := sample.Score(&console.Console{Out: &out, Err: &out}, raters, false); err != nil || len(raters) != 3 {
		t.Fatalf("%v: %v", raters, err)
	}
	if !strings.Contains(out.String(), shown) {
		t.Errorf("the page says %q, rate score\n%s", shown, out.String())
	}
}
