package krs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/spotlight"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/krs"
	"orbweaver/text/link"
)

// learn builds a KRS of the planes.
func learn(t *testing.T, dir string, change func(*Job)) (folder, told string, err error) {
	t.Helper()
	job := Job{Dir: filepath.Join(dir, "planes.krs"), Topic: "planes", Corpus: []string{filepath.Join(dir, "corpus")}}
	change(&job)
	var out bytes.Buffer
	err = (&Jobs{Console: console.Console{Out: io.Discard, Err: &out}}).Build(t.Context(), job)
	return job.Dir, out.String(), err
}

// linked are the linked nouns of a KRS, as LEMMA IRI, sorted.
func linked(t *testing.T, dir string) (all []string) {
	t.Helper()
	store, err := krsdb.Open(dir, "")
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
	server := krstest.NewSpotlight(t)
	for _, tc := range []struct {
		linking, url string
		want         string
	}{
		{"", "", "Biplane biplane.txt"},
		{"gazetteer", server.URL, "Biplane biplane.txt"},
		{"", server.URL + "/en", "Biplane biplane.txt, Boeing Boeing, Seattle Seattle, biplane Biplane, orville wright Orville_Wright"},
		{"spotlight", server.URL, "Biplane Biplane, Boeing Boeing, Seattle Seattle, biplane Biplane, orville wright Orville_Wright"},
	} {
		dir := krstest.PlaneWeb(t)
		folder, told, err := learn(t, dir, func(j *Job) { j.Linking, j.Spotlight = tc.linking, tc.url })
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
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	folder, _, err := learn(t, dir, func(j *Job) { j.Spotlight = server.URL })
	if err != nil {
		t.Fatal(err)
	}
	server.Count()
	if _, _, err := learn(t, dir, func(j *Job) { j.Add, j.Topic = true, "" }); err != nil || server.Count() > 0 {
		t.Errorf("the same documents are asked about again: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "more/new.txt", "New\n\nNobody asked about Seattle before.")
	add := func(j *Job) { j.Add, j.Topic, j.Corpus = true, "", []string{filepath.Join(dir, "more")} }
	if _, told, err := learn(t, dir, add); err != nil || server.Count() == 0 || strings.Contains(told, "warning") {
		t.Errorf("new documents are not asked about: %v %s", err, told)
	}
	put(t, dir, "more/new.txt", "New\n\nIt is down now.")
	server.Fail(func(w http.ResponseWriter) { http.Error(w, "InputException", http.StatusBadRequest) })
	if _, told, err := learn(t, dir, add); err != nil || !strings.Contains(told, "Spotlight was left out for 1 documents, in whole or in part: [1 text-refused]") {
		t.Errorf("%v %s", err, told)
	}
	if got := linked(t, folder); len(got) != 5 {
		t.Error(got)
	}
}

// TestNothingIsBuiltWithoutTheServer: a KRS that lacks all links that were wanted is none.
func TestNothingIsBuiltWithoutTheServer(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	server.Fail(func(w http.ResponseWriter) { io.WriteString(w, "<html>A proxy's page") })
	folder, _, err := learn(t, dir, func(j *Job) { j.Spotlight = server.URL })
	if err == nil || !strings.Contains(err.Error(), "no-format") {
		t.Errorf("built: %v", err)
	}
	for _, path := range []string{folder, asideOf(folder)} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is there", path)
		}
	}
	for _, change := range []func(*Job){
		func(j *Job) { j.Linking = "spotlight" },
		func(j *Job) { j.Linking, j.Spotlight = "guesses", server.URL },
		func(j *Job) { j.Spotlight = "ftp://x.test/" },
	} {
		if _, _, err := learn(t, dir, change); err == nil {
			t.Error("no error")
		}
	}
}

// TestSpotlightNouns: what a server answers becomes nouns.
func TestSpotlightNouns(t *testing.T) {
	server := krstest.NewSpotlight(t)
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
		{Lemma: "orville wright", Tag: "NNP", Type: "PER", IRI: resource + "Orville_Wright", Phrase: true, Words: "Orville Wright", Start: 11},
		{Lemma: "Seattle", Tag: "NNP", Type: "LOC", IRI: resource + "Seattle", Words: "Seattle", Start: 36},
	} {
		if !slices.Contains(d.Nouns, want) {
			t.Errorf("no %+v in %+v", want, d.Nouns)
		}
	}
	if !slices.ContainsFunc(d.Nouns, func(n krs.Noun) bool { return n.IRI == resource+"Boeing" && n.Type == "ORG" }) {
		t.Errorf("%+v", d.Nouns)
	}
	server.Count()
	if d, err = r.read(t.Context(), "id", "Titel", "de", "Orville Wright flog nach Seattle."); err != nil || server.Count() > 0 {
		t.Errorf("a text in another language is asked about: %v %v", d, err)
	}
}

// TestEntityTypes: a row for each way in which servers name types.
func TestEntityTypes(t *testing.T) {
	for types, want := range map[string]string{
		"": "", "Wikidata:Q5": "PER", "Wikidata:Q1": "", "Http://xmlns.com/foaf/0.1/Person": "PER", "DBpedia:Agent": "",
		"Wikidata:Q5,DBpedia:Person": "PER", "Schema:Organization": "ORG", "http://dbpedia.org/ontology/Organisation": "ORG",
		"DBpedia:Place,DBpedia:Organisation": "ORG", "dbo:Location": "LOC", "https://schema.org/Place": "LOC",
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

// TestWaitsForNoKRSWhenOver: who waits for a KRS that is in use ends with the context.
func TestWaitsForNoKRSWhenOver(t *testing.T) {
	dir := krstest.PlaneWeb(t)
	folder, _, err := learn(t, dir, func(*Job) {})
	if err != nil {
		t.Fatal(err)
	}
	store, err := krsdb.Open(folder, "")
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
