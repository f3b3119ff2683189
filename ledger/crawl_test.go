package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// ringSize is the number of pages: enough for the database to have tables and several logs.
const ringSize = 80

// manyStatements exceed the batch of their page.
const manyStatements = 20

// A ring is a web of that many pages; each links to some others by a rule.
type ring int

func (n ring) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	var at int
	if _, err := fmt.Sscanf(r.URL, "http://a/%d", &at); err != nil {
		return nil, err
	}
	var body strings.Builder
	for k := 1; k <= 9; k++ {
		fmt.Fprintf(&body, "http://a/%d\n", (at*k+7*k*k)%int(n))
	}
	return &step.Response{Request: r, Status: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body.String()))}, nil
}

// Read reads a page of one link per line.
func (n ring) Read(_ context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	p := &orbweaver.Page{Request: r.Request, URL: r.Request.URL, Status: r.Status, Text: string(payload)}
	for line := range strings.Lines(string(payload)) {
		p.Links = append(p.Links, orbweaver.Link{To: strings.TrimSpace(line), Context: strings.Repeat("what is said around it ", 4)})
	}
	p.Quads = said(r.Request.URL)
	return p, nil
}

// said returns the statements of a page; some pages have too many for their batch.
func said(url string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		n := 3
		if strings.HasSuffix(url, "7") {
			n = manyStatements + 3
		}
		for i := range n {
			q := rdf.Quad{S: rdf.NewIRI(url), P: rdf.NewIRI("http://v/p"), O: rdf.NewString(fmt.Sprintf("statement %d of %s", i, url))}
			switch i {
			case 1:
				q.S = rdf.NewBlank("b")
			case 2: // what of RDF 1.2 there is
				q.O = rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("b"), P: q.P, O: rdf.NewDirLang(q.O.Value, "ar", rdf.RTL)})
			}
			if !yield(q, nil) || !yield(rdf.Quad{}, errors.New("a mistake")) {
				return
			}
		}
	}
}

// checkSaid checks that the store has exactly the statements of the pages of a ring.
func checkSaid(t *testing.T, dir string, disk vfs.FS, pages int) {
	t.Helper()
	book, err := ledger.OpenOn(dir, disk, ledger.OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	want, have := 0, map[string]int{}
	for q, err := range book.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		if err != nil {
			t.Fatal(err)
		}
		have[q.G.Value]++
	}
	for at := range pages {
		url, n := fmt.Sprintf("http://a/%d", at), 0
		for _, err := range said(url) {
			if err == nil {
				n++
			}
		}
		if want += n; have[url] != n {
			t.Fatalf("%s: %d statements, want %d", url, have[url], n)
		}
	}
	if all := book.Statements(); len(have) != pages || want != countOf(t, all) {
		t.Fatalf("%d graphs", len(have))
	}
}

// countOf counts the statements of a snapshot, and closes it.
func countOf(t *testing.T, s *quads.Snapshot) int {
	t.Helper()
	n, err := s.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// A counting focus scores links by the number of links to their target so far, so that a crawl depends on its
// whole history.
type counting struct{ seen map[string]int }

func (c *counting) score(url string) float64 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, url)
	return float64(c.seen[url]) + float64(h.Sum32())/(1<<33)
}

func (c *counting) Judge(context.Context, *orbweaver.Page) (orbweaver.Judgement, error) {
	return orbweaver.Judgement{Score: .5, Accepted: true}, nil
}

func (c *counting) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	var plan []orbweaver.Proposal
	for _, l := range p.Links {
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: l.To, Via: &l},
			Judgement: orbweaver.Judgement{Score: c.score(l.To)}, Keys: []string{l.To},
		})
	}
	return plan, nil
}

func (c *counting) Learn(_ context.Context, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	for _, l := range o.Page.Links {
		c.seen[l.To]++
		lesson.Stale = append(lesson.Stale, l.To)
	}
	return lesson, nil
}

func (c *counting) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	p.Score = c.score(p.URL)
	return p.Judgement
}

func (c *counting) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(c.seen) }
func (c *counting) Restore(r io.Reader) error  { return json.NewDecoder(r).Decode(&c.seen) }

// A tape is an archive beside the database, with one line per exchange.
type tape struct {
	file     vfs.File
	gathered []byte
	length   int
}

