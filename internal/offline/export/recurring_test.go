package export

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// para is a line that is long enough to be template.
func para(s string) string {
	return s + strings.Repeat(" and more words of this line", 2) + "."
}

func newRecurring() *recurring { return &recurring{pages: map[string]int{}, lines: map[uint64]uint8{}} }

// TestRecurring: which lines of a host's pages are template.
func TestRecurring(t *testing.T) {
	const host = "http://a.test"
	notice, cell := para("Subscribe to our letter"), para("a cell")
	own := func(i int) string { return para(fmt.Sprint("Page ", i)) + "\n\n" + para(fmt.Sprint("Its story ", i)) }
	learned := func(pages ...string) *recurring {
		r := newRecurring()
		for _, p := range pages {
			r.learn(host, p)
		}
		return r
	}
	for name, c := range map[string]struct {
		r             *recurring
		article, want string
	}{
		"on three pages":                    {learned(own(1)+"\n\n"+notice, own(2)+"\n\n"+notice, own(3)+"\n\n"+notice), own(4) + "\n\n" + notice, own(4)},
		"in the middle":                     {learned(own(1)+"\n\n"+notice, own(2)+"\n\n"+notice, own(3)+"\n\n"+notice), "A\n\n" + notice + "\n\n" + own(4), "A\n\n" + own(4)},
		"on two pages":                      {learned(own(1)+"\n\n"+notice, own(2)+"\n\n"+notice, own(3)), own(4) + "\n\n" + notice, own(4) + "\n\n" + notice},
		"a short line":                      {learned(own(1)+"\n\nHistory", own(2)+"\n\nHistory", own(3)+"\n\nHistory"), own(4) + "\n\nHistory", own(4) + "\n\nHistory"},
		"versions of one page":              {learned(own(1), own(1), own(1), own(1)), own(1), own(1)},
		"cells, several on a page":          {learned(own(1)+"\n"+cell+"\n"+cell, own(2)+"\n"+cell+"\n"+cell, own(3)+"\n"+cell+"\n"+cell), own(4) + "\n" + cell, own(4) + "\n" + cell},
		"most of the page":                  {learned(own(1)+"\n\n"+notice, own(2)+"\n\n"+notice, own(3)+"\n\n"+notice), "A\n\n" + notice, "A\n\n" + notice},
		"a host that taught nothing at all": {newRecurring(), own(1), own(1)},
	} {
		if got, n := c.r.without(host, c.article); got != c.want || (n > 0) != (c.want != c.article) {
			t.Errorf("%s: %d lines omitted: %q, want %q", name, n, got, c.want)
		}
	}
	r := learned(own(1)+"\n\n"+notice, own(2)+"\n\n"+notice, own(3)+"\n\n"+notice)
	if got, n := r.without("http://b.test", own(4)+"\n\n"+notice); n != 0 || got != own(4)+"\n\n"+notice {
		t.Errorf("another host: %d lines omitted", n)
	}
}

// TestRecurringShare: of 40 pages of a host three share a line, less than one in four.
func TestRecurringShare(t *testing.T) {
	r, line := newRecurring(), para("A quotation")
	for i := range 40 {
		text := para(fmt.Sprint("Page ", i)) + "\n" + para(fmt.Sprint("Its story ", i))
		if i < 3 {
			text += "\n" + line
		}
		r.learn("h", text)
	}
	if _, n := r.without("h", para("New")+"\n"+para("Newer")+"\n"+line); n != 0 {
		t.Errorf("a line on 3 of 40 pages is omitted")
	}
}

// TestRecurringBounds: a host teaches by its first pages alone.
func TestRecurringBounds(t *testing.T) {
	r := newRecurring()
	for i := range taught {
		r.learn("h", para(fmt.Sprint("Page ", i)))
	}
	before := maps.Clone(r.lines)
	for i := range 10 {
		r.learn("h", para(fmt.Sprint("Later ", i)))
	}
	if r.pages["h"] != taught || !maps.Equal(before, r.lines) {
		t.Errorf("%d pages taught, %d lines, want %d and %d", r.pages["h"], len(r.lines), taught, len(before))
	}
}

// FuzzRecurring: what is left of an article is lines of it, in order, and more than half of its bytes without blank lines.
func FuzzRecurring(f *testing.F) {
	f.Add("a\n\nb", "c\nb", 3)
	f.Add(para("x")+"\n"+para("y"), para("x")+"\n\n"+para("z")+"\n"+para("w"), 5)
	f.Fuzz(func(t *testing.T, teacher, article string, times int) {
		r := newRecurring()
		for i := range max(0, min(times, 8)) {
			r.learn("h", teacher+"\n"+para(fmt.Sprint("Page ", i, teacher))+"\n"+strings.ReplaceAll(teacher, "\n", fmt.Sprint(i, "\n")))
		}
		kept, n := r.without("h", article)
		if n == 0 {
			if kept != article {
				t.Fatalf("nothing is omitted of %q, but %q is left", article, kept)
			}
			return
		}
		rest := strings.Split(article, "\n")
		for line := range strings.SplitSeq(kept, "\n") {
			for len(rest) > 0 && rest[0] != line {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Fatalf("%q is not in %q, or not in this order", line, article)
			}
			rest = rest[1:]
		}
	})
}
