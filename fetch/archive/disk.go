package archive

import (
	"io"
	"os"

	"orbweaver/internal/atomicfile"
)

// files are the file operations of a Writer. Tests replace them with a disk that fails.
type files interface {
	Open(path string, flags int) (file, error) // flags of os.OpenFile, for reading and writing
	Rename(from, to string) error
	Remove(path string) error
	SyncFolder(path string) error // makes the names in a folder durable
}

// A file of an archive. Sync makes its bytes durable, but not its name.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(length int64) error
	Sync() error
}

// A disk is the operating system's file system.
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
func (disk) SyncFolder(path string) error { return atomicfile.SyncFolder(path) }

// A tail is the end of a growing file: the length written, and the bytes buffered behind it.
type tail struct {
	file     file // nil: none yet
	written  int64
	gathered []byte
}

// flush writes the buffered bytes. After an error it may be tried again.
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

// end is the file's length after a flush.
func (t *tail) end() int64 { return t.written + int64(len(t.gathered)) }

// isFull reports whether n more bytes exceed the buffer.
func (t *tail) isFull(n int) bool { return len(t.gathered) > 0 && len(t.gathered)+n > maxGathered }
