package labelmodel

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"orbweaver"
)

// lines reads a file with one JSON object per line: id, title, text, date, lang. Missing keys are empty;
// without an id, file name and line number identify the document.
func (s *source) lines(path string, give func(document) error) error {
	f, err := os.Open(path)
	if err != nil {
		s.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
		return nil
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			s.passOver(fmt.Errorf("%s: %w", path, err))
			return nil
		}
		in = z
	}
	r := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, whole, err := nextLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			s.passOver(fmt.Errorf("%s:%d: %w", path, n, err))
			return nil
		}
		if d, ok := s.line(path, n, line, whole); ok {
			if err := give(d); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// nextLine reads a line and keeps at most maxLine bytes of it; whole reports that nothing was cut off.
func nextLine(r *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			whole = false
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// line parses the document of a line; it returns false for an empty line.
func (s *source) line(path string, n int, line []byte, whole bool) (document, bool) {
	var in struct {
		document
		Date string `json:"date"`
	}
	at := fmt.Sprintf("%s:%d", filepath.ToSlash(path), n)
	if !whole {
		s.passOver(fmt.Errorf("%s: a line of more than %d bytes: %w", at, maxLine, orbweaver.ErrTooLarge))
		return document{}, false
	}
	if len(strings.TrimSpace(string(line))) == 0 {
		return document{}, false
	}
	if err := json.Unmarshal(line, &in); err != nil {
		s.passOver(fmt.Errorf("%s: %w", at, err))
		return document{}, false
	}
	if in.ID == "" {
		in.ID = fmt.Sprintf("%s:%d", filepath.Base(path), n)
	}
	in.At, _ = dateOf(in.Date)
	return in.document, true
}

// dateOf parses a date in common formats; it returns false if s is not a date.
func dateOf(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02", time.RFC1123Z, time.RFC1123, "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
