package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
)

// TestMoveAway: whoever needs a record of a file that was moved away is told where it went; all else goes on as before, and so does everything when
// the file is put back.
func TestMoveAway(t *testing.T) {
	dir := t.TempDir()
	opts := WriterOptions{MaxFile: 4000, Prefix: "x"}
	w := openWriter(t, dir, Mark{}, opts)
	var refs []orbweaver.Ref
	for i := range 20 {
		refs = append(refs, appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%d", i), nil), fmt.Sprint("payload ", i)))
	}
	same := appendTo(t, w, answerOf("http://a.test/same", nil), "payload 0")
	mark, first := w.Mark(), refs[0].File
	closeWriter(t, w)
	path := filepath.Join(dir, first)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum, size, err := sha256Of(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := MoveAway(dir, first, Away{"s3://b/" + first, size, strings.Repeat("0", 64)}); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Error(err)
	}
	for range 2 { // the second time as after a kill before the file was removed
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := MoveAway(dir, first, Away{"s3://b/" + first, size, sum}); err != nil {
			t.Fatal(err)
		}
	}
	told := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrAway) || errors.Is(err, orbweaver.ErrDamaged) || !strings.Contains(err.Error(), "archived at s3://b/"+first) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", what, err)
		}
	}
	sound := func(records int) {
		t.Helper()
		v, err := Verify(t.Context(), dir, mark)
		if err != nil || len(v.Faults) > 0 || v.Records < records {
			t.Errorf("%+v, %v", v, err)
		}
	}
	_, err = ReadAt(dir, refs[0])
	told("ReadAt", err)
	_, err = ReadAt(dir, same)
	told("ReadAt of a revisit", err)
	_, err = OpenWeb([]string{dir}, WebOptions{})
	told("OpenWeb", err)
	_, err = OpenStock(dir, WebOptions{})
	told("OpenStock", err)
	told("Whole", Whole(dir))
	if _, err := ReadAt(dir, refs[19]); err != nil {
		t.Error(err)
	}
	sound(1)
	w = openWriter(t, dir, mark, opts)
	_, err = w.Read(refs[0])
	told("Read", err)
	for i := range 20 {
		appendTo(t, w, answerOf(fmt.Sprintf("http://b.test/%d", i), nil), fmt.Sprint("payload ", i))
	}
	mark = w.Mark()
	closeWriter(t, w)
	sound(1)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	sound(41)
	if web := openWeb(t, dir); web.Damaged() > 0 {
		t.Error(web.Warnings())
	}
	if _, err := ReadAt(dir, same); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, refs[19].File)); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAt(dir, refs[19]); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrAway) { // lost, and not moved
		t.Error(err)
	}
}
