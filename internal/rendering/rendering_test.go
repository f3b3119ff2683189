package rendering_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	. "orbweaver/internal/rendering"
	"orbweaver/internal/step"
)

// site visits n pages, of which scripts change those that changes says, and returns how many are rendered, and how many of the changed ones are not.
func site(p *Predictor, n int, look func(i int) Look, changes func(i int) bool) (rendered, missed int) {
	for i := range n {
		l := look(i)
		render, _ := p.Choose(l)
		made := step.ScriptsLeft
		switch {
		case render && changes(i):
			made = step.ScriptsChanged
		case render:
			made = step.ScriptsSame
		case changes(i):
			missed++
		}
		if render {
			rendered++
		}
		p.Learn(l, made)
	}
	return rendered, missed
}

// TestChoose: pages of a form whose scripts change nothing are soon left out, those whose scripts do never are, wherever they stand.
func TestChoose(t *testing.T) {
	page := func(folder string, scripts uint64) func(int) Look {
		return func(i int) Look { return Look{URL: fmt.Sprintf("http://a.test/%s/%d", folder, i), Scripts: scripts} }
	}
	for name, tc := range map[string]struct {
		look    func(int) Look
		changes func(int) bool
		most    int // renderings of 1000 pages
	}{
		"no scripts":       {page("plain", 0), func(int) bool { return false }, 0},
		"never":            {page("notes", 7), func(int) bool { return false }, 12},
		"always":           {page("app", 7), func(int) bool { return true }, 1000},
		"one in three":     {page("mixed", 7), func(i int) bool { return i%3 == 0 }, 1000},
		"by folder":        {func(i int) Look { return page([]string{"a", "b"}[i%2], 7)(i) }, func(i int) bool { return i%2 == 0 }, 520},
		"by script":        {func(i int) Look { return page("x", uint64(1+i%2))(i) }, func(i int) bool { return i%2 == 0 }, 520},
		"no two URLs like": {func(i int) Look { return page(fmt.Sprintf("f%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676), 7)(i) }, func(int) bool { return false }, 60},
	} {
		rendered, missed := site(New(0), 1000, tc.look, tc.changes)
		if missed > 0 || rendered > tc.most {
			t.Errorf("%s: %d renderings, at most %d; %d pages missed", name, rendered, tc.most, missed)
		}
	}
}

// TestSitesChange: a group of pages that begins to need scripts is noticed.
func TestSitesChange(t *testing.T) {
	look := func(i int) Look { return Look{URL: fmt.Sprintf("http://a.test/x/%d", i), Scripts: 1} }
	p := New(0)
	site(p, 100, look, func(int) bool { return false })
	_, missed := site(p, 1000, look, func(int) bool { return true })
	if missed > 200 {
		t.Errorf("%d pages missed", missed)
	}
}

// TestBudget: no page is rendered beyond the budget, and it is said why.
func TestBudget(t *testing.T) {
	p := New(10)
	rendered, _ := site(p, 50, func(i int) Look { return Look{URL: "http://a.test/", Scripts: 1, Empty: true} }, func(int) bool { return true })
	if rendered != 10 {
		t.Errorf("%d renderings", rendered)
	}
	if render, why := p.Choose(Look{URL: "http://b.test/", Scripts: 1}); render || !strings.Contains(why, "render.pages") {
		t.Errorf("%v: %s", render, why)
	}
}

// TestScripts: pages of the same scripts are of one kind, whatever data stands in them; data is no script.
func TestScripts(t *testing.T) {
	kind := func(s string) uint64 { return Scripts([]byte("<!doctype html><p>text" + s)) }
	if kind("") != 0 || kind("<script type=application/ld+json>{}</script>") != 0 {
		t.Error("data is a script")
	}
	for a, b := range map[string]string{
		`<script src="/a.js?1"></script>`:                                    `<script src=/a.js?2></script>`,
		`<script>window.state = {"id": 17, "name": "Ada Lovelace"}</script>`: `<script>window.state = {"id": 4711, "name": "Ada Lovelace", "x": 1}</script>`,
		`<script type="text/javascript; charset=utf-8" src=/a.js></script>`:  `<script type="module" src=/a.js></script>`,
		`<script src=/a.js></script><script type=text/x-tmpl>{{a}}</script>`: `<script src=/a.js></script>`,
	} {
		if kind(a) != kind(b) || kind(a) == 0 {
			t.Errorf("%s is of another kind than %s", a, b)
		}
	}
	seen := map[uint64]string{}
	for _, s := range []string{"", "<script src=/a.js></script>", "<script src=/b.js></script>", "<script>go()</script>", "<body onload=go()>", "<script src=/a.js></script><script src=/b.js></script>"} {
		if other, there := seen[kind(s)]; there {
			t.Errorf("%s is of the same kind as %s", s, other)
		}
		seen[kind(s)] = s
	}
}

// TestChanges: new words, lost words and new links count from a share on.
func TestChanges(t *testing.T) {
	page := func(text string, links ...string) *orbweaver.Page {
		p := &orbweaver.Page{Text: text}
		for _, to := range links {
			p.Links = append(p.Links, orbweaver.Link{To: to})
		}
		return p
	}
	long := ""
	for i := range 200 {
		long += fmt.Sprintf(" word%d", i)
	}
	for name, tc := range map[string]struct {
		before, after *orbweaver.Page
		want          bool
	}{
		"nothing":        {page(long), page(long), false},
		"a clock":        {page(long), page(long + " Friday noon"), false},
		"a word of many": {page(long), page(long + " one two three four five"), false},
		"a paragraph":    {page(long), page(long + " one two three four five six seven eight nine ten eleven"), true},
		"content":        {page("Loading"), page("a page about airplanes"), true},
		"less":           {page("all of this text is behind a wall"), page("all"), true},
		"a link":         {page("x", "http://a.test/1"), page("x", "http://a.test/1", "http://a.test/2"), true},
	} {
		if got := Changes(tc.before, tc.after); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// FuzzScripts: any bytes have a kind, the same each time.
func FuzzScripts(f *testing.F) {
	f.Add([]byte("<script src=/a.js></script><body onload=x><script>"))
	f.Fuzz(func(t *testing.T, page []byte) {
		if kind := Scripts(page); kind != Scripts(bytes.Clone(page)) {
			t.Errorf("%x, and another kind", kind)
		}
	})
}
