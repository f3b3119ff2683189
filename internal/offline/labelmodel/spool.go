package labelmodel

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// A spool sorts documents by date: they are in a file that nobody sees, and 40 bytes of each in memory.
type spool struct {
	file  *os.File
	out   *bufio.Writer
	size  int64
	index []spooled
}

// A spooled is where a document is.
type spooled struct {
	at, number, start int64
	length            int32
}

// A kept is a document as the file has it.
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

// add keeps a story, cut.
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

// each gives the documents by date, then by number, then as they came.
func (s *spool) each(give func(document) error) error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	slices.SortStableFunc(s.index, func(a, b spooled) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number)) })
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
