package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/studio/api"
	"orbweaver/studio/nodes"
	"orbweaver/studio/workspace"
)

// A desk is an API over a workspace, and its description.
type desk struct {
	t      *testing.T
	ws     *workspace.Workspace
	url    string
	doc    map[string]any
	schema *jsonschema.Compiler
	dir    string          // of the workspace
	asked  map[string]bool // operations that were answered in order
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	ws, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api.New(ws, nodes.New("127.0.0.1:4222", pair{})))
	t.Cleanup(func() {
		server.Close()
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	text, err := api.Description()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, ws: ws, dir: dir, url: server.URL, asked: map[string]bool{}, schema: jsonschema.NewCompiler()}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		d.doc = doc.(map[string]any)
		err = d.schema.AddResource("mem:openapi", doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// operation finds the description of a request by its method and path.
func (d *desk) operation(method, path string) (pattern string, operation map[string]any) {
	parts := strings.Split(strings.TrimPrefix(path, api.Base), "/")
	for pattern, item := range d.doc["paths"].(map[string]any) {
		wanted := strings.Split(pattern, "/")
		fits := len(wanted) == len(parts) || strings.HasPrefix(pattern, "/files/{")
		for i := range min(len(wanted), len(parts)) {
			fits = fits && (wanted[i] == parts[i] || strings.HasPrefix(wanted[i], "{"))
		}
		if op, ok := item.(map[string]any)[strings.ToLower(method)].(map[string]any); ok && fits && (operation == nil || !strings.Contains(pattern, "{")) {
			operation = op
		}
	}
	return pattern, operation
}

// ask sends a request, and checks the answer by the description.
func (d *desk) ask(method, path, kind, body string) (code int, answer []byte) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+api.Base+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		d.t.Fatal(err)
	}
	d.check(r, response, answer)
	return response.StatusCode, answer
}

// check compares an answer with the description.
func (d *desk) check(r *http.Request, response *http.Response, answer []byte) {
	d.t.Helper()
	_, op := d.operation(r.Method, r.URL.Path)
	name := r.Method + " " + r.URL.Path
	if op == nil {
		if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed {
			d.t.Errorf("%s is not described: %d", name, response.StatusCode)
		}
		return
	}
	answers := op["responses"].(map[string]any)
	described, ok := answers[strconv.Itoa(response.StatusCode)].(map[string]any)
	if !ok {
		if described = answers["default"].(map[string]any); response.StatusCode < 400 {
			d.t.Errorf("%s: status %d is not described", name, response.StatusCode)
		}
	} else if response.StatusCode < 400 {
		d.asked[op["operationId"].(string)] = true
	}
	if ref, ok := described["$ref"].(string); ok {
		described = d.doc["components"].(map[string]any)["responses"].(map[string]any)[ref[strings.LastIndex(ref, "/")+1:]].(map[string]any)
	}
	content, _ := described["content"].(map[string]any)
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	media, ok := content[kind].(map[string]any)
	switch {
	case len(content) == 0 && len(answer) == 0:
	case !ok:
		d.t.Errorf("%s: %q is not described: %.200s", name, kind, answer)
	case strings.HasSuffix(kind, "json"):
		d.valid(name, media["schema"], answer)
	}
}

// valid checks JSON by a schema of the description.
func (d *desk) valid(name string, schema any, answer []byte) {
	d.t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		d.t.Fatal(err)
	}
	own, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.ReplaceAll(string(text), `"#/components`, `"mem:openapi#/components`)))
	if err != nil {
		d.t.Fatal(err)
	}
	at := fmt.Sprintf("mem:%d", len(text))
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:openapi", d.doc); err != nil {
		d.t.Fatal(err)
	}
	if err := c.AddResource(at, own); err != nil {
		d.t.Fatal(err)
	}
	compiled, err := c.Compile(at)
	if err != nil {
		d.t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err == nil {
		err = compiled.Validate(value)
	}
	if err != nil {
		d.t.Errorf("%s: %v\n%.500s", name, err, answer)
	}
}

