//go:build e2e

package studio_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"orbweaver/fetch/fetchtest"
	"orbweaver/studio"
)

// kites is an ontology as a person pastes it. One label is not only a label.
const kites = `@prefix : <http://example.org/kites#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Kite a owl:Class ; rdfs:label "kite"@en , "<b>kite</b><script>alert(1)</script>"@en .
:PowerKite a owl:Class ; rdfs:subClassOf :Kite ; rdfs:label "power kite"@en .
:Reel a owl:Class ; rdfs:label "kite reel"@en .
`

// kiteWeb is a web of this machine, behind nginx if that is installed: a club's pages on kites, and a shop's on kettles.
func kiteWeb(t *testing.T) string {
	t.Helper()
	page := func(title, text string, links ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><h1>%s</h1>", title, title)
		for range 4 {
			b.WriteString("<p>" + text + "</p>")
		}
		for _, to := range links {
			fmt.Fprintf(&b, `<p><a href="/%s">%s</a></p>`, to, strings.ReplaceAll(to, "-", " "))
		}
		return b.String() + "</body></html>"
	}
	const about = "A kite flies in the wind at the end of its line. A power kite pulls, and a kite reel takes the line."
	const other = "A kettle boils water for tea. It has a lid and a spout, and it whistles when the water is hot."
	pages := map[string]string{
		"/": page("A village", "The village has a club and a shop, and a river.", "club-of-kites", "shop-of-kettles"),
	}
	var club, shop []string
	for i := range 8 {
		kite, kettle := fmt.Sprintf("kite-%d", i), fmt.Sprintf("kettle-%d", i)
		club, shop = append(club, kite), append(shop, kettle)
		pages["/"+kite], pages["/"+kettle] = page(fmt.Sprintf("Kite %d", i), about, "club-of-kites"), page(fmt.Sprintf("Kettle %d", i), other, "shop-of-kettles")
	}
	pages["/club-of-kites"], pages["/shop-of-kettles"] = page("Club of kites", about, club...), page("Shop of kettles", other, shop...)
	pages["/private"] = page("Private kites", about)
	const rules = "User-agent: *\nDisallow: /private\n"
	if _, err := exec.LookPath("nginx"); err == nil {
		root := t.TempDir()
		files := map[string]string{"robots.txt": rules}
		for path, text := range pages {
			files[cmp.Or(path[1:], "index")+".html"] = text
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return fetchtest.StartNginx(t, fetchtest.NginxConfig{
			Root: root, Server: "location = / { try_files /index.html =404; } location / { try_files $uri $uri.html =404; }",
		}).Plain + "/"
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, rules)
			return
		}
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// fill puts a value into a field as a person's typing does.
func (b *browser) fill(id, value string) {
	b.t.Helper()
	b.holds(fmt.Sprintf("document.getElementById(%q) !== null", id))
	set := fmt.Sprintf(`(() => { const f = document.getElementById(%q); f.closest("details:not([open])")?.setAttribute("open", ""); f.focus(); f.value = %q; f.dispatchEvent(new Event("input", {bubbles: true})); f.blur(); return true; })()`, id, value)
	b.holds(set)
}

// TestNewCrawl: a person pastes an ontology, sees form and YAML follow each other and what is wrong as it is typed, tries a page, and has a
// crawl of a web of this machine, on a desktop and on a phone.
func TestNewCrawl(t *testing.T) {
	for _, width := range []int64{1280, 360} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			web := kiteWeb(t)
			addr := serve(t, studio.Options{})
			b := open(t, addr, width)
			fits := func() {
				t.Helper()
				b.holds("document.documentElement.scrollWidth <= window.innerWidth")
			}
			b.click("New crawl")
			b.sees("What do you have?")
			b.click("Ontology")
			b.sees("Or paste it")
			fits()
			b.fill("n-paste", kites)
			b.fill("n-target", "Kite")
			b.fill("n-seeds", web)
			b.fill("n-name", "kites")
			b.click("Continue")
			b.sees("No problems: the crawl file is complete.")
			fits()

			b.fill("k-allow_private", "127.0.0.0/8") // into the form: the YAML follows
			b.holds(`document.getElementById("d-yaml").value.includes("allow_private: [\"127.0.0.0/8\"]")`)
			b.fill("k-politeness-delay", "1")
			b.holds(`document.getElementById("k-politeness-delay-fault").textContent.includes("add a unit")`)
			b.sees("1 problem to correct:")
			b.holds(`document.querySelector("#d-problems .problems").textContent.includes("politeness.delay")`)
			b.holds(`(() => { const y = document.getElementById("d-yaml"); y.value = y.value.replace("delay: 1  ", "delay: 20ms  ") + "\n# mine\nscope: {exclude: [\"/kettle-7/\"]}\n"; y.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
			b.holds(`document.getElementById("k-politeness-delay").value === "20ms"`) // into the YAML: the form follows
			b.holds(`document.getElementById("k-scope-exclude")?.value === "/kettle-7/"`)
			b.sees("No problems: the crawl file is complete.")
			fits()

			b.fill("d-url", web+"private")
			b.click("Try it")
			b.sees("Disallow: /private")
			b.fill("d-url", web+"club-of-kites")
			b.click("Try it")
			b.sees("is accepted")
			b.holds(`document.querySelectorAll("#d-trial mark").length > 3`)
			b.holds(`document.querySelector("#d-trial ol.rows").textContent.includes("kite 3")`)
			fits()
			b.fill("d-urls", web+"kettle-7\n"+web+"kite-1")
			b.do(chromedp.Click(`//button[normalize-space(.)="Preview the scope"]`))
			b.sees("scope.exclude covers it: /kettle-7/")
			fits()
			b.holds(`document.getElementById("d-yaml").value.includes("# mine")`)

			b.click("Create and start")
			b.sees("is over")
			b.do(chromedp.Navigate("http://" + addr + "/crawls/kites/results?accepted=on&sort=score"))
			b.sees("Kite 3")
			b.holds(`!document.body.innerText.includes("Kettle")`)
			fits()
			b.do(chromedp.Navigate("http://" + addr + "/crawls/kites/edit"))
			b.holds(`document.getElementById("d-yaml").value.includes("# mine")`)
			fits()
		})
	}
}
