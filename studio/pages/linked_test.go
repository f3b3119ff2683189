package pages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/studio/workspace"
)

// linkedWeb are the links of the HTML pages of a small web of linked data; documents that end in .ttl are RDF, lost ones are not there,
// and go redirects to hop, hop to data.ttl.
var linkedWeb = map[string][]string{
	"http://a.test/hub":      {"http://a.test/empty1", "http://a.test/empty2", "http://a.test/page1", "http://a.test/page2", "http://a.test/go", "http://b.test/list", "http://a.test/lost.ttl", "http://b.test/fake.rdf"},
	"http://a.test/empty1":   {"http://a.test/hub"},
	"http://a.test/empty2":   {"http://a.test/hub"},
	"http://a.test/page1":    {"http://a.test/one.ttl"},
	"http://a.test/page2":    {"http://a.test/two.ttl", "http://a.test/go"},
	"http://a.test/page3":    {"http://a.test/hub"},
	"http://b.test/list":     {"http://a.test/page3", "http://b.test/three.ttl", "http://www.b.test/four.ttl"},
	"http://b.test/fake.rdf": {},
}

var linkedMoves = map[string]string{"http://a.test/go": "http://a.test/hop", "http://a.test/hop": "http://a.test/data.ttl"}

// linkedArchive writes the web as WARC.
func linkedArchive(t *testing.T, path string) {
	t.Helper()
	var warc bytes.Buffer
	n := 0
	add := func(url, head, body string) {
		n++
		text := fmt.Sprintf("HTTP/1.1 %s\r\n\r\n%s", head, body)
		fmt.Fprintf(&warc, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, n, len(text), text)
	}
	for url, links := range linkedWeb {
		body := "<html lang=en><title>" + url + "</title><body><p>Words of " + url + ".</p>"
		for _, to := range links {
			body += "<p><a href=" + to + ">see</a></p>"
		}
		add(url, "200 OK\r\nContent-Type: text/html", body)
	}
	for from, to := range linkedMoves {
		add(from, "302 Found\r\nLocation: "+to, "")
	}
	for i, url := range []string{"http://a.test/one.ttl", "http://a.test/two.ttl", "http://a.test/data.ttl", "http://b.test/three.ttl", "http://www.b.test/four.ttl"} {
		add(url, "200 OK\r\nContent-Type: text/turtle", fmt.Sprintf("<#a> <#b> %d .", i))
	}
	if err := os.WriteFile(path, warc.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// finished is a workspace with a crawl, "it", that has ended.
func finished(t *testing.T, dir, file string) *Handler {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "it.yaml"), []byte(file+"output: crawls/it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	finish(t, w, "it")
	return New(Options{
		Workspace: w, Token: func(*http.Request) string { return "token" }, MayWrite: func(*http.Request) bool { return true },
		Replay: func(_ *http.Request, _, url string) string { return "http://127.0.0.1:1/" + url },
	})
}

// asked is a page in order.
func asked(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	code, _, text := answer(t, h, "GET", path, nil, nil)
	if code != http.StatusOK {
		t.Fatalf("%s: %d: %.500s", path, code, text)
	}
	sound(t, text)
	return text
}

// table returns the texts of a table's cells, by the label of the region that has it.
func table(t *testing.T, page, label string) (rows [][]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data != "div" || !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "aria-label" && a.Val == label }) {
			continue
		}
		for tr := range n.Descendants() {
			if tr.Data != "tr" {
				continue
			}
			var row []string
			for cell := range tr.ChildNodes() {
				if cell.Type == html.TextNode {
					continue
				}
				row = append(row, strings.Join(strings.Fields(textOf(cell)), " "))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no table %q in %.2000s", label, page)
	}
	return slices.DeleteFunc(rows, func(row []string) bool {
		return row[0] == "" || row[1] == "Requests" || row[1] == "Links" || row[1] == "Stage" || row[1] == "Led to" || row[1] == "Class"
	})
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(textOf(c))
	}
	return b.String()
}

// aLine is what the test reads of a line of pages.jsonl.
type aLine struct {
	URL, Error, Redirect, Class, Query string
	Status                             int
	Predicted                          struct {
		Class string
		Rules []string
	}
}

