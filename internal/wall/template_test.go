package wall_test

import (
	"fmt"
	"testing"

	"orbweaver"
	"orbweaver/internal/wall"
)

// like is a page at a number of a host.
func like(n int, digest string, simhash uint64) *orbweaver.Page {
	return &orbweaver.Page{
		URL: fmt.Sprintf("http://a.test/%d", n), MediaType: "text/html", Title: "Shop", Text: "Sorry.", Digest: digest, Simhash: simhash,
	}
}

func TestTemplates(t *testing.T) {
	const host = "http://a.test"
	for _, c := range []struct {
		name   string
		pages  []*orbweaver.Page
		asks   int // the page after which the host is asked; -1: never
		answer *orbweaver.Page
		is     bool // the last page is what the host gives for any URL
	}{
		{"the same bytes", []*orbweaver.Page{like(1, "x", 0), like(2, "x", 0), like(3, "x", 0)}, 2, like(9, "x", 0), true},
		{"nearly the same text", []*orbweaver.Page{like(1, "x", 0b1000), like(2, "y", 0b1001), like(3, "z", 0b1011)}, 2, like(9, "w", 0b1000), true},
		{"what does not exist has no page", []*orbweaver.Page{like(1, "x", 0), like(2, "x", 0), like(3, "x", 0)}, 2, nil, false},
		{"what does not exist is another page", []*orbweaver.Page{like(1, "x", 0), like(2, "x", 0), like(3, "x", 0)}, 2, like(9, "y", 0), false},
		{"another page between", []*orbweaver.Page{like(1, "x", 0), like(2, "y", 0), like(3, "x", 0)}, -1, nil, false},
		{"asked once", []*orbweaver.Page{like(1, "x", 0), like(2, "x", 0), like(3, "x", 0), like(4, "x", 0), like(5, "x", 0)}, 2, nil, false},
		{"two", []*orbweaver.Page{like(1, "x", 0), like(2, "x", 0)}, -1, nil, false},
	} {
		var templates wall.Templates
		asked := -1
		for i, p := range c.pages {
			if url := templates.Add(p); url != "" {
				if asked >= 0 || url != wall.Impossible(host) {
					t.Errorf("%s: asks for %s after page %d", c.name, url, i)
				}
				asked = i
			}
		}
		if asked != c.asks {
			t.Errorf("%s: asked after page %d, not %d", c.name, asked, c.asks)
		}
		if templates.Settle(host, c.answer); templates.Is(c.pages[len(c.pages)-1]) != c.is {
			t.Errorf("%s: %v", c.name, !c.is)
		}
	}
}

// Pages with much text and those that scripts fill are pages, however alike.
func TestTemplatesPassOver(t *testing.T) {
	var templates wall.Templates
	for i := range 5 {
		shell := like(i, "x", 0)
		if shell.Scripted = true; templates.Add(shell) != "" {
			t.Error("asks because of shells")
		}
		made := like(i, "x", 1<<(8*i)-1)
		if made.Rendered = true; templates.Add(made) != "" {
			t.Error("asks because of the shell that other pages were made of")
		}
	}
}
