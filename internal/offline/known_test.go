package offline

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/server/door/doortest"
)

// TestKnown: of two crawls of one web the second does not store again what the first has, and says so; it reads its pages from there, exports them
// whole, and says which archive is missing when the first is gone.
func TestKnown(t *testing.T) {
	var pages []fetchtest.Page
	links := ""
	for i := range 4 {
		links += fmt.Sprintf(`<a href="/%d">page</a> `, i)
		pages = append(pages, fetchtest.Page{Path: fmt.Sprintf("/%d", i), Body: fmt.Sprintf("<p>heron %d ", i) + strings.Repeat(fmt.Sprintf("wades %d. ", i), 1000)})
	}
	pages = append(pages, fetchtest.Page{Path: "/", Body: links})
	space := t.TempDir()
	first, second := filepath.Join(space, "a", "crawls/live"), filepath.Join(space, "b", "crawls/live")
	for _, dir := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(space, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		web := fetchtest.NewWeb(fetchtest.Politeness{}, fetchtest.Host{Name: "a.test", At: 1, Pages: pages})
		apptest.CrawlLive(t, web, filepath.Join(space, "a"), "archive: on", "http://a.test/")
	})
	synctest.Test(t, func(t *testing.T) {
		web := fetchtest.NewWeb(fetchtest.Politeness{}, fetchtest.Host{Name: "a.test", At: 1, Pages: pages})
		apptest.CrawlLive(t, web, filepath.Join(space, "b"), "archive: {known: [../a/crawls/live]}", "http://a.test/")
	})
	if spared := archive.SparedIn(crawlfolder.Archive(second)); len(spared) != 1 || spared[0].Pages != 4 || spared[0].Of != "../../../a/crawls/live" {
		t.Errorf("spared %+v", spared)
	}
	report, err := os.ReadFile(filepath.Join(second, "report.html"))
	if err != nil || !strings.Contains(string(report), "4 answers, ") {
		t.Errorf("report: %v", err)
	}
	said := func(do func(j *job.Job) error) (string, error) {
		var out bytes.Buffer
		err := do(&job.Job{Console: console.Console{Out: &out, Err: &out}})
		return out.String(), err
	}
	search := func() (string, error) {
		return said(func(j *job.Job) error {
			return verbs.Search(t.Context(), j, second, store.SearchJob{Words: "heron", Top: 10, Rank: "bm25"}, false)
		})
	}
	if found, err := said(func(j *job.Job) error { return verbs.Status(t.Context(), j, second, false) }); err != nil || !strings.Contains(found, "4 answers, ") {
		t.Errorf("status: %s, %v", found, err)
	}
	if found, err := search(); err != nil || !strings.Contains(found, "wades") {
		t.Errorf("search: %s, %v", found, err)
	}
	out := filepath.Join(space, "out.warc.gz")
	toy.MustExport(t, second, export.Options{Format: export.WARC, Out: out})
	web, err := archive.OpenWeb([]string{out}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	response, err := web.Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/3"})
	if err != nil || response.Status != 200 {
		t.Errorf("exported: %+v, %v", response, err)
	}

	if err := os.Rename(first, first+"-gone"); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(first, "archive")
	if found, err := search(); err != nil || !strings.Contains(found, missing) || !strings.Contains(found, "http://a.test/") {
		t.Errorf("search: %s, %v", found, err)
	}
	_, told, err := toy.Exported(second, export.Options{Format: export.Text, Entity: new(job.Job).EntityName, Out: filepath.Join(space, "texts")})
	if err != nil || strings.Count(told, missing) < 4 || !strings.Contains(told, "http://a.test/2: ") {
		t.Errorf("export: %s, %v", told, err)
	}
}

// TestExportOfRendered: texts of pages that were rendered are those that scripts made, and a WARC and a WACZ of them are crawled again without a browser.
func TestExportOfRendered(t *testing.T) {
	doortest.Chromium(t) // a crawl that renders begins only where a browser is
	folder := t.TempDir()
	w, err := archive.OpenWriter(filepath.Join(folder, "warc"), archive.Mark{}, archive.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const made = "<title>Made</title><p>Herons wade in shallow water, as a script has it, all day long and every day."
	packed, err := w.Pack(&step.Response{
		Request: orbweaver.Request{URL: "http://a.test/"}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, At: time.Unix(1_700_000_000, 0),
		Rendered: func() ([]byte, error) { return []byte(made), nil },
	}, []byte("<title>Shell</title><script src=/app.js></script>"))
	if err == nil {
		_, err = w.Append(packed)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(folder, "warc")
	for _, next := range []export.Options{{Format: export.WARC, Out: filepath.Join(folder, "a.warc.gz")}, {Format: export.WACZ, Out: filepath.Join(folder, "a.wacz")}, {}} {
		crawl := t.TempDir()
		apptest.CrawlIn(t, crawl, fmt.Sprintf("seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nweb: {archive: %q}\nrender: {when: always}\narchive: on\n", from))
		dir, texts := filepath.Join(crawl, "crawl"), filepath.Join(crawl, "texts")
		toy.MustExport(t, dir, export.Options{Format: export.Text, Entity: new(job.Job).EntityName, Out: texts})
		files, _ := filepath.Glob(filepath.Join(texts, "*.txt"))
		if len(files) != 1 {
			t.Fatalf("crawl of %s: texts %v", from, files)
		}
		if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "Herons wade") {
			t.Errorf("crawl of %s: %s, %v", from, text, err)
		}
		if next.Out != "" {
			toy.MustExport(t, dir, next)
			from = next.Out
		}
		if next.Format == export.WACZ {
			from = filepath.Join(folder, "unpacked.warc.gz")
			if err := os.WriteFile(from, unzipped(t, next.Out, "archive/data.warc.gz"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// unzipped returns a file of a ZIP file.
func unzipped(t *testing.T, path, name string) []byte {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	b, err := fs.ReadFile(z, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