// wait waits until a crawl is over.
func (d *desk) wait(id string) {
	d.t.Helper()
	for {
		changed := d.ws.Changed()
		c, err := d.ws.Crawl(d.t.Context(), id)
		if err != nil {
			d.t.Fatal(err)
		}
		if c.State == workspace.Ended {
			return
		}
		select {
		case <-changed:
		case <-d.t.Context().Done():
			d.t.Fatal(c.State)
		}
	}
}

// TestEveryOperation: every operation of the description is answered as it is described, on the demo crawl.
func TestEveryOperation(t *testing.T) {
	d := newDesk(t)
	want := func(code int, method, path, kind, body string) []byte {
		t.Helper()
		got, answer := d.ask(method, path, kind, body)
		if got != code {
			t.Errorf("%s %s: %d, want %d: %.300s", method, path, got, code, answer)
		}
		return answer
	}
	want(200, "GET", "/openapi.json", "", "")
	want(200, "GET", "/schema", "", "")
	want(200, "GET", "/workspace", "", "")
	want(202, "POST", "/demo", "", "")
	d.wait("aircraft")
	want(200, "GET", "/files", "", "")
	want(201, "PUT", "/files/onto/x.ttl", "text/turtle", "<http://a/b> <http://a/c> <http://a/d> .\n")

	bad := want(200, "POST", "/validate?name=x", "application/yaml", "seeds: 3\nfocus: {none: {}}\nlimits: {requests: -1}\n")
	if n := strings.Count(string(bad), `"line"`); n < 3 {
		t.Errorf("%d problems with lines: %s", n, bad)
	}
	small := "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {keyword: {terms: [aircraft]}}\nlimits: {requests: 100000}\n"
	if ok := want(200, "POST", "/validate?name=x", "application/yaml", small); string(ok) != `{"problems":[]}`+"\n" {
		t.Errorf("%s", ok)
	}
	d.drafted(want)
	want(422, "POST", "/crawls?name=x", "application/yaml", "seeds: 3\n")
	want(201, "POST", "/crawls?name=x", "application/yaml", small)
	want(409, "POST", "/crawls?name=x", "application/yaml", small)
	want(201, "POST", "/crawls", "application/json", `{"name": "y", "file": {"seeds": ["http://tidings.example/"], "web": {"archive": "demo/demo.warc.gz"}, "focus": {"keyword": {"terms": ["plane"]}}}}`)
	want(200, "GET", "/crawls", "", "")
	want(200, "GET", "/crawls/aircraft", "", "")
	want(404, "GET", "/crawls/none", "", "")
	want(200, "GET", "/crawls/x/file", "", "")
	want(200, "PUT", "/crawls/x/file", "application/yaml", strings.Replace(small, "100000", "50", 1))
	want(202, "POST", "/crawls/x/start", "", "")
	d.wait("x")
	if code, answer := d.ask("POST", "/crawls/x/pause", "", ""); code != 202 && code != 400 { // it is over
		t.Errorf("pause: %d %s", code, answer)
	}
	d.steered()

	var list struct {
		Pages []struct{ URL string }
		Next  string
		Total int
	}
	text := want(200, "GET", "/crawls/aircraft/pages?sort=score&score=0.5&limit=3", "", "")
	if err := json.Unmarshal(text, &list); err != nil || len(list.Pages) != 3 || list.Next == "" || list.Total < 4 {
		t.Fatalf("%v: %s", err, text)
	}
	of := "?url=" + url.QueryEscape(list.Pages[0].URL)
	want(200, "GET", "/crawls/aircraft/pages?sort=score&score=0.5&limit=3&after="+list.Next, "", "")
	whole, folded := want(200, "GET", "/crawls/aircraft/pages?limit=1000", "", ""), want(200, "GET", "/crawls/aircraft/pages?limit=1000&distinct=true", "", "")
	if a, b := strings.Count(string(whole), `"digest"`), strings.Count(string(folded), `"digest"`); b == 0 || a <= b {
		t.Errorf("%d pages, %d without repeats", a, b)
	}
	want(200, "GET", "/crawls/aircraft/page"+of, "", "")
	want(200, "GET", "/crawls/aircraft/evidence"+of, "", "")
	want(200, "GET", "/crawls/aircraft/data"+of, "", "")
	want(200, "GET", "/crawls/aircraft/archived"+of, "", "")
	want(200, "GET", "/crawls/aircraft/search?q=airliner&limit=5", "", "")
	want(200, "GET", "/compare?crawl=aircraft&crawl=x", "", "")
	want(404, "GET", "/compare?crawl=none", "", "")
	for _, name := range []string{"hosts", "failures", "waiting", "unsure", "curve", "map", "facets", "report", "suggestions", "proposals"} {
		want(200, "GET", "/crawls/aircraft/"+name, "", "")
	}
	for _, format := range []string{"csv", "jsonl", "urls", "nquads", "trig"} {
		want(200, "GET", "/crawls/aircraft/export?accepted=true&format="+format, "", "")
	}
	d.graphed(want)
	want(200, "GET", "/crawls/aircraft/sparql?query="+url.QueryEscape("SELECT * { ?s ?p ?o } LIMIT 3"), "", "")
	want(200, "POST", "/crawls/aircraft/sparql", "application/x-www-form-urlencoded", "query="+url.QueryEscape("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 3"))
	want(400, "POST", "/crawls/aircraft/sparql", "application/sparql-query", "SELECT * {")
	want(200, "POST", "/crawls/aircraft/verdicts", "application/json", fmt.Sprintf(`{"verdicts": [{"url": %q, "relevant": true}]}`, list.Pages[0].URL))
	if said := string(want(200, "GET", "/crawls/aircraft/page"+of, "", "")); !strings.Contains(said, `"verdict":true`) {
		t.Errorf("the verdict is not told: %s", said)
	}
	if said := string(want(200, "GET", "/crawls/aircraft/verdicts?limit=5", "", "")); !strings.Contains(said, `"verdict":"about"`) {
		t.Errorf("the verdict is not listed: %s", said)
	}
	if said := string(want(200, "GET", "/crawls/aircraft/teaching?pages=40", "", "")); !strings.Contains(said, `"about":1`) {
		t.Errorf("what was taught is not told: %s", said)
	}
	want(200, "POST", "/crawls/aircraft/verdicts", "application/json", fmt.Sprintf(`{"verdicts": [{"url": %q, "verdict": "part"}]}`, list.Pages[0].URL))
	withdrawal := fmt.Sprintf(`{"verdicts": [{"url": %q, "withdrawn": true}]}`, list.Pages[0].URL)
	want(200, "POST", "/crawls/aircraft/verdicts", "application/json", withdrawal)
	if said := string(want(200, "GET", "/crawls/aircraft/page"+of, "", "")); strings.Contains(said, `"verdict"`) {
		t.Errorf("a verdict that was withdrawn is told: %s", said)
	}
	want(400, "POST", "/crawls/aircraft/verdicts", "application/json", withdrawal)
	want(200, "POST", "/crawls/aircraft/exclusions", "application/json", `{"patterns": ["http://tidings.example/*"], "preview": true}`)
	want(200, "POST", "/crawls/aircraft/judge", "application/json", fmt.Sprintf(`{"url": %q}`, list.Pages[0].URL))
	want(400, "POST", "/crawls/aircraft/urls", "application/json", `{"urls": ["http://tidings.example/"]}`)
	want(400, "PATCH", "/crawls/aircraft/limits", "application/json", `{"requests": 100000}`)
	d.proposed(want)
	d.rated(want)
	d.learned(want)
	want(200, "POST", "/crawls/aircraft/removals", "application/json", `{"patterns": ["skylines.example"], "preview": true}`)
	want(200, "POST", "/crawls/aircraft/removals", "application/json", `{"patterns": ["skylines.example"], "reason": "asked"}`)
	want(400, "POST", "/crawls/aircraft/removals", "application/json", `{"patterns": []}`)
	if text := want(200, "GET", "/crawls/aircraft/removals", "", ""); !strings.Contains(string(text), `"reason":"asked"`) || !strings.Contains(string(text), `"done":"`) {
		t.Errorf("%s", text)
	}

	var thrown workspace.Thrown
	for _, last := range []bool{false, true} {
		if err := json.Unmarshal(want(200, "DELETE", "/crawls/x", "", ""), &thrown); err != nil {
			t.Fatal(err)
		}
		want(200, "GET", "/trash", "", "")
		if last {
			want(204, "DELETE", "/trash/"+thrown.ID, "", "")
		} else {
			want(200, "POST", "/trash/"+thrown.ID+"/restore", "", "")
		}
	}
	want(404, "POST", "/trash/"+thrown.ID+"/restore", "", "")
	want(404, "GET", "/nothing", "", "")
	want(405, "DELETE", "/crawls", "", "")

	d.ontologies()
	d.labels()
	d.recommended()
	d.questioned(want)
	d.linked(want)
	d.watched(want)
	d.clustered(want)
	d.asked["getEvents"] = true // TestEvents
	for _, item := range d.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if o, ok := op.(map[string]any); ok && !d.asked[fmt.Sprint(o["operationId"])] {
				t.Errorf("%s %v: not answered as described", method, o["operationId"])
			}
		}
	}
}

