package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/step"
)

// ErrRevisit is the error of ReadAt for a record whose body is in another.
var ErrRevisit = errors.New("the record has its body elsewhere")

// ReadAt reads one response of an archive of this package, at the place that Append returned, and nothing else of the archive: its cost
// depends on the record alone. Closing the body closes the file. The response's Request has only the URL. The error wraps ErrRevisit for
// a record that repeats the body of another, ErrDamaged if the record cannot be read, or not yet, and ErrInput for a Ref of no archive.
func ReadAt(dir string, ref orbweaver.Ref) (*step.Response, error) {
	if ref.File == "" || filepath.Base(ref.File) != ref.File || ref.Offset < 0 || ref.Length <= 0 {
		return nil, fmt.Errorf("%w: no place in an archive: %+v", orbweaver.ErrInput, ref)
	}
	file, err := os.Open(filepath.Join(dir, ref.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	a := &answer{record: newRecord(), limit: noLimit, ref: ref, failure: orbweaver.ErrDamaged, release: func() { file.Close() }}
	if err := a.open(&source{name: ref.File, file: file, compressed: true}, ref.Offset, ref.Length); err != nil {
		return nil, err
	}
	if a.record.header.kind == "revisit" {
		a.close()
		return nil, fmt.Errorf("%s at byte %d: %w", ref.File, ref.Offset, ErrRevisit)
	}
	target := a.record.header.target
	response, err := a.response()
	if err != nil {
		return nil, err
	}
	response.Request.URL = target
	return response, nil
}
