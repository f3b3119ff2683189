package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// plainly is the proposal of a page.
func plainly(url string) orbweaver.Proposal {
	p := proposal(url)
	p.Accept, p.Query, p.State = "", "", ""
	return p
}

// copied copies what a ledger has since a position into another, in small parts, and returns the position and what else came.
func copied(t *testing.T, from, to *ledger.Ledger, p ledger.Position, most int) (ledger.Position, []ledger.Entry) {
	t.Helper()
	var others []ledger.Entry
	for more := true; more; {
		x, err := from.Since(p, most)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := ledger.Entries(x.Entries)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			switch {
			case e.Outcome != nil:
				_, err = to.TakeIn(*e.Outcome, e.Links, x.Progress)
			case e.Waiting != nil:
				w := *e.Waiting
				if id, fresh := to.Offer(w.Request); fresh {
					w.ID = id
					err = to.Commit(step.Batch{Waiting: []step.Waiting{w}, Progress: x.Progress})
				}
			default:
				others = append(others, e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		p, more = x.To, x.More
	}
	return p, others
}

// step3 commits the outcome of one page that links to three others, which wait.
func step3(t *testing.T, l *ledger.Ledger, at int) {
	t.Helper()
	url := func(n int) string { return fmt.Sprintf("http://a/%d", n) }
	r := plainly(url(at)).Request
	id, _ := l.Offer(r)
	page := &orbweaver.Page{URL: url(at), Title: "of", Lang: "en", Quads: said(url(at))}
	batch := step.Batch{
		Done: id, Outcome: &orbweaver.Outcome{Request: r, Status: 200, Page: page},
		Accounts: []step.Account{{Host: "a", Asked: int64(at)}}, Progress: step.Progress{Requests: int64(at)},
		Away: []step.Parcel{{Proposal: plainly(fmt.Sprintf("http://bb/%d", at%3))}},
	}
	for k := range 3 {
		page.Links = append(page.Links, orbweaver.Link{To: url(3*at + k + 1)})
		p := plainly(url(3*at + k + 1))
		p.Score, p.Note, p.Keys = float64(k)/4, []byte{byte(k)}, []string{"k"}
		id, _ := l.Offer(p.Request)
		batch.Waiting = append(batch.Waiting, step.Waiting{ID: id, Proposal: p})
	}
	if err := l.Commit(batch); err != nil {
		t.Fatal(err)
	}
}

// TestSince: what is copied part by part, while the ledger goes on, makes a ledger of the same pages, links, statements and requests that wait; copying again
// changes nothing.
func TestSince(t *testing.T) {
	folders := [2]string{t.TempDir(), t.TempDir()}
	from, to := open(t, folders[0]), open(t, folders[1])
	from.Divide(byLength)
	id, _ := from.Offer(plainly("http://a/0").Request)
	if err := from.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: plainly("http://a/0")}}}); err != nil {
		t.Fatal(err)
	}
	var p ledger.Position
	for at := range 40 {
		if step3(t, from, at); at%7 == 3 {
			if err := from.Flush(); err != nil {
				t.Fatal(err)
			}
			p, _ = copied(t, from, to, p, 600)
		}
	}
	if err := from.Commit(step.Batch{Received: &step.Delivery{From: "w", Partition: 260, First: 1, Last: 9}}); err != nil {
		t.Fatal(err)
	}
	if err := from.Flush(); err != nil {
		t.Fatal(err)
	}
	p, others := copied(t, from, to, p, 600)
	if _, rest := copied(t, from, to, p, 600); len(rest) > 0 {
		t.Errorf("copied again: %+v", rest)
	}
	if p.Messages[11] == 0 {
		t.Errorf("messages up to %v", p.Messages)
	}
	var account *step.Account
	var taken *step.Delivery
	for _, e := range others {
		switch {
		case e.Account != nil:
			account = e.Account
		case e.Taken != nil:
			taken = e.Taken
		}
	}
	if account == nil || account.Asked != 39 || !reflect.DeepEqual(taken, &step.Delivery{From: "w", Partition: 260, Last: 9}) {
		t.Errorf("account %+v, taken %+v", account, taken)
	}
	if err := errors.Join(from.Flush(), to.Flush()); err != nil {
		t.Fatal(err)
	}
	sameLedgers(t, from, to)
	if err := errors.Join(from.Close(), to.Close()); err != nil {
		t.Fatal(err)
	}
	if a, b := journalOf(t, folders[0]), journalOf(t, folders[1]); !bytes.Equal(a, b) || len(a) == 0 {
		t.Errorf("pages.jsonl:\n%s\n%s", a, b)
	}
}

