//go:build e2e

package studio_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"orbweaver/studio"
	"orbweaver/studio/assets"
)

// TestFirstScreen: the home page, its style sheet and its script take less than 300 kB over the wire, and other scripts are loaded
// where they are needed.
func TestFirstScreen(t *testing.T) {
	c := newClient(t, serve(t, studio.Options{}))
	sum := 0
	for _, path := range []string{"/", assets.Path("app.css"), assets.Path("app.js"), assets.Path("icon.svg")} {
		code, header, text := c.send("GET", path, "", "Accept: text/html", "Accept-Encoding: gzip")
		if code != 200 || len(text) == 0 {
			t.Fatalf("%s: %d", path, code)
		}
		if path != "/" && header.Get("Content-Length") != strconv.Itoa(len(text)) {
			t.Errorf("%s: %v for %d bytes", path, header, len(text))
		}
		sum += len(text)
	}
	t.Logf("%d bytes", sum)
	if sum >= 300_000 {
		t.Errorf("the first screen takes %d bytes", sum)
	}
}

// crawled serves a workspace whose demo crawl is over, and opens its live page in Chromium.
func crawled(t *testing.T, width int64) (addr string, b *browser) {
	t.Helper()
	addr = serve(t, studio.Options{})
	b = open(t, addr, width)
	b.click("Crawl the demo web")
	b.sees("aircraft")
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft"))
	b.sees("is over")
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft")) // with all that a crawl at rest has
	return addr, b
}

// run runs a script on the page that is shown. Chromium lets it, but what it makes there is under the page's policy.
func (b *browser) run(script string) {
	b.t.Helper()
	b.holds("(() => {" + script + "; return true })()")
}

// TestIslands: under the policy of the pages, each island works and the console says nothing: no violation, no error, and nothing asked
// of others (open watches all three).
func TestIslands(t *testing.T) {
	addr, b := crawled(t, 1280)
	b.run(`window.violations = []; document.addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective + " " + e.blockedURI)); window.errors = [];
		for (const name of ["error", "warn"]) { const old = console[name]; console[name] = (...all) => { errors.push(all.join(" ")); old(...all) } }`)
	quiet := func() {
		t.Helper()
		said, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...violations, ...errors].join("\n")`))
		if err != nil || said != "" {
			t.Errorf("%s (%v)", said, err)
		}
	}
	b.holds(`document.querySelector(".chart .plot canvas") !== null`) // of the live page
	b.holds(`/pages by requests: after \d+ pages \d+, accepted \d+/.test(document.querySelector(".chart .plot").getAttribute("aria-label"))`)
	b.holds(`document.querySelectorAll(".chart table tbody tr").length > 2`)
	quiet()

	b.run(`const label = document.createElement("label"), area = document.createElement("textarea");
		label.htmlFor = area.id = "try"; label.textContent = "Try"; area.dataset.island = "yaml"; area.value = "seeds: 3\nlimits:\n  requests: -1\nfocus:\n  none: {}\n";
		document.querySelector("main").prepend(label, area)`)
	b.holds(`document.querySelectorAll(".cm-lintRange-error").length > 1`)                // what the server finds
	b.holds(`getComputedStyle(document.querySelector(".cm-gutters")).display === "flex"`) // its styles hold, by the nonce
	b.run(`window.inputs = 0; document.querySelector("#try").addEventListener("input", () => inputs++); document.querySelector(".cm-content").focus()`)
	b.do(chromedp.KeyEvent("lim"))
	b.holds(`inputs > 0 && document.querySelector("#try").value.includes("lim")`)
	b.run(`document.querySelector("#try").value = "seeds: [http://tidings.example/]\nfocus: {breadth_first: {}}\n"; document.querySelector("#try").dispatchEvent(new Event("input"))`)
	b.holds(`document.querySelector(".cm-content").textContent.includes("breadth_first") && document.querySelectorAll(".cm-lintRange-error").length === 0`)
	quiet()

	b.run(`const map = document.createElement("div"); map.className = "graph"; Object.assign(map.dataset, {island: "graph", src: "/api/v1/crawls/aircraft/map", kind: "hosts", list: "/crawls/aircraft/results?host="});
		document.querySelector("main").prepend(map)`)
	b.holds(`Number(document.querySelector(".graph").dataset.placed) > 3`)
	quiet()

	b.run(`const form = document.createElement("form"), out = document.createElement("div");
		form.innerHTML = '<label for="ask">Query</label><textarea id="ask">SELECT ?n ?page { ?page ow:number ?n } LIMIT 7</textarea><button>Ask</button>'; out.id = "out"; form.id = "form";
		Object.assign(form.dataset, {island: "ask", endpoint: "/api/v1/crawls/aircraft/sparql", prefixes: '{"ow": "http://orbweaver.example/terms#"}', results: "out"});
		document.querySelector("main").prepend(form, out)`)
	b.holds(`document.querySelector("#form .CodeMirror") !== null`)
	b.run(`document.querySelector("#form .CodeMirror").CodeMirror.setValue("PREFIX ow: <http://orbweaver.example/terms#>\nSELECT ?n ?page { ?page ow:number ?n } LIMIT 7"); document.querySelector("#form").requestSubmit()`)
	b.holds(`document.querySelectorAll("#out tbody tr").length === 7`)
	b.click("Chart")
	b.holds(`document.querySelector("#out canvas") !== null`)
	b.click("Graph")
	b.holds(`Number(document.querySelector("#out .graph").dataset.placed) > 3`)
	quiet()
	b.do(chromedp.Navigate("http://" + addr + "/"))
}
