package archive

import (
	"errors"
	"io"
	"os"
)

// files is what a Writer changes in its folder, and all by which it does: a test puts a disk in its
// place that fails.
type files interface {
	Open(path string, flags int) (file, error) // flags of os.OpenFile, for reading and writing
	Rename(from, to string) error
	Remove(path string) error
	SyncFolder(path string) error // makes the names in a folder last
}

// A file of an archive. Sync makes its bytes last, but not its name.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(length int64) error
	Sync() error
}

// A disk is the operating system's.
type disk struct{}

func (disk) Open(path string, flags int) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0o666)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (disk) Rename(from, to string) error { return os.Rename(from, to) }
func (disk) Remove(path string) error     { return os.Remove(path) }

func (disk) SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// A tail is the end of a file that grows: how much the operating system has, and what is gathered to
// be written behind that.
type tail struct {
	file     file // nil: there is none yet
	written  int64
	gathered []byte
}

// flush writes what was gathered, at once. After an error it may be tried again.
func (t *tail) flush() error {
	if len(t.gathered) == 0 {
		return nil
	}
	if _, err := t.file.WriteAt(t.gathered, t.written); err != nil {
		return err
	}
	t.written += int64(len(t.gathered))
	if t.gathered = t.gathered[:0]; cap(t.gathered) > 2*maxGathered {
		t.gathered = nil
	}
	return nil
}

// end is how long the file will be.
func (t *tail) end() int64 { return t.written + int64(len(t.gathered)) }

// isFull says whether n bytes more are too many to gather.
func (t *tail) isFull(n int) bool { return len(t.gathered) > 0 && len(t.gathered)+n > maxGathered }
