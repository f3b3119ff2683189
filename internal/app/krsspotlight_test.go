package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"context"
	"net/netip"
	"sync/atomic"
	"testing/synctest"
	"time"

	"orbweaver/fetch/spotlight"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/corpus"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/wire"
	"orbweaver/kb/krs"
	"orbweaver/ledger"
	"orbweaver/text/link"
)

// A testSpotlight is a server of Spotlight that knows some names.
type testSpotlight struct {
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

func newTestSpotlight(t *testing.T) *testSpotlight {
	s := &testSpotlight{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *testSpotlight) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// fail has all that follows answered in another way; nil: as usual.
func (s *testSpotlight) fail(down func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// count is how often it was asked since the last count.
func (s *testSpotlight) count() int {
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

// planeWeb writes an archive of pages about planes and other things, and a corpus of some of them.
func planeWeb(t *testing.T) (dir string) {
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

// learn builds a KRS of the planes.
func learn(t *testing.T, dir string, change func(*KRSJob)) (folder, told string, err error) {
	t.Helper()
	job := KRSJob{Dir: filepath.Join(dir, "planes.krs"), Topic: "planes", Corpus: []string{filepath.Join(dir, "corpus")}}
	change(&job)
	var out bytes.Buffer
	err = (&App{Console: console.Console{Out: io.Discard, Err: &out}}).BuildKRS(t.Context(), job)
	return job.Dir, out.String(), err
}

// linked are the linked nouns of a KRS, as LEMMA IRI, sorted.
func linked(t *testing.T, dir string) (all []string) {
	t.Helper()
	store, err := krs.Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := store.Snapshot(krs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range s.Nouns() {
		if k.Linked() {
			all = append(all, k.Lemma+" "+k.IRI[strings.LastIndexAny(k.IRI, "/:")+1:])
		}
	}
	slices.Sort(all)
	return all
}

// TestLinking builds the same corpus in three ways.
func TestLinking(t *testing.T) {
	server := newTestSpotlight(t)
	for _, tc := range []struct {
		linking, url string
		want         string
	}{
		{"", "", "Biplane biplane.txt"},
		{"gazetteer", server.URL, "Biplane biplane.txt"},
		{"", server.URL + "/en", "Biplane biplane.txt, Boeing Boeing, Seattle Seattle, biplane Biplane, orville wright Orville_Wright"},
		{"spotlight", server.URL, "Biplane Biplane, Boeing Boeing, Seattle Seattle, biplane Biplane, orville wright Orville_Wright"},
	} {
		dir := planeWeb(t)
		folder, told, err := learn(t, dir, func(j *KRSJob) { j.Linking, j.Spotlight = tc.linking, tc.url })
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(linked(t, folder), ", "); got != tc.want {
			t.Errorf("linking %q by %q: %s", tc.linking, tc.url, got)
		}
		if strings.Contains(told, "warning") {
			t.Error(told)
		}
		if _, err := os.Stat(asideOf(folder)); err == nil {
			t.Error("something is left beside the folder")
		}
	}
}

// TestAddedDocumentsAreLinkedAlike adds a document that was asked about, and one that was not.
func TestAddedDocumentsAreLinkedAlike(t *testing.T) {
	server, dir := newTestSpotlight(t), planeWeb(t)
	folder, _, err := learn(t, dir, func(j *KRSJob) { j.Spotlight = server.URL })
	if err != nil {
		t.Fatal(err)
	}
	server.count()
	if _, _, err := learn(t, dir, func(j *KRSJob) { j.Add, j.Topic = true, "" }); err != nil || server.count() > 0 {
		t.Errorf("the same documents are asked about again: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "more/new.txt", "New\n\nNobody asked about Seattle before.")
	add := func(j *KRSJob) { j.Add, j.Topic, j.Corpus = true, "", []string{filepath.Join(dir, "more")} }
	if _, told, err := learn(t, dir, add); err != nil || server.count() == 0 || strings.Contains(told, "warning") {
		t.Errorf("new documents are not asked about: %v %s", err, told)
	}
	put(t, dir, "more/new.txt", "New\n\nIt is down now.")
	server.fail(func(w http.ResponseWriter) { http.Error(w, "InputException", http.StatusBadRequest) })
	if _, told, err := learn(t, dir, add); err != nil || !strings.Contains(told, "Spotlight was left out for 1 documents, in whole or in part: [1 text-refused]") {
		t.Errorf("%v %s", err, told)
	}
	if got := linked(t, folder); len(got) != 5 {
		t.Error(got)
	}
}

// TestNothingIsBuiltWithoutTheServer: a KRS that lacks all links that were wanted is none.
func TestNothingIsBuiltWithoutTheServer(t *testing.T) {
	server, dir := newTestSpotlight(t), planeWeb(t)
	server.fail(func(w http.ResponseWriter) { io.WriteString(w, "<html>A proxy's page") })
	folder, _, err := learn(t, dir, func(j *KRSJob) { j.Spotlight = server.URL })
	if err == nil || !strings.Contains(err.Error(), "no-format") {
		t.Errorf("built: %v", err)
	}
	for _, path := range []string{folder, asideOf(folder)} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is there", path)
		}
	}
	for _, change := range []func(*KRSJob){
		func(j *KRSJob) { j.Linking = "spotlight" },
		func(j *KRSJob) { j.Linking, j.Spotlight = "guesses", server.URL },
		func(j *KRSJob) { j.Spotlight = "ftp://x.test/" },
	} {
		if _, _, err := learn(t, dir, change); err == nil {
			t.Error("no error")
		}
	}
}

// planesFile is a crawl file; %s: more of krs, the archive, more.
const planesFile = `seeds: [http://planes.test/hub]
web: {archive: [%s]}
focus: {krs: {file: planes.krs, %s}}
output: %s
`

// crawlPlanes crawls, and returns pages.jsonl by URL and what was told.
func crawlPlanes(t *testing.T, dir, archive, more, output string) (lines map[string]ledger.Line, told string) {
	t.Helper()
	file := put(t, dir, output+".yaml", fmt.Sprintf(planesFile, archive, more, output))
	var out bytes.Buffer
	if err := (&App{Console: console.Console{Out: &out, Err: &out}, Alone: true}).Crawl(t.Context(), file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lines = map[string]ledger.Line{}
	for l, err := range ledger.Lines(filepath.Join(dir, output, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines[l.URL] = l
	}
	return lines, out.String()
}

// TestCrawlAsksSpotlight crawls with a server, then goes on, and crawls the archive anew, when there is
// none any more.
func TestCrawlAsksSpotlight(t *testing.T) {
	server, dir := newTestSpotlight(t), planeWeb(t)
	if _, _, err := learn(t, dir, func(j *KRSJob) { j.Spotlight = server.URL }); err != nil {
		t.Fatal(err)
	}
	server.count()
	first, told := crawlPlanes(t, dir, "planes.warc", "rule: calibrated", "first")
	if server.count() == 0 || strings.Contains(told, "Spotlight was") || len(first) != 4 {
		t.Fatalf("%d pages: %s", len(first), told)
	}
	kept, err := spotlight.ReadKept(filepath.Join(dir, "first"))
	if err != nil {
		t.Fatal(err)
	}
	kept.Close()
	server.fail(func(w http.ResponseWriter) { http.Error(w, "down", http.StatusBadGateway) })
	if err := os.Rename(filepath.Join(dir, "planes.warc"), filepath.Join(dir, "first", "planes.warc")); err != nil {
		t.Fatal(err)
	}
	again, told := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated", "again")
	if server.count() > 0 || strings.Contains(told, "Spotlight was left out") {
		t.Errorf("the server is asked again: %s", told)
	}
	for url, l := range first {
		if again[url].Score != l.Score {
			t.Errorf("%s: %v, was %v", url, again[url].Score, l.Score)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "first", "spotlight")); err != nil {
		t.Fatal(err)
	}
	alone, told := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated, learn: true", "alone")
	if len(alone) != 4 || !strings.Contains(told, "Spotlight was left out for 4 pages") {
		t.Errorf("%d pages: %s", len(alone), told)
	}
	server.count()
	off, told := crawlPlanes(t, dir, "first/planes.warc", "linking: gazetteer", "off")
	if len(off) != 4 || server.count() > 0 || strings.Contains(told, "Spotlight was") {
		t.Errorf("%d pages: %s", len(off), told)
	}
	report, err := os.ReadFile(filepath.Join(dir, "alone", "report.html"))
	if err != nil || !bytes.Contains(report, []byte("Spotlight was left out for 4 pages")) {
		t.Errorf("the report does not say so: %v", err)
	}
}

// TestCrawlMayNameTheServer: the corpus was linked by a gazetteer alone.
func TestCrawlMayNameTheServer(t *testing.T) {
	server, dir := newTestSpotlight(t), planeWeb(t)
	if _, _, err := learn(t, dir, func(*KRSJob) {}); err != nil {
		t.Fatal(err)
	}
	if _, told := crawlPlanes(t, dir, "planes.warc", "spotlight: "+server.URL, "out"); server.count() == 0 {
		t.Error(told)
	}
	file := put(t, dir, "none.yaml", fmt.Sprintf(planesFile, "planes.warc", "linking: both", "none"))
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Crawl(t.Context(), file); err == nil || !strings.Contains(err.Error(), "linking") {
		t.Errorf("both, and no server: %v", err)
	}
}

// TestSpotlightNouns: what a server answers becomes nouns.
func TestSpotlightNouns(t *testing.T) {
	server := newTestSpotlight(t)
	s := settings{Spotlight: server.URL, Linking: bySpotlight}
	r := &reading{settings: s}
	if err := r.ready(); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.linker, err = newLinker(s, wire.Wire{}, crawlfile.Private{}); err != nil {
		t.Fatal(err)
	}
	defer r.linker.Close()
	d, err := r.read(t.Context(), "id", "Über uns", "en", "Orville Wright flew over Seattle. Boeing-built planes did not.")
	if err != nil {
		t.Fatal(err)
	}
	const resource = "http://dbpedia.org/resource/"
	for _, want := range []krs.Noun{
		{Lemma: "orville wright", Tag: "NNP", Type: "PERSON", IRI: resource + "Orville_Wright", Phrase: true, Words: "Orville Wright", Start: 11},
		{Lemma: "Seattle", Tag: "NNP", Type: "LOCATION", IRI: resource + "Seattle", Words: "Seattle", Start: 36},
	} {
		if !slices.Contains(d.Nouns, want) {
			t.Errorf("no %+v in %+v", want, d.Nouns)
		}
	}
	if !slices.ContainsFunc(d.Nouns, func(n krs.Noun) bool { return n.IRI == resource+"Boeing" && n.Type == "ORGANIZATION" }) {
		t.Errorf("%+v", d.Nouns)
	}
	server.count()
	if d, err = r.read(t.Context(), "id", "Titel", "de", "Orville Wright flog nach Seattle."); err != nil || server.count() > 0 {
		t.Errorf("a text in another language is asked about: %v %v", d, err)
	}
}

// TestEntityTypes: a row for each way in which servers name types.
func TestEntityTypes(t *testing.T) {
	for types, want := range map[string]string{
		"": "", "Wikidata:Q5": "", "Http://xmlns.com/foaf/0.1/Person": "PERSON", "DBpedia:Agent": "",
		"Wikidata:Q5,DBpedia:Person": "PERSON", "Schema:Organization": "ORGANIZATION", "http://dbpedia.org/ontology/Organisation": "ORGANIZATION",
		"DBpedia:Place,DBpedia:Organisation": "ORGANIZATION", "dbo:Location": "LOCATION", "https://schema.org/Place": "LOCATION",
	} {
		if got := entityType(strings.Split(types, ",")); got != want {
			t.Errorf("%s: %q", types, got)
		}
	}
}

// TestFilled: who is there stays, whoever comes takes what is free.
func TestFilled(t *testing.T) {
	span := func(first, last int) link.Mention { return link.Mention{First: first, Last: last} }
	have := []link.Mention{span(2, 3), span(6, 6), span(9, 9)}
	more := []link.Mention{span(0, 0), span(0, 1), span(1, 2), span(3, 4), span(4, 5), span(5, 7), span(7, 7), span(10, 12), span(11, 11)}
	want := []link.Mention{span(0, 0), span(2, 3), span(4, 5), span(6, 6), span(7, 7), span(9, 9), span(10, 12)}
	if got := filled(have, more); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestAnswersAreClosedOnce: who asks later gets an error, and no crash.
func TestAnswersAreClosedOnce(t *testing.T) {
	store, err := spotlight.OpenKept(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	k := &keptAnswers{stores: []*spotlight.Store{store}}
	if err := errors.Join(k.Put("a", []byte("b")), k.Close(), k.Close()); err != nil {
		t.Error(err)
	}
	if _, _, err := k.Get("a"); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if err := k.Put("a", nil); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}

// TestPrivateSpotlight: judge and compare reach a server at a private address where their file allows it,
// as a crawl does, and not where it does not.
func TestPrivateSpotlight(t *testing.T) {
	server, dir := newTestSpotlight(t), planeWeb(t)
	if _, _, err := learn(t, dir, func(*KRSJob) {}); err != nil {
		t.Fatal(err)
	}
	at, err := netip.ParseAddrPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := &App{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	a.Wire.Options.Resolve = func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{at.Addr()}, nil }
	krs := fmt.Sprintf("krs: {file: planes.krs, spotlight: 'http://spotlight.test:%d/', rule: calibrated}", at.Port())
	const web = "seeds: [http://planes.test/hub]\nweb: {archive: [planes.warc]}\n"
	for _, allowed := range []bool{false, true} {
		private := fmt.Sprintf("allow_private: %v\n", allowed)
		file := put(t, dir, "judged.yaml", web+private+"focus: {"+krs+"}\n")
		if err := a.Judge(t.Context(), file, "http://planes.test/works", JudgeOptions{}); err != nil {
			t.Fatal(err)
		}
		if asked := server.count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: judge asks Spotlight: %v", allowed, asked)
		}
		file = put(t, dir, "compared.yaml", web+private+"truth: {keywords: [wing]}\nruns:\n  - {name: krs, focus: {"+krs+"}}\n"+fmt.Sprintf("output: compared-%v\n", allowed))
		if err := a.Compare(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if asked := server.count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: compare asks Spotlight: %v", allowed, asked)
		}
	}
}

// TestWaitsForNoKRSWhenOver: who waits for a KRS that is in use ends with the context.
func TestWaitsForNoKRSWhenOver(t *testing.T) {
	dir := planeWeb(t)
	folder, _, err := learn(t, dir, func(*KRSJob) {})
	if err != nil {
		t.Fatal(err)
	}
	store, err := krs.Open(folder, "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if again, err := openKRS(ctx, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", again, err)
	}
}

// TestReadersEnd: when what reads documents returns early, nobody reads them any more.
func TestReadersEnd(t *testing.T) {
	r := &reading{settings: settings{Linking: byGazetteer}}
	if err := r.ready(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var open atomic.Bool
		documents := func(yield func(corpus.Document, error) bool) {
			open.Store(true)
			defer open.Store(false)
			defer func() { <-time.After(time.Second) }() // of the bubble: it takes a while to close
			for i := 0; yield(corpus.Document{ID: strconv.Itoa(i), Text: "A wing."}, nil); i++ {
			}
		}
		for _, err := range r.nouns(t.Context(), documents) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if open.Load() {
			t.Error("documents are still read")
		}
	})
}
