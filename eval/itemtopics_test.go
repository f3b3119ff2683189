package eval

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver"
)

func TestItemTopics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "topics.tsv")
	rows := "url\ttopic\na\tsea.ships\nb\tsea.ships\nb\tsky\nc\tsky\nd\tsea.fish\na\tsea.ships\ne\twood\n"
	if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	same := func(s string) (string, error) { return s, nil }
	for _, tc := range []struct {
		name     string
		topics   []string
		item     string
		relevant []string
	}{
		{"a topic in common", nil, "a", []string{"b"}},
		{"one of several", nil, "b", []string{"a", "c"}},
		{"only of those asked for", []string{"sky"}, "b", []string{"c"}},
		{"what only begins alike is another topic", []string{"sea"}, "d", nil},
		{"no topic", nil, "x", nil},
	} {
		all, err := LoadItemTopics(path, tc.topics, same)
		if err != nil {
			t.Fatal(err)
		}
		truth := all.Of(tc.item)
		var got []string
		for _, url := range []string{"a", "b", "c", "d", "e", "x"} {
			if truth.Relevant(url) {
				got = append(got, url)
			}
		}
		if !slices.Equal(got, tc.relevant) || truth.Len() != len(tc.relevant) || all.Has(tc.item) != (tc.item != "x") {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.relevant)
		}
	}
	if _, err := LoadItemTopics(path, []string{"moon"}, same); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a topic that no row has: %v", err)
	}
	if _, err := LoadItemTopics(path+"x", nil, same); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no file: %v", err)
	}
}
