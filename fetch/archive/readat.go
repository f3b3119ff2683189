package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// ErrRevisit is the error of ReadAt for a record whose body is in another that is not where it was.
var ErrRevisit = errors.New("the record has its body elsewhere")

// payloadField is the field of a revisit that says where, in the same archive, the response is that has its payload: offset, length and file. It is
// no field of the standard.
const payloadField = "orbweaver-payload"

// parsePayload reads such a place; the zero Ref: it is none.
func parsePayload(value []byte) orbweaver.Ref {
	parts := strings.SplitN(string(value), " ", 3)
	if len(parts) != 3 {
		return orbweaver.Ref{}
	}
	at, err := strconv.ParseInt(parts[0], 10, 64)
	length, bad := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || bad != nil {
		return orbweaver.Ref{}
	}
	return orbweaver.Ref{File: parts[2], Offset: at, Length: length}
}

// ReadAt reads one response of an archive of this package, at the place that Append returned, and nothing else of the archive but the
// record that has its body, if that is another: its cost depends on these alone. Closing the body closes the file. The response's Request
// has only the URL; a page that was rendered has what its scripts made of it. The error wraps ErrRevisit for a record whose body is in
// another that is not where it was (it was removed, or an earlier version wrote the record and did not say where), ErrAway if its file was
// moved to another place, ErrDamaged if the record cannot be read, or not yet, and ErrInput for a Ref of no archive.
func ReadAt(dir string, ref orbweaver.Ref) (*step.Response, error) {
	a, err := openAt(dir, ref)
	if err != nil {
		return nil, err
	}
	target, rendered := a.record.header.target, a.renderedBefore(filepath.Join(dir, ref.File))
	var response *step.Response
	if a.record.header.kind == "revisit" {
		response, err = a.revisitAt(dir)
	} else {
		response, err = a.response()
	}
	if err != nil {
		return nil, err
	}
	response.Request.URL, response.Rendered = target, rendered
	return response, nil
}

// openAt opens a file for one record.
func openAt(dir string, ref orbweaver.Ref) (*answer, error) {
	if ref.File == "" || filepath.Base(ref.File) != ref.File || ref.Offset < 0 || ref.Length <= 0 {
		return nil, fmt.Errorf("%w: no place in an archive: %+v", orbweaver.ErrInput, ref)
	}
	file, err := os.Open(filepath.Join(dir, ref.File))
	if err = Absent(filepath.Join(dir, ref.File), err); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	a := &answer{record: newRecord(), limit: noLimit, ref: ref, failure: orbweaver.ErrDamaged, release: func() { file.Close() }}
	return a, a.open(&source{name: ref.File, file: file, compressed: true}, ref.Offset, ref.Length)
}

// revisitAt is the response of a revisit, with the body of the response to which it refers by its place.
func (a *answer) revisitAt(dir string) (*step.Response, error) {
	own := &a.record.header
	if own.elsewhere.length > 0 {
		return a.revisitElsewhere(dir)
	}
	origin, err := openAt(dir, own.payload)
	if err == nil && origin.record.header.kind == "response" && origin.record.header.id == own.refersTo && origin.record.header.digest == own.digest {
		return a.revisit(origin)
	}
	if err == nil {
		origin.close()
	}
	a.close()
	if errors.Is(err, ErrAway) {
		return nil, err
	}
	return nil, fmt.Errorf("%s at byte %d: %w", a.ref.File, a.ref.Offset, ErrRevisit)
}
