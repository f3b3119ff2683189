package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"orbweaver"
)

// cutBack makes the directory what it was at the mark.
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
	var err error
	if m.File != "" {
		if w.warc, err = cutFile(w.path(m.File), m.Length, 0); err != nil {
			return err
		}
	}
	create := 0
	if m.Index == 0 {
		create = os.O_CREATE
	}
	if w.part, err = cutFile(w.path(partName), m.Index, create); err != nil {
		return err
	}
	return w.readPart()
}

// checkFiles finds out that nothing is missing before anything is cut.
func (w *Writer) checkFiles() error {
	for n := range w.mark.Seq {
		if _, err := os.Stat(w.path(w.fileName(n))); err != nil {
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

// removeLater removes the WARC files after the mark, and the index made of what is cut now.
func (w *Writer) removeLater() error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		n, ok := w.fileNumber(e.Name())
		later := ok && (w.mark.File == "" || n > w.mark.Seq)
		if later || strings.HasPrefix(e.Name(), indexName) && e.Name() != partName {
			if err := os.Remove(w.path(e.Name())); err != nil {
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

func cutFile(path string, length int64, flags int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|flags, 0o666)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(length); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// readPart fills the table of payloads from the index lines.
func (w *Writer) readPart() error {
	lines := bufio.NewReaderSize(io.NewSectionReader(w.part, 0, w.mark.Index), 64<<10)
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
		sum, ok := parseDigest(line.Digest)
		if ok && line.Mime != mimeRevisit && line.Digest != emptyDigest {
			w.remember(sum, place{ref.Offset, ref.Length, int32(seq)})
		}
	}
}

// Read reads back what Append wrote: the response with the body of its original where it was written
// as a revisit. Its Request is no more than the URL. The error wraps ErrDamaged where the record
// cannot be read, and ErrInput for a Ref that cannot be one of this archive.
func (w *Writer) Read(ref orbweaver.Ref) (*orbweaver.Response, error) {
	own, err := w.open(ref)
	if err != nil {
		return nil, err
	}
	target := own.record.header.target
	resp, err := w.read(own)
	if err != nil {
		return nil, err
	}
	resp.Request.URL = target
	return resp, nil
}

func (w *Writer) read(own *answer) (*orbweaver.Response, error) {
	if own.record.header.kind != "revisit" {
		return own.response()
	}
	digest := own.record.header.digest
	sum, ok := parseDigest(digest)
	at, known := w.placeOf(sum)
	if !ok || !known {
		own.close()
		return nil, own.damaged(fmt.Errorf("%w: the payload %s it revisits is not here", orbweaver.ErrDamaged, digest))
	}
	origin, err := w.open(orbweaver.Ref{File: w.fileName(int(at.seq)), Offset: at.offset, Length: at.length})
	if err != nil {
		own.close()
		return nil, err
	}
	if origin.record.header.digest != digest {
		origin.close()
		own.close()
		return nil, own.damaged(fmt.Errorf("%w: the payload %s it revisits is not here", orbweaver.ErrDamaged, digest))
	}
	return own.revisit(origin)
}

// open opens the file of a record for this one reading.
func (w *Writer) open(ref orbweaver.Ref) (*answer, error) {
	if _, ok := w.fileNumber(ref.File); !ok || ref.Offset < 0 || ref.Length <= 0 {
		return nil, fmt.Errorf("%w: no place in this archive: %+v", orbweaver.ErrInput, ref)
	}
	file, err := os.Open(w.path(ref.File))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	r := w.records.Get().(*record)
	a := &answer{record: r, limit: noLimit, ref: ref, failure: orbweaver.ErrDamaged}
	a.release = func() {
		file.Close()
		w.records.Put(r)
	}
	if err := a.open(&source{name: ref.File, file: file, compressed: true}, ref.Offset, ref.Length); err != nil {
		return nil, err
	}
	return a, nil
}
