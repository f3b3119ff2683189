package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// subjects are the subjects of documents: a word of all documents of a subject, and others.
func subjects() [][]string {
	return [][]string{
		{"kites", "bridle", "spar", "tail", "wind", "line", "sail", "reel"},
		{"soups", "onion", "carrot", "broth", "stove", "ladle", "pot", "salt"},
		{"boats", "keel", "anchor", "rudder", "harbour", "oar", "deck", "mast"},
	}
}

// textOf returns the document of a seed: five words of its subject, always including the first one.
func textOf(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	words := subjects()[r.IntN(3)]
	chosen := []string{words[0]}
	for range 5 {
		chosen = append(chosen, words[1+r.IntN(len(words)-1)])
	}
	return "The " + strings.Join(chosen, " and the ") + "."
}

// learned returns a model of some documents, numbered from one on.
func learned(t *testing.T, m *Model, from, to uint64) *Model {
	t.Helper()
	var r item.Reader
	for seed := from; seed < to; seed++ {
		if it, _ := m.Learn(fmt.Sprint("d", seed), time.Unix(int64(seed), 0), r.Read(textOf(seed), "", "en")); it.Lack != "" {
			t.Fatalf("%s: %s", textOf(seed), it.Lack)
		}
	}
	return m
}

func newModel(t *testing.T, o Options) *Model {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestModelLearns: the common word is broader than the others, and a document without the word has the label.
func TestModelLearns(t *testing.T) {
	m := learned(t, newModel(t, Options{}), 0, 120)
	key, _, ok := m.Find("Kites")
	if !ok || key != "kite" || m.Show(key) != "kites" {
		t.Fatalf("label kites is %q, shown as %q", key, m.Show(key))
	}
	if up := m.Labels.Ancestors("bridl"); !slices.Contains(up, key) || slices.Contains(up, "soup") {
		t.Errorf("above bridle is %q", up)
	}
	if _, near, ok := m.Find("kite sailing"); ok || len(near) == 0 {
		t.Errorf("near is %q", near)
	}
	var r item.Reader
	it, _, lack := m.Weigh("x", r.Read("A bridle and a spar.", "", "en"))
	if lack != "" || !m.Labels.Holds(it, key) {
		t.Errorf("%+v: %s", it, lack)
	}
	if _, _, lack := m.Weigh("y", r.Read("Zzyzx.", "", "en")); lack != item.Strange {
		t.Errorf("a strange word: %q", lack)
	}
	if m.Show("nowhere met") != "nowhere met" {
		t.Error("what is unknown is shown as something else")
	}
	names := map[string]bool{}
	for q := range m.Quads() {
		if strings.HasSuffix(q.P.Value, "prefLabel") {
			names[q.O.Value] = true
		}
	}
	if !names["kites"] || names["kite"] {
		t.Errorf("labels in RDF: %v", names)
	}
}

// TestFolder: a written model is read, continues as the original, and has its note.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	half := learned(t, newModel(t, Options{Terms: 10, HalfLife: 50}), 0, 60)
	if err := half.Write(dir, json.RawMessage(`{"read":60}`)); err != nil {
		t.Fatal(err)
	}
	again, note, err := Read(dir, "")
	if err != nil || !strings.Contains(string(note), "60") || again.Digest() != half.Digest() || stateOf(t, again) != stateOf(t, half) || again.Options != half.Options {
		t.Fatalf("%v, note %s", err, note)
	}
	whole := learned(t, newModel(t, Options{Terms: 10, HalfLife: 50}), 0, 120)
	if learned(t, again, 60, 120).Digest() != whole.Digest() || stateOf(t, again) != stateOf(t, whole) {
		t.Error("it learns something else than one that was not interrupted")
	}
	if err := again.Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	if third, _, err := Read(dir, ""); err != nil || third.Digest() != whole.Digest() {
		t.Error(err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 5 || !Has(dir) || Has(t.TempDir()) {
		t.Errorf("in the folder: %v", entries)
	}
}

// TestInterruptedWrite: after an interrupted write the old model or the new one is read, and may be replaced.
func TestInterruptedWrite(t *testing.T) {
	before, after := learned(t, newModel(t, Options{}), 0, 40), learned(t, newModel(t, Options{}), 0, 80)
	folder := t.TempDir()
	files := map[string][]byte{} // of the later model
	if err := after.Write(filepath.Join(folder, "after"), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{LabelsFile, TermsFile, GroupsFile, HeadFile} {
		content, err := os.ReadFile(filepath.Join(folder, "after", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = content
	}
	steps := []struct{ name, as string }{ // the files written, in this order
		{LabelsFile, LabelsFile + partial}, {TermsFile, TermsFile + partial}, {GroupsFile, GroupsFile + partial}, {HeadFile, HeadFile + partial},
		{HeadFile, HeadFile}, {LabelsFile, LabelsFile}, {TermsFile, TermsFile}, {GroupsFile, GroupsFile},
	}
	for n := range len(steps) + 1 {
		for _, torn := range []bool{false, true} {
			dir := filepath.Join(folder, fmt.Sprint(n, torn))
			if err := before.Write(dir, nil); err != nil {
				t.Fatal(err)
			}
			for i, s := range steps[:n] {
				content := files[s.name]
				if torn && i == n-1 && strings.HasSuffix(s.as, partial) {
					content = content[:len(content)/2]
				}
				if err := os.WriteFile(filepath.Join(dir, s.as), content, 0o666); err != nil {
					t.Fatal(err)
				}
				if i > 3 {
					_ = os.Remove(filepath.Join(dir, s.as+partial))
				}
			}
			want := before
			if n > 4 {
				want = after
			}
			m, _, err := Read(dir, "")
			if err != nil || m.Digest() != want.Digest() {
				t.Fatalf("after %d steps, torn %v: %v", n, torn, err)
			}
			if err := m.Write(dir, nil); err != nil {
				t.Error(err)
			}
			if again, _, err := Read(dir, ""); err != nil || again.Digest() != want.Digest() {
				t.Errorf("written over after %d steps: %v", n, err)
			}
		}
	}
}

// TestStrangeFolders: folders without a model of this version are distinguished, and not overwritten.
func TestStrangeFolders(t *testing.T) {
	m := learned(t, newModel(t, Options{}), 0, 40)
	for _, tc := range []struct {
		name, file string
		change     func([]byte) []byte // nil: the file is removed
		want       error
		writes     bool
	}{
		{"another version", HeadFile, replaced(`"version": 1`, `"version": 2`), ErrFormat, false},
		{"another program's", HeadFile, replaced(format, "something"), ErrForeign, false},
		{"half a head", HeadFile, func(b []byte) []byte { return b[:len(b)/2] }, ErrDamaged, false},
		{"no head", HeadFile, nil, ErrNone, false},
		{"no terms", TermsFile, nil, ErrDamaged, true},
		{"other labels", LabelsFile, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, ErrDamaged, true},
		{"options that none has", HeadFile, replaced(`"terms": 25`, `"terms": 1`), ErrDamaged, true},
		{"the files of another", HeadFile, replaced(TermsFile, "../x"), ErrDamaged, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := m.Write(dir, nil); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, tc.file)
			content, err := os.ReadFile(path)
			if err == nil && tc.change == nil {
				err = os.Remove(path)
			} else if err == nil {
				err = os.WriteFile(path, tc.change(content), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := Read(dir, ""); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("read: %v, want %v", err, tc.want)
			}
			if err := Check(dir); (err == nil) != tc.writes {
				t.Errorf("may be written: %v", err)
			}
		})
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "diary.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := m.Write(other, nil); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "diary.txt") {
		t.Errorf("over a diary: %v", err)
	}
}

func replaced(old, by string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(by)) }
}

// TestOldLabels: a labels snapshot of another version is reported as such.
func TestOldLabels(t *testing.T) {
	h := head{Files: map[string]file{}}
	dir := t.TempDir()
	f, err := writePart(filepath.Join(dir, LabelsFile), func(w io.Writer) error {
		_, err := io.WriteString(w, "orbweaver labels\n\x63")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Files[LabelsFile] = f
	err = h.open(dir, LabelsFile, func(r io.Reader) error { _, err := labels.Restore(r); return err })
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), LabelsFile) {
		t.Error(err)
	}
}

// TestOptions checks options out of range, and a WordNet that is missing or different.
func TestOptions(t *testing.T) {
	if _, err := New(Options{Terms: 1, HalfLife: -1}); !errors.Is(err, labels.ErrParameters) || !strings.Contains(err.Error(), "halfLife") {
		t.Error(err)
	}
	if _, err := New(Options{WordNet: "/nowhere"}); !errors.Is(err, ErrWordNet) || !strings.Contains(err.Error(), "/nowhere") {
		t.Error(err)
	}
	wordNet := filepath.Join(t.TempDir(), "wn")
	if err := os.Mkdir(wordNet, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"cntlist.rev": "car%1:06:00:: 1 71\nautomobile%1:06:00:: 1 11\n", "index.verb": "", "index.adj": "", "index.adv": "",
		"index.noun": "car n 1 1 @ 1 1 02958343\nautomobile n 1 1 @ 1 1 02958343\n",
	} {
		if err := os.WriteFile(filepath.Join(wordNet, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := newModel(t, Options{WordNet: wordNet})
	var r item.Reader
	for i := range 8 {
		m.Learn("", time.Time{}, r.Read([]string{"The car drives away.", "An automobile drives away."}[i%2], "", "en"))
	}
	if n := m.Labels.Count("car", "car"); n != 8 {
		t.Errorf("%v items have the car", n)
	}
	dir := t.TempDir()
	if err := m.Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	moved := wordNet + "2"
	if err := os.Rename(wordNet, moved); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(dir, ""); !errors.Is(err, ErrWordNet) {
		t.Errorf("without its WordNet: %v", err)
	}
	if again, _, err := Read(dir, moved); err != nil || again.Digest() != m.Digest() {
		t.Errorf("with it: %v", err)
	}
	if err := os.WriteFile(filepath.Join(moved, "index.adv"), []byte("  other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(dir, moved); !errors.Is(err, ErrWordNet) || !strings.Contains(err.Error(), "not the one") {
		t.Errorf("with another: %v", err)
	}
}

// FuzzHead: reading any head ends with an error or a model.
func FuzzHead(f *testing.F) {
	f.Add([]byte(`{"format":"` + format + `","version":1,"options":{"terms":25,"halfLife":0},"files":{"labels.model":{"bytes":3,"sha256":"x"}}}`))
	f.Add([]byte(`{"format":"` + format + `","version":1,"options":{"terms":2,"halfLife":1e999}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, HeadFile), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(dir, ""); err == nil {
			t.Error("a model without files")
		}
		_ = Check(dir)
	})
}
