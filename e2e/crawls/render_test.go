//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/render"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/ledger"
)

// hangar is a small single-page application: each of its pages is the same empty shell, which a script
// fills from one list of items. One more page, the museum, has text already, and a script that adds to it.
// hangar records its requests and violations of politeness.
type hangar struct {
	mu     sync.Mutex
	asked  map[string]int
	last   time.Time
	flying int
	faults []string
}

// hangarDelay is the minimum time between two requests.
const hangarDelay = 20 * time.Millisecond

const (
	hangarShell = `<!doctype html><html lang=en><title>Hangar</title><link rel=stylesheet href=/style.css>
<noscript>Please enable JavaScript to read about the jumbo jet.</noscript><div id=app></div><img src=/logo.png><script src=/app.js></script>`
	hangarMuseum = `<!doctype html><html lang=en><title>Museum</title><p>The museum is open from ten to five, on every day but
Monday; children pay half, and dogs wait at the door.</p><div id=more></div><script src=/museum.js></script>`
	hangarScript = `
const app = document.getElementById("app");
fetch("/api/secret.json").then(r => r.text()).then(text => app.append(text)).catch(() => {});
fetch("/api/items.json").then(r => r.json()).then(items => {
	const item = items[location.pathname];
	app.innerHTML = "<h1>" + item.title + "</h1><p>" + item.text + "</p>";
	for (const to of item.links) app.innerHTML += "<p>Read more about <a href='" + to + "'>" + to.slice(1) + "</a></p>";
});`
	hangarMore  = `document.getElementById("more").innerHTML = "<p>In the main hall hangs a Spitfire, a fighter; it stands beside a <a href=/biplane>biplane</a>.</p>"`
	hangarItems = `{
"/": {"title": "Aircraft", "links": ["/jets", "/gliders", "/soup", "/museum"],
	"text": "An aircraft, or airplane, is a machine that flies. Here the jet and the glider have pages of their own."},
"/jets": {"title": "Jets", "links": ["/concorde", "/gliders", "/private/x"],
	"text": "The Boeing 747 is a jumbo jet that every airline wanted; the Airbus A380 is a larger airliner, powered by four engines."},
"/gliders": {"title": "Gliders", "links": ["/"],
	"text": "A glider is an airplane without an engine. A sailplane can stay up for hours when the sun warms the ground."},
"/concorde": {"title": "Concorde", "links": ["/jets"],
	"text": "Concorde was a supersonic airliner that took off from London and from Paris, and landed at New York in the morning."},
"/soup": {"title": "Soup", "links": ["/"],
	"text": "Cut the onions, fry them in butter until they are brown, add water and salt, and let it all simmer for an hour."},
"/biplane": {"title": "Biplane", "links": [],
	"text": "A biplane is an aircraft with two wings, one above the other, held apart by struts and held together by wires."}}`
)

// ServeHTTP records and answers a request.
func (h *hangar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.enter(r)
	defer h.leave()
	media, body := "text/html; charset=utf-8", hangarShell
	switch r.URL.Path {
	case "/robots.txt":
		media, body = "text/plain", "User-agent: *\nDisallow: /api/secret\nDisallow: /private/\n"
	case "/app.js":
		media, body = "text/javascript", hangarScript
	case "/museum.js":
		media, body = "text/javascript", hangarMore
	case "/api/items.json":
		media, body = "application/json", hangarItems
	case "/museum":
		body = hangarMuseum
	case "/", "/jets", "/gliders", "/concorde", "/soup", "/biplane":
	default:
		h.blame("asked for %s", r.URL)
	}
	w.Header().Set("Content-Type", media)
	_, _ = io.WriteString(w, body) // the client may have disconnected
}

func (h *hangar) enter(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if len(h.asked) == 0 && r.URL.Path != "/robots.txt" {
		h.faults = append(h.faults, r.URL.Path+" was asked for before robots.txt")
	}
	if gap := now.Sub(h.last); gap < hangarDelay {
		h.faults = append(h.faults, fmt.Sprintf("%s was asked for after %v", r.URL, gap))
	}
	if h.flying++; h.flying > 1 {
		h.faults = append(h.faults, fmt.Sprintf("%s is request %d at a time", r.URL, h.flying))
	}
	h.last = now
	h.asked[r.URL.Path]++
}

