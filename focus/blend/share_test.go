package blend

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// A sharing toy shares a word, and remembers what it was given.
type sharing struct {
	toy
	given []string
}

func (s *sharing) Snapshot(io.Writer) error { return nil }
func (s *sharing) Restore(io.Reader) error  { return nil }

func (s *sharing) Share(w io.Writer) error {
	_, err := io.WriteString(w, s.word)
	return err
}

func (s *sharing) Take(_ context.Context, shared map[string][]byte) (orbweaver.Lesson, error) {
	s.given = nil
	for from, body := range shared {
		s.given = append(s.given, from+" "+string(body))
	}
	slices.Sort(s.given)
	return orbweaver.Lesson{Stale: []string{"key"}}, nil
}

// TestShare: each part gets what the same part of others shares.
func TestShare(t *testing.T) {
	parts := []*sharing{{toy: toy{word: "first"}}, {toy: toy{word: "second"}}}
	made, err := New(Options{Combine: Any, Parts: []Part{{Name: "a", Weight: 1, Focus: parts[0]}, {Name: "plain", Weight: 1, Focus: &toy{word: "plain"}}, {Name: "b", Weight: 1, Focus: parts[1]}}})
	if err != nil {
		t.Fatal(err)
	}
	f := made.(sharer)
	var own bytes.Buffer
	if err := f.Share(&own); err != nil {
		t.Fatal(err)
	}
	lesson, err := f.Take(t.Context(), map[string][]byte{"x": own.Bytes(), "y": own.Bytes()})
	if err != nil || strings.Join(parts[0].given, ",") != "x first,y first" || strings.Join(parts[1].given, ",") != "x second,y second" || len(lesson.Stale) != 2 {
		t.Errorf("%v, %v, %v: %v", parts[0].given, parts[1].given, lesson.Stale, err)
	}
	if _, err := f.Take(t.Context(), map[string][]byte{"x": own.Bytes()[:3]}); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("cut short: %v", err)
	}
}
