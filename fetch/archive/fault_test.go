package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"orbweaver"
)

// A bad disk fails once, at the n-th thing asked of it, counted from 0. It knows what a power cut
// would leave.
type badDisk struct {
	fault fault
	n     int // until it fails; below 0: it has
	files map[string]*badFile
}

// A fault is a way of failing.
type fault int

const (
	refused  fault = iota // nothing is done
	short                 // half is written
	powerCut              // nothing is done, then or later, and what was not synced is gone
)

var errDisk = syscall.ENOSPC

// fails counts an operation.
func (d *badDisk) fails() bool {
	d.n--
	return d.n == -1 || d.n < 0 && d.fault == powerCut
}

func (d *badDisk) Open(path string, flags int) (file, error) {
	if d.fails() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errDisk}
	}
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0o666)
	if err != nil {
		return nil, err
	}
	known := d.files[path]
	if known == nil || flags&os.O_TRUNC != 0 {
		known = &badFile{disk: d}
	}
	if known.safe == nil && flags&os.O_CREATE == 0 { // it was there before
		known.named = true
		known.safe, err = os.ReadFile(path)
	}
	known.File, d.files[path] = f, known
	return known, err
}

// Rename is safe at once, as it is by what journals of file systems promise.
func (d *badDisk) Rename(from, to string) error {
	if d.fails() {
		return errDisk
	}
	d.files[to] = d.files[from]
	delete(d.files, from)
	return os.Rename(from, to)
}

func (d *badDisk) Remove(path string) error {
	if d.fails() {
		return errDisk
	}
	delete(d.files, path)
	return os.Remove(path)
}

func (d *badDisk) SyncFolder(folder string) error {
	if d.fails() {
		return errDisk
	}
	for path, f := range d.files {
		f.named = f.named || filepath.Dir(path) == folder
	}
	return nil
}

