//go:build e2e

package crawls_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/database"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/ledger"
)

// TestExplainByIndex: explanations are the same by the ledger's index as by going through pages.jsonl.
func TestExplainByIndex(t *testing.T) {
	const pages = 700 // more than are indexed for one explanation
	var links strings.Builder
	answers := []toy.Answer{{URL: "http://a.test/gone", Status: 404, Body: "gone"}}
	for i := range pages {
		fmt.Fprintf(&links, `<a href="/%d">%d</a> <a href="/to/%d">to</a> `, i, i, i)
		answers = append(answers, toy.Answer{URL: fmt.Sprintf("http://a.test/%d", i), Body: fmt.Sprintf(`<p>page of %d <a href="/gone">gone</a>`, i/3)})
		if i%10 == 0 {
			answers = append(answers, toy.Answer{URL: fmt.Sprintf("http://a.test/to/%d", i), Status: 301, Location: fmt.Sprintf("/%d", i)},
				toy.Answer{URL: fmt.Sprintf("http://a.test/to/%d", i+1), Status: 301, Location: "http://b.test/out"})
		}
	}
	answers = append(answers, toy.Answer{URL: "http://a.test/", Body: links.String()})
	folder := t.TempDir()
	apptest.CrawlIn(t, folder, "seeds: [http://a.test/]\nweb: {archive: "+toy.WebOf(t, answers)+"}\nfocus: {breadth_first: {}}\nlimits: {requests: 1300}\nscope: {hosts: [a.test]}\n")
	dir := filepath.Join(folder, "crawl")
	urls := []string{"http://a.test/", "http://a.test/gone", "http://b.test/out", "http://a.test/nowhere"}
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i), fmt.Sprintf("http://a.test/to/%d", i), fmt.Sprintf("http://a.test/to/%d", pages-1-i))
	}
	olderListing(t, dir)
	scanned := inspectExplained(t, dir, urls)
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := l.Unlisted()
	if err := cmp.Or(l.List(left), l.Close()); err != nil || left < 1000 {
		t.Fatal(left, err)
	}
	same, kinds := 0, map[string]int{}
	for i, x := range inspectExplained(t, dir, urls) {
		if kinds[x.Kind]++; !reflect.DeepEqual(x, scanned[i]) {
			t.Errorf("%s: %+v, want %+v", urls[i], x, scanned[i])
		}
		if x.SameBytes != nil {
			same++
		}
	}
	if same < 20 || len(kinds) < 4 {
		t.Errorf("%d pages of the same bytes, kinds %v", same, kinds)
	}
}

// explained explains URLs of a crawl at rest.
func inspectExplained(t *testing.T, dir string, urls []string) (all []*inspect.Explanation) {
	t.Helper()
	k, err := inspect.OpenKnowledge((&job.Job{}).Schema(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	for _, url := range urls {
		x, err := k.Explain(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// olderListing makes the index of a crawl one of another version, so that it is built again.
func olderListing(t *testing.T, dir string) {
	t.Helper()
	db, err := database.Open(filepath.Join(dir, "ledger"), database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := db.Value([]byte("s"))
	if older := bytes.Replace(state, []byte(`"listing":`), []byte(`"listing":9`), 1); err == nil && bytes.Equal(older, state) {
		t.Fatalf("no index: %s", state)
	} else if err := errors.Join(err, db.Put([]byte("s"), older), db.Close()); err != nil {
		t.Fatal(err)
	}
}
