package labelmodel

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"orbweaver/internal/order"
)

// spool sorts documents by date. It keeps them in an unlinked temporary file, and 40 bytes of each in
// memory.
type spool struct {
	file  *os.File
	out   *bufio.Writer
	size  int64
	index []spooled
}

// spooled is the position of a document in the file.
type spooled struct {
	at, number, start int64
	length            int32
}

// kept is a document as encoded in the file.
type kept struct {
	document
	At   time.Time
	Long bool
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "orbweaver-stream-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spool) close() { _ = errors.Join(s.file.Close(), os.Remove(s.file.Name())) }

// add writes a truncated story.
func (s *spool) add(x story) error {
	x.cut()
	text, err := json.Marshal(kept{x.document, x.At, x.long})
	if err == nil {
		_, err = s.out.Write(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	s.index = append(s.index, spooled{x.At.Unix(), x.number, s.size, int32(len(text))})
	s.size += int64(len(text))
	return nil
}

// each yields the documents by date, then by number, then in order of arrival.
func (s *spool) each(give func(document) error) error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	order.Stably(s.index, func(a, b spooled) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number)) })
	for _, x := range s.index {
		text := make([]byte, x.length)
		if _, err := s.file.ReadAt(text, x.start); err != nil {
			return fmt.Errorf("%s: %w", s.file.Name(), err)
		}
		var d kept
		if err := json.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("%s: %w", s.file.Name(), err)
		}
		d.document.At, d.document.long = d.At, d.Long
		if err := give(d.document); err != nil {
			return err
		}
	}
	return nil
}