// recommended asks for what a crawl for terms recommends.
func (d *desk) recommended() {
	d.t.Helper()
	terms := `{"term":"http://e.org/Ship","stage":0,"found":false,"processed":true,"instances":3}` + "\n" +
		`{"term":"http://e.org/Boat","stage":1,"found":true,"processed":true,"instances":2,"paths":[[{"from":"http://e.org/Ship","property":"http://www.w3.org/2000/01/rdf-schema#subClassOf","to":"http://e.org/Boat","dataset":"harbour"}]]}` + "\n"
	dir := filepath.Join(d.ws.Dir(), "crawls", "aircraft")
	for name, text := range map[string]string{"terms.jsonl": terms, "datasets.jsonl": `{"dataset":"harbour","terms":["http://e.org/Ship"],"instances":[{"class":"http://e.org/Ship","n":3}]}` + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	for _, path := range []string{"/crawls/aircraft/recommendations", "/crawls/aircraft/recommendations/graph"} {
		if got, answer := d.ask("GET", path, "", ""); got != 200 || !bytes.Contains(answer, []byte("http://e.org/Boat")) {
			d.t.Errorf("GET %s: %d: %.400s", path, got, answer)
		}
	}
}

// linked asks for classes of links, by host too, and for endpoints.
func (d *desk) linked(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const file = "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {linked_data: {}}\nlimits: {requests: 150}\n"
	want(201, "POST", "/crawls?name=linked&start=true", "application/yaml", file)
	d.wait("linked")
	var tables struct {
		Links struct {
			Classes []struct{ Predicted int }
			Rules   []struct{ Rule string }
		}
		Triples struct {
			Triples int
			Ways    []struct{ Found, In string }
		}
	}
	if err := json.Unmarshal(want(200, "GET", "/crawls/linked/links", "", ""), &tables); err != nil || len(tables.Links.Classes) != 4 || tables.Links.Classes[0].Predicted == 0 || tables.Triples.Triples == 0 || len(tables.Triples.Ways) == 0 {
		d.t.Errorf("%v %+v", err, tables)
	}
	for _, r := range tables.Links.Rules {
		if r.Rule == "hope" || r.Rule == "rest" || r.Rule == "origin" || r.Rule == "online" {
			d.t.Errorf("%s is a feature, not a rule", r.Rule)
		}
	}
	var hosts struct {
		Hosts []struct{ Host string }
		Total int
	}
	if err := json.Unmarshal(want(200, "GET", "/crawls/linked/links/hosts?limit=2&skip=1", "", ""), &hosts); err != nil || len(hosts.Hosts) != 2 || hosts.Total < 3 {
		d.t.Errorf("%v %+v", err, hosts)
	}
	want(400, "GET", "/crawls/linked/links/hosts?skip=-1", "", "")
	want(200, "GET", "/crawls/linked/endpoints", "", "")
	if text := want(200, "GET", "/crawls/aircraft/links", "", ""); !strings.Contains(string(text), `"links":null`) {
		d.t.Errorf("%s", text)
	}
}

// labels asks for everything about the labels that were learned from a crawl.
func (d *desk) labels() {
	d.t.Helper()
	dir := filepath.Join(d.ws.Dir(), "crawls", "aircraft")
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if err := labelmodel.Train(d.t.Context(), con, labelmodel.Training{Stream: []string{dir}, Out: filepath.Join(dir, labelmodel.Folder)}); err != nil {
		d.t.Fatal(err)
	}
	const of = "crawl=aircraft"
	for _, path := range []string{"/labels?" + of, "/labels/tree?" + of, "/labels/rules?" + of, "/labels/timeline?" + of, "/labels/changes?" + of, "/labels/why?" + of + "&url=http://tidings.example/", "/models"} {
		if got, answer := d.ask("GET", path, "", ""); got != 200 {
			d.t.Errorf("GET %s: %d: %.300s", path, got, answer)
		}
	}
	if got, answer := d.ask("POST", "/labels/why?"+of, "application/json", `{"text": "The airliner has two engines and flies to many airports."}`); got != 200 {
		d.t.Errorf("POST /labels/why: %d: %.300s", got, answer)
	}
}

// ontologies asks for everything about an ontology.
func (d *desk) ontologies() {
	d.t.Helper()
	const jet, of = "http://example.org/kites%23Jet", "?file=ontologies/kites.ttl"
	want := func(status int, method, path, body string) {
		d.t.Helper()
		if got, answer := d.ask(method, path, "application/json", body); got != status {
			d.t.Errorf("%s %s: %d, want %d: %.300s", method, path, got, status, answer)
		}
	}
	want(201, "POST", "/ontologies", `{"name": "kites", "template": "classes"}`)
	want(400, "POST", "/ontologies", `{"name": "learned", "from": "aircraft"}`) // it has learned nothing of the kind
	want(400, "POST", "/ontologies", `{"name": "learned", "from": "none/at/all"}`)
	want(400, "POST", "/ontologies", `{"name": "../kites", "template": "classes"}`)
	want(200, "GET", "/ontologies", "")
	want(200, "GET", "/ontology"+of, "")
	want(404, "GET", "/ontology?file=none.ttl", "")
	want(400, "GET", "/ontology?file=../../etc/passwd", "")
	want(200, "POST", "/ontology/edits", `{"file": "ontologies/kites.ttl", "edits": [{"do": "create", "kind": "class", "text": "jet", "under": "http://example.org/kites#Topic"}]}`)
	want(400, "POST", "/ontology/edits", `{"file": "ontologies/kites.ttl", "edits": [{"do": "move", "entity": "http://example.org/kites#Topic", "to": "http://example.org/kites#Jet"}]}`)
	want(404, "POST", "/ontology/edits", `{"file": "ontologies/kites.ttl", "edits": [{"do": "delete", "entity": "http://example.org/kites#None"}]}`)
	for _, path := range []string{"/tree" + of + "&kind=class", "/tree" + of + "&under=" + jet, "/search" + of + "&words=je", "/entity" + of + "&iri=" + jet, "/dependents" + of + "&iri=" + jet, "/near" + of + "&iri=" + jet,
		"/check" + of, "/relevance" + of + "&target=" + jet, "/steps" + of, "/diff" + of, "/modules" + of} {
		want(200, "GET", "/ontology"+path, "")
	}
	want(404, "GET", "/ontology/entity"+of+"&iri=nothing", "")
	want(400, "GET", "/ontology/relevance"+of+"&base=1&target="+jet, "")
	want(200, "POST", "/ontology/undo", `{"file": "ontologies/kites.ttl"}`)
	want(200, "POST", "/ontology/redo", `{"file": "ontologies/kites.ttl"}`)
	want(409, "POST", "/ontology/save", `{"file": "ontologies/kites.ttl", "digest": "0"}`)
	want(200, "POST", "/ontology/save", `{"file": "ontologies/kites.ttl"}`)
	want(201, "POST", "/ontologies", `{"name": "boats", "template": "concepts"}`)
	want(200, "POST", "/ontology/import", `{"file": "ontologies/boats.ttl", "from": "ontologies/kites.ttl", "roots": ["http://example.org/kites#Topic"]}`)
	want(200, "POST", "/ontology/discard", `{"file": "ontologies/boats.ttl"}`)
	d.ask("PUT", "/files/ontologies/small.rdf", "application/octet-stream", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://e.org/a"><rdf:type rdf:resource="http://www.w3.org/2002/07/owl#Class"/></rdf:Description></rdf:RDF>`)
	want(201, "POST", "/ontology/convert", `{"file": "ontologies/small.rdf"}`)
}

// steered pauses, resumes, changes and stops a crawl while it runs. Over an archive crawls are fast: it is tried until one was
// met while it ran.
func (d *desk) steered() {
	d.t.Helper()
	for i := range 50 {
		name := fmt.Sprintf("steered-%d", i)
		file := "seeds: [http://tidings.example/, http://signpost.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {breadth_first: {}}\n"
		if code, answer := d.ask("POST", "/crawls?start=true&name="+name, "application/yaml", file); code != 201 {
			d.t.Fatalf("%s", answer)
		}
		if code, _ := d.ask("POST", "/crawls/"+name+"/pause", "", ""); code != 202 {
			continue
		}
		if c, err := d.ws.Crawl(d.t.Context(), name); err != nil || c.State != workspace.Paused || c.Status == nil {
			continue
		}
		urls, _ := d.ask("POST", "/crawls/"+name+"/urls", "application/json", `{"urls": ["http://wayfarer.example/"]}`)
		limits, _ := d.ask("PATCH", "/crawls/"+name+"/limits", "application/json", `{"requests": 100000}`)
		resumed, _ := d.ask("POST", "/crawls/"+name+"/resume", "", "")
		paused, _ := d.ask("POST", "/crawls/"+name+"/pause", "", "")
		stopped, _ := d.ask("POST", "/crawls/"+name+"/stop", "", "")
		if urls == 200 && limits == 200 && resumed == 202 && paused == 202 && stopped == 202 {
			return
		}
	}
	d.t.Error("no crawl was met while it ran")
}

// TestRoutesAreDescribed: the API has the routes of its description, and no others.
func TestRoutesAreDescribed(t *testing.T) {
	d := newDesk(t)
	described := map[string]bool{}
	for path, item := range d.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method != "parameters" {
				described[strings.ToUpper(method)+" "+path] = true
			}
		}
	}
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, api.Routes()) {
		t.Errorf("described:\n%s\nthere:\n%s", strings.Join(got, "\n"), strings.Join(api.Routes(), "\n"))
	}
}

