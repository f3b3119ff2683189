package ontology

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
)

func TestReadIDF(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		want       map[string]float64
		problems   []string
	}{
		{"words without case, IRIs with it", "# a comment\n\nJet Engine\t2.5\nhttp://a.test/#Pilot\t3\n", map[string]float64{"jet engine": 2.5, "http://a.test/#Pilot": 3}, nil},
		{"every bad line is told", "a 1\nb\t2\nc\t0\nd\tNaN\n", nil, []string{":1: ", ":3: ", ":4: "}},
		{"a line without end", strings.Repeat("x", 1<<17), nil, []string{":1: "}},
	} {
		path := filepath.Join(t.TempDir(), "idf.tsv")
		if err := os.WriteFile(path, []byte(tc.file), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := readIDF(path)
		if tc.problems == nil && (err != nil || !maps.Equal(got, tc.want)) {
			t.Errorf("%s: %v, %v", tc.name, got, err)
		}
		if tc.problems == nil {
			continue
		}
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Fatalf("%s: %v", tc.name, err)
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(tc.problems) {
			t.Errorf("%s: %d problems: %v", tc.name, len(lines), err)
			continue
		}
		for i, place := range tc.problems {
			if !strings.Contains(lines[i], path+place) {
				t.Errorf("%s: %q does not name %s", tc.name, lines[i], place)
			}
		}
	}
}
