package assembly

import (
	"bufio"
	"bytes"
	"cmp"
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

// A recorder is the archive as the engine sees it, and as the gate does: what robots.txt files
// forbade, and what data meant by the contexts it named, is part of what a crawl was, so these are
// kept too, once each. It is for the goroutine that decides, but for Pack.
type recorder struct {
	*archive.Writer
	kept  *urlSet // of the robots.txt files and contexts that the archive has
	moved bool    // one was added since the last batch
	err   error   // of one that could not be added
}

// openRecorder opens the crawl's own archive as of a mark; nil when the crawl keeps none.
func openRecorder(c *crawlfile.Crawl, mark []byte) (*recorder, error) {
	if c.Archive == "off" || c.Archive == "auto" && c.Web != nil {
		return nil, nil
	}
	var m archive.Mark
	if mark != nil {
		if err := json.Unmarshal(mark, &m); err != nil {
			return nil, fmt.Errorf("archive: %w: %w", orbweaver.ErrDamaged, err)
		}
	}
	folder := filepath.Join(c.Output, "archive")
	w, err := archive.OpenWriter(folder, m, archive.WriterOptions{Prefix: c.Name()})
	if err != nil {
		return nil, err
	}
	kept := newURLSet(folder)
	if err := archivedAsides(filepath.Join(folder, "index.cdxj.part"), kept.add); err != nil {
		return nil, errors.Join(fmt.Errorf("archive: %w", err), kept.Close(), w.Close())
	}
	return &recorder{Writer: w, kept: kept}, nil
}

// Close closes the archive.
func (r *recorder) Close() error { return errors.Join(r.Writer.Close(), r.kept.Close()) }

// A urlSet knows URLs by hashes, which nobody outside can choose, within a bound of memory.
type urlSet struct {
	seed maphash.Seed
	scratch.Map
}

func newURLSet(folder string) *urlSet {
	return &urlSet{maphash.MakeSeed(), scratch.Map{Open: scratch.In(folder)}}
}

// has reports whether a URL is known.
func (s *urlSet) has(url string) (bool, error) {
	_, known, err := s.Get(maphash.String(s.seed, url))
	return known, err
}

// add adds a URL.
func (s *urlSet) add(url string) error { return s.Put(maphash.String(s.seed, url), scratch.Value{}) }

// archivedAsides calls do for the robots.txt files and contexts in the index of an archive that is open
// for writing.
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
		if err != nil { // the writer read it to its end before
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

// Pack makes records of an exchange, and leaves the payload's digest in the response.
func (r *recorder) Pack(response *step.Response, payload []byte) (any, error) {
	packed, err := r.Writer.Pack(response, payload)
	if err != nil {
		return nil, err
	}
	response.Digest = packed.Digest()
	return packed, nil
}

// Append writes what Pack made, or keeps an aside, which is nowhere then.
func (r *recorder) Append(packed any) (orbweaver.Ref, error) {
	if a, ok := packed.(*contexts.Aside); ok {
		r.keep(a.Response, a.Payload)
		return orbweaver.Ref{}, r.err
	}
	return r.Writer.Append(packed.(*archive.Packed))
}

// Mark is how far the archive goes. The ledger has it flushed before a batch that says so is written.
func (r *recorder) Mark() ([]byte, error) { return json.Marshal(r.Writer.Mark()) }

// keep writes an answer, unless the archive has it.
func (r *recorder) keep(response *step.Response, payload []byte) {
	url := response.Request.URL
	if r.err != nil {
		return
	}
	known, err := r.kept.has(url)
	if err == nil && known {
		return
	}
	if err = cmp.Or(err, r.kept.add(url)); err != nil {
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

// A book is the ledger of a crawl that keeps an archive. The robots.txt files asked for while an
// outcome is decided come into the archive after the outcome's own record: its batch has the mark
// behind them, so that a resumed crawl lacks none and writes none twice.
type book struct {
	*ledger.Ledger
	recorder *recorder
}

// Commit writes a batch with the archive's newest mark.
func (b book) Commit(batch step.Batch) (err error) {
	if b.recorder.err != nil {
		return b.recorder.err
	}
	if b.recorder.moved {
		if batch.Archive, err = b.recorder.Mark(); err != nil {
			return err
		}
		b.recorder.moved = false
	}
	return b.Ledger.Commit(batch)
}
