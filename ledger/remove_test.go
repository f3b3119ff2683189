package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/tier"
	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// removedPages are those that TestRemove removes: some have been fetched, some wait, and 27 has many statements.
var removedPages = regexp.MustCompile(`^http://a/(1|27|3\d|5|79)$`)

// aRemoval removes them.
func aRemoval() ledger.Removal { return ledger.Removal{URL: removedPages.MatchString} }

// half crawls the ring in part, and describes, lists and indexes the pages.
func half(t *testing.T, dir string, on *vfs.MemFS) {
	t.Helper()
	crawlOn(t, dir, on, ringSize*2/3, full, 1<<30, shut)
	book, err := ledger.OpenOn(dir, on, ledger.OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	var texts []ledger.PageText
	for o, err := range book.Outcomes(0) {
		if err != nil {
			t.Fatal(err)
		}
		text := "word" + strings.TrimPrefix(o.Request.URL, "http://a/")
		texts = append(texts, ledger.PageText{Request: o.Request, Title: text, Text: text + " common"})
	}
	describing(t, book)
	for _, err := range []error{book.List(1 << 20), book.IndexPages(texts), book.Indexed(int64(len(texts)))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := book.IndexNames(1 << 20); err != nil {
		t.Fatal(err)
	}
}

func describing(t *testing.T, book *ledger.Ledger) {
	t.Helper()
	if err := book.Materialize(describe.Activity{Node: rdf.NewIRI("urn:crawl"), Name: "ring"}, 1<<20); err != nil {
		t.Fatal(err)
	}
}

// told are the statements of a ledger, without the crawl's own.
func told(t *testing.T, book *ledger.Ledger) map[rdf.Quad]bool {
	t.Helper()
	s := book.Statements()
	defer s.Close()
	all, c := map[rdf.Quad]bool{}, s.Cursor()
	for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any}); c.Next(); {
		q, err := quads.Terms(s, c.Quad())
		if err != nil {
			t.Fatal(err)
		}
		all[q] = true
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkRemoved checks that a ledger has nothing of the removed pages, but what others say of them.
func checkRemoved(t *testing.T, book *ledger.Ledger) {
	t.Helper()
	n := int64(0)
	for o, err := range book.Outcomes(0) {
		if n++; err != nil || o.N != n {
			t.Fatal(n, o.N, err)
		}
		text := fmt.Sprintf("%+v %+v %+v", o.Request, o.Request.Via, o.Page)
		if parent := o.Request.Parent; removedPages.MatchString(o.Request.URL) || removedPages.MatchString(parent) || parent == ledger.RemovedURL && strings.Contains(text, "what is said") {
			t.Fatalf("outcome %d: %s", n, text)
		}
	}
	for w, err := range book.AllWaiting() {
		if err != nil || removedPages.MatchString(w.URL) || removedPages.MatchString(w.Parent) {
			t.Fatal(w, err)
		}
	}
	for q := range told(t, book) {
		if removedPages.MatchString(q.S.Value) && q.P.Value != describe.HasInlink || removedPages.MatchString(q.G.Value) ||
			removedPages.MatchString(q.O.Value) && q.P.Value != describe.HasOutlink {
			t.Fatalf("a statement of a removed page: %v", q)
		}
	}
	for line, err := range book.Pages(ledger.PageQuery{Failed: true}) {
		if err != nil || line.URL == ledger.RemovedURL || removedPages.MatchString(line.URL) {
			t.Fatal(line, err)
		}
	}
	names, pages := book.Texts()
	defer names.Close()
	defer pages.Close()
	if stats, err := pages.Stats(); err != nil || stats.Dead > 0 {
		t.Fatalf("%+v, %v: words of removed pages are in the index still", stats, err)
	}
	for _, text := range []string{"word27", "word35", "statement 2 of http://a/27", "statement 2 of http://a/35"} {
		if tables, err := book.Holding(text); err != nil || tables != "" {
			t.Fatalf("%q is in tables %q still (%v)", text, tables, err)
		}
	}
}

// TestRemove: what was removed is nowhere in the ledger; the rest is as it was, and a preview counts it.
func TestRemove(t *testing.T) {
	dir, on := t.TempDir(), vfs.NewCrashableMem()
	half(t, dir, on)
	book, err := ledger.OpenOn(dir, on, ledger.OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	before := told(t, book)
	want, examples, err := book.Removable(t.Context(), aRemoval(), 3)
	if err != nil || want.Pages == 0 || want.Waiting == 0 || want.Mentioned == 0 || len(examples) != 3 {
		t.Fatal(want, examples, err)
	}
	if !maps.Equal(before, told(t, book)) {
		t.Fatal("a preview changes the ledger")
	}
	got, err := book.Remove(t.Context(), aRemoval())
	if err != nil || got != want {
		t.Fatalf("removed %+v, %v; the preview said %+v", got, err, want)
	}
	checkRemoved(t, book)
	if again, err := book.Remove(t.Context(), aRemoval()); err != nil || again != (ledger.Removed{}) {
		t.Fatal(again, err)
	}
	after := told(t, book)
	for q := range before {
		about := func(s string) bool { return removedPages.MatchString(s) }
		if !after[q] && !about(q.S.Value) && !about(q.G.Value) && !about(q.O.Value) && !strings.HasSuffix(q.P.Value, "anchor") {
			t.Errorf("lost: %v", q)
		}
	}
	closed(t, book)
	if text := journalOf(t, dir); bytes.Count(text, []byte("\n")) != ringSize*2/3 || bytes.Count(text, []byte(`"url":"about:removed","error":"removed"`)) != int(want.Requests) {
		t.Fatalf("pages.jsonl: %s", text)
	}
	// The crawl goes on, and asks for none of them again.
	if _, reached := crawlOn(t, dir, on, ringSize, full, 1<<30, shut); reached {
		t.Fatal("a fault")
	}
	if book, err = ledger.OpenOn(dir, on, ledger.OpenFile); err != nil {
		t.Fatal(err)
	}
	defer closed(t, book)
	for o := range book.Outcomes(0) {
		if removedPages.MatchString(o.Request.URL) && o.N <= ringSize*2/3 {
			t.Fatal(o.Request.URL, "is back")
		}
	}
}

// TestRemoveInterrupted: a removal that any fault of the disk interrupts is made again, and ends as one that nothing interrupts.
func TestRemoveInterrupted(t *testing.T) {
	dir, on := t.TempDir(), vfs.NewCrashableMem()
	half(t, dir, on)
	removed := func(t *testing.T, on *vfs.MemFS) ([]byte, map[rdf.Quad]bool) {
		book, err := ledger.OpenOn(dir, on, ledger.OpenFile)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := book.Remove(context.WithoutCancel(t.Context()), aRemoval()); err != nil {
			t.Fatal(err)
		}
		checkRemoved(t, book)
		all := told(t, book)
		closed(t, book)
		return journalOf(t, dir), all
	}
	copied := func() *vfs.MemFS {
		return on.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 1))})
	}
	lines, all := removed(t, copied())
	for _, kind := range []fault{full, unsynced} {
		for n, reached := 0, true; reached; n += tier.Of(5+n/2, 1+n/4) {
			now := copied()
			disk := &badDisk{FS: now, fault: kind, left: n}
			book, err := ledger.OpenOn(dir, disk, disk.journal)
			if err == nil {
				_, err = book.Remove(t.Context(), aRemoval())
				if n%2 == 1 {
					now = now.CrashClone(vfs.CrashCloneCfg{})
				}
				_ = book.Close()
			}
			if reached = disk.reached(); reached != (err != nil) && n%2 == 0 {
				t.Logf("change %d: %v, %v", n, reached, err) // the fault was met when the ledger was closed
			}
			if text, left := removed(t, now); !bytes.Equal(text, lines) || !maps.Equal(left, all) {
				t.Fatalf("fault %d at change %d: another ledger", kind, n)
			}
		}
	}
}