// openTape opens a tape and truncates it to a mark. A shorter one is damaged.
func openTape(on vfs.FS, dir string, mark []byte) (*tape, error) {
	path, r, content := filepath.Join(dir, "ledger", "tape"), &tape{}, []byte(nil)
	_, _ = fmt.Sscan(string(mark), &r.length)
	if old, err := on.Open(path); err == nil {
		if content, err = io.ReadAll(old); err != nil {
			return nil, err
		}
	}
	if len(content) < r.length {
		return nil, fmt.Errorf("%s: %w: %d bytes of %d", path, orbweaver.ErrDamaged, len(content), r.length)
	}
	folder, err := on.OpenDir(filepath.Dir(path))
	if err == nil {
		r.file, err = on.Create(path, "archive")
	}
	if err == nil {
		_, err = r.file.Write(content[:r.length])
	}
	if err == nil {
		err = errors.Join(r.file.Sync(), folder.Sync(), folder.Close())
	}
	return r, err
}

func (r *tape) Pack(response *step.Response, _ []byte) (any, error) {
	return response.Request.URL + "\n", nil
}

func (r *tape) Append(packed any) (orbweaver.Ref, error) {
	r.gathered = append(r.gathered, packed.(string)...)
	r.length += len(packed.(string))
	return orbweaver.Ref{}, nil
}

func (r *tape) Mark() ([]byte, error) { return json.Marshal(r.length) }

func (r *tape) flush() error {
	_, err := r.file.Write(r.gathered)
	r.gathered = nil
	return err
}

func (r *tape) sync() error { return errors.Join(r.flush(), r.file.Sync()) }

// sit crawls until the web is exhausted or the given number of pages is reached. It flushes the ledger at
// every third page and syncs it at every tenth. It returns the result before the ledger is closed.
func sit(t *testing.T, book *ledger.Ledger, archive *tape, pages int64) error {
	t.Helper()
	book.Before(archive.flush, archive.sync)
	n := 0
	_, err := engine.New(engine.Config{
		Focus: &counting{map[string]int{}}, Fetch: ring(ringSize), Read: ring(ringSize), Ledger: book, Stage: book,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/1"}, Workers: 2, Snapshot: 7,
		Flush: book.Flush, Recorder: archive, Limits: engine.Limits{Pages: pages},
		Observe: func(orbweaver.Outcome, step.Progress) { // the next commit returns the error
			switch n++; {
			case n%10 == 0:
				_ = book.Sync()
			case n%3 == 0:
				_ = book.Flush()
			}
		},
	}, book.Progress()).Run(t.Context())
	return err
}

// How a crawl ends after a fault.
const (
	shut     = iota // closed regularly
	killed          // keeps what the operating system has
	powerCut        // keeps what was synced
	endings
)

// crawlOn crawls on a faulty disk until an error or the end, and returns the remaining disk.
func crawlOn(t *testing.T, dir string, on *vfs.MemFS, pages int64, fault fault, n, ending int) (left *vfs.MemFS, reached bool) {
	t.Helper()
	makeFolder(t, on, filepath.Join(dir, "ledger"))
	disk := &badDisk{FS: on, fault: fault, left: n}
	book, err := ledger.OpenOn(dir, disk, disk.journal)
	if err == nil {
		archive, damaged := openTape(on, dir, book.Archive())
		if damaged != nil {
			t.Fatal(damaged)
		}
		err = sit(t, book, archive, pages)
		switch ending {
		case shut:
			if closing := book.Close(); err == nil {
				err = closing
			}
			left = on
		case killed:
			left = on.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, uint64(n)))})
			_ = book.Close()
		case powerCut:
			left = on.CrashClone(vfs.CrashCloneCfg{})
			_ = book.Close()
		}
	} else {
		left = on
	}
	switch {
	case err == nil:
	case !disk.reached():
		t.Fatalf("no fault, and the crawl said: %v", err)
	case !errors.Is(err, syscall.ENOSPC), !strings.Contains(err.Error(), dir), errors.Is(err, orbweaver.ErrDamaged), errors.Is(err, orbweaver.ErrBusy):
		t.Fatalf("change %d failed, and the crawl said: %v", n, err)
	}
	return left, disk.reached()
}

