package archive

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// TestOpenedAgain: files that have not changed are not read again, with the same answers and warnings; others are: with another content, with
// another time, replaced, in another order, and those that had just been written.
func TestOpenedAgain(t *testing.T) {
	record := func(n int, text string) string {
		return plainRecord("response", fmt.Sprintf("http://a.test/%d", n), "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n"+text)
	}
	long := time.Now().Add(-time.Hour)
	write := func(path string, content []byte, changed time.Time) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	one, two := writeFile(t, nil), writeFile(t, nil)
	write(one, slices.Concat(zipped(record(1, "one")), []byte("junk that is longer than a gzip header")), long)
	write(two, zipped(record(2, "two")), long)
	first := openWeb(t, one, two)
	again := openWeb(t, one, two)
	if again.index != first.index || !slices.Equal(again.Warnings(), first.Warnings()) || again.Damaged() != 1 {
		t.Errorf("read again: %d damaged, %v", again.Damaged(), again.Warnings())
	}
	if _, body := fetch(t, again, "http://a.test/2"); string(body) != "two" {
		t.Errorf("%q", body)
	}
	for name, change := range map[string]func(){
		"another content":  func() { write(two, zipped(record(2, "2..")), long.Add(time.Second)) },
		"another time":     func() { write(two, zipped(record(2, "two")), long.Add(time.Minute)) },
		"another length":   func() { write(two, zipped(record(2, "two"), record(3, "three")), long) },
		"replaced":         func() { os.Remove(two); write(two+".new", zipped(record(2, "two")), long); os.Rename(two+".new", two) },
		"another order":    func() { one, two = two, one },
		"one that is left": func() { two = one },
	} {
		t.Run(name, func(t *testing.T) {
			o, w := one, two
			write(two, zipped(record(2, "two")), long)
			before := openWeb(t, one, two)
			change()
			if after := openWeb(t, one, two); after.index == before.index {
				t.Error("not read again")
			}
			one, two = o, w
		})
	}
	write(two, zipped(record(2, "two")), time.Now())
	before := openWeb(t, one, two)
	if after := openWeb(t, one, two); after.index == before.index {
		t.Error("what was just written may change without a new time")
	}
	if n := len(known.all()); n > maxReadings {
		t.Errorf("%d readings are kept", n)
	}
}
