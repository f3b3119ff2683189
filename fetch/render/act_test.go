package render

import (
	"strings"
	"testing"
	"time"

	"orbweaver/internal/tier"
)

// An endless page: it grows when its end is reached, has a banner that hides what is below, a button for more, and one that never goes.
const endless = `<!doctype html><body style="margin:0"><div id=wall><button id=agree onclick="document.getElementById('wall').remove(); start()">Agree</button></div>
<div id=list></div><button class=more onclick="more()">More</button><button class=hidden style="display:none" onclick="add('hidden was clicked')">Hidden</button>
<a class=away href="http://example.org/away" onclick="add('link was clicked')">away</a>
<script>
let rows = 0, pages = 0;
function add(text) { const p = document.createElement("p"); p.style.height = "600px"; p.textContent = text; document.getElementById("list").append(p) }
function start() { add("the wall is gone"); addEventListener("scroll", () => {
	if (rows < 5 && scrollY + innerHeight >= document.documentElement.scrollHeight - 50) for (let i = 0; i < 3; i++) add("row " + ++rows) }) }
function more() { add("more " + ++pages); if (pages === 3) document.querySelector(".more").remove() }
</script>`

// TestActions: banners are clicked away, pages scrolled while they grow, and buttons clicked while they are there; what is not there, hidden or no selector is
// left; a link that is clicked leads nowhere; actions of other pages are not done.
func TestActions(t *testing.T) {
	tier.Long(t, "a browser clicks and scrolls")
	var actions []Action
	b := newBrowser(t, Options{Timeout: 40 * time.Second, Actions: func(url string) []Action {
		if !strings.Contains(url, "example.org") {
			t.Errorf("actions for %s", url)
		}
		return actions
	}})
	for name, tc := range map[string]struct {
		actions []Action
		has     []string
		lacks   []string
	}{
		"none":    {nil, []string{"Agree"}, []string{"the wall is gone", "more 1"}},
		"consent": {[]Action{{Click: "#agree"}}, []string{"the wall is gone"}, []string{"Agree</button>", "more 1"}},
		"scroll":  {[]Action{{Click: "#agree"}, {Click: ".more", Times: 1}, {Scroll: 10}}, []string{"row 5", "more 1"}, []string{"more 2"}},
		"more":    {[]Action{{Click: ".more", Times: 10}}, []string{"more 3"}, []string{"more 4"}},
		"odd": {[]Action{{Click: ".nowhere"}, {Click: "]["}, {Click: ".hidden"}, {Click: ".away"}, {Click: "#agree"}},
			[]string{"the wall is gone", "link was clicked"}, []string{"hidden was clicked"}},
	} {
		t.Run(name, func(t *testing.T) {
			actions = tc.actions
			html, err := visit(t, b, &web{}, endless)
			if err != nil {
				t.Fatal(err)
			}
			html = html[:strings.Index(html, "<script>")]
			for _, want := range tc.has {
				if !strings.Contains(html, want) {
					t.Errorf("%q is missing: %s", want, html)
				}
			}
			for _, other := range tc.lacks {
				if strings.Contains(html, ">"+other) || strings.HasSuffix(other, "</button>") && strings.Contains(html, other) {
					t.Errorf("%q is there: %s", other, html)
				}
			}
		})
	}
}

// TestEndlessActions: a page whose actions never end is returned as it is when its time is over.
func TestEndlessActions(t *testing.T) {
	tier.Long(t, "a browser clicks and scrolls")
	b := newBrowser(t, Options{Timeout: 20 * time.Second, Work: time.Second, Actions: func(string) []Action { return []Action{{Click: "button", Times: 1000}} }})
	html, err := visit(t, b, &web{}, `<p>text<button onclick="document.body.append('x')">x</button>`)
	if err != nil || !strings.Contains(html, "text") || strings.Count(html, "x") > 500 {
		t.Errorf("%d bytes, %v", len(html), err)
	}
}
