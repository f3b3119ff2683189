//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"orbweaver/engine"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// newKind returns a job with a kind of focus that is not built in, and its standard output.
func newKind() (*job.Job, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return &job.Job{Console: console.Console{Out: out, Err: new(bytes.Buffer)}, Kinds: append(all.Kinds(), kindtest.Kind{})}, out
}

// sightings returns a crawl file over the demo web with that kind of focus.
func sightings(t *testing.T) string {
	return toy.DemoLines(t) + "prefixes: {air: 'http://orbweaver.example/aircraft#'}\narchive: on\nfocus:\n" +
		"  sightings:\n    things: {airliner: 'air:Airliner', glider: 'air:Glider', zeppelin of cheese: 'urn:x'}\noutput: crawl\n"
}

// TestANewKindOfFocusIsOnePackageAndOneLine: a new kind of focus needs only a package (kindtest) and a line in newKind.
func TestANewKindOfFocusIsOnePackageAndOneLine(t *testing.T) {
	folder := t.TempDir()
	file := toy.Put(t, folder, "f.yaml", sightings(t))
	dir := filepath.Join(folder, "crawl")
	a, out := newKind()
	if err := verbs.Crawl(t.Context(), a, file); err != nil {
		t.Fatal(err)
	}
	holds(t, "the summary", out.String(), "Pages by thing:", "airliner: ", "--entity 'airliner'")

	var best ledger.Line
	scored := 0
	for _, line := range toy.LinesOf(t, dir) {
		if len(line.Reasons) > 0 && line.Score > 0 {
			scored++
			if line.Score > best.Score {
				best = line
			}
		}
	}
	if scored < 10 || !best.Accepted || best.Reasons[0].Rule != "sighting" {
		t.Fatalf("%d pages with a score and reasons, the best of all %+v", scored, best)
	}
	holds(t, "the report", readFile(t, dir, assembly.ReportFile), "http://orbweaver.example/aircraft#Airliner", "pages that name airliner", "no page names zeppelin of cheese")
	var seen map[string]int
	if err := json.Unmarshal([]byte(readFile(t, dir, kindtest.SeenFile)), &seen); err != nil || seen["airliner"] < 10 {
		t.Errorf("%s holds %v, %v", kindtest.SeenFile, seen, err)
	}

	out.Reset()
	if err := verbs.Explain(t.Context(), a, dir, best.URL, false); err != nil {
		t.Fatal(err)
	}
	holds(t, "explain", out.String(), best.URL, "sighting", "airliner <http://orbweaver.example/aircraft#Airliner>")
	askedOf(t, a, out, dir, best.URL)
}

