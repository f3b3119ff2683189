package archive

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
)

// An ARC file is the Internet Archive's format before WARC (version 1 and 2): records of one line, which says URL, IP
// address, date, media type, in version 2 five fields more, and the length of the HTTP answer that follows. The first
// record describes the file. Records are compressed as those of WARC files are.

// errNoARC means that a line does not start an ARC record.
var errNoARC = errors.New("not an ARC record")

// isARC reports whether a file begins as ARC files do.
func (s *source) isARC() bool {
	var in io.Reader = io.NewSectionReader(s.file, s.from, s.size-s.from)
	if s.compressed {
		unzip, err := gzip.NewReader(in)
		if err != nil {
			return false
		}
		in = unzip
	}
	var start [11]byte
	_, err := io.ReadFull(in, start[:])
	return err == nil && string(start[:]) == "filedesc://"
}

// beginsARC reports whether the record at an offset is one of an ARC file.
func (s *source) beginsARC(offset int64) bool {
	var in io.Reader = io.NewSectionReader(s.file, offset, max(s.size-offset, 0))
	if s.compressed {
		unzip, err := gzip.NewReader(in)
		if err != nil {
			return false
		}
		in = unzip
	}
	start := make([]byte, maxARCLine)
	n, _ := io.ReadFull(in, start)
	line, _ := nextLine(start[:n])
	_, ok := parseARC(line)
	return ok
}

// readHeader reads the header of a record of the source's format.
func (s *source) readHeader(r *bufio.Reader) (header, error) {
	if s.arc {
		return readARC(r)
	}
	return readHeader(r)
}

// readARC reads the line that begins an ARC record. It returns io.EOF if only line ends are left.
func readARC(r *bufio.Reader) (header, error) {
	budget := maxWARCHead
	for {
		line, err := readLine(r, &budget)
		switch {
		case err == io.EOF && len(line) == 0:
			return header{}, io.EOF
		case err == io.EOF:
			return header{}, io.ErrUnexpectedEOF
		case err != nil:
			return header{}, err
		case len(line) == 0:
			continue
		}
		h, ok := parseARC(line)
		if !ok {
			return header{}, errNoARC
		}
		return h, nil
	}
}

// parseARC reads the line of a record. URLs and media types may have spaces in them, which no writer should have left.
func parseARC(line []byte) (h header, ok bool) {
	fields := bytes.Split(line, []byte(" "))
	last := len(fields) - 1
	if last < 4 {
		return h, false
	}
	length, err := strconv.ParseInt(string(fields[last]), 10, 64)
	if err != nil || length < 0 {
		return h, false
	}
	for i := 2; i < last; i++ {
		date, ok := arcDate(fields[i])
		if _, err := netip.ParseAddr(string(fields[i-1])); !ok || err != nil {
			continue
		}
		h = header{target: string(bytes.Join(fields[:i-1], []byte(" "))), date: date, length: length, kind: "metadata"}
		if bytes.HasPrefix(line, []byte("http://")) || bytes.HasPrefix(line, []byte("https://")) {
			h.kind, h.contentType = "response", "application/http;msgtype=response"
		}
		return h, true
	}
	return h, false
}

// arcDate reads a date: year to second, without anything between.
func arcDate(b []byte) (time.Time, bool) {
	const layout = "20060102150405"
	if len(b) < len(layout) || len(b) > len(layout)+6 {
		return time.Time{}, false
	}
	for _, c := range b {
		if !isDigit(c) {
			return time.Time{}, false
		}
	}
	date, err := time.Parse(layout, string(b[:len(layout)]))
	if err != nil {
		date = time.Time{} // it is one all the same
	}
	return date, true
}

// startsRecord reports whether bytes start as a record of the source's format does.
func (s *source) startsRecord(start []byte) bool {
	if !s.arc {
		return bytes.HasPrefix(start, []byte("WARC/"))
	}
	line, _ := nextLine(start)
	_, ok := parseARC(line)
	return ok
}

// warcFields is the start of the WARC header of an ARC record. The record's id follows from its place and content.
func (h *header) warcFields(ref orbweaver.Ref) []byte {
	sum := sha1.Sum(fmt.Appendf(nil, "%s %s %s %d", h.target, h.date, ref.File, ref.Offset))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80 // a UUID of version 5
	id := fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	b := appendField([]byte("WARC/1.1\r\n"), "WARC-Record-ID", id)
	b = appendField(b, "WARC-Target-URI", h.target)
	return appendField(b, "WARC-Date", warcDate(h.date))
}
