package inspect

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
)

// webs answer again what a crawl was answered: from the archive that was its web, or from the one that
// it keeps of the live Web. Archives are opened when they are first needed.
type webs struct {
	file    *crawlfile.Crawl
	Archive *archive.Web // that is crawled
	opened  bool         // here, and closed here
}

func (w *webs) close() error {
	if w.opened {
		return w.Archive.Close()
	}
	return nil
}

// fetch returns an answer and its payload. The error wraps ErrAbsent for what the archive lacks; one
// that wraps no failure is of the archive itself.
func (w *webs) fetch(ctx context.Context, r orbweaver.Request) (*step.Response, []byte, error) {
	if w.file.Web == nil {
		return w.kept(ctx, r)
	}
	if w.Archive == nil {
		opened, err := archive.OpenWeb(w.file.Web.Archive, archive.WebOptions{MaxBody: w.file.Limits.Body})
		if err != nil {
			return nil, nil, errors.New(err.Error()) // not the fault of what is asked for
		}
		w.Archive, w.opened = opened, true
	}
	return take(services.Answering(w.file.Documents, w.Archive).Fetch(ctx, r))
}

// take reads a response whole.
func take(response *step.Response, err error) (*step.Response, []byte, error) {
	if err != nil {
		return nil, nil, err
	}
	payload, err := pipeline.Payload(response, 0, nil) // the web bounds it
	return response, payload, err
}

// kept answers from the crawl's own archive, of which no more is read than the index and the records
// of one URL: it may be large, and grow meanwhile.
func (w *webs) kept(ctx context.Context, r orbweaver.Request) (*step.Response, []byte, error) {
	folder := crawlfolder.Archive(w.file.Output)
	records, err := recordsOf(folder, r.URL)
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	if len(records) == 0 {
		return nil, nil, fmt.Errorf("%s: %w", r.URL, orbweaver.ErrAbsent)
	}
	excerpt, err := excerptOf(folder, records)
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	defer os.Remove(excerpt)
	web, err := archive.OpenWeb([]string{excerpt}, archive.WebOptions{MaxBody: w.file.Limits.Body})
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	defer web.Close()
	return take(web.Fetch(ctx, r))
}

// A place is a record by the index of an archive. Its numbers are strings by that format's custom.
type place struct {
	URL, Mime, Digest, Length, Offset, Filename string
}

// maxRecords is how many of the records of one URL are looked at, the latest.
const maxRecords = 4

// recordsOf finds the latest records of a URL in the index of an archive, and those that they repeat
// the bytes of, which stand before them.
func recordsOf(folder, url string) ([]place, error) {
	name, err := json.Marshal(url)
	if err != nil {
		return nil, err
	}
	records, err := findPlaces(folder, []byte(`"url":`+string(plainJSON(name))), maxRecords)
	if err != nil {
		return nil, err
	}
	var all []place
	for _, r := range records {
		if r.Mime == "warc/revisit" {
			same, err := findPlaces(folder, []byte(`"digest":"`+r.Digest+`"`), -1)
			if err != nil {
				return nil, err
			}
			all = append(all, same...)
		}
		all = append(all, r)
	}
	return all, nil
}

// plainJSON undoes what json.Marshal does for HTML's sake, which the index does without.
func plainJSON(s []byte) []byte {
	for _, p := range [...][2]string{{`\u003c`, "<"}, {`\u003e`, ">"}, {`\u0026`, "&"}} {
		s = bytes.ReplaceAll(s, []byte(p[0]), []byte(p[1]))
	}
	return s
}

// findPlaces looks for lines of an archive's index that hold some words; the last n of them, or with
// n = -1 the first that is no revisit.
func findPlaces(folder string, words []byte, n int) (found []place, err error) {
	file, err := os.Open(filepath.Join(folder, "index.cdxj.part")) // in the order of writing
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for line, err := range linesIn(file) {
		if err != nil {
			return nil, err
		}
		var p place
		at := bytes.IndexByte(line, '{')
		if at < 0 || !bytes.Contains(line, words) || json.Unmarshal(line[at:], &p) != nil {
			continue
		}
		if n < 0 && p.Mime != "warc/revisit" {
			return []place{p}, nil
		}
		if n > 0 {
			found = append(found, p)
			found = found[max(0, len(found)-n):]
		}
	}
	return found, nil
}

// linesIn ranges over the lines of a file that end in a line feed: one that is written may end in the
// middle. A line is good until the next.
func linesIn(r io.Reader) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 1<<20)
		var long []byte
		for {
			line, err := in.ReadSlice('\n')
			switch {
			case errors.Is(err, bufio.ErrBufferFull) && len(long) < maxLine:
				long = append(long, line...)
				continue
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, err)
				return
			case len(long) > 0:
				line = append(long, line...)
				long = line[:0]
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// maxLine bounds a line of an index, or of pages.jsonl.
const maxLine = 16 << 20

// excerptOf copies records, which are gzip members, to an archive of their own.
func excerptOf(folder string, records []place) (path string, err error) {
	out, err := os.CreateTemp("", "orbweaver-*.warc.gz")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	for _, r := range records {
		offset, err1 := strconv.ParseInt(r.Offset, 10, 64)
		length, err2 := strconv.ParseInt(r.Length, 10, 64)
		if err := errors.Join(err1, err2); err != nil || filepath.Base(r.Filename) != r.Filename {
			return "", fmt.Errorf("%s: %w: a line of its index names no place", folder, orbweaver.ErrDamaged)
		}
		if err := copyPart(out, filepath.Join(folder, r.Filename), offset, length); err != nil {
			return "", err
		}
	}
	return out.Name(), nil
}

// copyPart copies a part of a file.
func copyPart(out io.Writer, path string, offset, length int64) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, io.NewSectionReader(in, offset, length))
	return err
}
