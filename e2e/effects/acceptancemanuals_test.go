//go:build e2e

package effects_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/eval"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// A chapter is the topic of a crawl of a manual. Its relevant pages are those in the chapter's own table of contents
// and in its folders.
type chapter struct {
	ontology, target string
	root             string   // glob pattern of the manual's folder, relative to the documentation folder
	contents         []string // pages with a table of contents
	folders          []string // all pages below them are relevant
	pages            []string

	early float64 // recall after 32 requests
}

// chapters returns the chapters of docs/explanation/measurements.md.
func chapters() []chapter {
	const (
		python = "python3.*/html"
		pg     = "postgresql-doc-*/html"
		apache = "apache2-doc/manual/en"
	)
	return []chapter{
		{"py-concurrency", "Concurrency", python, []string{"library/concurrency.html"}, nil, nil, 0},
		{"py-internet", "InternetProtocol", python, []string{"library/internet.html"}, nil, nil, 0},
		{"py-numeric", "Numeric", python, []string{"library/numeric.html"}, nil, nil, 0},
		{"pg-index", "Index", pg, []string{"indexes.html", "btree.html", "gist.html", "spgist.html", "gin.html", "brin.html", "hash-index.html", "indexam.html"}, nil, nil, 0},
		{"pg-replication", "Replication", pg, []string{"high-availability.html", "logical-replication.html", "logicaldecoding.html"}, nil, nil, 0},
		{"pg-fts", "FullTextSearch", pg, []string{"textsearch.html"}, nil, nil, 0},
		{"pg-auth", "Authentication", pg, []string{"client-authentication.html", "user-manag.html"}, nil, nil, 0},
		{"ap-ssl", "Encryption", apache, nil, []string{"ssl/"}, []string{"mod/mod_ssl.html"}, 0},
		{"ap-rewrite", "Rewriting", apache, nil, []string{"rewrite/"}, []string{"mod/mod_rewrite.html"}, 0},
		{"ap-vhosts", "VirtualHost", apache, nil, []string{"vhosts/"}, []string{"mod/mod_vhost_alias.html", "rewrite/vhosts.html"}, 0},
	}
}

// Relevant reports whether the page of a URL belongs to the chapter. The manual is served at the root.
func (c *chapter) Relevant(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	_, path, _ := strings.Cut(rest, "/")
	for _, p := range c.pages {
		if path == p {
			return true
		}
	}
	for _, f := range c.folders {
		if strings.HasPrefix(path, f) {
			return true
		}
	}
	return false
}

// read adds the pages listed in the chapter's tables of contents.
func (c *chapter) read(t *testing.T, folder string) {
	t.Helper()
	hrefs := regexp.MustCompile(`href="([^":#]+\.html)(#[^"]*)?"`)
	for _, page := range c.contents {
		b, err := os.ReadFile(filepath.Join(folder, page))
		if err != nil {
			t.Skipf("another edition of the manual: %v", err)
		}
		_, list, found := strings.Cut(string(b), `class="toctree-wrapper`)
		list, _, _ = strings.Cut(list, "</section>")
		if !found {
			_, list, _ = strings.Cut(string(b), `class="toc"`)
			list, _, _ = strings.Cut(list, "</dl></div>")
		}
		c.pages = append(c.pages, page)
		for _, m := range hrefs.FindAllStringSubmatch(list, -1) {
			if !strings.HasPrefix(m[1], "..") {
				c.pages = append(c.pages, strings.TrimPrefix(filepath.ToSlash(filepath.Join(filepath.Dir(page), m[1])), "./"))
			}
		}
	}
}

// handbookChapters returns the chapters of a handbook with the same pages in many languages.
func handbookChapters(language string) []chapter {
	root := "debian-handbook/html/" + language
	return []chapter{
		{"hb-packages", "Package", root, []string{"apt.html", "packaging-system.html", "debian-packaging.html"}, nil, nil, 0},
		{"hb-network", "Network", root, []string{"network-infrastructure.html"}, nil, nil, 0},
		{"hb-security", "Security", root, []string{"security.html"}, nil, nil, 0},
		{"hb-services", "NetworkService", root, []string{"network-services.html"}, nil, nil, 0},
		{"hb-desktop", "Workstation", root, []string{"workstation.html"}, nil, nil, 0},
	}
}

