//go:build e2e

package program_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"orbweaver/internal/endpointtest/live"
	"orbweaver/internal/findings"
	"orbweaver/kb/terms"
	"orbweaver/ledger"
)

// oddVocabulary serves documents of terms, good ones and others, and what is no endpoint.
func oddVocabulary(t *testing.T) (origin string) {
	mux := http.NewServeMux()
	say := func(path, mediaType, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "HERE", "http://"+r.Host))
		})
	}
	move := func(path string, to func(r *http.Request) string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to(r), http.StatusSeeOther) })
	}
	say("/ns/Good", "text/turtle", `@prefix owl: <http://www.w3.org/2002/07/owl#> .
<HERE/ns/Good> owl:equivalentClass <HERE/ns/Peer> ; <http://www.w3.org/2000/01/rdf-schema#label> "good"@en .
<HERE/ns/Sub> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <HERE/ns/Good> .`)
	say("/ns/Peer", "text/turtle", `<HERE/ns/Peer> <http://www.w3.org/2002/07/owl#sameAs> <HERE/ns/Twin> .`)
	say("/ns/Sub", "text/turtle", "# nothing\n")
	say("/ns/Broken", "text/turtle", "<HERE/ns/Broken> a <HERE/ns/Good> .\n<HERE/ns/Broken> <no object .\n")
	say("/ns/Page", "text/html", "<html><body><h1>The class Page</h1><p>For people alone.</p></body></html>")
	move("/ns/Circle", func(*http.Request) string { return "/ns/Circle/2" })
	move("/ns/Circle/2", func(*http.Request) string { return "/ns/Circle" })
	move("/ns/Endless", func(r *http.Request) string {
		return "/ns/Endless?" + strconv.Itoa(len(r.URL.RawQuery)) + r.URL.RawQuery
	})
	say("/void", "text/turtle", "@prefix void: <http://rdfs.org/ns/void#> .\n<HERE/d> a void:Dataset ; void:entities \"many\n")
	say("/sparql", "text/html", "<html><form><textarea name=query></textarea></form></html>")
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// nobody is an origin where connections are refused.
func nobody(t *testing.T) string {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// oddData is what a good endpoint of the vocabulary holds, as N-Triples.
func oddData(origin string, instances int) []byte {
	var b bytes.Buffer
	for i := range instances {
		fmt.Fprintf(&b, "<http://data.test/%04d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <%s/ns/Good> .\n", i, origin)
	}
	fmt.Fprintf(&b, "<%s/ns/Other> <http://www.w3.org/2002/07/owl#sameAs> <%s/ns/Good> .\n", origin, origin)
	return b.Bytes()
}

// oddFile is a crawl file with mishaps of all kinds.
func oddFile(t *testing.T, folder, origin, endpoint string) string {
	write(t, filepath.Join(folder, "good.nt"), string(oddData(origin, 7)))
	write(t, filepath.Join(folder, "damaged.nt"), string(oddData(origin, 1))+"<http://data.test/x> <http://data.test/p> \"no end .\n")
	var given []string
	for _, name := range []string{"Good", "Missing", "Page", "Circle", "Endless", "Broken"} {
		given = append(given, fmt.Sprintf("%q", origin+"/ns/"+name))
	}
	return fmt.Sprintf(`focus:
  metadata:
    terms: [%s, "%s/ns/Refused", "urn:isbn:1"]
    datasets:
      - {name: endpoint, endpoint: %q}
      - {name: page, endpoint: "%s/sparql"}
      - {name: refused, endpoint: "%s/sparql"}
      - {name: damaged, dump: damaged.nt}
      - {name: missing, dump: "%s/dump.nt"}
      - {name: described, dump: good.nt, void: "%s/void"}
allow_private: [127.0.0.0/8]
politeness: {delay: 0s, retries: 0, failures: 2, contact: me@example.org}
output: crawl
`, strings.Join(given, ", "), nobody(t), endpoint, origin, nobody(t), origin, origin)
}

// findingsOf reads what a crawl found.
func findingsOf(t *testing.T, folder string) findings.Findings {
	t.Helper()
	found, err := findings.Read(filepath.Join(folder, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestMishaps: what goes wrong with a term or a dataset is told of it, and the crawl goes on to its end.
func TestMishaps(t *testing.T) {
	t.Parallel()
	folder, origin := t.TempDir(), oddVocabulary(t)
	write(t, filepath.Join(folder, "f.yaml"), oddFile(t, folder, origin, live.Start(t, live.Own, oddData(origin, 30)).URL))
	out, err := program(t, folder, "crawl", "f.yaml").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		"warning: dataset damaged is left out: ", "damaged.nt:3:", "warning: dataset missing is left out: ", "404",
		"dataset described: 8 triples of good.nt", "Datasets           6, of which 4 gave no answer",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("nothing of %q in\n%s", want, out)
		}
	}
	found := findingsOf(t, folder)
	checkProblems(t, found.Terms, origin)
	wants := map[string]string{"endpoint": "", "page": "no-endpoint", "refused": "connect", "damaged": "damaged.nt:3:", "missing": "404", "described": ""}
	for _, d := range found.Datasets {
		want, known := wants[d.Name]
		if !known || !strings.Contains(d.Reason, want) || want == "" && d.Reason != "" {
			t.Errorf("dataset %s: %q, not %q", d.Name, d.Reason, want)
		}
		delete(wants, d.Name)
	}
	if len(wants) > 0 {
		t.Errorf("nothing of %v", wants)
	}
}

// checkProblems checks why terms have no document, and which are found nevertheless.
func checkProblems(t *testing.T, all []terms.Term, origin string) {
	t.Helper()
	problems, classes := map[string]string{}, []string{}
	for _, one := range all {
		name := strings.TrimPrefix(strings.TrimPrefix(one.IRI, origin), "/ns/")
		problems[name] = one.Problem
		if one.Found {
			classes = append(classes, name)
		}
		if name == "Good" && (one.Instances != 37 || one.Label != "good") {
			t.Errorf("%+v", one)
		}
	}
	for name, want := range map[string]string{
		"Good": "", "Peer": "", "Missing": "404", "Page": "no RDF", "Circle": "redirect", "Endless": "redirect",
		"urn:isbn:1": "no address on the Web", "Sub": "no RDF", "Other": "404",
	} {
		if p := problems[name]; !strings.Contains(p, want) || want == "" && p != "" {
			t.Errorf("%s: the problem is %q, not %q", name, p, want)
		}
	}
	if slices.Sort(classes); !slices.Equal(classes, []string{"Good", "Other", "Peer", "Sub", "Twin"}) {
		t.Errorf("found %q", classes)
	}
}

// TestBadCatalogues: mistakes in a list that the user wrote are named and end the crawl before it begins; a
// CKAN that pages for ever does not.
func TestBadCatalogues(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := "focus: {metadata: {terms: ['urn:x:Class'], catalogues: [%s]}}\nallow_private: [127.0.0.0/8]\npoliteness: {delay: 0s, contact: me@example.org}\noutput: crawl\n"
	write(t, filepath.Join(folder, "list.yaml"), "- name: one\n  endpoint: not a URL\n- nam: two\n  endpoint: http://two.test/sparql\n")
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(file, "list.yaml"))
	c := program(t, folder, "crawl", "f.yaml")
	out, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != exitInput || !strings.Contains(string(out), "list.yaml: line 2: ") || !strings.Contains(string(out), "list.yaml: line 3: ") {
		t.Errorf("%v: %s", c.ProcessState, out)
	}
	if _, err := os.Stat(filepath.Join(folder, "crawl")); err == nil {
		t.Error("a folder was left of a crawl that never began")
	}
	for name, fresh := range map[string]bool{"the same": false, "others": true} {
		asked := 0
		ckan := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			start := 0
			if fresh {
				start, _ = strconv.Atoi(r.URL.Query().Get("start"))
			}
			var packages []string
			for i := range 100 {
				packages = append(packages, fmt.Sprintf(`{"name":"p%d","resources":[]}`, start+i))
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"success":true,"result":{"count":1000000000,"results":[%s]}}`, strings.Join(packages, ","))
		}))
		write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(file, ckan.URL+"/api/3/action/package_search"))
		c := program(t, folder, "crawl", "f.yaml")
		out, err := c.CombinedOutput()
		ckan.Close()
		t.Logf("%s: %d requests, %v: %.600s", name, asked, err, out)
		if asked > 1001 || err != nil || !strings.Contains(string(out), "warning: "+ckan.URL) {
			t.Errorf("%s: %d requests, %v: %.600s", name, asked, err, out)
		}
		if err := os.RemoveAll(filepath.Join(folder, "crawl")); err != nil {
			t.Fatal(err)
		}
	}
}

// settled is a file of findings without how long answers took, and where the crawl was.
func settled(t *testing.T, folder, name string) string {
	t.Helper()
	took := regexp.MustCompile(`,"meanMs":[0-9.e+-]+`)
	return strings.ReplaceAll(took.ReplaceAllString(string(read(t, filepath.Join(folder, "crawl", name))), ""), folder, "")
}

// sameFindings compares what two crawls found, to the byte.
func sameFindings(t *testing.T, whole, other string) {
	t.Helper()
	for _, name := range []string{findings.TermsFile, findings.DatasetsFile} {
		if got, want := settled(t, other, name), settled(t, whole, name); got != want {
			t.Errorf("%s is another: %s", name, difference([]byte(got), []byte(want)))
		}
	}
}

// TestMetadataKilled makes a metadata crawl with mishaps whole; then the same crawl, killed and interrupted
// again and again; then once more from the archive of the first. All find the same.
func TestMetadataKilled(t *testing.T) {
	t.Parallel()
	whole, killed, replayed := t.TempDir(), t.TempDir(), t.TempDir()
	origin := oddVocabulary(t)
	endpoint := uncounting(t, live.Start(t, live.Own, oddData(origin, 2500)).URL)
	file := oddFile(t, whole, origin, endpoint)
	write(t, filepath.Join(whole, "f.yaml"), file)
	crawlOn(t, whole)
	checkPaged(t, whole)

	for _, name := range []string{"good.nt", "damaged.nt"} {
		for _, folder := range []string{killed, replayed} {
			write(t, filepath.Join(folder, name), string(read(t, filepath.Join(whole, name))))
		}
	}
	write(t, filepath.Join(killed, "f.yaml"), file)
	length, random := int64(len(read(t, filepath.Join(whole, "crawl", ledger.JournalFile)))), rand.New(rand.NewPCG(3, 1))
	stops := 0
	for range kills() {
		if stopSoon(t, killed, length, random) {
			stops++
			continue
		}
		sameFindings(t, whole, killed)
		if err := os.RemoveAll(filepath.Join(killed, "crawl")); err != nil {
			t.Fatal(err)
		}
	}
	crawlOn(t, killed)
	sameFindings(t, whole, killed)
	if stops < kills()/2 {
		t.Errorf("only %d times stopped", stops)
	}

	write(t, filepath.Join(replayed, "f.yaml"), "web: {archive: "+filepath.Join(whole, "crawl/archive")+"}\n"+file)
	crawlOn(t, replayed)
	refused := regexp.MustCompile(`"problem":"fetch [^"]*(connection refused|absent)"`) // an archive does not know why
	terms := func(folder string) string {
		return refused.ReplaceAllString(settled(t, folder, findings.TermsFile), `"problem":"no answer"`)
	}
	if got, want := terms(replayed), terms(whole); got != want {
		t.Errorf("replayed: %s", difference([]byte(got), []byte(want)))
	}
}

// checkPaged: the endpoint was asked for pages, so that there is something to be interrupted.
func checkPaged(t *testing.T, folder string) {
	t.Helper()
	for _, d := range findingsOf(t, folder).Datasets {
		paged := func(c terms.Count) bool {
			return strings.HasSuffix(c.Class, "/Good") && c.N == 2500 && c.How == terms.Paged
		}
		if d.Name == "endpoint" && !slices.ContainsFunc(d.Instances, paged) {
			t.Errorf("%+v", d)
		}
	}
}

// stopSoon goes on with a crawl, and kills or interrupts it when its pages.jsonl has grown by a random length;
// false: it was over before.
func stopSoon(t *testing.T, folder string, length int64, random *rand.Rand) bool {
	t.Helper()
	if random.IntN(2) == 0 {
		return killSoon(t, folder, length, random)
	}
	output := filepath.Join(folder, "crawl")
	if err := os.MkdirAll(output, 0o777); err != nil {
		t.Fatal(err)
	}
	changes := 1 + random.IntN(100)
	c := program(t, folder, "crawl", "f.yaml")
	var told bytes.Buffer
	c.Stdout, c.Stderr = &told, &told
	watching(t, output).until(t, c, syscall.SIGINT, func(string) bool { changes--; return changes <= 0 })
	switch c.ProcessState.ExitCode() {
	case exitDone:
		return false
	case exitInterrupted:
	default:
		if c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT { // before it listened
			t.Fatalf("%v: %s", c.ProcessState, &told)
		}
	}
	return true
}

// TestMetadataKeepsEndpoints: what is known of endpoints is kept beside crawls, as JSON.
func TestMetadataKeepsEndpoints(t *testing.T) {
	t.Parallel()
	folder, origin := t.TempDir(), oddVocabulary(t)
	write(t, filepath.Join(folder, "f.yaml"), oddFile(t, folder, origin, live.Start(t, live.Own, oddData(origin, 3)).URL))
	crawlOn(t, folder)
	var kept struct {
		Endpoints []struct{ Endpoint string }
	}
	if err := json.Unmarshal(read(t, filepath.Join(folder, "datasets/endpoints.json")), &kept); err != nil || len(kept.Endpoints) != 3 {
		t.Errorf("%+v, %v", kept, err)
	}
}
