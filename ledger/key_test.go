package ledger_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// journalBytes is pages.jsonl.
func journalBytes(t *testing.T, dir string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// keyed crawls that many more pages into a folder.
func keyed(t *testing.T, dir string, pages int64, key ...uint64) {
	t.Helper()
	book, err := ledger.OpenKeyed(dir, key...)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	if _, err := engine.New(engine.Config{
		Focus: &counting{map[string]int{}}, Fetch: ring(ringSize), Read: ring(ringSize), Ledger: book,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/1"}, Workers: 2, Snapshot: 7,
		Limits: engine.Limits{Pages: pages},
	}, book.Progress()).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestCraftedCollision: two URLs whose unkeyed hashes agree in the 50 bits that a seen set of format 3
// compares are different requests.
func TestCraftedCollision(t *testing.T) {
	book, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	first, _ := book.Offer(orbweaver.Request{URL: "http://a.example/31567362"})
	if id, fresh := book.Offer(orbweaver.Request{URL: "http://a.example/49827504"}); !fresh || id == first {
		t.Errorf("the second URL is taken for the first: %d, %d", first, id)
	}
}

// TestKeys: each ledger has its own, permanent key; a crawl writes the same bytes under any key, and without
// one.
func TestKeys(t *testing.T) {
	var keys [][]uint64
	dir := t.TempDir()
	for range 2 {
		for _, dir := range []string{dir, t.TempDir()} {
			book, err := ledger.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := book.Commit(step.Batch{}); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, book.Key())
			closed(t, book)
		}
	}
	if !slices.Equal(keys[0], keys[2]) || slices.Equal(keys[0], keys[1]) || slices.Equal(keys[1], keys[3]) {
		t.Errorf("keys %x", keys)
	}
	want := ""
	for _, key := range [][]uint64{{1, 2}, {3, 1 << 60}, nil} {
		dir := t.TempDir()
		keyed(t, dir, 0, key...)
		got := journalBytes(t, dir)
		if want == "" {
			want = got
		}
		if got != want || len(got) < 1000 {
			t.Errorf("key %x: %s is another", key, ledger.JournalFile)
		}
	}
}

// TestGoesOnWithoutKey: a ledger of format 3 is read, keeps its format, and its resumed crawl ends the same.
func TestGoesOnWithoutKey(t *testing.T) {
	whole, parted := t.TempDir(), t.TempDir()
	keyed(t, whole, 0)
	keyed(t, parted, 20)
	keyed(t, parted, 40, 7, 8) // a key is for new ledgers
	book, err := ledger.Open(parted)
	if err != nil {
		t.Fatal(err)
	}
	if key := book.Key(); len(key) != 0 {
		t.Errorf("it got the key %x", key)
	}
	closed(t, book)
	keyed(t, parted, 0)
	if journalBytes(t, whole) != journalBytes(t, parted) {
		t.Error("it is another crawl")
	}
}

// TestNumbersHaveRows: each number that the ledger assigns is written with its group; refused requests get
// none.
func TestNumbersHaveRows(t *testing.T) {
	book, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	refused := 0
	if _, err := engine.New(engine.Config{
		Focus: &counting{map[string]int{}}, Fetch: ring(ringSize), Read: ring(ringSize), Ledger: book,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/1"}, Workers: 2,
		Scope: func(url string) (bool, string) {
			last := url[len(url)-1]
			if last == '2' || last == '5' {
				refused++
				return false, "no 2 and no 5"
			}
			return true, ""
		},
	}, book.Progress()).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, want, err := book.SeenRows()
	if err != nil || len(rows) != want || book.Known() != want || refused == 0 {
		t.Errorf("%d rows, %d known, of %d numbers; %d links refused; %v", len(rows), book.Known(), want, refused, err)
	}
	told := book.Refused()
	if len(told) != 1 || told[0].Links != int64(refused) {
		t.Errorf("%d links refused, told of %+v", refused, told)
	}
}
