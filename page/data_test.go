package page

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
)

// An answer is one archived response.
type answer struct {
	resp *step.Response
	body []byte
}

// answers reads at most so many 200 responses of a WARC file.
func answers(t testing.TB, name string, most int) []answer {
	t.Helper()
	f, err := os.Open(realdata.File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReaderSize(z, 1<<20)
	var all []answer
	for len(all) < most {
		warc, err := header(r)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		size, _ := strconv.Atoi(warc.Get("Content-Length"))
		block := make([]byte, size+4) // and the two empty lines
		if _, err := io.ReadFull(r, block); err != nil {
			t.Fatal(err)
		}
		if warc.Get("Warc-Type") != "response" || !bytes.Contains(block[:12], []byte(" 200")) {
			continue
		}
		b := bufio.NewReader(bytes.NewReader(block[:size]))
		h, _ := header(b)
		body, _ := io.ReadAll(b)
		url := strings.Trim(warc.Get("Warc-Target-Uri"), "<>")
		all = append(all, answer{&step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: h}, body})
	}
	return all
}

// header reads a start line and header fields, however odd.
func header(r *bufio.Reader) (http.Header, error) {
	h := http.Header{}
	if _, err := r.ReadString('\n'); err != nil {
		return nil, err
	}
	for {
		line, err := r.ReadString('\n')
		if err != nil || strings.TrimSpace(line) == "" {
			return h, err
		}
		key, value, _ := strings.Cut(line, ":")
		h.Add(strings.TrimSpace(key), strings.TrimSpace(value))
	}
}

func TestArchivedPagesAreReadable(t *testing.T) {
	reader := NewReader(Options{})
	for _, name := range []string{"wikispeedia.warc.gz", "linked-data-sites.warc.gz", "iana.warc.gz"} {
		pages, empty, links := 0, 0, 0
		types := map[string]int{}
		for i, a := range answers(t, name, 1<<20) {
			if i%tier.Of(8, 1) != 0 {
				continue
			}
			page, err := reader.Read(context.Background(), a.resp, a.body)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			pages++
			links += len(page.Links)
			types[page.MediaType]++
			if page.MediaType == typeHTML && len(a.body) > 3000 && len(page.Text) < 40 {
				empty++
				t.Logf("%s: %s: %d bytes, text %q", name, page.URL, len(a.body), page.Text)
			}
		}
		t.Logf("%s: %d pages, %d links, types %v", name, pages, links, types)
		if pages == 0 || empty*200 > pages {
			t.Errorf("%s: %d of %d pages without text", name, empty, pages)
		}
	}
}

func TestSamplePagesAreReadable(t *testing.T) {
	reader := NewReader(Options{})
	for _, name := range []string{"extruct-samples.tar.gz", "recipe-pages.tar.gz"} {
		pages := 0
		for file, body := range samples(t, name) {
			page, err := reader.Read(context.Background(), response("http://a.test/"+filepath.Base(file), "Content-Type", "text/html"), body)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			pages++
			if len(body) > 20_000 && len(page.Text) < 100 {
				t.Logf("%s: %d bytes, text %q", file, len(body), page.Text)
			}
		}
		if pages < 50 {
			t.Errorf("%s: %d pages only", name, pages)
		}
	}
}

// samples returns the pages of a tar file.
func samples(t testing.TB, name string) map[string][]byte {
	t.Helper()
	f, err := os.Open(realdata.File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			return files
		}
		if strings.HasSuffix(h.Name, "html") {
			if files[h.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	all := answers(b, "wikispeedia.warc.gz", 500)
	size := 0
	for _, a := range all {
		size += len(a.body)
	}
	b.SetBytes(int64(size / len(all)))
	b.ReportAllocs()
	reader := NewReader(Options{})
	i := 0
	for b.Loop() {
		a := all[i%len(all)]
		if _, err := reader.Read(context.Background(), a.resp, a.body); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