// askedOf finds a page of the crawl by SPARQL, and by the entities that its reasons name.
func askedOf(t *testing.T, a *job.Job, out *bytes.Buffer, dir, url string) {
	t.Helper()
	for query, want := range map[string]string{
		"SELECT ?p ?s { ?p ow:score ?s ; ow:reason [ ow:rule 'sighting' ; ow:evidence ?e ] FILTER(CONTAINS(?e, 'airliner')) } ORDER BY DESC(?s)": url + ",0.",
		"SELECT ?p { <http://orbweaver.example/aircraft#Airliner> <http://purl.org/dc/terms/isReferencedBy> ?p }":                                url,
	} {
		out.Reset()
		err := store.Query(t.Context(), a, store.QueryOptions{
			Text: "PREFIX ow: <http://orbweaver.example/terms#>\n" + query, Format: "csv", Data: store.QueryData{Crawl: dir},
		})
		if err != nil {
			t.Fatal(err)
		}
		holds(t, query, out.String(), want)
	}
	found := func(entity string) {
		out.Reset()
		if err := verbs.Search(t.Context(), a, dir, store.SearchJob{Entity: entity, Top: 200}, true); err != nil {
			t.Fatal(err)
		}
		holds(t, "search by "+entity, out.String(), `"`+url+`"`)
	}
	found("Airliner")
	found("http://orbweaver.example/aircraft#Airliner")
	ctx, stop := context.WithCancel(t.Context())
	server, serving, over := *a, make(told), make(chan error, 1)
	server.Out = serving
	go func() {
		over <- store.Serve(ctx, &server, store.ServeJob{Data: store.QueryData{Crawl: dir}, Listen: "127.0.0.1:0"})
		close(serving)
	}()
	for line := range serving {
		if strings.Contains(line, "Ctrl-C") {
			break
		}
	}
	found("Airliner") // answered by the process that serves the folder
	stop()
	for range serving {
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// told receives the output of a job, one value per write.
type told chan string

func (c told) Write(p []byte) (int, error) {
	c <- string(p)
	return len(p), nil
}

// TestANewKindOfFocusGoesOn: an interrupted crawl resumed by the crawl.yaml of its folder ends like an uninterrupted one,
// and a report at rest shows its findings.
func TestANewKindOfFocusGoesOn(t *testing.T) {
	whole, part := t.TempDir(), t.TempDir()
	a, _ := newKind()
	if err := verbs.Crawl(t.Context(), a, toy.Put(t, whole, "f.yaml", sightings(t))); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	a.Watch = func(_ *ledger.Ledger, _ *engine.Crawl, p step.Progress) {
		if p.Requests == 200 {
			stop()
		}
	}
	dir := filepath.Join(part, "crawl")
	if err := verbs.Crawl(ctx, a, toy.Put(t, part, "f.yaml", sightings(t))); !errors.Is(err, console.ErrInterrupted) {
		t.Fatal(err)
	}
	a.Watch = nil
	if err := verbs.Crawl(t.Context(), a, filepath.Join(dir, crawlfolder.RunFile)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ledger.JournalFile, kindtest.SeenFile} {
		if readFile(t, dir, name) != readFile(t, filepath.Join(whole, "crawl"), name) {
			t.Errorf("%s differs after an interruption", name)
		}
	}
	if err := os.Remove(filepath.Join(dir, assembly.ReportFile)); err != nil {
		t.Fatal(err)
	}
	if err := verbs.Report(t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	holds(t, "the report of the folder", readFile(t, dir, assembly.ReportFile), "pages that name airliner")
}

// TestANewKindOfFocusIsChecked: its section is checked and occurs in reference and JSON Schema. A program without the
// kind refuses it.
func TestANewKindOfFocusIsChecked(t *testing.T) {
	a, _ := newKind()
	bad := strings.NewReplacer("'air:Glider'", "'ari:Glider'", "    things", "    least: 0\n    colour: red\n    things").Replace(sightings(t))
	file := toy.Put(t, t.TempDir(), "f.yaml", bad)
	err := verbs.Crawl(t.Context(), a, file)
	if err == nil {
		t.Fatal("a crawl accepts an invalid section")
	}
	holds(t, "the error", err.Error(), file+":7: focus.sightings.least: must be from 1 to 1000",
		file+":8: focus.sightings.colour: unknown key (it has: things, least)", file+`:9: focus.sightings.things.glider: prefix "ari" is not defined`)
	if err := verbs.Crawl(t.Context(), &job.Job{Console: a.Console}, file); err == nil || !strings.Contains(err.Error(), "focus.sightings: unknown key") {
		t.Errorf("a program that does not know the kind: %v", err)
	}

	holds(t, "the reference", string(a.Schema().Reference()), "### `focus.sightings`", "| `things` | map of name to IRI | required |", "| `least` | whole number from 1 to 1000 | `2` |")
	source, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Schema().JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///crawl.json", source); err != nil {
		t.Fatal(err)
	}
	by := c.MustCompile("file:///crawl.json")
	for content, right := range map[string]bool{sightings(t): true, bad: false} {
		var value any
		if err := yaml.Unmarshal([]byte(content), &value); err != nil {
			t.Fatal(err)
		}
		if err := by.Validate(value); (err == nil) != right {
			t.Errorf("the JSON Schema says %v of\n%s", err, content)
		}
	}
}

// holds fails the test if a text lacks one of the wanted strings.
func holds(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%.3000s", what, want, text)
		}
	}
}

// readFile returns a file of a folder.
func readFile(t *testing.T, folder, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
