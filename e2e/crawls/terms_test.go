//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
)

// manyLanguages is a web of four hosts in four languages. Each has a list of 15 places; a place links to six other
// pages, the third of which is a document of RDF behind the language's word for data. No address, attribute or text
// has a term of the list.
func manyLanguages(t *testing.T) (web string, seeds []string) {
	t.Helper()
	var all []toy.Answer
	for _, l := range []struct{ lang, data, words string }{
		{"de", "Daten", "Karte Anfahrt Bilder Geschichte Kontakt"}, {"fr", "données", "plan accès images histoire contact"},
		{"es", "datos", "mapa llegar fotos historia contacto"}, {"en", "data", "map directions pictures history contact"},
	} {
		host := "http://" + l.lang + ".test/"
		html := func(path string, links []string) {
			body := "<html lang=" + l.lang + "><title>" + path + "</title><body>"
			all = append(all, toy.Answer{URL: host + path, Body: body + strings.Join(links, "\n")})
		}
		seeds = append(seeds, host)
		var places []string
		for i := range 15 {
			places = append(places, fmt.Sprintf("<p><a href=/p/%d>%d</a></p>", i, i))
			var links []string
			for k, word := range slices.Insert(strings.Fields(l.words), 2, l.data) {
				to := fmt.Sprintf("%d/%d", k, i)
				links = append(links, "<p><a href=/"+to+">"+word+"</a></p>")
				if word == l.data {
					all = append(all, toy.Answer{URL: host + to, Body: "<#a> <#b> <#c> .", Kind: "text/turtle"})
				} else {
					html(to, nil)
				}
			}
			html(fmt.Sprint("p/", i), links)
		}
		html("", places)
	}
	return toy.WebOf(t, all), seeds
}

// TestTermsOfLanguages: with learn_terms a crawl finds RDF behind words of four languages that no list has, in at most
// half the requests; interrupted after every 20 requests and with any number of workers it is the same crawl.
func TestTermsOfLanguages(t *testing.T) {
	web, seeds := manyLanguages(t)
	file := func(learn bool, seeds ...string) string {
		return fmt.Sprintf("seeds: [%s]\nweb: {archive: %s}\nfocus: {linked_data: {classifier: rules, well_known: false, learn_terms: %t}}\n", strings.Join(seeds, ", "), web, learn)
	}
	for _, seed := range seeds {
		_, plain := apptest.CrawlIn(t, t.TempDir(), file(false, seed))
		_, learned := apptest.CrawlIn(t, t.TempDir(), file(true, seed))
		off, on := lastRDF(plain, 14), lastRDF(learned, 14)
		t.Logf("%s: 14 of 15 documents of RDF after %d requests without learned terms, %d with", seed, off, on)
		if on == 0 || on > off/2 {
			t.Errorf("%s: 14 of 15 documents of RDF after %d requests, without learned terms %d", seed, on, off)
		}
		if n := bytes.Count(learned, []byte(`"learned-term"`)); n != 13 {
			t.Errorf("%s: %d requests were predicted by learned terms, all but two of RDF are to be", seed, n)
		}
	}
	_, want := apptest.CrawlIn(t, t.TempDir(), file(true, seeds...)+"workers: 1\n")
	often := t.TempDir()
	for n := 20; n < bytes.Count(want, []byte("\n")); n += 20 {
		if _, journal := apptest.CrawlIn(t, often, file(true, seeds...)+fmt.Sprintf("limits: {requests: %d}\n", n)); !bytes.HasPrefix(want, journal) {
			t.Fatalf("interrupted after %d requests the crawl differs", n)
		}
	}
	sameWithWorkers(t, file(true, seeds...), want, 200)
}

// lastRDF returns the number of requests after which so many documents of RDF were fetched; 0: never.
func lastRDF(journal []byte, want int) int {
	for i, line := range bytes.Split(journal, []byte("\n")) {
		if bytes.Contains(line, []byte(`"class":"R"`)) && bytes.Contains(line, []byte(`"status":200`)) {
			if want--; want == 0 {
				return i + 1
			}
		}
	}
	return 0
}
