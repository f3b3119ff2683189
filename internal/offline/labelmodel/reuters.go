package labelmodel

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"

	"orbweaver"
	"orbweaver/internal/console"
)

// Limits of news files.
const (
	maxStory  = 16 << 20 // bytes of a <REUTERS> element; a longer one is skipped
	maxStored = 64 << 20 // bytes of a JSON file of stories
	maxPacked = 8 << 30  // decompressed bytes of a .tar file
	endStory  = "</REUTERS>"
)

// story is a document of Reuters-21578. number is its NEWID, which orders stories of the same time.
type story struct {
	document
	number int64
}

// news reads files of Reuters-21578 (Lewis 1997), as SGML or converted to JSON, possibly packed in a .tar
// file, and yields its stories by date. A story without a date follows the one before it.
func (s *source) news(ctx context.Context, paths []string, give func(document) error) error {
	done := s.AfterAWhile("sorting the stream by date")
	sorted, err := newSpool()
	if err != nil {
		done()
		return err
	}
	defer sorted.close()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			s.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
			continue
		}
		err = s.newsFile(ctx, path, f, sorted.add)
		if err = errors.Join(err, f.Close()); err != nil {
			done()
			return err
		}
	}
	done()
	return sorted.each(give)
}

// newsFile reads a file and reports what it cannot read. It returns only errors of the context and of
// keep.
func (s *source) newsFile(ctx context.Context, path string, f io.Reader, keep func(story) error) error {
	name := strings.ToLower(filepath.Base(path))
	if strings.HasSuffix(name, "gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			s.passOver(fmt.Errorf("%s: %w", path, err))
			return nil
		}
		f, name = z, strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), "gz")
	}
	if strings.HasSuffix(name, ".tar") || strings.HasSuffix(name, ".t") {
		return s.tar(ctx, path, f, keep)
	}
	return s.stories(ctx, path, f, keep)
}

// tar reads the news files of a tar archive, in its order.
func (s *source) tar(ctx context.Context, path string, f io.Reader, keep func(story) error) error {
	r := tar.NewReader(io.LimitReader(f, maxPacked))
	for {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			s.passOver(fmt.Errorf("%s: %w", path, err))
			return nil
		}
		if name := strings.ToLower(h.Name); h.Typeflag == tar.TypeReg && (strings.HasSuffix(name, ".sgm") || strings.HasSuffix(name, ".sgml") || strings.HasSuffix(name, ".json")) {
			if err := s.stories(ctx, path+": "+h.Name, r, keep); err != nil {
				return err
			}
		}
	}
}

// stories reads the stories of one file.
func (s *source) stories(ctx context.Context, name string, f io.Reader, keep func(story) error) error {
	var last time.Time
	take := func(raw rawStory) error {
		x := raw.story()
		if x.At.IsZero() {
			x.At = last
		}
		last = x.At
		return errors.Join(ctx.Err(), keep(x))
	}
	if strings.HasSuffix(strings.ToLower(name), ".json") {
		return s.jsonStories(name, io.LimitReader(f, maxStored), take)
	}
	return s.sgml(name, f, take)
}

// rawStory is a story as in its file: JSON's key names, text with entities.
type rawStory struct {
	Attrs             struct{ NewID string }
	Date, Title, Body string
}

// jsonStories reads the stories of a JSON array one after the other.
func (s *source) jsonStories(name string, f io.Reader, take func(rawStory) error) error {
	d := json.NewDecoder(f)
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		s.passOver(fmt.Errorf("%s: not a JSON array of stories", name))
		return nil
	}
	for d.More() {
		var raw rawStory
		if err := d.Decode(&raw); err != nil {
			s.passOver(fmt.Errorf("%s: at byte %d: %w", name, d.InputOffset(), err))
			return nil
		}
		if err := take(raw); err != nil {
			return err
		}
	}
	return nil
}

// sgml reads <REUTERS> elements and ignores the bytes between them.
func (s *source) sgml(name string, f io.Reader, take func(rawStory) error) error {
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 0, 64<<10), maxStory)
	in.Split(splitStories)
	found := false
	for in.Scan() {
		raw, ok := parseStory(in.Bytes())
		if !ok {
			continue
		}
		found = true
		if err := take(raw); err != nil {
			return err
		}
	}
	switch err := in.Err(); {
	case err != nil:
		s.passOver(fmt.Errorf("%s: %w", name, err))
	case !found:
		s.passOver(fmt.Errorf("%s: no <REUTERS> element in it", name))
	}
	return nil
}

// splitStories is a bufio.SplitFunc that splits after the end tag of an element.
func splitStories(data []byte, atEOF bool) (int, []byte, error) {
	if at := bytes.Index(data, []byte(endStory)); at >= 0 {
		return at + len(endStory), data[:at], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// parseStory parses an element without its end tag. It returns false if the start tag is missing.
func parseStory(b []byte) (raw rawStory, ok bool) {
	at := bytes.Index(b, []byte("<REUTERS"))
	if at < 0 {
		return raw, false
	}
	if b = b[at:]; !utf8.Valid(b) { // some bytes are Latin-1
		b, _ = charmap.Windows1252.NewDecoder().Bytes(b)
	}
	text := string(b)
	tag, rest, ok := strings.Cut(text, ">")
	if !ok {
		return raw, false
	}
	if _, id, ok := strings.Cut(tag, `NEWID="`); ok {
		raw.Attrs.NewID, _, _ = strings.Cut(id, `"`)
	}
	raw.Date, raw.Title, raw.Body = element(rest, "DATE"), element(rest, "TITLE"), element(rest, "BODY")
	return raw, true
}

// element returns the content of the first element with a name, or "".
func element(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	content, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return content
}

// story returns the document of a story: it resolves entities and removes control characters and the
// agency's name at the end.
func (r rawStory) story() story {
	plain := func(s string) string {
		return strings.TrimSpace(strings.Map(func(c rune) rune {
			if c < ' ' && c != '\n' && c != '\t' {
				return -1
			}
			return c
		}, html.UnescapeString(s)))
	}
	number, _ := strconv.ParseInt(r.Attrs.NewID, 10, 64)
	body := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(plain(r.Body), "Reuter"), "REUTER"))
	// All stories are English. The language detector would misclassify tables of figures.
	return story{document{ID: "reuters:" + console.Visible(r.Attrs.NewID, 40), Title: plain(r.Title), Text: body, Lang: "en", At: newsDate(r.Date)}, number}
}

// newsDate parses a date of Reuters-21578. Some dates have trailing garbage, one an invalid hour. It
// returns the zero time if s is not a date.
func newsDate(s string) time.Time {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ".")
	if t, err := time.Parse("2-Jan-2006 15:04:05", s); err == nil {
		return t
	}
	day, _, _ := strings.Cut(s, " ")
	t, err := time.Parse("2-Jan-2006", day)
	if err != nil {
		t, _ = dateOf(s)
	}
	return t
}
