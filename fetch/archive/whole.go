package archive

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver"
)

// whole writes a revisit, or the record of an ARC file, as the full response, under its own id, and updates its description.
func (c *Copier) whole(h Holding, told *Copied) ([]byte, error) {
	source := c.stock.sources[h.own.file]
	var fields []byte
	var err error
	if source.arc {
		fields = c.record.header.warcFields(orbweaver.Ref{File: source.name, Offset: h.own.offset})
	} else {
		fields, err = keptFields(c.record, source, h.own)
	}
	if err != nil {
		return nil, damagedAt(source, h.own, err)
	}
	resp, err := c.stock.Response(h, c.limit)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	payload, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.Status < 100 || resp.Status > 999 {
		return nil, fmt.Errorf("%s: %w: status %d", told.URL, orbweaver.ErrMalformed, resp.Status)
	}
	told.Status, told.MediaType = resp.Status, plainMedia(resp.Header.Get("Content-Type"))
	told.Digest = digestOf(sha1.Sum(payload))
	head := appendHead(nil, resp, payload)
	fields = appendField(fields, "WARC-Type", "response")
	fields = appendField(fields, "Content-Type", "application/http;msgtype=response")
	fields = appendField(fields, "Content-Length", strconv.Itoa(len(head)+len(payload)))
	fields = appendField(fields, "WARC-Payload-Digest", told.Digest)
	var out bytes.Buffer
	c.plate.record(&out, Usual, resp.Header, fields, head, payload)
	return out.Bytes(), nil
}

// keptFields returns the start of a WARC header: the fields of a revisit that also hold for the full response.
func keptFields(r *record, s *source, at span) ([]byte, error) {
	if err := r.unpack(s, at.offset, at.length); err != nil {
		return nil, err
	}
	in, budget := r.out, maxWARCHead
	if err := readVersion(in, &budget); err != nil {
		return nil, cut(err)
	}
	kept, keeping := []byte("WARC/1.1\r\n"), false
	for {
		line, err := readLine(in, &budget)
		if err != nil {
			return nil, cut(err)
		}
		if len(line) == 0 {
			return kept, nil
		}
		if line[0] != ' ' && line[0] != '\t' {
			name, _, ok := bytes.Cut(line, []byte(":"))
			keeping = ok && isKept(string(name))
		}
		if keeping {
			kept = append(append(kept, line...), "\r\n"...)
		}
	}
}

// isKept reports whether a field means the same in a revisit and in its full response.
func isKept(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "warc-record-id", "warc-date", "warc-target-uri", "warc-concurrent-to", "warc-ip-address",
		"warc-protocol", "warc-cipher-suite", renderedField:
		return true
	}
	return false
}
