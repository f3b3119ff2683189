package online

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"orbweaver"
)

// rules are some of the linked-data focus.
func rules() []Rule {
	return []Rule{
		{"extension", R}, {"anchor-term", R}, {"path-term", R}, {"similar", HR},
		{"html-extension", H}, {"html-link", H}, {"otherwise", N},
	}
}

// A case is a link and its class.
type example struct {
	sight Sight
	class Class
}

// web is a web on which the rules mislead: a.test has RDF at /data/N and HTML at /page/N, b.test the other
// way round, "rdf" is the anchor of all HTML and of every fourth other link, and URLs in /old/ are dead on
// both.
func web(seed uint64, links int) (all []example) {
	chance := rand.New(rand.NewPCG(seed, 1))
	words := []string{"about", "the", "sea", "ships", "of", "harbour", "wind", "and", "weather", "tide", "list", "more"}
	for range links {
		host, n, folder := "a.test", chance.IntN(5000), []string{"data", "page", "old"}[chance.IntN(3)]
		if chance.IntN(2) == 0 {
			host = "b.test"
		}
		l := &orbweaver.Link{To: fmt.Sprintf("http://%s/%s/%d", host, folder, n), Origin: orbweaver.FromAnchor}
		class := H
		switch {
		case folder == "old":
			class = N
		case (folder == "data") == (host == "a.test"):
			class = R
		}
		fired := []string{"html-link"}
		l.Anchor = words[chance.IntN(len(words))]
		if class == H || chance.IntN(4) == 0 {
			l.Anchor, fired = "rdf", []string{"anchor-term"}
		}
		for range 12 {
			l.Context += words[chance.IntN(len(words))] + " "
		}
		all = append(all, example{Sight{Link: l, Rules: fired, FromHTML: true, PageClass: H}, class})
	}
	return all
}

// TestLearnsWhatRulesCannot: within fifty outcomes, nine of ten links predicted R are R.
func TestLearnsWhatRulesCannot(t *testing.T) {
	const learned, tested = 50, 250
	for seed := range uint64(8) {
		m := New(seed, rules())
		predicted, right, missed := 0, 0, 0
		for i, e := range web(seed, learned+tested) {
			features := m.Features(nil, &e.sight)
			p := m.Predict(features, 0).Class()
			switch {
			case i < learned:
			case p == R && e.class == R:
				predicted, right = predicted+1, right+1
			case p == R:
				predicted++
			case e.class == R:
				missed++
			}
			m.Learn(features, e.class)
		}
		t.Logf("seed %d: %d of %d predicted R are, %d missed", seed, right, predicted, missed)
		if precision := float64(right) / float64(predicted); !(precision > 0.9) || missed*2 > right {
			t.Errorf("seed %d: %d of %d predicted R are, %d missed", seed, right, predicted, missed)
		}
	}
}

// TestFindsFirst: where the rules mislead, a crawl ordered by hope finds at least twice as much RDF in its
// first requests as one in the rules' order.
func TestFindsFirst(t *testing.T) {
	const links, requests = 600, 50
	for seed := range uint64(4) {
		m, all := New(seed, rules()), web(seed, links)
		byRules, byHope := 0, 0
		for i, left := 0, requests; i < len(all) && left > 0; i++ {
			if all[i].sight.Rules[0] == "anchor-term" {
				left--
				byRules += int(all[i].class / R)
			}
		}
		for range requests {
			best, most := 0, -1.0
			for i := range all {
				if hope := m.Hope(m.Features(nil, &all[i].sight), 0); hope > most {
					best, most = i, hope
				}
			}
			byHope += int(all[best].class / R)
			m.Learn(m.Features(nil, &all[best].sight), all[best].class)
			all = append(all[:best], all[best+1:]...)
		}
		t.Logf("seed %d: %d by the rules, %d by hope, of %d", seed, byRules, byHope, requests)
		if byHope < 2*byRules {
			t.Errorf("seed %d: %d by the rules, %d by hope, of %d", seed, byRules, byHope, requests)
		}
	}
}
