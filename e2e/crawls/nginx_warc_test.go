//go:build e2e

package crawls_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/ledger"
)

// A warcRecord is a record of a WARC file: its header and its block.
type warcRecord struct {
	http.Header
	block []byte
}

// warcRecords reads a WARC file with one gzip member per record, independently of package archive.
func warcRecords(t *testing.T, path string) (records []warcRecord) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(file)
	var z gzip.Reader
	for in.Len() > 0 {
		if err := z.Reset(in); err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		text, err := io.ReadAll(&z)
		head, rest, _ := bytes.Cut(text, []byte("\r\n\r\n"))
		block, ended := bytes.CutSuffix(rest, []byte("\r\n\r\n"))
		fields, ok := bytes.CutPrefix(head, []byte("WARC/1.1\r\n"))
		if err != nil || !ok || !ended {
			t.Fatalf("record %d: %v: %q", len(records), err, text)
		}
		header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(fields, "\r\n\r\n"...)))).ReadMIMEHeader()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, warcRecord{http.Header(header), block})
	}
	return records
}

// digest returns the SHA-1 of bytes in the notation of WARC.
func digest(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// checkArchive checks the archive of a crawl record by record, and with package archive.
func (s *site) checkArchive(t *testing.T, journal []byte) {
	t.Helper()
	kinds := map[string]int{}
	lines := s.byPath(t, journal)
	for i, r := range warcRecords(t, s.output("live", "archive/live-00000.warc.gz")) {
		kind := r.Get("WARC-Type")
		kinds[kind]++
		if r.Get("Content-Length") != fmt.Sprint(len(r.block)) || kind != "response" && r.Get("WARC-Block-Digest") != digest(r.block) || r.Get("WARC-Record-ID") == "" {
			t.Errorf("record %d: %v, of %d bytes", i, r.Header, len(r.block))
		}
		if kind != "warcinfo" {
			s.checkRecord(t, r, lines[strings.TrimPrefix(r.Get("WARC-Target-URI"), s.base)])
		}
	}
	if want := (map[string]int{"warcinfo": 1, "request": len(lines) + 1, "response": len(lines) + 1}); !maps.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	web, err := archive.OpenWeb([]string{s.output("live", "archive")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	n := 0
	for entry := range web.All() {
		n++
		response, err := web.Fetch(t.Context(), orbweaver.Request{URL: entry.URL})
		if err != nil {
			t.Fatal(err)
		}
		payload, err := io.ReadAll(response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if l := lines[strings.TrimPrefix(entry.URL, s.base)]; l.Digest != "" && (l.Digest != digest(payload) || l.Status != response.Status) {
			t.Errorf("%s: %d, %s; the line is %+v", entry.URL, response.Status, digest(payload), l)
		}
	}
	if n != len(lines)+1 || len(web.Warnings()) > 0 {
		t.Errorf("%d entries, want %d; %v", n, len(lines)+1, web.Warnings())
	}
}

// checkRecord checks the record of a request or a response against the exchange. The line is empty for robots.txt.
func (s *site) checkRecord(t *testing.T, r warcRecord, line ledger.Line) {
	t.Helper()
	protocol, status := "http/1.1", max(line.Status, 200)
	if s.h2 {
		protocol = "h2"
	}
	if r.Get("WARC-IP-Address") != "127.0.0.1" || r.Get("WARC-Protocol") != protocol || r.Get("WARC-Concurrent-To") == "" {
		t.Errorf("%v", r.Header)
	}
	in := bufio.NewReader(bytes.NewReader(r.block))
	path := strings.TrimPrefix(r.Get("WARC-Target-URI"), s.base)
	if r.Get("WARC-Type") == "request" {
		asked, err := http.ReadRequest(in)
		if err != nil || asked.Method != "GET" || asked.RequestURI != path || !strings.HasSuffix(s.base, "://"+asked.Host) ||
			asked.Header.Get("Accept-Encoding") != "gzip, br, zstd" || asked.UserAgent() != "orbweaver (+me@example.org)" {
			t.Errorf("%v, %+v", err, asked)
		}
		return
	}
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != status || answer.Header.Get("Server") == "" {
		t.Fatalf("%v, %+v", err, answer)
	}
	payload, err := io.ReadAll(answer.Body)
	said := answer.Header.Get("Content-Length")
	if err != nil || r.Get("WARC-Payload-Digest") != digest(payload) || said != "" && said != fmt.Sprint(len(payload)) || answer.TransferEncoding != nil {
		t.Errorf("%s: %v, %d bytes, %v %v", path, err, len(payload), answer.TransferEncoding, answer.Header)
	}
	if status == 200 && answer.Header.Get("Content-Encoding") != s.wire(path).Coding {
		t.Errorf("%s: %v", path, answer.Header)
	}
}
