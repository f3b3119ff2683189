package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// cutBack restores the directory as of the mark.
func (w *Writer) cutBack() error {
	m := w.mark
	switch {
	case m.File == "" && m != Mark{}, m.Seq < 0, m.Length < 0, m.Index < 0:
		return fmt.Errorf("%w: no mark of an archive: %+v", orbweaver.ErrInput, m)
	case m.File != "" && m.File != w.fileName(m.Seq):
		return fmt.Errorf("%w: the mark is in %s, where %s was expected", orbweaver.ErrForeign, m.File, w.fileName(m.Seq))
	}
	if err := w.checkFiles(); err != nil {
		return err
	}
	if err := w.removeLater(); err != nil {
		return err
	}
	if m.File != "" {
		if err := w.cutFile(&w.warc, m.File, m.Length, 0); err != nil {
			return err
		}
	}
	create := 0
	if m.Index == 0 {
		create = os.O_CREATE
	}
	return w.cutFile(&w.part, partName, m.Index, create)
}

// checkFiles verifies that all committed bytes exist, before anything is cut.
func (w *Writer) checkFiles() error {
	for n := range w.mark.Seq {
		_, err := os.Stat(w.path(w.fileName(n)))
		if err = Absent(w.path(w.fileName(n)), err); err != nil && !errors.Is(err, ErrAway) {
			return fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
		}
	}
	if w.mark.File != "" {
		if err := checkLength(w.path(w.mark.File), w.mark.Length); err != nil {
			return err
		}
	}
	if w.mark.Index > 0 {
		return checkLength(w.path(partName), w.mark.Index)
	}
	return nil
}

func checkLength(path string, length int64) error {
	stat, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	if stat.Size() < length {
		return fmt.Errorf("%s: %w: %d bytes, of which %d were committed", path, orbweaver.ErrDamaged, stat.Size(), length)
	}
	return nil
}

// removeLater removes the WARC files after the mark, the sorted index, and what a killed process left half written.
func (w *Writer) removeLater() error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		n, ok := w.fileNumber(e.Name())
		later := ok && (w.mark.File == "" || n > w.mark.Seq)
		if later || atomicfile.IsTemporary(e.Name()) || strings.HasPrefix(e.Name(), indexName) && e.Name() != partName {
			if err := w.disk.Remove(w.path(e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileNumber is the inverse of fileName.
func (w *Writer) fileNumber(name string) (int, bool) {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, w.opts.Prefix+"-"), ".warc.gz")
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && w.fileName(n) == name
}

// cutFile opens a file truncated to length, to append to it.
func (w *Writer) cutFile(t *tail, name string, length int64, flags int) (err error) {
	if t.file, err = w.disk.Open(w.path(name), flags); err != nil {
		return err
	}
	t.written = length
	return t.file.Truncate(length)
}

// readPart fills the table of payloads from index.cdxj.part.
func (w *Writer) readPart() error {
	lines := bufio.NewReaderSize(io.NewSectionReader(w.part.file, 0, w.mark.Index), 64<<10)
	for n := 1; ; n++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		line, ref, parsed := parseLine(text)
		seq, known := w.fileNumber(ref.File)
		if err == io.EOF || !parsed || !known {
			return fmt.Errorf("%s:%d: %w: no index line", w.path(partName), n, orbweaver.ErrDamaged)
		}
		if line.Elsewhere != "" {
			w.spared = spare(w.spared, w.others, line.Elsewhere)
		}
		sum, ok := parseDigest(line.Digest)
		if ok && line.Mime != mimeRevisit && line.Digest != emptyDigest {
			if err := w.remember(sum, place{ref.Offset, ref.Length, int32(seq)}); err != nil {
				return err
			}
		}
	}
}
