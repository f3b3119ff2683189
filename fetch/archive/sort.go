package archive

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"orbweaver/internal/order"
)

// SortLines writes the lines of a file, sorted by their bytes, to another file, atomically. It uses at most 64
// MB of memory, unless a single line is longer.
func SortLines(from, to string) error { return sortIndex(disk{}, from, to, sortRun) }

// sortIndex writes the lines of a file, sorted by their bytes, to another, atomically. It holds about run bytes
// of lines in memory: larger files are sorted in pieces, each a temporary file beside the target, and merged.
func sortIndex(on files, from, to string, run int) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	var pieces []string
	defer func() {
		for _, piece := range pieces {
			err = errors.Join(err, on.Remove(piece))
		}
	}()
	lines := bufio.NewReaderSize(in, 256<<10)
	for {
		batch, readErr := readBatch(lines, run)
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
		order.By(batch, bytes.Compare)
		if readErr == io.EOF && len(pieces) == 0 {
			return writeWhole(on, to, func(out *bufio.Writer) error {
				writeLines(out, batch)
				return nil
			})
		}
		piece := fmt.Sprintf("%s.%d", to, len(pieces))
		pieces = append(pieces, piece)
		if err := writePiece(on, piece, batch); err != nil {
			return err
		}
		if readErr == io.EOF {
			return mergePieces(on, to, pieces)
		}
	}
}

// readBatch reads whole lines, n bytes or slightly more. io.EOF comes with the last.
func readBatch(r *bufio.Reader, n int) (lines [][]byte, err error) {
	for n > 0 {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
		n -= len(line)
	}
	return lines, nil
}

// writePiece writes a piece.
func writePiece(on files, path string, lines [][]byte) error {
	file, err := on.Open(path, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 256<<10)
	writeLines(out, lines)
	return errors.Join(out.Flush(), file.Close())
}

// writeLines writes lines; the Flush of out returns the error.
func writeLines(out *bufio.Writer, lines [][]byte) {
	for _, line := range lines {
		_, _ = out.Write(line)
	}
}

// mergePieces merges sorted files into one.
func mergePieces(on files, to string, pieces []string) error {
	var merge merger
	defer func() {
		for _, c := range merge {
			c.file.Close()
		}
	}()
	for _, piece := range pieces {
		file, err := os.Open(piece)
		if err != nil {
			return err
		}
		c := &cursor{file: file, lines: bufio.NewReaderSize(file, 64<<10)}
		if ok, err := c.next(); err != nil || !ok {
			file.Close()
			if err != nil {
				return err
			}
			continue
		}
		merge = append(merge, c)
	}
	heap.Init(&merge)
	return writeWhole(on, to, merge.write)
}

// write writes the lines of all pieces.
func (m *merger) write(out *bufio.Writer) error {
	for len(*m) > 0 {
		first := (*m)[0]
		if _, err := out.Write(first.line); err != nil {
			return err
		}
		ok, err := first.next()
		switch {
		case err != nil:
			return err
		case ok:
			heap.Fix(m, 0)
		default:
			heap.Pop(m)
			first.file.Close()
		}
	}
	return nil
}

// writeWhole replaces a file, whole or not at all, durably: atomicfile.Write on a disk that tests replace.
func writeWhole(on files, to string, fill func(*bufio.Writer) error) error {
	beside := to + ".tmp"
	file, err := on.Open(beside, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 256<<10)
	err = fill(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = on.Rename(beside, to)
	}
	if err != nil {
		return errors.Join(err, on.Remove(beside))
	}
	return on.SyncFolder(filepath.Dir(to))
}

// A cursor is a position in a sorted piece.
type cursor struct {
	file  *os.File
	lines *bufio.Reader
	line  []byte
}

// next moves to the next line; false at the end.
func (c *cursor) next() (bool, error) {
	line, err := c.lines.ReadBytes('\n')
	if err == io.EOF {
		return false, nil
	}
	c.line = line
	return err == nil, err
}

// A merger is a heap of cursors, the smallest line on top.
type merger []*cursor

func (m merger) Len() int           { return len(m) }
func (m merger) Less(i, j int) bool { return bytes.Compare(m[i].line, m[j].line) < 0 }
func (m merger) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }

func (m *merger) Push(c any) { *m = append(*m, c.(*cursor)) }

func (m *merger) Pop() any {
	old := *m
	last := old[len(old)-1]
	*m = old[:len(old)-1]
	return last
}
