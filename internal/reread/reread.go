// Package reread gives the responses of a crawl again: from the archive that it crawls, or from its own archive of the live Web, also
// while that grows.
package reread

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
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
)

// A Web replays responses from the archive that is crawled, or from the crawl's own archive of the live Web. It opens
// archives on first use.
type Web struct {
	File    *crawlfile.Crawl
	Archive *archive.Web // the crawled archive
	opened  bool         // by Fetch, so Close closes it

	Outcome func(ctx context.Context, url string) (orbweaver.Outcome, error) // of the crawl, by URL; nil: records are found by the archive's index alone
	removed func(url string) bool                                            // from the crawl; nil: not asked yet
}

// Close closes what Fetch opened.
func (w *Web) Close() error {
	if w.opened {
		return w.Archive.Close()
	}
	return nil
}

// Fetch returns a response and its payload. The error wraps ErrAbsent if the archive lacks the URL. An error that wraps
// no failure is about the archive itself.
func (w *Web) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, []byte, error) {
	if w.removed == nil {
		var err error
		if w.removed, err = takedown.Matcher(w.File.Output); err != nil {
			return nil, nil, errors.New(err.Error())
		}
	}
	if w.removed(r.URL) {
		return nil, nil, fmt.Errorf("%s was removed from the crawl: %w", r.URL, orbweaver.ErrAbsent)
	}
	if w.File.Web == nil {
		return w.Kept(ctx, r)
	}
	if w.Archive == nil {
		opened, err := archive.OpenWeb(w.File.Web.Archive, archive.WebOptions{MaxBody: max(w.File.Limits.Body, kind.DumpOf(w.File))})
		if err != nil {
			return nil, nil, errors.New(err.Error()) // unwrapped: not a failure of the request
		}
		w.Archive, w.opened = opened, true
	}
	return take(services.Answering(w.File.Documents, w.Archive).Fetch(ctx, r))
}

// take reads the whole payload of a response.
func take(response *step.Response, err error) (*step.Response, []byte, error) {
	if err != nil {
		return nil, nil, err
	}
	payload, err := pipeline.Payload(response, 0, nil) // bounded by WebOptions.MaxBody
	return response, payload, err
}

// Kept answers from the crawl's own archive. It reads only the index and the records of one URL, because the archive
// may be large and still growing.
func (w *Web) Kept(ctx context.Context, r orbweaver.Request) (*step.Response, []byte, error) {
	folder := crawlfolder.Archive(w.File.Output)
	if response, payload, err := w.placed(ctx, folder, r); err == nil || errors.Is(err, archive.ErrElsewhere) || errors.Is(err, archive.ErrAway) {
		return response, payload, err
	}
	records, err := recordsOf(folder, r.URL)
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	if len(records) == 0 {
		return nil, nil, fmt.Errorf("%s: %w", r.URL, orbweaver.ErrAbsent)
	}
	excerpt, err := excerptOf(folder, records)
	if errors.Is(err, archive.ErrAway) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	defer os.Remove(excerpt)
	web, err := archive.OpenWeb([]string{excerpt}, archive.WebOptions{Excerpt: folder, MaxBody: max(w.File.Limits.Body, kind.DumpOf(w.File))})
	if err != nil {
		return nil, nil, errors.New(err.Error())
	}
	defer web.Close()
	return take(web.Fetch(ctx, r))
}

// placed answers with the record of the request's outcome. The error says nothing: the record may be elsewhere.
func (w *Web) placed(ctx context.Context, folder string, r orbweaver.Request) (*step.Response, []byte, error) {
	if r.Purpose != orbweaver.ForPage || r.Query != "" || r.Accept != "" || w.Outcome == nil {
		return nil, nil, orbweaver.ErrAbsent
	}
	o, err := w.Outcome(ctx, r.URL)
	if err != nil {
		return nil, nil, err
	}
	response, err := archive.ReadAt(folder, o.Record)
	if err == nil {
		response.Request = r
	}
	return take(response, err)
}

// A place is the entry of a record in a CDXJ index. CDXJ writes numbers as strings.
type place struct {
	URL, Mime, Digest, Length, Offset, Filename string
}

// maxRecords is the maximum number of records of a URL that recordsOf returns.
const maxRecords = 4

// recordsOf returns the latest records of a URL, each revisit record preceded by the record whose payload it repeats.
func recordsOf(folder, url string) ([]place, error) {
	name, err := json.Marshal(url)
	if err != nil {
		return nil, err
	}
	records, err := findPlaces(folder, []byte(`"url":`+string(PlainJSON(name))), maxRecords)
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

// PlainJSON undoes the HTML escaping of json.Marshal, which the index does not use.
func PlainJSON(s []byte) []byte {
	for _, p := range [...][2]string{{`\u003c`, "<"}, {`\u003e`, ">"}, {`\u0026`, "&"}} {
		s = bytes.ReplaceAll(s, []byte(p[0]), []byte(p[1]))
	}
	return s
}

// findPlaces returns the last n lines of an archive's index that contain words. If n is -1, it returns the first such
// line that is not a revisit.
func findPlaces(folder string, words []byte, n int) (found []place, err error) {
	file, err := os.Open(filepath.Join(folder, "index.cdxj.part")) // in the order of writing
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for line, err := range Lines(file) {
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

// Lines yields the lines that end in a line feed; a line being written may still lack it. A line is valid until the
// next.
func Lines(r io.Reader) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 1<<20)
		var long []byte
		for {
			line, err := in.ReadSlice('\n')
			switch {
			case errors.Is(err, bufio.ErrBufferFull) && len(long) < MaxLine:
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

// MaxLine bounds a line of an index, or of pages.jsonl.
const MaxLine = 16 << 20

// excerptOf copies records, each a gzip member, to a temporary archive.
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
			return "", fmt.Errorf("%s: %w: an index line has no valid offset, length and file name", folder, orbweaver.ErrDamaged)
		}
		if err := copyPart(out, filepath.Join(folder, r.Filename), offset, length); err != nil {
			return "", err
		}
	}
	return out.Name(), nil
}

// copyPart copies length bytes of a file from offset.
func copyPart(out io.Writer, path string, offset, length int64) error {
	in, err := os.Open(path)
	if err != nil {
		return archive.Absent(path, err)
	}
	defer in.Close()
	_, err = io.Copy(out, io.NewSectionReader(in, offset, length))
	return err
}