func (h *hangar) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flying--
}

func (h *hangar) blame(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

// serveHangar serves a hangar on loopback until the test ends, or skips the test without a browser.
func serveHangar(t *testing.T) (h *hangar, base string) {
	t.Helper()
	if _, err := render.New(render.Options{}); err != nil {
		t.Skip(err)
	}
	h = &hangar{asked: map[string]int{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return h, server.URL
}

// hangarFile is the crawl file of a hangar. The order of pages does not change their judgements.
func hangarFile(t *testing.T, keys string, seeds ...string) string {
	focus := strings.Replace(toy.DemoFocus(t), "}}", ", idf: none, accept: 0.2}}", 1)
	return "seeds: [" + strings.Join(seeds, ", ") + "]\n" + focus +
		fmt.Sprintf("allow_private: [127.0.0.0/8]\npoliteness: {delay: %v, contact: me@example.org}\n", hangarDelay) + keys + "\n"
}

// crawlHangar runs a crawl file and returns the outcomes by path.
func crawlHangar(t *testing.T, folder, file string) map[string]ledger.Line {
	t.Helper()
	apptest.CrawlIn(t, folder, file)
	lines := map[string]ledger.Line{}
	for line, err := range ledger.Lines(filepath.Join(folder, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines["/"+strings.SplitN(line.URL, "/", 4)[3]] = line
	}
	return lines
}

// wantPolite verifies that exactly the wanted requests were made, once each and in turn.
func (h *hangar) wantPolite(t *testing.T, want ...string) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, fault := range h.faults {
		t.Error(fault)
	}
	if got := slices.Sorted(maps.Keys(h.asked)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("requests %q, want %q", got, want)
	}
	for path, times := range h.asked {
		if times != 1 {
			t.Errorf("%s: %d requests", path, times)
		}
	}
}

// entities returns the entities of the target's surroundings that a page names.
func entities(l ledger.Line) (names []string) {
	for _, r := range l.Reasons {
		if name, ok := new(job.Job).EntityName(r); ok {
			names = append(names, name)
		}
	}
	return names
}

// wantHangar verifies that pages were read after rendering.
func wantHangar(t *testing.T, lines map[string]ledger.Line, accepted map[string]string) {
	t.Helper()
	for path, line := range lines {
		entity, wanted := accepted[path]
		if line.Accepted != wanted || wanted != (line.Score > 0) || wanted && !slices.Contains(entities(line), entity) {
			t.Errorf("%s: accepted %v with %v for %q, want %q", path, line.Accepted, line.Score, entities(line), entity)
		}
		if needsScript(line) {
			t.Errorf("%s needs a script", path)
		}
	}
	for path := range accepted {
		if _, ok := lines[path]; !ok {
			t.Errorf("%s was not crawled", path)
		}
	}
}

func needsScript(l ledger.Line) bool {
	return slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == "needs-script" })
}

// hangarShown maps the pages about airplanes, after rendering, to an entity that each names.
var hangarShown = map[string]string{ // read-only
	"/": "airplane", "/jets": "Boeing 747", "/gliders": "glider", "/concorde": "Concorde",
}

// hangarReport returns the report of a crawl.
func hangarReport(t *testing.T, folder string) string {
	t.Helper()
	report, err := os.ReadFile(filepath.Join(folder, "crawl", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(report)
}

// TestRenderedEmpty: the pages of an application without static text are judged after rendering, and again
// over the crawl's own archive.
func TestRenderedEmpty(t *testing.T) {
	h, base := serveHangar(t)
	folder := t.TempDir()
	live := crawlHangar(t, folder, hangarFile(t, "render: {when: empty}", base+"/"))
	wantHangar(t, live, hangarShown)
	if museum, ok := live["/museum"]; !ok || museum.Score > 0 {
		t.Errorf("the museum has text, and is not to be rendered: %+v", museum)
	}
	pages := []string{"/", "/jets", "/gliders", "/concorde", "/soup", "/museum"}
	h.wantPolite(t, append(pages, "/robots.txt", "/app.js", "/api/items.json")...)
	if strings.Contains(hangarReport(t, folder), "before their scripts run") {
		t.Error("the report says that pages have no text")
	}
	wantArchived(t, folder, base, append(pages, "/app.js", "/api/items.json"))

	again := t.TempDir()
	file := hangarFile(t, "render: {when: empty}\nweb: {archive: "+filepath.Join(folder, "crawl", "archive")+"}", base+"/")
	replayed := crawlHangar(t, again, file)
	if got, want := slices.Sorted(maps.Keys(replayed)), slices.Sorted(maps.Keys(live)); !slices.Equal(got, want) {
		t.Errorf("the replay crawls %q, the crawl %q", got, want)
	}
	for path, line := range replayed {
		if l := live[path]; line.Score != l.Score || line.Accepted != l.Accepted || fmt.Sprint(line.Reasons) != fmt.Sprint(l.Reasons) {
			t.Errorf("%s: %v %v in the replay, %v %v in the crawl", path, line.Score, line.Reasons, l.Score, l.Reasons)
		}
	}
}

// wantArchived verifies that a crawl's archive holds each path once, and otherwise only robots.txt.
func wantArchived(t *testing.T, folder, base string, paths []string) {
	t.Helper()
	web, err := archive.OpenWeb([]string{filepath.Join(folder, "crawl", "archive")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	var have []string
	for entry := range web.All() {
		if path := strings.TrimPrefix(entry.URL, base); path != "/robots.txt" {
			have = append(have, path)
		}
	}
	if slices.Sort(have); !slices.Equal(have, slices.Sorted(slices.Values(paths))) {
		t.Errorf("the archive has %q, want %q", have, paths)
	}
	response, err := web.Fetch(context.Background(), orbweaver.Request{URL: base + "/api/items.json"})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); string(body) != hangarItems || err != nil {
		t.Errorf("the archive has %s for the subresource (%v)", body, err)
	}
}

// TestRenderedNever: without a browser the pages are empty; their reasons and the report say so.
func TestRenderedNever(t *testing.T) {
	h, base := serveHangar(t)
	folder := t.TempDir()
	shells := []string{"/", "/jets", "/gliders", "/concorde"}
	lines := crawlHangar(t, folder, hangarFile(t, "", base+shells[0], base+shells[1], base+shells[2], base+shells[3]))
	for _, path := range shells {
		if line := lines[path]; line.Status != http.StatusOK || line.Score != 0 || line.Accepted || !needsScript(line) {
			t.Errorf("%s: %+v", path, line)
		}
	}
	h.wantPolite(t, append(shells, "/robots.txt")...)
	if report := hangarReport(t, folder); !strings.Contains(report, "4 pages have no text before their scripts run") {
		t.Errorf("the report does not say that pages need scripts: %.2000s", report)
	}
}

// TestRenderedAlways: pages with text are rendered too, and text added by scripts counts.
func TestRenderedAlways(t *testing.T) {
	h, base := serveHangar(t)
	lines := crawlHangar(t, t.TempDir(), hangarFile(t, "render: {when: always}", base+"/"))
	want := maps.Clone(hangarShown)
	want["/museum"], want["/biplane"] = "Spitfire", "light aircraft"
	wantHangar(t, lines, want)
	h.wantPolite(t, "/", "/jets", "/gliders", "/concorde", "/soup", "/museum", "/biplane",
		"/robots.txt", "/app.js", "/museum.js", "/api/items.json")
}

// TestRenderedJudge: a judge run renders a page like the crawl.
func TestRenderedJudge(t *testing.T) {
	h, base := serveHangar(t)
	path := filepath.Join(t.TempDir(), "f.yaml")
	if err := os.WriteFile(path, []byte(hangarFile(t, "render: {when: empty}", base+"/")), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := verbs.Judge(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, path, base+"/jets", true, false); err != nil {
		t.Fatal(err)
	}
	var v struct {
		Accepted bool
		Scripted bool
		Score    float64
		Entities []judge.NamedEntity
		Best     []struct{ URL string }
	}
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	named := slices.ContainsFunc(v.Entities, func(e judge.NamedEntity) bool { return e.Name == "Boeing 747" })
	if !v.Accepted || v.Scripted || v.Score <= 0 || !named || !strings.Contains(out.String(), base+"/concorde") {
		t.Errorf("%s", &out)
	}
	h.wantPolite(t, "/robots.txt", "/jets", "/app.js", "/api/items.json")
}