// TestBadRequests: what is wrong is said, as a problem, with the status that fits.
func TestBadRequests(t *testing.T) {
	d := newDesk(t)
	if _, err := d.ws.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.wait("aircraft")
	for _, tc := range []struct {
		code                     int
		method, path, kind, body string
		says                     string
	}{
		{400, "GET", "/crawls/aircraft/pages?limit=0", "", "", "limit"},
		{400, "GET", "/crawls/aircraft/pages?limit=1001", "", "", "1000"},
		{400, "GET", "/crawls/aircraft/pages?score=2", "", "", "0 to 1"},
		{400, "GET", "/crawls/aircraft/pages?score=NaN", "", "", "0 to 1"},
		{400, "GET", "/crawls/aircraft/pages?accepted=maybe", "", "", "true or false"},
		{400, "GET", "/crawls/aircraft/pages?sort=beauty", "", "", "sort"},
		{400, "GET", "/crawls/aircraft/pages?after=zz", "", "", "cursor"},
		{400, "GET", "/crawls/aircraft/page", "", "", "url"},
		{400, "GET", "/crawls/aircraft/page?url=http://%zz/", "", "", ""},
		{400, "GET", "/crawls/aircraft/search?like=/etc/passwd", "", "", "URL"},
		{400, "GET", "/crawls/aircraft/search", "", "", ""},
		{400, "GET", "/crawls/aircraft/export?format=exe", "", "", "csv"},
		{400, "GET", "/crawls/aircraft/export?format=turtle&construct=/etc/passwd", "", "", "there is no rule set"},
		{400, "GET", "/crawls/aircraft/export?format=trig&sources=entities", "", "", "each page is a graph"},
		{400, "GET", "/crawls/aircraft/sparql", "", "", "query"},
		{400, "GET", "/crawls/aircraft/events?after=-1", "", "", "after"},
		{400, "POST", "/crawls/aircraft/verdicts", "application/json", `{"verdicts": []}`, "verdicts"},
		{400, "POST", "/crawls/aircraft/verdicts", "application/json", `{"verdict": []}`, "unknown field"},
		{400, "POST", "/crawls/aircraft/verdicts", "application/json", `{"verdicts": [{"url": "http://never.example/", "verdict": "perhaps"}]}`, "perhaps"},
		{400, "GET", "/crawls/aircraft/teaching?pages=0", "", "", "pages"},
		{400, "POST", "/crawls/aircraft/verdicts", "application/json", `{"verdicts": [{"url": "http://never.example/", "relevant": true}]}`, "never.example"},
		{400, "POST", "/crawls/aircraft/judge", "application/json", `{"url": "http://tidings.example/"} {}`, "more than one"},
		{400, "PUT", "/files/evil.exe", "", "x", "ontology"},
		{400, "PUT", "/files/..%2F..%2Fevil.ttl", "", "x", "leads out"},
		{413, "PUT", "/files/large.ttl", "", strings.Repeat("x", workspace.MaxFile+1), ""},
		{404, "GET", "/crawls/..%2Faircraft", "", "", ""},
		{404, "POST", "/crawls/none/start", "", "", "none"},
		{400, "POST", "/crawls?name=..%2Fx", "application/yaml", "seeds: [http://a.example/]\nfocus: {breadth_first: {}}\n", "name"},
		{422, "POST", "/crawls?name=x", "application/yaml", "seeds: [http://a.example/]\nfocus: {external: {command: [id]}}\n", "program"},
	} {
		code, answer := d.ask(tc.method, tc.path, tc.kind, tc.body)
		var p api.Problem
		err := json.Unmarshal(answer, &p)
		if code != tc.code || err != nil || p.Status != code || p.Title == "" || !strings.Contains(string(answer), tc.says) {
			t.Errorf("%s %.60s: %d, want %d %q: %.300s", tc.method, tc.path, code, tc.code, tc.says, answer)
		}
	}
}

