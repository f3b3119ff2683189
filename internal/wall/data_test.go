package wall_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/internal/wall"
	"orbweaver/page"
)

// trueAlarms are pages of the data that are not the page that was asked for.
var trueAlarms = map[string]string{}

// No ordinary page is taken for something else.
func TestOrdinaryPagesArePages(t *testing.T) {
	for _, name := range []string{"wikispeedia.warc.gz", "digitalgov.warc.gz", "linked-data-sites.warc.gz", "iana.warc.gz"} {
		t.Run(name, func(t *testing.T) {
			web, err := archive.OpenWeb([]string{realdata.File(t, name)}, archive.WebOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer web.Close()
			c := counter{t: t}
			for entry := range web.All() {
				response, err := web.Fetch(t.Context(), orbweaver.Request{URL: entry.URL})
				if err != nil {
					continue
				}
				payload, err := pipeline.Payload(response, 0, nil)
				if err == nil && response.Status == http.StatusOK {
					c.check(response, payload)
				}
			}
			c.report()
		})
	}
	for _, name := range []string{"extraction-eval.tar.xz", "extruct-samples.tar.gz", "recipe-pages.tar.gz"} {
		t.Run(name, func(t *testing.T) {
			c := counter{t: t}
			for file, body := range members(t, realdata.File(t, name)) {
				response := &step.Response{Request: orbweaver.Request{URL: "http://" + file + "/"}, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}}
				c.check(response, body)
			}
			c.report()
		})
	}
}

// A counter counts pages, and what is taken for none.
type counter struct {
	t      *testing.T
	reader *page.Reader
	pages  int
	short  int
	took   time.Duration
}

func (c *counter) check(response *step.Response, payload []byte) {
	if c.reader == nil {
		c.reader = page.NewReader(page.Options{})
	}
	p, err := c.reader.Read(c.t.Context(), response, payload)
	if err != nil {
		return
	}
	c.pages++
	if len(p.Text) <= 2500 {
		c.short++
	}
	began := time.Now()
	err = wall.Check(response, payload, p)
	c.took += time.Since(began)
	if err != nil && trueAlarms[path.Base(strings.TrimSuffix(response.Request.URL, "/"))] != string(orbweaver.FailureOf(err)) {
		c.t.Errorf("%v: title %q, text %.300q", err, p.Title, p.Text)
	}
}

func (c *counter) report() {
	c.t.Logf("%d pages, %d of them short, %v each", c.pages, c.short, c.took/time.Duration(max(c.pages, 1)))
}

// members returns the HTML files of a packed archive.
func members(t *testing.T, name string) map[string][]byte {
	t.Helper()
	var packed io.Reader
	if strings.HasSuffix(name, ".xz") {
		data, err := exec.Command("xz", "-dc", name).Output()
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("no xz to unpack ", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		packed = bytes.NewReader(data)
	} else {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if packed, err = gzip.NewReader(bufio.NewReader(f)); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string][]byte{}
	for r := tar.NewReader(packed); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(body[:min(len(body), 4096)]), []byte("<html")) && !strings.HasSuffix(header.Name, ".json") {
			all[path.Base(header.Name)] = body
		}
	}
}