// TestAcceptanceInLanguages crawls a handbook in five languages for five chapters, by one ontology with labels in all of
// them. The truth is the same in every language.
func TestAcceptanceInLanguages(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("crawls a handbook 25 times: set ORBWEAVER_EFFECT=all")
	}
	docs := cmp.Or(os.Getenv("ORBWEAVER_MANUALS"), "/usr/share/doc")
	for _, language := range []string{"en-US", "de-DE", "fr-FR", "es-ES", "ja-JP"} {
		var f1, early float64
		for _, c := range handbookChapters(language) {
			folder := filepath.Join(docs, c.root)
			if _, err := os.Stat(folder); err != nil {
				t.Skipf("no handbook: %v; set ORBWEAVER_MANUALS", err)
			}
			c.read(t, folder)
			a := c.crawl(t, folder)
			t.Logf("%s %s: %d relevant, %d accepted: P %.2f R %.2f F1 %.2f, AP %.2f, recall after 32 of 127 pages %.2f",
				language, c.ontology, a.Relevant, a.Accepted, a.Precision, a.Recall, a.F1, a.AveragePrecision, c.early)
			f1, early = f1+a.F1/5, early+c.early/5
		}
		t.Logf("%s: mean F1 %.2f, recall after 32 pages %.2f", language, f1, early)
		if f1 < 0.65 || early < 0.9 {
			t.Errorf("%s: mean F1 %.2f, recall %.2f", language, f1, early)
		}
	}
}

// TestAcceptanceOfManuals crawls the manuals of Debian packages (python3-doc, postgresql-doc, apache2-doc) for
// chapters, with the default acceptance. The manuals are in ORBWEAVER_MANUALS or /usr/share/doc.
func TestAcceptanceOfManuals(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("crawls three manuals for ten chapters: set ORBWEAVER_EFFECT=all")
	}
	docs := cmp.Or(os.Getenv("ORBWEAVER_MANUALS"), "/usr/share/doc")
	var all eval.Acceptance
	measured := 0
	for _, c := range chapters() {
		t.Run(c.ontology, func(t *testing.T) {
			found, err := filepath.Glob(filepath.Join(docs, c.root))
			if err != nil || len(found) == 0 {
				t.Skipf("no manual at %s in %s, set ORBWEAVER_MANUALS", c.root, docs)
			}
			c.read(t, found[0])
			a := c.crawl(t, found[0])
			t.Logf("%d relevant, %d accepted: P %.2f R %.2f F1 %.2f, AP %.2f", a.Relevant, a.Accepted, a.Precision, a.Recall, a.F1, a.AveragePrecision)
			all.Precision, all.Recall = all.Precision+a.Precision, all.Recall+a.Recall
			measured++
		})
	}
	if measured == 0 {
		t.Skip("no manual")
	}
	p, r := all.Precision/float64(measured), all.Recall/float64(measured)
	t.Logf("mean of %d: P %.2f R %.2f", measured, p, r)
	if p < 0.6 || r < 0.7 {
		t.Errorf("mean precision %.2f, mean recall %.2f", p, r)
	}
}

// crawl serves a manual on loopback, crawls it with 400 requests and measures the verdicts.
func (c *chapter) crawl(t *testing.T, manual string) eval.Acceptance {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(manual)))
	defer server.Close()
	folder := t.TempDir()
	text := fmt.Sprintf("seeds: [%s/index.html]\nfocus: {ontology: {files: %s, target: %s}}\nlimits: {requests: 400}\npoliteness: {delay: 0s, contact: me@example.org}\nscope: {include: [%q]}\nallow_private: [127.0.0.0/8]\noutput: out\n",
		server.URL, filepath.Join(realdata.Root(t), "examples/manuals", c.ontology+".ttl"), c.target, strings.TrimPrefix(server.URL, "http://"))
	file := filepath.Join(folder, "crawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, file); err != nil {
		t.Fatal(err)
	}
	lines := ledger.Committed(filepath.Join(folder, "out", ledger.JournalFile))
	a, err := eval.MeasureAcceptance(lines, c)
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range lines {
		if err != nil {
			t.Fatal(err)
		}
		if l.N <= 32 && c.Relevant(l.URL) {
			c.early += 1 / float64(a.Relevant)
		}
	}
	return a
}
