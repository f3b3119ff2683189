package linkeddata

import (
	"fmt"
	"math"
	"testing"

	"orbweaver"
)

// TestOnlineStartsAsTheRules: untrained, the online classifier orders links as the rules do, and predicts as they do, but where words alone say that
// RDF is behind a link.
func TestOnlineStartsAsTheRules(t *testing.T) {
	links := []string{"http://a.test/a.rdf", "http://a.test/b", "http://a.test/c.jpg", "http://a.test/rdf/d.html"}
	_, byRules := decide(t, newFocus(t, nil), page("http://a.test/", links...))
	_, online := decide(t, newFocus(t, func(o *Options) { o.Classifier = Online }), page("http://a.test/", links...))
	if len(byRules) != len(online) || len(online) < 4 {
		t.Fatalf("%s; online %s", brief(byRules), brief(online))
	}
	for i, p := range online {
		class := byRules[i].Class
		if p.URL == links[3] {
			if class = ClassH; !doubts(p.Judgement) {
				t.Errorf("%s: not doubted: %+v", p.URL, p.Reasons)
			}
		}
		if p.Class != class || p.Drop != byRules[i].Drop || p.Score < 0 || p.Score > 1 {
			t.Errorf("%s: %s, %.3f; by the rules %s", p.URL, p.Class, p.Score, byRules[i].Class)
		}
		for k, q := range online {
			if !p.Drop && !q.Drop && byRules[i].Score > byRules[k].Score && byRules[i].Class != byRules[k].Class && p.Score <= q.Score {
				t.Errorf("%s is before %s by the rules, and not online", p.URL, q.URL)
			}
		}
	}
}

// TestOnlineLearns: a site has RDF terms on its pages, and RDF where nothing indicates it. After some
// outcomes of both kinds the classes are predicted correctly, with reasons that add up.
func TestOnlineLearns(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Classifier = Online })
	rerank := func(url, anchor string) orbweaver.Judgement {
		p := page("http://a.test/")
		p.Links = []orbweaver.Link{{To: url, Anchor: anchor, Origin: orbweaver.FromAnchor}}
		q := follow(t, f, p, url)
		j := f.Rerank(nil, q)
		sum := 0.0
		for _, r := range j.Reasons {
			sum += r.Weight
		}
		if math.Abs(sum-j.Score) > 1e-9 || math.Abs(j.Score-q.Score) > 1e-12 || len(j.Reasons) < 3 {
			t.Errorf("%s: score %v, planned %v, reasons %+v", url, j.Score, q.Score, j.Reasons)
		}
		return j
	}
	const bare, called = "http://a.test/data/%d", "http://a.test/page/%d"
	if a, b := rerank(fmt.Sprintf(bare, 0), "Anna"), rerank(fmt.Sprintf(called, 0), "RDF of Anna"); a.Class != ClassH || doubts(a) || b.Class != ClassH || !doubts(b) || b.Score <= a.Score {
		t.Fatalf("untaught: %+v, %+v", a, b)
	}
	for i := range 20 {
		p := page("http://a.test/")
		p.Links = []orbweaver.Link{
			{To: fmt.Sprintf(bare, i+1), Anchor: "Anna", Origin: orbweaver.FromAnchor},
			{To: fmt.Sprintf(called, i+1), Anchor: "RDF of Anna", Origin: orbweaver.FromAnchor},
		}
		learn(t, f, answer(follow(t, f, p, p.Links[0].To).Request, "text/turtle"))
		learn(t, f, answer(follow(t, f, p, p.Links[1].To).Request, "text/html"))
	}
	a, b := rerank(fmt.Sprintf(bare, 0), "Anna"), rerank(fmt.Sprintf(called, 0), "RDF of Anna")
	if a.Class != ClassR || b.Class == ClassR || a.Score <= b.Score {
		t.Errorf("taught: %s %.2f, %s %.2f", a.Class, a.Score, b.Class, b.Score)
	}
}
