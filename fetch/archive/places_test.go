package archive

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// TestPlacesAreBounded: of however many payloads, few are known in memory; of all of them the archive
// knows whether it has them, when it is opened again too, and reads them.
func TestPlacesAreBounded(t *testing.T) {
	const payloads, recent = 2000, 50
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 100_000})
	w.places.Recent = recent
	write := func(round string) {
		for n := range payloads {
			ref := appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%s/%d", round, n), nil), fmt.Sprintf("payload %d", n))
			if n%100 == 0 {
				resp, err := w.Read(ref)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(resp.Body)
				if err = errors.Join(err, resp.Body.Close()); err != nil || string(got) != fmt.Sprintf("payload %d", n) {
					t.Fatalf("%s, %d: %q, %v", round, n, got, err)
				}
			}
		}
	}
	write("first")
	if w.places.Len() != payloads || w.places.InMemory() > 2*recent {
		t.Errorf("%d payloads are known, %d in memory", w.places.Len(), w.places.InMemory())
	}
	write("again")
	if w.places.Len() != payloads {
		t.Errorf("%d payloads were written, not %d", w.places.Len(), payloads)
	}
	mark := w.Mark()
	closeWriter(t, w)
	w = openWriter(t, dir, mark, WriterOptions{MaxFile: 100_000})
	write("reopened")
	if w.places.Len() != payloads {
		t.Errorf("opened again, %d payloads were written, not %d", w.places.Len(), payloads)
	}
	closeWriter(t, w)
}