func linesOf(t *testing.T, h *Handler) (lines []aLine) {
	t.Helper()
	file, err := os.Open(filepath.Join(h.Workspace.Dir(), "crawls/it/pages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		var l aLine
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// truly is the true class of a line, by the web itself.
func (l aLine) truly(rdf map[string]bool) string {
	switch {
	case l.Error == "absent":
		return ""
	case rdf[l.URL]:
		return "R"
	case l.Error != "" || linkedWeb[l.URL] == nil:
		return "N"
	}
	for _, to := range linkedWeb[l.URL] {
		for linkedMoves[to] != "" {
			to = linkedMoves[to]
		}
		if rdf[to] {
			return "HR"
		}
	}
	return "H"
}

// tallied counts links independently of the program.
type tallied struct {
	links map[string]int // by "predicted>truly", "predicted", ">truly", and "RULE class" and "RULE class right"
	hosts map[string]map[string]int
}

func countLinks(lines []aLine) tallied {
	c, rdf := tallied{map[string]int{}, map[string]map[string]int{}}, map[string]bool{}
	for _, l := range lines {
		rdf[l.URL] = l.Class == "R"
	}
	for _, l := range lines {
		host := strings.Split(l.URL, "/")[2]
		if c.hosts[host] == nil {
			c.hosts[host] = map[string]int{}
		}
		c.hosts[host]["requests"]++
		c.links["requests"]++
		if l.Status == 200 && l.Redirect == "" {
			c.links["documents"]++
			c.hosts[host]["documents"]++
		}
		if l.Class == "R" {
			c.links["rdf"]++
			c.hosts[host]["rdf"]++
		}
		was, is := l.Predicted.Class, l.truly(rdf)
		if was == "" || l.Redirect != "" {
			continue
		}
		for _, in := range []map[string]int{c.links, c.hosts[host]} {
			in[was]++
			if is == "" {
				in[was+"?"]++
				continue
			}
			in[was+">"+is]++
			in[">"+is]++
		}
		for _, rule := range l.Predicted.Rules {
			if c.links[rule+" "+was]++; was == is {
				c.links[rule+" "+was+" right"]++
			}
		}
	}
	return c
}

// ratio is a percentage as it is shown.
func ratio(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// TestLinked: tables I and II and the classes by host are those that a count of pages.jsonl by itself gives, and lead to the pages behind.
func TestLinked(t *testing.T) {
	dir := t.TempDir()
	linkedArchive(t, filepath.Join(dir, "web.warc"))
	h := finished(t, dir, "seeds: [http://a.test/hub]\nweb: {archive: web.warc}\nfocus: {linked_data: {well_known: false, classifier: rules}}\n")
	want := countLinks(linesOf(t, h))
	if want.links["R>R"] < 4 || want.links["rdf"] != 5 || want.links["R>H"] == 0 || want.links["HR"] == 0 {
		t.Fatalf("the web is too plain: %v", want.links)
	}
	text := asked(t, h, "/crawls/it/links")
	for _, name := range []string{"requests", "documents", "rdf"} {
		label := map[string]string{"requests": "Requests", "documents": "Documents", "rdf": "RDF"}[name]
		if !strings.Contains(text, fmt.Sprintf("<dt>%s</dt><dd>%d<", label, want.links[name])) {
			t.Errorf("not %d %s", want.links[name], name)
		}
	}
	if !strings.Contains(text, "<dt>Discovery rate</dt><dd>"+ratio(want.links["rdf"], want.links["requests"])) {
		t.Error("another discovery rate")
	}
	for _, row := range table(t, text, "Predicted and true classes") {
		p := row[0]
		expected := []string{p, fmt.Sprint(want.links[p])}
		for _, truly := range linkClasses {
			expected = append(expected, fmt.Sprint(want.links[p+">"+truly]))
		}
		decided := want.links[p] - want.links[p+"?"]
		expected = append(expected, "0", fmt.Sprint(want.links[p+"?"]), ratio(want.links[p+">"+p], decided))
		if !slices.Equal(row[:9], expected) || row[10] != ratio(want.links[p+">"+p], want.links[p]) || row[11] != ratio(want.links[p+">"+p], want.links[">"+p]) {
			t.Errorf("%v, want %v", row, expected)
		}
	}
	rules := table(t, text, "Precision and recall by rule")
	for _, row := range rules {
		key := row[0] + " " + row[1]
		n, right := want.links[key], want.links[key+" right"]
		if row[2] != fmt.Sprint(n) || row[3] != fmt.Sprint(right) || row[8] != ratio(right, want.links[row[1]+">"+row[1]]) || row[9] != ratio(right, want.links[">"+row[1]]) || n == 0 {
			t.Errorf("%v, want %d and %d", row, n, right)
		}
	}
	if domains := table(t, text, "Precision by pay-level domain"); len(rules) < 3 || len(domains) != 2 || domains[0][0] != "a.test" {
		t.Errorf("%d rules, domains %v", len(rules), domains)
	}
	if found := table(t, text, "Triples by how they were found"); found[len(found)-1][2] != "5" || found[len(found)-1][3] != "5" || found[1][0] != "link of a page, predicted R" {
		t.Errorf("triples by %v", found)
	}
	if domains := table(t, text, "Triples by pay-level domain"); len(domains) != 3 || domains[1][0] != "a.test" || domains[1][2] != "3" {
		t.Errorf("triples by domain %v", domains)
	}
	linkedHosts(t, h, want)
	if text := asked(t, h, "/crawls/it/links?view=endpoints"); !strings.Contains(text, "has asked no SPARQL endpoint yet") {
		t.Errorf("endpoints: %.800s", text)
	}
}

// linkedHosts checks the classes by host.
func linkedHosts(t *testing.T, h *Handler, want tallied) {
	t.Helper()
	text := asked(t, h, "/crawls/it/links?view=hosts")
	rows := table(t, text, "Classes by host")
	if len(rows) != 3 || rows[0][0] != "a.test" {
		t.Errorf("hosts %v", rows)
	}
	for _, row := range rows {
		c := want.hosts[row[0]]
		expected := []string{row[0], fmt.Sprint(c["requests"]), fmt.Sprint(c["documents"]), fmt.Sprint(c["rdf"]), ratio(c["R>R"], c["R"]-c["R?"])}
		for _, p := range linkClasses {
			n := fmt.Sprint(c[p])
			if c[p+"?"] > 0 {
				n += fmt.Sprintf(" %d absent", c[p+"?"])
			}
			expected = append(expected, n)
		}
		for _, truly := range linkClasses {
			expected = append(expected, fmt.Sprint(c[">"+truly]))
		}
		if !slices.Equal(row, expected) {
			t.Errorf("%v\nwant %v", row, expected)
		}
	}
	const behind = "/crawls/it/results?class=R&amp;host=b.test&amp;repeats=on"
	if !strings.Contains(text, `href="`+behind+`"`) {
		t.Errorf("no link %s", behind)
	}
	if results := asked(t, h, html.UnescapeString(behind)); strings.Count(results, `class="score`) != 2 { // of www.b.test too
		t.Errorf("the results behind: %.3000s", results)
	}
	if rows := table(t, asked(t, h, "/crawls/it/links?view=hosts&name=www"), "Classes by host"); len(rows) != 1 || rows[0][0] != "www.b.test" {
		t.Errorf("by name: %v", rows)
	}
	if text := asked(t, h, "/crawls/it/links?view=hosts&name=nowhere"); !strings.Contains(text, "No host has this in its name") {
		t.Error("no host is shown, and no way back")
	}
}

// TestLinkedElsewhere: a crawl without linked data has no such tab, one that has not begun shows what to do, and one that is not there is not
// found.
func TestLinkedElsewhere(t *testing.T) {
	_, h := studio(t)
	if text := asked(t, h, "/crawls/demo"); strings.Contains(text, "/links") || strings.Contains(text, ">Endpoints<") {
		t.Error("an ontology crawl has tabs of linked data")
	}
	for path, want := range map[string]string{"/crawls/fresh/links": "There is nothing to show yet", "/crawls/demo/links": "No class of a link was predicted yet"} {
		if text := asked(t, h, path); !strings.Contains(text, want) {
			t.Errorf("%s: %.500s", path, text)
		}
	}
	if code, _, _ := answer(t, h, "GET", "/crawls/none/links", nil, nil); code != http.StatusNotFound {
		t.Errorf("%d", code)
	}
}

// endpointOn is an endpoint of the test that answers each query with what reply writes.
func endpointOn(t *testing.T, reply http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("query") == "" {
			http.NotFound(w, r)
			return
		}
		reply(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/sparql"
}

// linkedAnswers is how a number of answers begins.
func linkedAnswers(url string, n int) string {
	if n == 0 || !strings.HasPrefix(url, "http") {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf(`<a href="/crawls/it/results?host=127.0.0.1&amp;repeats=on" aria-label="%d answers of %s">%d</a>`, n, url, n)
}

// TestEndpoints: of each endpoint its queries are counted as pages.jsonl has them, with what the wire saw, and why it fails.
func TestEndpoints(t *testing.T) {
	dir := t.TempDir()
	exampleFiles(t, dir)
	good := endpointOn(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/sparql-results+json")
		_, _ = io.WriteString(w, `{"head":{"vars":["t","p","i","n"]},"results":{"bindings":[]}}`)
	})
	form := endpointOn(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html><form>") })
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	h := finished(t, dir, fmt.Sprintf(`focus:
  metadata:
    terms: ["http://harbour.example/terms#Ship"]
    datasets: [{name: good, endpoint: %q}, {name: form, endpoint: %q}, {name: dead, endpoint: %q}, {name: fleet, dump: fleet.ttl}]
documents: {"http://harbour.example/terms": harbour.ttl, "http://fleet.example/": fleet.ttl}
allow_private: [127.0.0.0/8]
politeness: {delay: 0s, retries: 0, failures: 1, contact: me@example.org}
`, good, form, dead.URL+"/sparql"))
	queries, answered := map[string]int{}, map[string]int{}
	for _, l := range linesOf(t, h) {
		if l.Query == "" {
			continue
		}
		if queries[l.URL]++; l.Error == "" {
			answered[l.URL]++
		}
	}
	if live := asked(t, h, "/crawls/it"); !strings.Contains(live, `href="/crawls/it/endpoints"`) || strings.Contains(live, `href="/crawls/it/links"`) {
		t.Error("the tab of endpoints is not there, or that of links is")
	}
	text := asked(t, h, "/crawls/it/endpoints")
	parts := strings.Split(text, `<h2 class="row">`)[1:]
	if len(parts) != len(queries) || len(parts) < 4 {
		t.Fatalf("%d endpoints, want %v: %.3000s", len(parts), queries, text)
	}
	state := map[string]string{good: "answers", form: "failing", dead.URL + "/sparql": "down", "dataset:fleet": "answers"}
	why := map[string]string{good: "Its latest query was answered", form: "something else is at its address", dead.URL + "/sparql": "it took no connection. The next session asks it again"}
	for _, part := range parts {
		url, _, _ := strings.Cut(strings.TrimPrefix(part, "<bdi>"), "<")
		for _, want := range []string{
			fmt.Sprintf("<dt>Queries</dt><dd>%d<", queries[url]), fmt.Sprintf("<dt>Answered</dt><dd>%s</dd>", linkedAnswers(url, answered[url])), ">" + state[url] + "<", why[url],
		} {
			if !strings.Contains(part, want) {
				t.Errorf("%s: no %q in %s", url, want, part)
			}
		}
		if url == good && (!strings.Contains(part, "<dt>Mean time</dt>") || strings.Contains(part, "<dt>Last answer</dt><dd>–") || !strings.Contains(part, "JSON")) {
			t.Errorf("not observed: %s", part)
		}
	}
	if !strings.HasPrefix(parts[0], "<bdi>"+dead.URL) || strings.Count(asked(t, h, "/crawls/it/endpoints?name=dataset:"), `<h2 class="row">`) != 1 {
		t.Error("those in trouble are not first, or a name does not select")
	}
}