// sameLedgers compares what waits, links and statements.
func sameLedgers(t *testing.T, a, b *ledger.Ledger) {
	t.Helper()
	waits := func(l *ledger.Ledger) map[string]step.Waiting {
		all := map[string]step.Waiting{}
		for w, err := range l.AllWaiting() {
			if err != nil {
				t.Fatal(err)
			}
			w.ID = 0
			all[w.URL] = w
		}
		return all
	}
	if got, want := waits(b), waits(a); !reflect.DeepEqual(got, want) || len(want) < 50 {
		t.Errorf("%d wait, want %d", len(got), len(want))
	}
	statements := func(l *ledger.Ledger) map[string]int {
		all := map[string]int{}
		for q, err := range l.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.Term{}) {
			if err != nil {
				t.Fatal(err)
			}
			same := func(t rdf.Term) rdf.Term { // labels of two stores differ
				if t.Kind == rdf.Blank {
					t.Value = "b"
				}
				return t
			}
			q.S, q.O = same(q.S), q.O.Map(same)
			all[fmt.Sprint(q)]++
		}
		return all
	}
	if got, want := statements(b), statements(a); !maps.Equal(got, want) || len(want) < 100 {
		t.Errorf("%d statements, want %d", len(got), len(want))
	}
	for at := range 40 {
		url := fmt.Sprintf("http://a/%d", at)
		if x, y := slices.Collect(a.Outlinks(url)), slices.Collect(b.Outlinks(url)); !slices.Equal(x, y) || len(x) == 0 {
			t.Errorf("%s links to %v, want %v", url, y, x)
		}
		if x, y := slices.Collect(a.Inlinks(url)), slices.Collect(b.Inlinks(url)); !slices.Equal(x, y) {
			t.Errorf("to %s link %v, want %v", url, y, x)
		}
	}
}

// TestDamagedEntries: entries that are cut anywhere are an error.
func TestDamagedEntries(t *testing.T) {
	l := open(t, t.TempDir())
	l.Divide(byLength)
	step3(t, l, 1)
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	x, err := l.Since(ledger.Position{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := ledger.Entries(x.Entries)
	if err != nil {
		t.Fatal(err)
	}
	for n := range x.Entries {
		some, err := ledger.Entries(x.Entries[:n])
		if err == nil && len(some) >= len(whole) || err != nil && !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("cut at %d: %d entries, %v", n, len(some), err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLinksOfSources: an outcome without a page that leads on has its links in the copy, too.
func TestLinksOfSources(t *testing.T) {
	from, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	r := plainly("http://a/list").Request
	id, _ := from.Offer(r)
	err = from.Commit(step.Batch{
		Done: id, Outcome: &orbweaver.Outcome{Request: r, Status: 200, Err: step.ErrSource}, Links: []orbweaver.Link{{To: "http://a/1"}, {To: "http://a/2"}, {To: "http://a/1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := from.Flush(); err != nil {
		t.Fatal(err)
	}
	copied(t, from, to, ledger.Position{}, 1<<20)
	for _, l := range []*ledger.Ledger{from, to} {
		if out := slices.Collect(l.Outlinks("http://a/list")); !slices.Equal(out, []string{"http://a/1", "http://a/2"}) {
			t.Errorf("%v", out)
		}
		if in := slices.Collect(l.Inlinks("http://a/2")); !slices.Equal(in, []string{"http://a/list"}) {
			t.Errorf("%v", in)
		}
	}
}
