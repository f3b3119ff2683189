package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// writeWARC writes the Web as WARC 1.1: one warcinfo record, then per document the request, if known, and the
// response, each a gzip member. Dates are fixed, a second apart; ids are derived from the addresses.
func writeWARC(out io.Writer, documents []document) error {
	at := time.Date(2026, time.March, 1, 8, 0, 0, 0, time.UTC)
	info := []byte("software: orbweaver demoweb\r\nformat: WARC File Format 1.1\r\ndescription: an invented Web, made from facts and sentences\r\n")
	z := gzip.NewWriter(io.Discard) // reused for all records: it is large
	err := writeRecord(z, out, [][2]string{
		{"WARC-Type", "warcinfo"},
		{"WARC-Record-ID", recordID("warcinfo")},
		{"WARC-Date", at.Format(time.RFC3339)},
		{"WARC-Filename", "demo.warc.gz"},
		{"Content-Type", "application/warc-fields"},
	}, info)
	for _, d := range documents {
		if err != nil {
			return err
		}
		at = at.Add(time.Second)
		id := recordID(d.url)
		if d.accept != "" {
			id = recordID(d.url + " " + d.accept)
			if err = writeRequest(z, out, d, id, at); err != nil {
				return err
			}
		}
		block := httpResponse(d)
		err = writeRecord(z, out, [][2]string{
			{"WARC-Type", "response"},
			{"WARC-Record-ID", id},
			{"WARC-Date", at.Format(time.RFC3339)},
			{"WARC-Target-URI", d.url},
			{"Content-Type", "application/http;msgtype=response"},
			{"WARC-Payload-Digest", digest(d.body)},
			{"WARC-Block-Digest", digest(block)},
		}, block)
	}
	return err
}

// writeRequest writes the request of a document.
func writeRequest(z *gzip.Writer, out io.Writer, d document, id string, at time.Time) error {
	_, rest, _ := strings.Cut(d.url, "://")
	host, path, _ := strings.Cut(rest, "/")
	block := fmt.Appendf(nil, "GET /%s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\n\r\n", path, host, d.accept)
	return writeRecord(z, out, [][2]string{
		{"WARC-Type", "request"},
		{"WARC-Record-ID", recordID("request " + d.url + " " + d.accept)},
		{"WARC-Date", at.Format(time.RFC3339)},
		{"WARC-Target-URI", d.url},
		{"WARC-Concurrent-To", id},
		{"Content-Type", "application/http;msgtype=request"},
		{"WARC-Block-Digest", digest(block)},
	}, block)
}

// writeRecord writes one record as one gzip member, without name or time.
func writeRecord(z *gzip.Writer, out io.Writer, header [][2]string, block []byte) error {
	z.Reset(out)
	var head bytes.Buffer
	head.WriteString("WARC/1.1\r\n")
	for _, h := range header {
		fmt.Fprintf(&head, "%s: %s\r\n", h[0], h[1])
	}
	fmt.Fprintf(&head, "Content-Length: %d\r\n\r\n", len(block))
	for _, part := range [][]byte{head.Bytes(), block, []byte("\r\n\r\n")} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	return z.Close()
}

// httpResponse returns a document as an HTTP response.
func httpResponse(d document) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\n", d.status, http.StatusText(d.status))
	for _, h := range d.header {
		fmt.Fprintf(&out, "%s: %s\r\n", h[0], h[1])
	}
	fmt.Fprintf(&out, "Content-Length: %d\r\n\r\n", len(d.body))
	out.Write(d.body)
	return out.Bytes()
}

// digest returns the SHA-1 of data in the notation of WARC files.
func digest(data []byte) string {
	sum := sha1.Sum(data)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// recordID returns a UUID of version 5 derived from a name.
func recordID(name string) string {
	u := sha1.Sum([]byte("http://skylines.example/records/" + name))
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
}
