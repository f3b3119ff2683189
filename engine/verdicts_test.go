package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
)

// wordyWeb is randomWeb with two words on every page that tell its number, which verdicts can learn from.
func wordyWeb() web {
	w := randomWeb(60, 4)
	for url, text := range w {
		if !strings.HasPrefix(text, "-> ") {
			w[url] = text + fmt.Sprintf("kind%cword sort%dword\n", 'a'+len(url)%2, len(url)%3)
		}
	}
	return w
}

// crawlTaught crawls by a focus that takes no decisions until the n-th commit fails; 0: to the end.
func crawlTaught(t *testing.T, dir string, decisions []orbweaver.Decision, n int, noReplay bool) error {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, failed := engine.New(engine.Config{
		Focus: newCounting(), Fetch: wordyWeb(), Read: reader{}, Ledger: &mortal{Ledger: book, left: n}, NoReplay: noReplay,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"}, Workers: 2, Snapshot: 7, Decisions: decisions,
	}, book.Progress()).Run(t.Context())
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	return failed
}

// TestTaughtByVerdicts: a focus without a word about verdicts is corrected by them, and a crawl killed at any commit goes on
// to the same bytes.
func TestTaughtByVerdicts(t *testing.T) {
	decisions := []orbweaver.Decision{
		{Page: "http://a/", After: 3, Accepted: true}, {Page: "http://b/1", After: 9}, {Page: "http://b/1", After: 12, Accepted: true},
		{Page: "http://c/2", After: 14}, {Page: "http://b/1", After: 25}, {Page: "http://a/", After: 30, Accepted: true, Part: true}, {Page: "http://c/2", After: 40, Withdrawn: true},
	}
	whole := t.TempDir()
	if err := crawlTaught(t, whole, decisions, 0, false); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(whole, ledger.JournalFile))
	if err != nil || !strings.Contains(string(want), `"rule":"verdicts","evidence":"from 1 verdicts yes and 2 no`) {
		t.Fatalf("no verdict counted: %v", err)
	}
	if !strings.Contains(string(want), "no and 1 in part") {
		t.Error("a verdict in part does not count")
	}
	for n := 1; n < 60; n += 3 {
		dir := t.TempDir()
		for left := n; ; left = 0 {
			err := crawlTaught(t, dir, decisions, left, false)
			if errors.Is(err, errKilled) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile)); err != nil || string(got) != string(want) {
			t.Fatalf("killed at commit %d it is another crawl; %v", n, err)
		}
	}
}

// TestVerdictRefused: a verdict on a page that was not judged, or that cannot be read again, and the withdrawal of none are errors that
// name the page.
func TestVerdictRefused(t *testing.T) {
	for _, tc := range []struct {
		page      string
		noReplay  bool
		withdrawn bool
		want      string
	}{
		{"http://nowhere/", false, false, "has not fetched"},
		{"http://a/", true, false, "no archive"},
		{"http://a/", false, true, "no verdict on it holds"},
	} {
		err := crawlTaught(t, t.TempDir(), []orbweaver.Decision{{Page: tc.page, After: 5, Withdrawn: tc.withdrawn}}, 0, tc.noReplay)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.page) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.page, err)
		}
	}
}

// TestVerdictWithdrawn: verdicts that are withdrawn before another page is judged leave no trace in what is judged, the estimated
// chances included.
func TestVerdictWithdrawn(t *testing.T) {
	journal := func(decisions ...orbweaver.Decision) string {
		dir := t.TempDir()
		if err := crawlTaught(t, dir, decisions, 0, false); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	without := journal()
	taught := journal(orbweaver.Decision{Page: "http://a/", After: 9, Accepted: true})
	withdrawn := journal(orbweaver.Decision{Page: "http://a/", After: 9}, orbweaver.Decision{Page: "http://a/", After: 9, Accepted: true},
		orbweaver.Decision{Page: "http://a/", After: 9, Withdrawn: true})
	if taught == without {
		t.Error("a verdict changes nothing")
	}
	if withdrawn != without {
		t.Error("a verdict that was withdrawn changes something")
	}
	again := journal(orbweaver.Decision{Page: "http://a/", After: 9}, orbweaver.Decision{Page: "http://a/", After: 9, Withdrawn: true},
		orbweaver.Decision{Page: "http://a/", After: 9, Accepted: true})
	if again != taught {
		t.Error("a verdict after a withdrawal is not what it is alone")
	}
}