// TestEvents: a client that comes back with the last id it saw has every outcome once, in order.
func TestEvents(t *testing.T) {
	d := newDesk(t)
	if _, err := d.ws.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	var seen []int64
	last := "0"
	for cut := 0; len(seen) == 0 || seen[len(seen)-1] < 200; cut++ {
		ctx, stop := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+api.Base+"/crawls/aircraft/events", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Last-Event-ID", last)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		states := 0
		kind, id := "", ""
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			line := lines.Text()
			switch {
			case strings.HasPrefix(line, "event: "):
				kind = line[7:]
			case strings.HasPrefix(line, "id: "):
				id = line[4:]
			case strings.HasPrefix(line, "data: ") && kind == "state":
				states++
			case strings.HasPrefix(line, "data: "):
				var part struct{ Pages []struct{ N int64 } }
				if err := json.Unmarshal([]byte(line[6:]), &part); err != nil {
					t.Fatal(err)
				}
				for _, p := range part.Pages {
					seen = append(seen, p.N)
				}
				last = id
			}
			if kind == "outcomes" && line == "" && states > 0 { // an event is whole: cut the connection
				break
			}
		}
		stop()
		response.Body.Close()
	}
	for i, n := range seen {
		if n != int64(i+1) {
			t.Fatalf("outcome %d comes as number %d: %v", n, i+1, seen)
		}
	}
}
