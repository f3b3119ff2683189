package spotlight

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/database"
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

// A Store is a Kept in a folder. It is safe for concurrent use.
type Store struct {
	path    string
	db      *database.DB
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// OpenKept opens the answers in the folder spotlight of a crawl's folder, an empty one where there is
// none. The error wraps ErrBusy when another process has it open, and ErrDamaged when it is nothing that
// this version can read.
func OpenKept(dir string) (*Store, error) {
	return open(filepath.Join(dir, "spotlight"), database.Options{})
}

// ReadKept is OpenKept for reading alone: Put fails, and so does a folder that is not there, with
// fs.ErrNotExist.
func ReadKept(dir string) (*Store, error) {
	path := filepath.Join(dir, "spotlight")
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("kept answers: %w", err)
	}
	return open(path, database.Options{ReadOnly: true})
}

func open(path string, o database.Options) (*Store, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o.Size, o.What = database.Small, "these answers"
	db, err := database.Open(path, o)
	if err != nil {
		decoder.Close()
		return nil, err
	}
	return &Store{path: path, db: db, encoder: encoder, decoder: decoder}, nil
}

// Get returns the answer under a key. It is the caller's. The error wraps ErrDamaged when the answer is
// not as it was put.
func (s *Store) Get(key string) (answer []byte, known bool, err error) {
	value, known, err := s.db.Value([]byte(key))
	if err != nil {
		return nil, false, fmt.Errorf("%s: key %.64q: %w", s.path, key, err)
	}
	if !known {
		return nil, false, nil
	}
	if len(value) < 2 || value[0] != keptFormat {
		err = errors.New("of no format that this version reads")
	} else {
		answer, err = s.decoder.DecodeAll(value[1:], nil)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: key %.64q: %w: %w", s.path, key, orbweaver.ErrDamaged, err)
	}
	return answer, true, nil
}

// Put keeps an answer of at most 8 MB: it is on the disk when Put returns. The error wraps ErrTooLarge
// for a longer one, and syscall.ENOSPC when the disk is nearly full.
func (s *Store) Put(key string, answer []byte) error {
	if len(key) > maxKey || len(answer) > maxAnswer {
		return fmt.Errorf("%s: key %.64q: %w: %d bytes", s.path, key, orbweaver.ErrTooLarge, len(answer))
	}
	if free, known := s.db.Free(); known && free < leastRoom {
		return fmt.Errorf("%s: %w", s.path, syscall.ENOSPC)
	}
	value := s.encoder.EncodeAll(answer, []byte{keptFormat})
	if err := s.db.Put([]byte(key), value); err != nil {
		return fmt.Errorf("%s: key %.64q: %w", s.path, key, err)
	}
	return nil
}

// Close closes the folder. The store is not to be used any more.
func (s *Store) Close() error {
	s.decoder.Close()
	if err := errors.Join(s.encoder.Close(), s.db.Close(), s.db.Err()); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return nil
}
