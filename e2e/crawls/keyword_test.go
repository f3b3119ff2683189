//go:build e2e

package crawls_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/eval"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/assembly"
	"orbweaver/internal/inspect"
	"orbweaver/internal/realdata"
	"orbweaver/weburl"
)

// manuals returns a web of six hosts with a manual each. The first page of a manual lists chapters without the search
// terms. Two pages of each third chapter are about valves, but neither the chapter nor the links to it mention them.
func manuals() (answers []toy.Answer, seeds []string) {
	body := func(title, text string, links ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<title>%s</title><h1>%s</h1>", title, title)
		for range 3 {
			fmt.Fprintf(&b, "<p>%s</p>", text)
		}
		for _, l := range links {
			fmt.Fprintf(&b, "<p><a href='%s'>%s</a></p>", l, strings.TrimSuffix(strings.TrimPrefix(l, "/"), ".html"))
		}
		return b.String()
	}
	for h := range 6 {
		host := fmt.Sprintf("http://manual%d.test", h)
		add := func(path, title, text string, links ...string) {
			answers = append(answers, toy.Answer{URL: host + path, Body: body(title, fmt.Sprintf("%s This is manual %d.", text, h), links...)})
		}
		add("/", "Manual", "What this machine is for, and how to read on.", "/c1.html", "/c2.html", "/c3.html")
		for c := 1; c <= 3; c++ {
			add(fmt.Sprintf("/c%d.html", c), fmt.Sprintf("Chapter %d", c), "An overview of the pages below.",
				fmt.Sprintf("/c%dp1.html", c), fmt.Sprintf("/c%dp2.html", c))
			for p := 1; p <= 2; p++ {
				text := fmt.Sprintf("Chapter %d goes on about lamps and handles, page %d.", c, p)
				if c == 3 {
					text = fmt.Sprintf("A valve opens and closes; check the valves of page %d.", p)
				}
				add(fmt.Sprintf("/c%dp%d.html", c, p), fmt.Sprintf("Page %d of %d", p, c), text, "/")
			}
		}
		seeds = append(seeds, host+"/")
	}
	return answers, seeds
}

// TestKeywordOfSixManuals: no seed contains the term. With scores, the crawl reaches all six hosts and all pages about
// it. In the paper's mode it ends after the seeds; summary and report say so and name the key to change, and explain
// mentions the links that the focus dropped.
func TestKeywordOfSixManuals(t *testing.T) {
	answers, seeds := manuals()
	head := fmt.Sprintf("seeds: [%s]\nweb: {archive: %s}\n", strings.Join(seeds, ", "), toy.WebOf(t, answers))
	folder := t.TempDir()
	told, journal := apptest.CrawlIn(t, folder, head+"focus: {keyword: {terms: [valve]}}\n")
	for h := range 6 {
		for _, path := range []string{"c3p1.html", "c3p2.html"} {
			if !strings.Contains(string(journal), fmt.Sprintf(`"url":"http://manual%d.test/%s","status":200`, h, path)) {
				t.Errorf("http://manual%d.test/%s was not fetched", h, path)
			}
		}
	}
	if strings.Contains(told, "WARNING") || !strings.Contains(told, "accepted         12, from a score of ") || !strings.Contains(told, "valves ×3") {
		t.Errorf("scored: %s", told)
	}

	folder = t.TempDir()
	told, journal = apptest.CrawlIn(t, folder, head+"focus: {keyword: {terms: [valve], mode: paper}}\n")
	if n := strings.Count(string(journal), "\n"); n != 6 {
		t.Errorf("the paper's form made %d requests", n)
	}
	report, err := os.ReadFile(filepath.Join(folder, "crawl", assembly.ReportFile))
	if err != nil {
		t.Fatal(err)
	}
	for place, text := range map[string]string{"summary": told, "report": string(report)} {
		for _, want := range []string{"ended after its seeds", "dropped 18", "focus.keyword.mode"} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q", place, want)
			}
		}
	}
	for _, tc := range []struct{ url, kind, says string }{
		{"http://manual1.test/c3.html", inspect.KindDropped, "A page links to it, but the focus followed no link of http://manual1.test/."},
		{"http://manual1.test/c3p1.html", inspect.KindUnlinked, "The focus dropped links of the seed http://manual0.test/ (18 links in all)"},
	} {
		if x := apptest.Explained(t, filepath.Join(folder, "crawl"), tc.url); x.Kind != tc.kind || !strings.Contains(x.Why, tc.says) {
			t.Errorf("%s: %s, %q; want %s, %q", tc.url, x.Kind, x.Why, tc.kind, tc.says)
		}
	}
}

// TestStranded: with any focus, a crawl that follows no link prints advice. A crawl without links, or one that follows
// some, does not.
func TestStranded(t *testing.T) {
	web := toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<title>A</title><p>Nothing here but <a href="/picture.png">a picture</a>.`},
		{URL: "http://b.test/", Body: `<title>B</title><p>No link.`},
		{URL: "http://c.test/", Kind: "text/turtle", Body: "<> <http://v.test/p> <http://a.test/> ."},
	})
	const seed = "seeds: [http://a.test/]\n"
	for _, tc := range []struct{ name, seeds, focus, want string }{
		{"keyword, paper", seed, "{keyword: {terms: [zither], mode: paper}}", "focus.keyword.mode"},
		{"linked data", seed, "{linked_data: {}}", "focus.linked_data.html_extensions"},
		{"a walk", "", "{swget: {expression: '<http://v.test/other>', from: ['http://c.test/']}}", "focus.swget.expression"},
		{"a walk that goes on", "", "{swget: {expression: '<http://v.test/p>', from: ['http://c.test/']}}", ""},
		{"keyword", seed, "{keyword: {terms: [zither]}}", ""},
		{"best first", seed, "{best_first: {terms: [zither]}}", ""},
	} {
		told, _ := apptest.CrawlIn(t, t.TempDir(), tc.seeds+"web: {archive: "+web+"}\nfocus: "+tc.focus+"\n")
		if warned := strings.Contains(told, "WARNING: the crawl ended after its seeds"); warned != (tc.want != "") || !strings.Contains(told, tc.want) {
			t.Errorf("%s: %s", tc.name, told)
		}
	}
	if told, _ := apptest.CrawlIn(t, t.TempDir(), "seeds: [http://b.test/]\nweb: {archive: "+web+"}\nfocus: {keyword: {terms: [zither], mode: paper}}\n"); strings.Contains(told, "WARNING") {
		t.Errorf("without links: %s", told)
	}
}

// TestKeywordOfTheDemo: on the demo web, the keyword focus finds most aircraft earlier than the paper's rule.
func TestKeywordOfTheDemo(t *testing.T) {
	truth, err := eval.LoadTopics(filepath.Join(realdata.Root(t), "examples/demo-truth.tsv"), []string{"aircraft"}, weburl.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, mode := range []string{"scored", "paper"} {
		_, journal := apptest.CrawlIn(t, t.TempDir(), toy.DemoLines(t)+"focus: {keyword: {terms: [airplane, aeroplane, plane, aircraft], mode: "+mode+"}}\nlimits: {requests: 150}\n")
		for line := range strings.Lines(string(journal)) {
			if _, rest, ok := strings.Cut(line, `"url":"`); ok && truth.Relevant(rest[:strings.IndexByte(rest, '"')]) {
				found[mode]++
			}
		}
	}
	if found["scored"] <= found["paper"] {
		t.Errorf("found %v", found)
	}
	t.Log(found)
}
