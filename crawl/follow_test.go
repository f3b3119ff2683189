package crawl_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
)

// TestFollow: outcomes are read from any number on, as they come.
func TestFollow(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 60)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(folder, "pages.jsonl")
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	lines = lines[:len(lines)-1]
	for after := int64(-1); after <= int64(len(lines))+2; after++ {
		want := min(max(after, 0), int64(len(lines))) + 1
		for got := range followed(t, c, after, int64(len(lines))) {
			if got != want {
				t.Fatalf("after %d: %d, want %d", after, got, want)
			}
			want++
		}
		if want != int64(len(lines))+1 {
			t.Fatalf("after %d: it ends before %d", after, want)
		}
	}

	write := func(upTo int, more string) {
		if err := os.WriteFile(journal, append(bytes.Join(lines[:upTo], nil), more...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(10, `{"n":11,`)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	step, all := 0, []int64{}
	for part, err := range c.Follow(ctx, 5) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range part {
			all = append(all, p.N)
		}
		switch step++; step {
		case 1: // to 10
			write(20, "")
		case 2: // to 20
			write(15, "")
			write(15, string(lines[15])+string(lines[16]))
		default:
			stop()
		}
		if step == 2 {
			f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines[17:24] {
				if _, err := f.Write(line); err != nil {
					t.Fatal(err)
				}
			}
			f.Close()
		}
	}
	if len(all) < 18 || all[0] != 6 || all[len(all)-1] != 24 {
		t.Errorf("%v", all)
	}
}

// followed ranges over the numbers of the outcomes from after on, to the last.
func followed(t *testing.T, c *crawl.Crawl, after, last int64) func(func(int64) bool) {
	t.Helper()
	return func(yield func(int64) bool) {
		if after >= last {
			return
		}
		for part, err := range c.Follow(t.Context(), after) {
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range part {
				if !yield(p.N) || p.N == last {
					return
				}
			}
		}
	}
}
