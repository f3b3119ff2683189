package spotlight_test

import (
	"math"
	"strings"
	"testing"

	"orbweaver/fetch/spotlight"
)

func seeds(f *testing.F) {
	for _, text := range []string{"Berlin", "", "𝔸lef, São Paulo", "\xffBerlin\x01"} {
		for _, answer := range []string{
			annotated(text), candidates(text), `{"@text":"","Resources":""}`, `{"@text":1,"Resources":{"@URI":"a","@offset":0,"@surfaceForm":"B"}}`,
			`{"annotation":{"@text":"","surfaceForm":[{"@name":"B","@offset":"0","resource":null}]}}`, `{"annotation":[]}`, "\ufeff{}", "<html>", `{"@text":"`,
			`{"@text":"","Resources":[{"@URI":"u","@surfaceForm":"\ud835","@offset":"0","@support":1e999}]}`,
		} {
			f.Add([]byte(answer), text)
		}
	}
}

// FuzzAnnotation: whatever is answered, what is read of it stands in the text, its numbers are in range,
// and errors have a class.
func FuzzAnnotation(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, answer []byte, text string) {
		all, skipped, err := spotlight.ReadAnnotation(answer, text)
		checkError(t, len(all)+skipped, err)
		for _, r := range all {
			checkPlace(t, text, r.Start, r.End, r.Surface)
			checkThing(t, r.URI, r.Support, r.Similarity, r.Second)
		}
	})
}

// FuzzCandidates is FuzzAnnotation for the other service.
func FuzzCandidates(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, answer []byte, text string) {
		all, skipped, err := spotlight.ReadCandidates(answer, text)
		checkError(t, len(all)+skipped, err)
		for _, s := range all {
			checkPlace(t, text, s.Start, s.End, s.Surface)
			if len(s.Candidates) == 0 {
				t.Error("a spot of nothing")
			}
			for _, c := range s.Candidates {
				checkThing(t, c.URI, c.Support, c.Similarity, c.Second, c.Prior, c.Context)
			}
		}
	})
}

func checkError(t *testing.T, read int, err error) {
	if err != nil && (read > 0 || spotlight.ClassOf(err) == "" || len(err.Error()) > 400) {
		t.Errorf("%d read, %v", read, err)
	}
}

func checkPlace(t *testing.T, text string, start, end int, surface string) {
	if start >= end || text[start:end] != surface || strings.TrimSpace(surface) == "" {
		t.Errorf("%d to %d is not %q", start, end, surface)
	}
}

func checkThing(t *testing.T, uri string, support int, shares ...float64) {
	if !strings.Contains(uri, "://") || strings.ContainsAny(uri, " <>\n\"") || support < 0 {
		t.Errorf("<%s>, support %d", uri, support)
	}
	for _, x := range shares {
		if math.IsNaN(x) || x < 0 || x > 1 {
			t.Errorf("%v", x)
		}
	}
}
