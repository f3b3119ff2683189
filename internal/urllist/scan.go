package urllist

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"orbweaver/weburl"
)

// The forms of lists.
const (
	formURLs    = "URLs"
	formSitemap = "sitemap"
	formIndex   = "sitemap index"
	formCDX     = "CDX"
	formCDXJ    = "CDXJ"
	formPages   = "pages"
)

const (
	maxLine = 1 << 20 // bytes
	head    = 64 << 10
)

// A scan is one pass over a list.
type scan struct {
	path    string
	form    string
	leftOut int64
	added   int64  // URLs so far
	odd     int64  // lines so far that a program can't have meant
	last    string // URL
	yield   func(string, error) bool
	columns columns // of a CDX
}

// urls returns the canonical URLs of the list in order. An error is the last it yields: an *Error.
func (s *scan) urls() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s.yield = yield
		if err := s.file(); err != nil && !errors.Is(err, errStop) {
			yield("", err)
		}
	}
}

// errStop ends a scan whose URLs nobody wants any more.
var errStop = errors.New("stop")

// problem returns an *Error of a line, or of the whole file.
func (s *scan) problem(line int, msg, hint string) error {
	return &Error{File: s.path, Line: line, Msg: msg, Hint: hint}
}

// file reads the file: its bytes, unpacked bytes, or the lists of pages in a WACZ.
func (s *scan) file() error {
	file, err := os.Open(s.path)
	if err != nil {
		return s.problem(0, strings.TrimPrefix(err.Error(), "open "+s.path+": "), "")
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, head)
	start, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return s.wacz(file)
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		packed, err := gzip.NewReader(in)
		if err != nil {
			return s.problem(0, "damaged gzip: "+err.Error(), "")
		}
		return s.read(packed)
	}
	return s.read(in)
}

// wacz reads the lists of pages in a WACZ file.
func (s *scan) wacz(file *os.File) error {
	stat, err := file.Stat()
	if err != nil {
		return s.problem(0, err.Error(), "")
	}
	packed, err := zip.NewReader(file, stat.Size())
	if err != nil {
		return s.problem(0, "damaged zip: "+err.Error(), "")
	}
	found := false
	for _, one := range packed.File {
		if one.Name != "pages/pages.jsonl" && one.Name != "pages/extraPages.jsonl" {
			continue
		}
		in, err := one.Open()
		if err == nil {
			found = true
			err = errors.Join(s.named(one.Name).read(in), in.Close())
		}
		if err != nil {
			return err
		}
	}
	if !found {
		return s.problem(0, "is a zip without pages/pages.jsonl: no WACZ", "")
	}
	return nil
}

// named makes problems name a file within the file.
func (s *scan) named(inner string) *scan {
	outer, _, _ := strings.Cut(s.path, "!")
	s.path = outer + "!" + inner
	return s
}

// A bounded reader fails after a number of bytes.
type bounded struct {
	io.Reader
	left int64
}

var errLong = errors.New("unpacks to more than 64 GB")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// read finds out the form of a list by its beginning, and reads it.
func (s *scan) read(from io.Reader) error {
	in := bufio.NewReaderSize(&bounded{from, maxBytes}, head)
	start, _ := in.Peek(head)
	if bytes.HasPrefix(start, []byte("\ufeff")) {
		_, _ = in.Discard(3) // it was peeked
		start = start[3:]
	}
	if text := bytes.TrimSpace(start); len(text) > 0 && text[0] == '<' {
		return s.xml(in)
	}
	var one func(line []byte, number int) error
	if s.form, one = s.lines(start); one == nil {
		return s.problem(1, "is an array in JSON", "write one URL per line, or ask the CDX server without output=json")
	}
	return s.each(in, one)
}

// lines returns the form of a list of lines by its beginning, and what reads a line; nil: it is a JSON array.
func (s *scan) lines(start []byte) (form string, one func([]byte, int) error) {
	first, _, _ := bytes.Cut(start, []byte("\n"))
	text := strings.TrimSpace(string(first))
	fields := strings.Fields(text)
	switch {
	case strings.HasPrefix(text, "["):
		return "", nil
	case strings.HasPrefix(text, "{"):
		return formPages, s.jsonLine
	case strings.HasPrefix(text, "CDX "):
		s.columns = columnsOf(fields[1:])
		return formCDX, s.cdxLine
	case strings.HasPrefix(text, "!"), len(fields) > 2 && isTime(fields[1]) && fields[2][0] == '{':
		return formCDXJ, s.cdxjLine
	case len(fields) > 2 && isTime(fields[1]):
		s.columns = columns{url: 2, status: 4, least: 5}
		return formCDX, s.cdxLine
	}
	return formURLs, s.urlLine
}

// isTime reports whether a field is the time of a capture, to at most milliseconds.
func isTime(field string) bool {
	return len(field) >= 4 && len(field) <= 17 && strings.Trim(field, "0123456789") == ""
}

