package stream

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/kb/labels"
)

// changesOf returns two changes of an item.
func changesOf(item int64, what string) []labels.Change {
	return []labels.Change{{Item: item, Kind: labels.OfTerm, Subject: what}, {Item: item, Kind: labels.OfLabel, Subject: what}}
}

// logged opens a log at a number of items, and adds changes.
func logged(t *testing.T, dir string, behind int64, changes ...[]labels.Change) *Drift {
	t.Helper()
	d, err := OpenDrift(dir, behind)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if err := d.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return d
}

// changesIn returns the log as item and subject, one entry per two lines.
func changesIn(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, DriftFile))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		var item int64
		if _, err := fmt.Sscanf(lines[i], `{"item":%d,`, &item); err != nil {
			t.Fatal(lines[i], err)
		}
		_, subject, _ := strings.Cut(lines[i], `"subject":"`)
		all = append(all, fmt.Sprint(item, subject[:1]))
	}
	return strings.Join(all, " ")
}

// TestDriftIsOfOnePast: changes undone by a crash are removed, whether or not they are learned again.
func TestDriftIsOfOnePast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	if d := logged(t, dir, 0, changesOf(1, "a"), changesOf(3, "b"), nil, changesOf(4, "c")); d.Last() != 4 || changesIn(t, dir) != "1a 3b 4c" {
		t.Fatal(d.Last(), changesIn(t, dir))
	}
	f, err := os.OpenFile(filepath.Join(dir, DriftFile), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"item":5,"ki`) // incomplete
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if logged(t, dir, math.MaxInt64); changesIn(t, dir) != "1a 3b 4c" {
		t.Error("torn: ", changesIn(t, dir))
	}
	if logged(t, dir, math.MaxInt64, changesOf(3, "x"), changesOf(5, "y")); changesIn(t, dir) != "1a 3x 5y" {
		t.Error("learned again: ", changesIn(t, dir))
	}
	if d := logged(t, dir, 4); changesIn(t, dir) != "1a 3x" || d.Last() != 3 {
		t.Error("behind item 4: ", changesIn(t, dir))
	}
	other := t.TempDir()
	if err := CopyDrift(dir, other, 2); err != nil || changesIn(t, other) != "1a" {
		t.Error("copied: ", changesIn(t, other), err)
	}
	if err := CopyDrift(other, dir, 2); err != nil || changesIn(t, dir) != "1a" {
		t.Error("copied onto another: ", changesIn(t, dir), err)
	}
	if err := CopyDrift(filepath.Join(dir, "none"), other, 2); err != nil || changesIn(t, other) != "1a" {
		t.Error("nothing to copy: ", err)
	}
}

// TestDriftKeepsStrangeLines: a line not written by this package is kept.
func TestDriftKeepsStrangeLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, DriftFile)
	if err := os.WriteFile(path, []byte("strange\n{\"item\":1}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	logged(t, dir, 1, changesOf(2, "a"))
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "strange\n{\"item\":1}\n{\"item\":2,") {
		t.Errorf("%s %v", text, err)
	}
}
