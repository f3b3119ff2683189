package crawlfile

import (
	"reflect"
	"strings"
	"testing"

	"orbweaver/internal/crawlfile/notation"
)

func TestSizesAndDurations(t *testing.T) {
	for _, tc := range []struct {
		text  string
		bytes int64
		back  string
	}{
		{"0", 0, "0B"}, {"1", 1, "1B"}, {"999B", 999, "999B"}, {"1kB", 1000, "1kB"}, {"1KB", 1000, "1kB"}, {"1KiB", 1024, "1024B"},
		{"10MB", 10_000_000, "10MB"}, {"10 mb", 10_000_000, "10MB"}, {"1.5GB", 1_500_000_000, "1500MB"}, {"2TiB", 1 << 41, "2199023255552B"},
	} {
		got, _, ok := notation.Size(tc.text)
		if !ok || got != tc.bytes || notation.PrintSize(got) != tc.back {
			t.Errorf("%s is %d, %v, printed %s; want %d, %s", tc.text, got, ok, notation.PrintSize(got), tc.bytes, tc.back)
		}
	}
	for _, bad := range []string{"", "B", "MB", "x", "1XB", "1e30GB", "NaN", "Inf", "1.5.5MB", "9223372036854775807kB"} {
		if got, _, ok := notation.Size(bad); ok {
			t.Errorf("%q was taken for %d bytes", bad, got)
		}
	}
	for text, back := range map[string]string{"2h": "2h", "90m": "1h30m", "3600s": "1h", "1h0m1s": "1h0m1s", "0": "0s", "250ms": "250ms", "10m": "10m", "100s": "1m40s"} {
		got, _, ok := notation.Duration(text)
		if !ok {
			t.Errorf("%s is no duration", text)
		}
		if p := printNumber(reflect.ValueOf(&Limits{}).Elem().FieldByName("Time"), field{}, number{i: got}); p != back {
			t.Errorf("%s printed as %s, want %s", text, p, back)
		}
	}
}

func TestNearest(t *testing.T) {
	keys := keysOf(fieldsOf(reflect.TypeFor[Limits]()))
	for written, want := range map[string]string{
		"page": "pages", "dpeth": "depth", "Per-Host": "per_host", "tiem": "time", "redirect": "redirects",
		"colour": "", "x": "", "": "", strings.Repeat("pages", 20): "",
	} {
		if got := notation.Nearest(written, keys); got != want {
			t.Errorf("nearest to %q: %q, want %q", written, got, want)
		}
	}
}

// FuzzExpand expands arbitrary names: the result is an IRI that survives printing and expanding.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"ex:A", "<urn:x>", "http://a/b", ":x", "::", "urn:a", "<", "ex://x"} {
		f.Add(seed, "http://e/")
	}
	f.Fuzz(func(t *testing.T, name, namespace string) {
		prefixes := map[string]string{"ex": namespace, "": "urn:empty:", "http": "urn:http:"}
		iri, msg, _ := expand(name, prefixes)
		if msg != "" {
			return
		}
		if again, msg, _ := expand(notation.Bracketed(iri), prefixes); msg != "" || again != iri {
			t.Errorf("%q became %q, which became %q (%s)", name, iri, again, msg)
		}
	})
}
