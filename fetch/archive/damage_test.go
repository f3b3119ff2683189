package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/tier"
)

// TestBadRecord: one bad record among good ones is left out, counted and named; all others answer.
func TestBadRecord(t *testing.T) {
	record := func(n int) string {
		return plainRecord("response", fmt.Sprintf("http://a.test/%d", n), "2020-01-01T00:00:00Z", "", fmt.Sprintf("HTTP/1.1 200 OK\n\nbody %d", n))
	}
	one, two, three := record(1), record(2), record(3)
	flipped := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		b[at] ^= 0x40
		return b
	}
	for _, tc := range []struct {
		name    string
		content []byte
		good    []string
	}{
		{"junk between records", []byte(one + "junk\r\n" + two), []string{"1", "2"}},
		{"junk between members", slices.Concat(zipped(one), []byte("junk that is longer than a gzip header"), zipped(two)), []string{"1", "2"}},
		{"junk at the end", slices.Concat(zipped(one), []byte("junk that is longer than a gzip header")), []string{"1"}},
		{"a flipped bit in a member", slices.Concat(zipped(one), flipped(zipped(two), 30), zipped(three)), []string{"1", "3"}},
		{"a flipped checksum", slices.Concat(zipped(one), flipped(zipped(two), len(zipped(two))-6), zipped(three)), []string{"1", "3"}},
		{"a member cut short", slices.Concat(zipped(one), zipped(two)[:40], zipped(three)), []string{"1", "3"}},
		{"zeros", slices.Concat(zipped(one), make([]byte, 3000), zipped(three)), []string{"1", "3"}},
		{"a length that is none", []byte(one + strings.Replace(two, "Content-Length: ", "Content-Length: x", 1) + three), []string{"1", "3"}},
		{"a length beyond the file", []byte(one + strings.Replace(two, "Content-Length: ", "Content-Length: 9999", 1) + three), []string{"1", "3"}},
		{"the first record", append(flipped(zipped(one), 30), zipped(two)...), []string{"2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, tc.content))
			var got []string
			for e := range w.All() {
				if _, body := fetch(t, w, e.URL); string(body) == "body "+e.URL[len("http://a.test/"):] {
					got = append(got, e.URL[len("http://a.test/"):])
				}
			}
			if !slices.Equal(got, tc.good) || w.Damaged() != 1 || len(w.Warnings()) != 1 {
				t.Errorf("read %v, %d damaged: %q", got, w.Damaged(), w.Warnings())
			}
		})
	}
}

// TestStartsEverywhere: a file with a possible start of a record at every third byte ends the search.
func TestStartsEverywhere(t *testing.T) {
	tier.Long(t, "opens an archive at each of its bytes")
	record := plainRecord("response", "http://a.test/1", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\none")
	content := append(zipped(record), bytes.Repeat([]byte{0x1f, 0x8b, 8}, maxProbes+10)...)
	w := openWeb(t, writeFile(t, append(content, zipped(record)...)))
	if got := len(slices.Collect(w.All())); got != 1 || w.Damaged() != 1 {
		t.Errorf("%d entries, %q", got, w.Warnings())
	}
}

// TestDamageIsBounded: whatever bytes of an archive change, it opens with a part of its answers, or is refused.
func TestDamageIsBounded(t *testing.T) {
	var records []string
	for n := range 30 {
		records = append(records, plainRecord("response", fmt.Sprintf("http://a.test/%d", n), "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n"+strings.Repeat("x", n*50)))
	}
	whole := zipped(records...)
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		b := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		}
		path := writeFile(t, b)
		w, err := OpenWeb([]string{path}, WebOptions{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := len(slices.Collect(w.All())); got+w.Damaged() < 27 || got > 30 {
			t.Errorf("seed %d: %d entries, %q", seed, got, w.Warnings())
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		_ = os.Remove(path)
	}
}
