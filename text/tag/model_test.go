package tag_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver/text/tag"
)

// file returns the file of a model of two sections.
func file(t testing.TB) []byte {
	t.Helper()
	var m tag.Model
	m.Put("b", []byte("old"))
	m.Put("b", []byte("bytes"))
	m.Put("a", nil)
	var b bytes.Buffer
	n, err := m.WriteTo(&b)
	if err != nil || int(n) != b.Len() {
		t.Fatalf("%d bytes, %v", n, err)
	}
	return b.Bytes()
}

func TestModel(t *testing.T) {
	m, err := tag.ReadModel(bytes.NewReader(file(t)))
	if err != nil {
		t.Fatal(err)
	}
	if names := m.Names(); !reflect.DeepEqual(names, []string{"a", "b"}) {
		t.Errorf("sections %v", names)
	}
	if b, ok := m.Section("b"); !ok || string(b) != "bytes" {
		t.Errorf("%q", b)
	}
	if _, ok := m.Section("c"); ok {
		t.Error("a section that nobody put there")
	}
	if _, err := new(tag.Model).WriteTo(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

func TestNoModel(t *testing.T) {
	good := file(t)
	for _, tc := range []struct {
		name   string
		change func(b []byte) []byte
		want   string
	}{
		{"nothing", func([]byte) []byte { return nil }, "does not start as one"},
		{"another kind of file", func(b []byte) []byte { b[0] = 'x'; return b }, "does not start as one"},
		{"another version", func(b []byte) []byte { b[16] = 9; return b }, "version 9, this program reads 1"},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, "damaged"},
		{"a bit changed", func(b []byte) []byte { b[len(b)-1] ^= 4; return b }, "damaged"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m")
			if err := os.WriteFile(path, tc.change(slices.Clone(good)), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := tag.LoadModel(path)
			if !errors.Is(err, tag.ErrModel) || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%v, not %s", err, tc.want)
			}
		})
	}
}

// TestNoTagger: the error names a section that is missing or invalid.
func TestNoTagger(t *testing.T) {
	for _, tc := range []struct{ words, weights, want string }{
		{"", "\x01\x00", "tag.words: not a model that can be used: it ends too soon"},
		{"\x01\x00\x00\x00\x00", "\x02\x00", "learned with features 2"},
		{"\xff\xff\xff\xff\x0f\x00\x00\x00\x00", "\x01\x00", "ends too soon"},
		{"\x01\x00\x00\x00\xff", "\x01\x00", "word 0 has invalid properties"},
		{"\x02\x05\x00\x00\x00\x00\x00\x00\x00", "\x01\x00", "word 1 is out of place"},
		{"\x00\x00", "\x01\x00", "1 bytes too many"},
		{"\x00", "\x01\x01\x05\x01\x01", "ends too soon"},
		{"\x00", "\x01\x01\x05\x01\x40\x02", "feature 0 weighs 1 for tag 64"},
		{"\x00", "\x01\x01\x05\x00\x01\x02", "feature 0 has 0 weights"},
		{"\x00", "\x01\x01\xff\xff\xff\xff\xff\xff\x01\x01\x01\x02", "feature 0 is out of place"},
	} {
		var m tag.Model
		m.Put("tag.words", []byte(tc.words))
		m.Put("tag.weights", []byte(tc.weights))
		_, err := tag.NewTagger(&m)
		if !errors.Is(err, tag.ErrModel) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q, %q: %v, not %s", tc.words, tc.weights, err, tc.want)
		}
	}
	if _, err := tag.NewTagger(new(tag.Model)); !errors.Is(err, tag.ErrModel) {
		t.Errorf("nothing: %v", err)
	}
}

// TestCrowded: a table whose keys all have the same home is rejected quickly.
func TestCrowded(t *testing.T) {
	words := []byte{0x80, 0x20} // 4096
	for range 4096 {
		words = append(words, 1, 0, 0, 0)
	}
	var m tag.Model
	m.Put("tag.words", words)
	m.Put("tag.weights", []byte("\x01\x00"))
	if _, err := tag.NewTagger(&m); !errors.Is(err, tag.ErrModel) || !strings.Contains(err.Error(), "word 512 is out of place") {
		t.Error(err)
	}
}

// FuzzModel: no file makes the reader panic, and a model survives a round trip.
func FuzzModel(f *testing.F) {
	f.Add(file(f))
	f.Add([]byte("orbweaver model\n\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := tag.ReadModel(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, tag.ErrModel) {
				t.Error(err)
			}
			return
		}
		var back bytes.Buffer
		if _, err := m.WriteTo(&back); err == nil && !bytes.Equal(back.Bytes(), b) {
			t.Errorf("%q became %q", b, back.Bytes())
		}
	})
}

// FuzzSections: no sections make a tagger that panics.
func FuzzSections(f *testing.F) {
	small := small(f)
	words, _ := small.Section("tag.words")
	weights, _ := small.Section("tag.weights")
	f.Add(words, weights)
	f.Add([]byte("\x01\x00\x00\x00\x00"), []byte("\x01\x01\x05\x01\x01\x02"))
	f.Fuzz(func(t *testing.T, words, weights []byte) {
		var m tag.Model
		m.Put("tag.words", words)
		m.Put("tag.weights", weights)
		tagger, err := tag.NewTagger(&m)
		if err != nil {
			if !errors.Is(err, tag.ErrModel) {
				t.Error(err)
			}
			return
		}
		for _, got := range tagger.Append([]string{"The", "dogs", "bark", "."}, nil) {
			if got == tag.Unknown || got.String() == "" {
				t.Errorf("tag %d", got)
			}
		}
	})
}