// each calls one with each line and its number.
func (s *scan) each(in *bufio.Reader, one func([]byte, int) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	number := 0
	for lines.Scan() {
		number++
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := one(line, number); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return s.broken(number+1, err)
	}
	return nil
}

// broken is the problem of a file that cannot be read on.
func (s *scan) broken(line int, err error) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return s.problem(line, fmt.Sprintf("is longer than %d bytes", maxLine), "")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return s.problem(line, "the file ends in the middle", "it is truncated: copy it again")
	}
	return s.problem(line, err.Error(), "")
}

// add yields a URL unless it repeats the last.
func (s *scan) add(url string) error {
	if url == s.last {
		return nil
	}
	s.last = url
	s.added++
	if !s.yield(url, nil) {
		return errStop
	}
	return nil
}

// strange leaves out a line of what a program wrote, such as one that was cut when a disk was full; it is a problem
// unless the list has more URLs before it than such lines.
func (s *scan) strange(line int, what, hint string) error {
	if s.odd++; s.odd >= s.added {
		return s.problem(line, what, hint)
	}
	s.leftOut++
	return nil
}

// page yields a URL as a program wrote it, or leaves it out.
func (s *scan) page(raw string) error {
	url, err := weburl.Canonical(raw)
	if err != nil || strings.HasSuffix(url, "/robots.txt") {
		s.leftOut++
		return nil
	}
	return s.add(url)
}

// urlLine reads a line of a list that a person may have written: a URL, or a comment.
func (s *scan) urlLine(line []byte, number int) error {
	if line[0] == '#' {
		return nil
	}
	url, err := weburl.Canonical(string(line))
	if err != nil {
		msg := err.Error()
		if len(msg) > 300 {
			msg = msg[:300] + "…"
		}
		return s.problem(number, "bad "+msg, "a list has one URL per line; or it is a sitemap, a CDX or CDXJ index, or pages of a WACZ file")
	}
	return s.add(url)
}

// jsonLine reads a line of pages.jsonl of a WACZ file. The first line describes the others.
func (s *scan) jsonLine(line []byte, number int) error {
	var one struct {
		URL    string `json:"url"`
		Status int    `json:"status"`
		Format string `json:"format"`
	}
	if err := json.Unmarshal(line, &one); err != nil {
		return s.strange(number, "is no JSON object: "+err.Error(), "")
	}
	switch {
	case one.URL == "" && one.Format != "" && number == 1:
		return nil
	case one.URL == "" || !isAnswer(one.Status):
		s.leftOut++
		return nil
	}
	return s.page(one.URL)
}

// isAnswer reports whether a status is that of a page; 0 is unknown.
func isAnswer(status int) bool { return status == 0 || status/100 == 2 }

// cdxjLine reads a line of a CDXJ index: key, time, JSON object.
func (s *scan) cdxjLine(line []byte, number int) error {
	if line[0] == '!' {
		return nil
	}
	at := bytes.IndexByte(line, '{')
	if at < 0 {
		return s.strange(number, "has no JSON object", "a line of a CDXJ index is key, time and a JSON object")
	}
	var one struct {
		URL    string `json:"url"`
		Status any    `json:"status"`
	}
	if err := json.Unmarshal(line[at:], &one); err != nil {
		return s.strange(number, "its JSON object cannot be read: "+err.Error(), "")
	}
	if one.URL == "" || !isStatus(fmt.Sprint(one.Status)) {
		s.leftOut++
		return nil
	}
	return s.page(one.URL)
}

// isStatus reports whether a status is that of a page, or unknown.
func isStatus(field string) bool {
	return field == "-" || field == "" || field == "<nil>" || len(field) == 3 && field[0] == '2'
}

// columns are those of a CDX index, from 0.
type columns struct{ url, status, least int }

// columnsOf reads the letters of a CDX header: a is the URL, s the status.
func columnsOf(letters []string) columns {
	c := columns{url: -1, status: -1}
	for i, letter := range letters {
		switch letter {
		case "a":
			c.url = i
		case "s":
			c.status = i
		}
	}
	c.least = max(c.url, c.status) + 1
	return c
}

// cdxLine reads a line of a CDX index.
func (s *scan) cdxLine(line []byte, number int) error {
	if s.columns.url < 0 {
		return s.problem(1, "the header of the CDX index has no column a, the URL", "")
	}
	fields := strings.Fields(string(line))
	if fields[0] == "CDX" {
		return nil
	}
	if len(fields) < s.columns.least {
		return s.strange(number, fmt.Sprintf("has %d of %d columns", len(fields), s.columns.least), "")
	}
	if s.columns.status >= 0 && !isStatus(fields[s.columns.status]) {
		s.leftOut++
		return nil
	}
	return s.page(fields[s.columns.url])
}
