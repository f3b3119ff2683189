package toy

import (
	"cmp"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/step"
)

// An Answer is a response of a test web. Empty fields mean status 200 and HTML.
type Answer struct {
	URL, Body, Kind, Location string
	Status                    int
}

// WebOf writes answers to an archive and returns its folder.
func WebOf(t testing.TB, answers []Answer) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "web")
	w, err := archive.OpenWriter(folder, archive.Mark{}, archive.WriterOptions{Prefix: "web"})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		header := http.Header{"Content-Type": {cmp.Or(a.Kind, "text/html")}}
		if a.Location != "" {
			header.Set("Location", a.Location)
		}
		packed, err := w.Pack(&step.Response{
			Request: orbweaver.Request{URL: a.URL}, Status: cmp.Or(a.Status, 200), Header: header, At: time.Unix(1e9+int64(i), 0),
		}, []byte(a.Body))
		if err == nil {
			_, err = w.Append(packed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}
