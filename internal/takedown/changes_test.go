package takedown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/changes"
)

// TestChangesAreRemoved: what changed on a page that is removed is in no file; what others read by its place in the log stays there.
func TestChangesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	log, err := changes.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	var places []int64
	for i, url := range []string{"http://a.test/1", "http://b.test/secret", "http://a.test/2"} {
		at, err := log.Append(changes.Change{ID: string(rune('a' + i)), Time: time.Unix(int64(i), 0).UTC(), URL: url, Kind: changes.Changed, Diff: "+of " + url + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Order{Patterns: []string{"b.test"}}.compile()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.files(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{changes.LogFile, changes.FeedFile} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || strings.Contains(string(text), "secret") || !strings.Contains(string(text), "a.test/2") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	list, to, err := changes.Read(dir, places[0], places[2], 10)
	if err != nil || to != places[2] || len(list) != 1 || list[0].URL != "http://a.test/2" {
		t.Errorf("%+v until %d, want %d, %v", list, to, places[2], err)
	}
	if latest, err := changes.Latest(dir, 10); err != nil || len(latest) != 2 {
		t.Errorf("%+v, %v", latest, err)
	}
}