// cut leaves of all files what is safe, and nonsense of the length of what is not.
func (d *badDisk) cut(t *testing.T) {
	t.Helper()
	for path, f := range d.files {
		err := os.Remove(path)
		if f.named {
			stat, _ := f.File.Stat()
			left := append([]byte(nil), f.safe...)
			for stat != nil && int64(len(left)) < stat.Size() {
				left = append(left, "nonsense"...)
			}
			err = os.WriteFile(path, left, 0o666)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// A badFile is a file of a bad disk. To sync it costs nothing.
type badFile struct {
	*os.File
	disk  *badDisk
	safe  []byte // what a power cut leaves
	named bool   // a power cut leaves its name
}

func (f *badFile) WriteAt(b []byte, at int64) (int, error) {
	if !f.disk.fails() {
		return f.File.WriteAt(b, at)
	}
	n := 0
	if f.disk.fault == short {
		n, _ = f.File.WriteAt(b[:len(b)/2], at)
	}
	return n, errDisk
}

func (f *badFile) Truncate(length int64) error {
	if f.disk.fails() {
		return errDisk
	}
	f.safe = f.safe[:min(int64(len(f.safe)), length)]
	return f.File.Truncate(length)
}

func (f *badFile) Sync() error {
	if f.disk.fails() {
		return errDisk
	}
	var err error
	f.safe, err = os.ReadFile(f.File.Name())
	return err
}

// A smallCrawl is one of few answers in three files and two sessions. It ends at the first error.
type smallCrawl struct {
	dir     string
	disk    files
	step    int
	mark    Mark // the last that was flushed
	flushed int  // steps until then
	safe    Mark // the last that was synced
	synced  int
	refs    []orbweaver.Ref // of all steps
}

const answers = 14

var small = WriterOptions{MaxFile: 3500}

// payloadOf is the step before's in every fifth step.
func payloadOf(step int) string {
	if step%5 == 3 {
		step--
	}
	return fmt.Sprint("payload ", step)
}

func urlOf(step int) string { return fmt.Sprintf("http://a.test/%d", step) }

// session continues until a step, flushes at every second and syncs at every fourth.
func (c *smallCrawl) session(until int) (err error) {
	w, err := openOn(c.disk, c.dir, c.mark, small)
	if err != nil {
		return err
	}
	defer func() {
		if again := w.Flush(); w.failed != nil && !errors.Is(again, errDisk) {
			err = fmt.Errorf("first %w, and then %w", err, again)
		}
		if closed := w.Close(); err == nil {
			err = closed
		} else if w.failed != nil && !errors.Is(closed, errDisk) {
			err = fmt.Errorf("after %w it closed well", err)
		}
	}()
	for ; c.step < until; c.step++ {
		p, err := w.Pack(answerOf(urlOf(c.step), nil), []byte(payloadOf(c.step)))
		if err != nil {
			return err
		}
		ref, err := w.Append(p)
		if err != nil {
			return err
		}
		c.refs = append(c.refs, ref)
		switch c.step % 4 {
		case 1, 2:
			if err := w.Flush(); err != nil {
				return err
			}
			c.mark, c.flushed = w.Mark(), c.step+1
		case 3:
			if err := w.Sync(); err != nil {
				return err
			}
			c.mark, c.flushed = w.Mark(), c.step+1
			c.safe, c.synced = c.mark, c.flushed
		}
	}
	if err := w.Sync(); err != nil {
		return err
	}
	c.mark, c.flushed, c.safe, c.synced = w.Mark(), until, w.Mark(), until
	return nil
}

func (c *smallCrawl) run() error {
	if err := c.session(answers / 2); err != nil {
		return err
	}
	return c.session(answers)
}

// TestFaultAnywhere: whatever fails, and whenever, the archive opens at the last mark that was promised, is valid and
// whole up to it, and continues to what it would have become.
func TestFaultAnywhere(t *testing.T) {
	quiet := smallCrawl{dir: t.TempDir(), disk: disk{}}
	if err := quiet.run(); err != nil {
		t.Fatal(err)
	}
	want := contents(t, quiet.dir)
	if kinds := validate(t, quiet.dir); quiet.mark.Seq < 2 || len(kinds) != quiet.mark.Seq+1+2*answers {
		t.Fatalf("%+v, %v", quiet.mark, kinds)
	}
	for kind, name := range []string{refused: "refused", short: "short", powerCut: "power cut"} {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				bad := &badDisk{fault: fault(kind), n: n, files: map[string]*badFile{}}
				c := smallCrawl{dir: t.TempDir(), disk: bad}
				err := c.run()
				if bad.n >= 0 {
					if err != nil || n < 40 {
						t.Errorf("%d operations, %v", n, err)
					}
					return
				}
				if !errors.Is(err, errDisk) {
					t.Fatalf("operation %d failed, and the crawl said %v", n, err)
				}
				mark, steps := c.mark, c.flushed
				if bad.fault == powerCut {
					bad.cut(t)
					mark, steps = c.safe, c.synced
				}
				goesOn(t, n, c.dir, mark, steps, quiet, want)
			}
		})
	}
}

// goesOn opens an archive after a fault, checks it and ends the crawl.
func goesOn(t *testing.T, n int, dir string, mark Mark, steps int, quiet smallCrawl, want map[string]string) {
	t.Helper()
	w, err := OpenWriter(dir, mark, small)
	if err != nil {
		t.Fatalf("operation %d: %v", n, err)
	}
	responses := 0
	for _, kind := range validate(t, dir) {
		if kind == "response" || kind == "revisit" {
			responses++
		}
	}
	if responses != steps {
		t.Fatalf("operation %d: %d answers, %d were promised", n, responses, steps)
	}
	for step, ref := range quiet.refs[:steps] {
		resp, err := w.Read(ref)
		if err != nil {
			t.Fatal(err)
		}
		if body := readBody(t, resp); string(body) != payloadOf(step) || resp.Request.URL != urlOf(step) {
			t.Errorf("operation %d: step %d is %s, %q", n, step, resp.Request.URL, body)
		}
	}
	if err := w.closeFiles(); err != nil {
		t.Fatal(err)
	}
	c := smallCrawl{dir: dir, disk: &badDisk{n: 1 << 30, files: map[string]*badFile{}}, step: steps, mark: mark}
	if err := c.session(answers); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(contents(t, dir), want) {
		t.Fatalf("operation %d: the archive differs in the end", n)
	}
}
