//go:build e2e

package program_test

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"net/textproto"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// warcRecord is a record as ISO 28500 has it, read without the packages under test.
type warcRecord struct {
	header textproto.MIMEHeader
	block  []byte
}

// warcRecords reads a file of which every gzip member is one record, to its last byte.
func warcRecords(content []byte) (records []warcRecord, err error) {
	in := bufio.NewReader(bytes.NewReader(content))
	z := new(gzip.Reader)
	for {
		if _, err := in.Peek(1); err == io.EOF {
			return records, nil
		}
		if err := z.Reset(in); err != nil {
			return nil, fmt.Errorf("record %d: %w", len(records), err)
		}
		z.Multistream(false)
		member, err := io.ReadAll(z)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", len(records), err)
		}
		r, err := parseRecord(member)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", len(records), err)
		}
		records = append(records, r)
	}
}

func parseRecord(member []byte) (r warcRecord, err error) {
	in := bufio.NewReader(bytes.NewReader(member))
	text := textproto.NewReader(in)
	if line, err := text.ReadLine(); err != nil || line != "WARC/1.1" {
		return r, fmt.Errorf("begins with %q, %w", line, err)
	}
	if r.header, err = text.ReadMIMEHeader(); err != nil {
		return r, err
	}
	rest, _ := io.ReadAll(in)
	length, err := strconv.Atoi(r.header.Get("Content-Length"))
	if err != nil || length+4 != len(rest) || string(rest[length:]) != "\r\n\r\n" {
		return r, fmt.Errorf("Content-Length %s of %d bytes: %w", r.header.Get("Content-Length"), len(rest), err)
	}
	r.block = rest[:length]
	return r, r.check()
}

// check computes the digests again.
func (r warcRecord) check() error {
	if r.header.Get("WARC-Type") == "response" {
		_, payload, _ := bytes.Cut(r.block, []byte("\r\n\r\n"))
		return sameDigest(r.header.Get("WARC-Payload-Digest"), payload)
	}
	return sameDigest(r.header.Get("WARC-Block-Digest"), r.block)
}

func sameDigest(told string, content []byte) error {
	sum := sha1.Sum(content)
	if have := "sha1:" + base32.StdEncoding.EncodeToString(sum[:]); have != told {
		return fmt.Errorf("the digest is said to be %q and is %s", told, have)
	}
	return nil
}

// answers checks an archive: each record whole, each id once, each request with its answer, each
// revisit with its original before it. It returns the addresses answered, in order.
func answers(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	slices.Sort(files)
	var urls []string
	ids, payloads, requested := map[string]bool{}, map[string]bool{}, ""
	for _, file := range files {
		records, err := warcRecords(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i, r := range records {
			id, kind, target, digest := r.header.Get("WARC-Record-ID"), r.header.Get("WARC-Type"), r.header.Get("WARC-Target-URI"), r.header.Get("WARC-Payload-Digest")
			if ids[id] || id == "" {
				t.Errorf("%s: record %d has the id of another: %q", file, i, id)
			}
			ids[id] = true
			switch {
			case (i == 0) != (kind == "warcinfo"):
				t.Errorf("%s: record %d is a %s", file, i, kind)
			case kind == "request":
				requested = target
				continue
			case kind == "revisit" && !payloads[digest]:
				t.Errorf("%s: record %d revisits what is not there: %s", file, i, digest)
			}
			if kind == "warcinfo" {
				continue
			}
			if target != requested {
				t.Errorf("%s: record %d answers %s, asked for was %s", file, i, target, requested)
			}
			payloads[digest] = true
			urls = append(urls, target)
		}
	}
	return urls
}
