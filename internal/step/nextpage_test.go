package step_test

import (
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

// TestContinues: what a reader takes for the way to another page of the list goes on with it, and nothing else.
func TestContinues(t *testing.T) {
	for _, tc := range []struct {
		name, page string
		link       orbweaver.Link
		want       bool
	}{
		{"a relation", "http://a.test/x", orbweaver.Link{To: "http://a.test/y", Rel: "nofollow next"}, true},
		{"a relation of an archived feed", "http://a.test/feed", orbweaver.Link{To: "http://a.test/2019.atom", Rel: "prev-archive"}, true},
		{"another origin", "http://a.test/x", orbweaver.Link{To: "http://b.test/y", Rel: "next"}, false},
		{"TREE", "http://a.test/feed", orbweaver.Link{To: "http://a.test/feed/x", Rel: "https://w3id.org/tree#node"}, true},
		{"Activity Streams", "http://a.test/o", orbweaver.Link{To: "http://a.test/o?c=9", Rel: "https://www.w3.org/ns/activitystreams#next"}, true},
		{"a number, by a parameter", "http://a.test/list?tag=x", orbweaver.Link{To: "http://a.test/list?tag=x&page=2", Anchor: "2"}, true},
		{"from the second page", "http://a.test/list?page=2&tag=x", orbweaver.Link{To: "http://a.test/list?page=12&tag=x", Anchor: "12"}, true},
		{"a number, by the path", "http://a.test/blog", orbweaver.Link{To: "http://a.test/blog/page/2/", Anchor: "2"}, true},
		{"of the home page", "http://a.test/", orbweaver.Link{To: "http://a.test/page/7", Anchor: "Page 7"}, true},
		{"a word", "http://a.test/blog/page/2/", orbweaver.Link{To: "http://a.test/blog/page/3/", Anchor: "Older posts »"}, true},
		{"a word in German", "http://a.test/liste-2.html", orbweaver.Link{To: "http://a.test/liste-3.html", Anchor: "Nächste Seite"}, true},
		{"the first page", "http://a.test/liste.html", orbweaver.Link{To: "http://a.test/liste-2.html", Anchor: "weiter"}, true},
		{"an arrow", "http://a.test/s?start=10", orbweaver.Link{To: "http://a.test/s?start=20", Anchor: "›"}, true},
		{"a title", "http://a.test/s?start=10", orbweaver.Link{To: "http://a.test/s?start=20", Title: "Next page"}, true},
		{"Japanese", "http://a.test/s?p=1", orbweaver.Link{To: "http://a.test/s?p=2", Anchor: "次へ"}, true},
		{"another list", "http://a.test/list?tag=x", orbweaver.Link{To: "http://a.test/list?tag=y&page=2", Anchor: "2"}, false},
		{"a year", "http://a.test/wiki/1951.html", orbweaver.Link{To: "http://a.test/wiki/1950.html", Anchor: "1950"}, false},
		{"an item", "http://a.test/list", orbweaver.Link{To: "http://a.test/item/3", Anchor: "3"}, false},
		{"a sentence", "http://a.test/list", orbweaver.Link{To: "http://a.test/list/2", Anchor: "More of what you like here"}, false},
		{"no number", "http://a.test/list", orbweaver.Link{To: "http://a.test/about", Anchor: "more"}, false},
		{"the next month", "http://a.test/cal?month=2026-11", orbweaver.Link{To: "http://a.test/cal?month=2026-12", Anchor: "next"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := step.Continues(tc.page, &tc.link); got != tc.want {
				t.Errorf("%s → %+v: %v", tc.page, tc.link, got)
			}
		})
	}
}
