//go:build e2e

package crawls_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/fetch/render"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A mixed web: pages of which one half needs scripts, as empty shells and as pages with a frame of text, the other has text, a third of it without any
// script. Of each kind a third is about airplanes.
type mixed int

const (
	planeText = "The Boeing 747 is a jumbo jet that every airline wanted; the Airbus A380 is a larger airliner, powered by four engines."
	soupText  = "Cut the onions, fry them in butter until they are brown, add water and salt, and let it all simmer for an hour."
	frameText = "<p>This is the catalogue of the county library. It is open from nine to five on every day but Sunday, and holds a hundred thousand books.</p>"
	tracking  = `<script>window.visits = (window.visits || 0) + 1</script><script src=/track.js></script>`
)

func (m mixed) text(i int) string {
	if i/4%3 == 0 {
		return planeText
	}
	return soupText
}

func (m mixed) path(i int) string {
	return []string{"/app/", "/library/item-", "/notes/", "/plain/"}[i%4] + fmt.Sprint(i)
}

// kind puts a twelfth of the pages more among those with scripts that change nothing.
func (m mixed) page(i int) string {
	head := fmt.Sprintf("<!doctype html><html lang=en><title>Page %d</title>", i)
	switch {
	case i%4 == 0:
		return head + `<div id=app></div><script src=/app.js></script>`
	case i%4 == 1:
		return head + frameText + `<div id=app></div><script src=/lib.js></script>`
	case i%4 == 2 || i%3 == 0:
		return head + tracking + "<p>" + m.text(i) + "</p>"
	}
	return head + "<p>" + m.text(i) + "</p>"
}

func (m mixed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	media, body := "text/html; charset=utf-8", ""
	var i int
	switch path := r.URL.Path; {
	case path == "/robots.txt":
		media = "text/plain"
	case path == "/":
		body = "<!doctype html><html lang=en><title>All</title><p>" + planeText
		for i := range int(m) {
			body += fmt.Sprintf("<p><a href=%s>The aircraft page %d</a>", m.path(i), i)
		}
	case path == "/app.js" || path == "/lib.js":
		media, body = "text/javascript", `fetch("/api/" + location.pathname.match(/[0-9]+/)[0]).then(r => r.text()).then(t => document.getElementById("app").innerHTML = "<p>" + t + "</p>")`
	case path == "/track.js":
		media, body = "text/javascript", `document.body.dataset.seen = "yes"`
	case strings.HasPrefix(path, "/api/"):
		_, _ = fmt.Sscanf(path, "/api/%d", &i)
		media, body = "text/plain", m.text(i)
	default:
		_, _ = fmt.Sscanf(path[strings.LastIndexAny(path, "/-")+1:], "%d", &i)
		body = m.page(i)
	}
	w.Header().Set("Content-Type", media)
	_, _ = io.WriteString(w, body) // the client may have disconnected
}

// TestRenderedAuto: where half of the pages need scripts, auto accepts at least 98 % of the pages about airplanes, with at most 60 % of the renderings of
// all; a replay of its archive renders nothing, and is the same. With ORBWEAVER_EFFECT=all it is beside a crawl that renders always, of 300 pages.
func TestRenderedAuto(t *testing.T) {
	if _, err := render.New(render.Options{}); err != nil {
		t.Skip(err)
	}
	web := mixed(72)
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		web = 300
	}
	server := httptest.NewServer(web)
	defer server.Close()
	crawl := func(folder, keys string) (lines map[string]ledger.Line, accepted, rendered int) {
		file := strings.Replace(hangarFile(t, keys, server.URL+"/"), "delay: 20ms", "delay: 1ms", 1)
		lines = crawlHangar(t, folder, file)
		for path, line := range lines {
			if line.Accepted {
				accepted++
			}
			if line.Rendered || line.Rendering != nil && line.Rendering.Scripts == step.ScriptsFailed {
				rendered++
			}
			if line.Status != http.StatusOK {
				t.Errorf("%s: %d", path, line.Status)
			}
		}
		if len(lines) != int(web)+1 {
			t.Fatalf("%d pages of %d", len(lines), web)
		}
		return lines, accepted, rendered
	}
	accepted, rendered := 1, int(web)+1
	for i := range int(web) {
		if web.text(i) == planeText {
			accepted++
		}
	}
	if web == 300 {
		_, accepted, rendered = crawl(t.TempDir(), "render: {when: always}")
	}
	folder := t.TempDir()
	auto, accepts, renders := crawl(folder, "render: {when: auto}")
	t.Logf("%d pages: always accepts %d with %d renderings, auto %d with %d (%.1f %%)", web, accepted, rendered, accepts, renders, 100*float64(renders)/float64(rendered))
	if accepted < int(web)/4 || accepts*100 < accepted*98 {
		t.Errorf("auto accepts %d pages, always %d", accepts, accepted)
	}
	if renders*100 > rendered*60 {
		t.Errorf("auto renders %d pages, always %d", renders, rendered)
	}
	for path, line := range auto {
		if line.Rendering == nil || line.Rendering.Why == "" {
			t.Errorf("%s: it is not said why it was rendered, or not", path)
		}
	}

	replay := t.TempDir()
	again, _, _ := crawl(replay, "render: {when: auto}\nweb: {archive: "+filepath.Join(folder, "crawl", "archive")+"}")
	if got, want := slices.Sorted(maps.Keys(again)), slices.Sorted(maps.Keys(auto)); !slices.Equal(got, want) {
		t.Errorf("the replay crawls %q, the crawl %q", got, want)
	}
	for path, line := range again {
		was := auto[path]
		if line.Rendered != was.Rendered || line.Rendering.Scripts != was.Rendering.Scripts || line.Score != was.Score || line.Accepted != was.Accepted {
			t.Errorf("%s: %+v in the replay, %+v in the crawl", path, line, was)
		}
		if !strings.HasPrefix(line.Rendering.Why, "the archive has") {
			t.Errorf("%s: the replay decides: %s", path, line.Rendering.Why)
		}
	}
}
