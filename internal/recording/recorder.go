// Package recording keeps a crawl's own archive: it writes the records of what was received, and reads them again.
package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/scratch"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A Recorder writes the crawl's own archive for the engine and the gate. It also archives robots.txt files and JSON-LD
// contexts, once each: a replay needs them to follow the same links and to read the same data. All methods except Pack
// run on the decider goroutine.
type Recorder struct {
	*archive.Writer
	known *archive.Known // what other archives have; nil: not asked
	kept  *urlSet        // URLs of the archived robots.txt files and contexts
	moved bool           // one was added since the last batch
	err   error          // the first failure to add one
}

// Kept reports whether a crawl keeps an archive of its own.
func Kept(c *crawlfile.Crawl) bool {
	return c.Archive.Keep != "off" && (c.Archive.Keep != "auto" || c.Web == nil)
}

// effort returns how much work the compression of a record may cost. Over an archive it never changes, so that the same crawl writes the
// same bytes.
func effort(c *crawlfile.Crawl, load *step.Load) func() archive.Effort {
	return func() archive.Effort {
		switch {
		case c.Archive.Compression == "small", c.Web == nil && load.Alone():
			return archive.Thorough
		case c.Web == nil && load.Heavy():
			return archive.Hasty
		}
		return archive.Usual
	}
}

// Open opens the crawl's own archive, truncated to a mark. It returns nil if the crawl keeps none.
func Open(c *crawlfile.Crawl, mark []byte, load *step.Load) (*Recorder, error) {
	if !Kept(c) {
		return nil, nil
	}
	var m archive.Mark
	if mark != nil {
		if err := json.Unmarshal(mark, &m); err != nil {
			return nil, fmt.Errorf("archive: %w: %w", orbweaver.ErrDamaged, err)
		}
	}
	folder := filepath.Join(c.Output, "archive")
	w, err := archive.OpenWriter(folder, m, archive.WriterOptions{Prefix: c.Name(), Effort: effort(c, load)})
	if err != nil {
		return nil, err
	}
	kept := newURLSet(folder)
	if err := archivedAsides(filepath.Join(folder, "index.cdxj.part"), kept.add); err != nil {
		return nil, errors.Join(fmt.Errorf("archive: %w", err), kept.Close(), w.Close())
	}
	return &Recorder{Writer: w, kept: kept}, nil
}

// Close closes the archive.
func (r *Recorder) Close() error {
	err := errors.Join(r.Writer.Close(), r.kept.Close())
	if r.known != nil {
		err = errors.Join(err, r.known.Close())
	}
	return err
}

// A urlSet is a set of URL hashes within a bound of memory. The hashes are seeded, so that sites cannot provoke
// collisions.
type urlSet struct {
	seed maphash.Seed
	scratch.Map
}

func newURLSet(folder string) *urlSet {
	return &urlSet{maphash.MakeSeed(), scratch.Map{Open: scratch.In(folder)}}
}

// has reports whether the set contains a URL.
func (s *urlSet) has(url string) (bool, error) {
	_, known, err := s.Get(maphash.String(s.seed, url))
	return known, err
}

// add adds a URL.
func (s *urlSet) add(url string) error { return s.Put(maphash.String(s.seed, url), scratch.Value{}) }

// archivedAsides calls do for each robots.txt file and context in the index of an archive open for writing.
func archivedAsides(index string, do func(url string) error) error {
	file, err := os.Open(index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil { // end of file; OpenWriter has read the whole index without error
			return nil
		}
		var entry struct{ URL, Purpose string }
		at := bytes.IndexByte(line, '{')
		if at < 0 || !bytes.Contains(line, []byte("/robots.txt")) && !bytes.Contains(line, []byte(`"purpose":`)) ||
			json.Unmarshal(line[at:], &entry) != nil {
			continue
		}
		if strings.HasSuffix(entry.URL, "/robots.txt") || entry.Purpose == archive.PurposeContext {
			if err := do(entry.URL); err != nil {
				return err
			}
		}
	}
}

// Pack makes the WARC records of an exchange and sets response.Digest to the payload's digest. It may be called by
// several goroutines.
func (r *Recorder) Pack(response *step.Response, payload []byte) (any, error) {
	packed, err := r.Writer.Pack(response, payload)
	if err != nil {
		return nil, err
	}
	response.Digest = packed.Digest()
	return packed, nil
}

// Append writes records made by Pack. For an aside it returns the zero Ref.
func (r *Recorder) Append(packed any) (orbweaver.Ref, error) {
	if a, ok := packed.(*contexts.Aside); ok {
		r.Keep(a.Response, a.Payload)
		return orbweaver.Ref{}, r.err
	}
	return r.Writer.Append(packed.(*archive.Packed))
}

// Mark returns the end of the archive. The ledger flushes the archive before it writes a batch with the mark.
func (r *Recorder) Mark() ([]byte, error) { return json.Marshal(r.Writer.Mark()) }

// Keep archives a robots.txt file or a context, unless the archive has it.
func (r *Recorder) Keep(response *step.Response, payload []byte) {
	url := response.Request.URL
	if r.err != nil {
		return
	}
	known, err := r.kept.has(url)
	if err == nil && known {
		return
	}
	if err == nil {
		err = r.kept.add(url)
	}
	if err != nil {
		r.err = fmt.Errorf("archive %s: %w", url, err)
		return
	}
	r.moved = true
	packed, err := r.Writer.Pack(response, payload)
	if err == nil {
		_, err = r.Writer.Append(packed)
	}
	if err != nil {
		r.err = fmt.Errorf("archive %s: %w", url, err)
	}
}

// A Book is the ledger of a crawl that keeps an archive. Robots.txt files fetched while an outcome is decided follow
// the outcome's own record in the archive. The mark in the outcome's batch is behind them, so that a resumed crawl has
// each of them exactly once.
type Book struct {
	*ledger.Ledger
	Recorder *Recorder
}

// Commit writes a batch with the archive's newest mark.
func (b Book) Commit(batch step.Batch) (err error) {
	if b.Recorder.err != nil {
		return b.Recorder.err
	}
	if b.Recorder.moved {
		if batch.Archive, err = b.Recorder.Mark(); err != nil {
			return err
		}
		b.Recorder.moved = false
	}
	return b.Ledger.Commit(batch)
}
