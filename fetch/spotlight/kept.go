package spotlight

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/rdf/failstop"
)

// Kept has the answers to what was asked before. Keys are hexadecimal.
type Kept interface {
	Get(key string) (answer []byte, known bool, err error)
	Put(key string, answer []byte) error
}

const (
	keptFormat = 1        // first byte of a value; a frame of zstd, with its checksum, follows
	maxKey     = 256      // bytes
	leastRoom  = 64 << 20 // bytes of the disk that Put leaves to others
)

// A Store is a Kept in a folder. It may be shared by any number of goroutines.
type Store struct {
	path    string
	db      *pebble.DB
	disk    *failstop.FS
	fs      vfs.FS
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// OpenKept opens the answers in the folder spotlight of a crawl's folder, an empty one where there is
// none. The error wraps ErrBusy when another process has it open, and ErrDamaged when it is nothing that
// this version can read.
func OpenKept(dir string) (*Store, error) {
	return open(vfs.Default, filepath.Join(dir, "spotlight"), false)
}

// ReadKept is OpenKept for reading alone: Put fails, and so does a folder that is not there, with
// fs.ErrNotExist.
func ReadKept(dir string) (*Store, error) {
	path := filepath.Join(dir, "spotlight")
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("kept answers: %w", err)
	}
	return open(vfs.Default, path, true)
}

func open(on vfs.FS, path string, readOnly bool) (*Store, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	disk, o := failstop.New(on), &pebble.Options{
		MemTableSize: 4 << 20, CacheSize: 4 << 20, FormatMajorVersion: pebble.FormatNewest, ReadOnly: readOnly,
	}
	disk.Use(o)
	db, err := pebble.Open(path, o)
	if err != nil {
		decoder.Close()
		return nil, opening(path, cmp.Or(disk.Err(), err))
	}
	return &Store{path: path, db: db, disk: disk, fs: on, encoder: encoder, decoder: decoder}, nil
}

// opening explains why the database does not open.
func opening(path string, err error) error {
	var errno syscall.Errno
	switch {
	case errors.Is(err, syscall.EAGAIN), strings.HasPrefix(err.Error(), "lock "):
		return fmt.Errorf("%s: another process is using these answers: %w", path, orbweaver.ErrBusy)
	case errors.As(err, &errno) && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, orbweaver.ErrDamaged, err)
}

// Get returns the answer under a key. It is the caller's. The error wraps ErrDamaged when the answer is
// not as it was put.
func (s *Store) Get(key string) (answer []byte, known bool, err error) {
	value, closer, err := s.db.Get([]byte(key))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: key %.64q: %w", s.path, key, err)
	}
	if len(value) < 2 || value[0] != keptFormat {
		err = errors.New("of no format that this version reads")
	} else {
		answer, err = s.decoder.DecodeAll(value[1:], nil)
	}
	if err != nil {
		err = fmt.Errorf("%s: key %.64q: %w: %w", s.path, key, orbweaver.ErrDamaged, err)
	}
	if err := errors.Join(err, closer.Close()); err != nil {
		return nil, false, err
	}
	return answer, true, nil
}

// Put keeps an answer of at most 8 MB: it is on the disk when Put returns. The error wraps ErrTooLarge
// for a longer one, and syscall.ENOSPC when the disk is nearly full.
func (s *Store) Put(key string, answer []byte) error {
	if len(key) > maxKey || len(answer) > maxAnswer {
		return fmt.Errorf("%s: key %.64q: %w: %d bytes", s.path, key, orbweaver.ErrTooLarge, len(answer))
	}
	if disk, err := s.fs.GetDiskUsage(s.path); err == nil && disk.AvailBytes < leastRoom {
		return fmt.Errorf("%s: %w", s.path, syscall.ENOSPC)
	}
	value := s.encoder.EncodeAll(answer, []byte{keptFormat})
	err := s.db.Set([]byte(key), value, pebble.Sync)
	if err = cmp.Or(s.disk.Err(), err); err != nil {
		return fmt.Errorf("%s: key %.64q: %w", s.path, key, err)
	}
	return nil
}

// Close closes the folder. The store is not to be used any more.
func (s *Store) Close() error {
	s.decoder.Close()
	if err := errors.Join(s.encoder.Close(), s.db.Close(), s.disk.Err()); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return nil
}
