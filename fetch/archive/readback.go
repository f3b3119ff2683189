package archive

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"orbweaver"
	"orbweaver/internal/step"
)

// Read reads what Append wrote: a response, with the body of its original if it is a revisit. Its Request has
// only the URL; a page that was rendered has what its scripts made of it. The error wraps ErrDamaged if the record cannot be read, and ErrInput for a Ref outside this
// archive.
func (w *Writer) Read(ref orbweaver.Ref) (*step.Response, error) {
	own, err := w.open(ref)
	if err != nil {
		return nil, err
	}
	target, rendered := own.record.header.target, own.renderedBefore(w.path(ref.File))
	resp, err := w.read(own)
	if err != nil {
		return nil, err
	}
	resp.Request.URL, resp.Rendered = target, rendered
	return resp, nil
}

func (w *Writer) read(own *answer) (*step.Response, error) {
	if own.record.header.kind != "revisit" {
		return own.response()
	}
	if own.record.header.elsewhere.length > 0 {
		return own.revisitElsewhere(w.dir)
	}
	digest := own.record.header.digest
	sum, ok := parseDigest(digest)
	at, known, err := w.placeOf(sum)
	if err != nil {
		own.close()
		return nil, err
	}
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

// open opens the file of a record for one reading.
func (w *Writer) open(ref orbweaver.Ref) (*answer, error) {
	if _, ok := w.fileNumber(ref.File); !ok || ref.Offset < 0 || ref.Length <= 0 {
		return nil, fmt.Errorf("%w: no place in this archive: %+v", orbweaver.ErrInput, ref)
	}
	if err := w.reach(ref); err != nil {
		return nil, err
	}
	file, err := os.Open(w.path(ref.File))
	if err = Absent(w.path(ref.File), err); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
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

// reach flushes the buffer if it holds a place.
func (w *Writer) reach(ref orbweaver.Ref) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ref.File == w.mark.File && ref.Offset+ref.Length > w.warc.written {
		return w.flush()
	}
	return nil
}

// remember keeps the place of a payload; of two with equal keys the first stays.
func (w *Writer) remember(sum [sha1.Size]byte, at place) error {
	_, taken, err := w.places.Get(digestKey(sum))
	if err == nil && !taken {
		err = w.places.Put(digestKey(sum), at.value())
	}
	return err
}

func (w *Writer) placeOf(sum [sha1.Size]byte) (at place, known bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, known, err := w.places.Get(digestKey(sum))
	return placeOfValue(v), known, err
}

// original returns the header of the record that has the same payload, and its place; nil: there is none, or its file was moved away.
func (w *Writer) original(p *Packed) (*header, orbweaver.Ref, error) {
	if p.size == 0 {
		return nil, orbweaver.Ref{}, nil
	}
	at, ok, err := w.placeOf(p.sum)
	if err != nil || !ok {
		return nil, orbweaver.Ref{}, err
	}
	ref := orbweaver.Ref{File: w.fileName(int(at.seq)), Offset: at.offset, Length: at.length}
	a, err := w.open(ref)
	if errors.Is(err, ErrAway) {
		return nil, orbweaver.Ref{}, nil // stored again
	}
	if err != nil {
		return nil, orbweaver.Ref{}, err
	}
	defer a.close()
	h := a.record.header
	if h.digest != p.line.Digest {
		return nil, orbweaver.Ref{}, nil // only the keys are equal
	}
	return &h, ref, nil
}
