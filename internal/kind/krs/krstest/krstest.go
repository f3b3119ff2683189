// Package krstest has corpora, a small web and a server of Spotlight, for tests of knowledge representation schemas.
package krstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
)

// put writes a file.
func put(t testing.TB, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Kites is a small corpus about kites, in a folder, and another about soup.
func Kites(t testing.TB) (corpus, other string) {
	t.Helper()
	folder := t.TempDir()
	corpus, other = filepath.Join(folder, "kites"), filepath.Join(folder, "soup")
	for _, dir := range []string{corpus, other} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		put(t, corpus, fmt.Sprintf("k%d.txt", i), fmt.Sprintf("Kite %d\n\nA kite flies on a line in the wind. The tail of the kite number %d is long. The bridle and the spar hold the sail.\n", i, i))
		put(t, other, fmt.Sprintf("s%d.txt", i), fmt.Sprintf("Soup %d\n\nA soup cooks in a pot on the stove. The onion and the carrot of soup number %d are cut. Salt makes the broth.\n", i, i))
	}
	return corpus, other
}

// A Spotlight is a server of Spotlight that knows some names.
type Spotlight struct {
	*httptest.Server
	mu    sync.Mutex
	down  func(w http.ResponseWriter) // answers instead; nil: nothing does
	asked int
}

// testTypes are the names that it knows, and what they are.
func testTypes() [][2]string {
	return [][2]string{
		{"Orville Wright", "DBpedia:Agent,Schema:Person,DBpedia:Person"},
		{"Boeing", "DBpedia:Organisation,Schema:Organization"},
		{"Seattle", "Schema:Place,DBpedia:Place"},
		{"Biplane", ""},
	}
}

// NewSpotlight starts one on loopback, until the test ends.
func NewSpotlight(t testing.TB) *Spotlight {
	s := &Spotlight{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP answers with the names that a text has.
func (s *Spotlight) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked++
	down := s.down
	s.mu.Unlock()
	if down != nil {
		down(w)
		return
	}
	text := r.PostFormValue("text")
	var found []map[string]string
	for _, known := range testTypes() {
		if at := strings.Index(text, known[0]); at >= 0 {
			found = append(found, map[string]string{
				"@URI": "http://dbpedia.org/resource/" + strings.ReplaceAll(known[0], " ", "_"), "@support": "7", "@types": known[1],
				"@surfaceForm": known[0], "@offset": strconv.Itoa(len(utf16.Encode([]rune(text[:at])))),
				"@similarityScore": "0.9", "@percentageOfSecondRank": "0.1",
			})
		}
	}
	w.Header().Set("Content-Type", "application/json")
	answer := map[string]any{"@text": text, "@confidence": r.PostFormValue("confidence")}
	if found != nil {
		answer["Resources"] = found
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// Fail has all that follows answered in another way; nil: as usual.
func (s *Spotlight) Fail(down func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Count is how often it was asked since the last count.
func (s *Spotlight) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.asked
	s.asked = 0
	return n
}

// planes are documents of a corpus, by their paths; the title of one is what nouns are linked to.
func planes() map[string]string {
	return map[string]string{
		"wing.txt":   "Wing\n\nA wing carries the airplane that Orville Wright flew. The wing is long.",
		"biplane":    "Biplane\n\nA Biplane has two wings. Boeing made a Biplane in Seattle.",
		"engine.txt": "Engine\n\nThe engine of a Boeing turns the propeller, and the wing lifts.",
	}
}

// PlaneWeb writes an archive of pages about planes and other things, and a corpus of some of them.
func PlaneWeb(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var warc bytes.Buffer
	add := func(url, title, words string, links ...string) {
		body := "<html lang=en><title>" + title + "</title><body><p>" + words + "</p>"
		for _, l := range links {
			body += "<p><a href=/" + l + ">" + l + "</a></p>"
		}
		answer := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
		fmt.Fprintf(&warc, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://planes.test/%s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			url, url, len(answer), answer)
	}
	add("hub", "Hub", "Links of all kinds.", "flyer", "cake", "works")
	add("flyer", "Flyer", "The airplane of Orville Wright has a wing, an engine and a propeller.", "works")
	add("works", "Works", "Boeing builds the wing and the engine of an airplane in Seattle.")
	add("cake", "Cake", "Sugar, flour and butter make a cake. Serve it with tea and biscuits.")
	put(t, dir, "planes.warc", warc.String())
	if err := os.Mkdir(filepath.Join(dir, "corpus"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range planes() {
		put(t, dir, "corpus/"+strings.TrimSuffix(name, ".txt")+".txt", text)
	}
	return dir
}