// makeFolder makes a folder that survives a power cut.
func makeFolder(t *testing.T, on vfs.FS, path string) {
	t.Helper()
	if err := on.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	for above := path; ; above = filepath.Dir(above) {
		folder, err := on.OpenDir(above)
		if err == nil {
			err = errors.Join(folder.Sync(), folder.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		if above == filepath.Dir(above) {
			return
		}
	}
}

// TestFaultAnywhere: whichever operation fails, the crawl ends with an error that says what and where, and
// the resumed crawl, whether closed or not, ends the same as without the fault.
func TestFaultAnywhere(t *testing.T) {
	whole := t.TempDir()
	if _, reached := crawlOn(t, whole, vfs.NewMem(), ringSize, full, 1<<30, shut); reached {
		t.Fatal("a fault")
	}
	want := journalOf(t, whole)
	if lines := bytes.Count(want, []byte("\n")); lines != ringSize {
		t.Fatalf("%d pages", lines)
	}
	part := 3 // of the operations so far, between two that fail
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		part = 6
	}
	names := [faults]string{"full", "short", "hiccup", "unsynced", "unrenamed", "unread"}
	for fault := range faults {
		t.Run(names[fault], func(t *testing.T) {
			t.Parallel()
			runs := 0
			for n, reached := 0, true; reached; n += 1 + n/part {
				dir := t.TempDir()
				disk := vfs.NewCrashableMem()
				if n%2 == 1 || fault == unread { // in the second session
					crawlOn(t, dir, disk, ringSize/2, fault, 1<<30, shut)
				}
				disk, reached = crawlOn(t, dir, disk, ringSize, fault, n, n%endings)
				if _, again := crawlOn(t, dir, disk, ringSize, fault, 1<<30, shut); again {
					t.Fatal("a fault without one")
				}
				if got := journalOf(t, dir); !bytes.Equal(got, want) {
					t.Fatalf("change %d failed: pages.jsonl has %d bytes of %d in the end, or others", n, len(got), len(want))
				}
				checkSaid(t, dir, disk, ringSize)
				runs++
			}
			if runs < 10 {
				t.Errorf("%d runs", runs)
			}
		})
	}
}

// TestPowerCut: a power cut loses at most the work since the last sync, whatever the database wrote by itself
// meanwhile.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	crawlOn(t, whole, vfs.NewMem(), ringSize, full, 1<<30, shut)
	want := journalOf(t, whole)
	for pages := int64(1); pages < ringSize; pages += int64(tier.Of(30, 3)) {
		dir := t.TempDir()
		disk, _ := crawlOn(t, dir, vfs.NewCrashableMem(), pages, full, 1<<30, powerCut)
		crawlOn(t, dir, disk, ringSize, full, 1<<30, shut)
		if got := journalOf(t, dir); !bytes.Equal(got, want) {
			t.Fatalf("after %d pages: pages.jsonl has %d bytes of %d in the end, or others", pages, len(got), len(want))
		}
		checkSaid(t, dir, disk, ringSize)
	}
}

// TestRot: a flipped byte in a table ends the crawl with an error, or has no effect.
func TestRot(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	crawlOn(t, whole, vfs.NewMem(), ringSize, full, 1<<30, shut)
	want, found := journalOf(t, whole), 0
	for part := range 16 {
		dir, disk := t.TempDir(), vfs.NewMem()
		crawlOn(t, dir, disk, ringSize/2, full, 1<<30, shut)
		rot(t, disk, filepath.Join(dir, "ledger"), part)
		book, err := ledger.OpenOn(dir, disk, ledger.OpenFile)
		if err == nil {
			var archive *tape
			if archive, err = openTape(disk, dir, book.Archive()); err == nil {
				err = sit(t, book, archive, ringSize)
			}
			err = errors.Join(err, book.Close())
		}
		if err != nil {
			found++
		} else if got := journalOf(t, dir); !bytes.Equal(got, want) {
			t.Errorf("part %d: it was not noticed, and pages.jsonl differs", part)
		}
	}
	if found < 4 {
		t.Errorf("noticed %d times", found)
	}
}

// rot flips a byte of each table, at part sixteenths of its length.
func rot(t *testing.T, disk vfs.FS, folder string, part int) {
	t.Helper()
	names, err := disk.List(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		file, err := disk.OpenReadWrite(filepath.Join(folder, name), "test")
		if err != nil {
			t.Fatal(err)
		}
		info, err := file.Stat()
		at, b := info.Size()*int64(part)/16, make([]byte, 1)
		if err == nil {
			_, err = file.ReadAt(b, at)
		}
		if err == nil {
			_, err = file.WriteAt([]byte{b[0] ^ 1}, at)
		}
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// journalOf reads pages.jsonl.
func journalOf(t *testing.T, dir string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return content
}
