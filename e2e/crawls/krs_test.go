//go:build e2e

package crawls_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/store"
	"orbweaver/kb/krs"
)

// The paper's listings as printed, with another noun.
const (
	listing1 = "@PREFIX sfwc: <http://sfwcrawler.com/core#>\n@PREFIX nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#>\n" +
		"SELECT COUNT (DISTINCT ?doc) as ?total WHERE {\n    ?s a sfwc:Entity .\n    ?s nif:anchorOf \"algol\" .\n    ?s sfwc:inDocument ?doc .\n}\n"
	listing2 = "@PREFIX sfwc: <http://sfwcrawler.com/core#>\nSELECT COUNT (DISTINCT ?doc) as ?total WHERE {\n?doc a sfwc:Document .\n}\n"
	virtual  = `SELECT DISTINCT ?idf { ?s <http://sfwcrawler.com/core#idfValue> ?idf } ORDER BY ?idf`
)

// kindOfFour is a KRS of four documents, two of them with "algol": its IDF is 1, and that of "cobol" 2.
func kindOfFour(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "four.krs")
	s, err := krsdb.Build(t.Context(), dir, krs.Plan{Topic: "languages", Documents: func(yield func(krs.Document, error) bool) {
		for i, words := range []string{"algol", "algol cobol", "", ""} {
			d := krs.Document{ID: fmt.Sprintf("http://d.test/%d", i), Title: "Document"}
			for word := range strings.FieldsSeq(words) {
				d.Nouns = append(d.Nouns, krs.Noun{Lemma: word, Tag: "NN", IRI: "http://kb.test/" + word})
			}
			if !yield(d, nil) {
				return
			}
		}
	}})
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// corrected is the query in the error of one with misprints.
func corrected(t *testing.T, message string) string {
	t.Helper()
	for _, want := range []string{"PREFIX without @", "parentheses: (COUNT(…) AS ?n)"} {
		if !strings.Contains(message, want) {
			t.Errorf("%q is not in %s", want, message)
		}
	}
	_, query, _ := strings.Cut(message, "the query without them:\n")
	return query
}

// TestQueryKRS asks the paper's listings as printed, and what their errors say instead.
func TestQueryKRS(t *testing.T) {
	dir := kindOfFour(t)
	ask := func(text string) (string, error) {
		var out strings.Builder
		err := store.Query(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}},
			store.QueryOptions{Text: text, Format: "csv", Data: store.QueryData{Crawl: dir}})
		return strings.ReplaceAll(out.String(), "\r\n", " "), err
	}
	for listing, want := range map[string]string{listing1: "total 2 ", listing2: "total 4 "} {
		_, err := ask(listing)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Fatalf("as printed: %v", err)
		}
		if got, err := ask(corrected(t, err.Error())); got != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if got, err := ask(virtual); got != "idf 1 2 " || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	err := store.Query(t.Context(), &job.Job{}, store.QueryOptions{Text: "CLEAR ALL", Update: true, Data: store.QueryData{Crawl: dir}})
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "krs build --add") {
		t.Errorf("update: %v", err)
	}
}

// TestServeKRS asks the same over HTTP. While a KRS is served, others are told so.
func TestServeKRS(t *testing.T) {
	dir := kindOfFour(t)
	here, _ := storeServed(t, store.ServeJob{Data: store.QueryData{Crawl: dir}, Listen: "127.0.0.1:0", Time: 1e10, MaxRows: 100})
	ask := func(text string) string {
		response, err := http.Get(here + "?" + url.Values{"query": {text}}.Encode())
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if got := ask(corrected(t, ask(listing1))); !strings.Contains(got, `"value":"2"`) {
		t.Error(got)
	}
	if got := ask(virtual); !strings.Contains(got, `"value":"1"`) || !strings.Contains(got, `"value":"2"`) {
		t.Error(got)
	}
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	err := store.Query(t.Context(), a, store.QueryOptions{Text: "ASK {}", Data: store.QueryData{Crawl: dir}})
	if !errors.Is(err, orbweaver.ErrBusy) || !strings.Contains(err.Error(), "query its address") {
		t.Errorf("while it is served: %v", err)
	}
	err = store.Serve(t.Context(), a, store.ServeJob{Data: store.QueryData{Crawl: dir}, Listen: "127.0.0.1:0", Update: true})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("for changes: %v", err)
	}
}
