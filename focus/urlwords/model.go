// Package urlwords ranks links that are a URL alone, as those of a sitemap, by the words of the URL.
//
// A URL is worth what three signs say: how surely it names what the focus is for; how much more often the pages of worth
// have its words in their texts than other pages have them; and what requests of URLs with the same words, beginnings and
// ends of words, and folder led to. The sum of the signs, in log-odds, becomes the worth that such URLs turned out to have
// (Scale), and that in turn the score at which links of other kinds turned out to be worth as much: a URL enters the frontier
// where its evidence says.
//
// Worth is 0 to 1: the page's chance to be accepted. All that is learned is sums over outcomes.
//
// This package is not part of the stable API.
package urlwords

import (
	"fmt"
	"math"

	"orbweaver/text"
)

// Rule is the rule of what the words of a URL say: the word with the strongest sign.
const Rule = "url"

// Key is the key of waiting requests whose score depends on a Model.
const Key = "urls"

const (
	prior       = 2       // pseudo-count of pages of the crawl's mean worth for each feature
	namedOdds   = 2       // log-odds of a URL that surely names what the focus is for
	maxFeatures = 100_000 // features of URLs that are counted
)

// A feature is a word, a pair of words, an affix or a place of listed URLs, and what pages with it are worth.
type feature struct {
	texts, textWorth float64 // pages whose text has it, and the sum of their worth
	urls, urlWorth   float64 // pages requested by a URL that has it, and the sum of their worth
	listed           float64 // URLs in lists that have it
	at               int64   // page whose text was last counted
}

// A Model is what a crawl learned of the words of URLs. It is not safe for concurrent use.
type Model struct {
	Reader
	features map[string]*feature
	order    []string // of features, by first occurrence
	listed   float64  // URLs in lists
	pages    float64  // learned from since a list was met
	worth    float64  // sum of their worth
	squares  float64  // of their worth
	next     float64  // pages at which all URLs are ranked again
	links    scale    // score of links of other kinds → worth
	urls     scale    // signs of URLs → worth

	linkFit, urlFit []float64 // of links and urls; nil: to be computed
}

// New returns a model that knows no list.
func New() *Model {
	return &Model{features: map[string]*feature{}, links: newScale(linkBins), urls: newScale(signBins)}
}

// Lists reports whether a list was met: before, there is nothing to learn for.
func (m *Model) Lists() bool { return m.listed > 0 }

// Meet counts the features of a URL that a list names. Texts are searched for them from now on.
func (m *Model) Meet(l Listed) {
	m.listed++
	m.each(l, func(b []byte, _ int) {
		one := m.features[string(b)]
		if one == nil {
			if len(m.order) == maxFeatures {
				return
			}
			one = m.add(string(b))
		}
		one.listed++
	})
}

func (m *Model) add(name string) *feature {
	one := new(feature)
	m.features[name], m.order = one, append(m.order, name)
	return one
}

// A Lead is the link by which a page was requested.
type Lead struct {
	Alone bool    // a URL alone; else Score is that of a link of another kind
	Score float64 // 0..1
	None  bool    // a seed: no link
}

// Learn counts a page by the words of its text and its URL, which l holds. It reports whether all listed URLs should be
// ranked again.
func (m *Model) Learn(l Listed, lead Lead, content string, stemmer *text.Stemmer, worth float64) (stale bool) {
	switch {
	case lead.None:
	case lead.Alone:
		m.urls.add(signBin(m.Sign(l).Sum()), worth)
	default:
		m.links.add(linkBin(lead.Score), worth)
	}
	m.linkFit = nil
	m.pages++
	m.worth += worth
	m.squares += worth * worth
	page := int64(m.pages)
	m.text(content, stemmer, func(b []byte) {
		if one := m.features[string(b)]; one != nil && one.at != page {
			one.at = page
			one.texts++
			one.textWorth += worth
		}
	})
	m.each(l, func(b []byte, _ int) {
		if one := m.features[string(b)]; one != nil {
			one.urls++
			one.urlWorth += worth
		}
	})
	if m.pages < m.next {
		return false
	}
	m.next = m.rankAgain()
	return true
}

// Add adds what a model of other pages has learned, but for features beyond those that are counted. The same models in the same order give the same
// model.
func (m *Model) Add(more *Model) {
	m.listed, m.pages = m.listed+more.listed, m.pages+more.pages
	m.worth, m.squares = m.worth+more.worth, m.squares+more.squares
	m.links.addAll(more.links)
	m.urls.addAll(more.urls)
	for _, name := range more.order {
		one, two := m.features[name], more.features[name]
		if one == nil {
			if len(m.order) == maxFeatures {
				continue
			}
			one = m.add(name)
		}
		one.texts, one.textWorth = one.texts+two.texts, one.textWorth+two.textWorth
		one.urls, one.urlWorth = one.urls+two.urls, one.urlWorth+two.urlWorth
		one.listed += two.listed
	}
	m.linkFit, m.next = nil, m.rankAgain()
}

// rankAgain is the number of pages at which all URLs are ranked again.
func (m *Model) rankAgain() float64 { return m.pages + max(5, math.Floor(m.pages/10)) }

// Signs is the evidence of a URL, in log-odds.
type Signs struct {
	Named float64 // it names what the focus is for
	Texts float64 // its words in the texts of pages
	Led   float64 // what URLs with its features led to
	Best  string  // the feature with the strongest sign; empty: none has one

	Silent bool // there is no evidence: neither words, nor a place from which much more came than from others
}

// Sum is the evidence of all signs.
func (s Signs) Sum() float64 { return s.Named + s.Texts + s.Led }

// Sign returns the evidence of a URL. Texts is the mean over its words and pairs, each weighted by how rare it is in lists;
// Led is the greatest, at least 0: of a URL's words usually one tells.
func (m *Model) Sign(l Listed) Signs {
	s := Signs{Named: namedOdds * l.Named}
	mean := m.mean()
	var sum, weights, best float64
	m.each(l, func(b []byte, sides int) {
		one := m.features[string(b)]
		if one == nil {
			return
		}
		sign := 0.0
		if sides&inText != 0 {
			rare := math.Log((m.listed + 1) / (one.listed + 0.5))
			text := contrast(one.textWorth, one.texts, mean)
			sum, weights, sign = sum+rare*text, weights+rare, text
		}
		led := contrast(one.urlWorth, one.urls, mean)
		s.Led, sign = max(s.Led, led), max(sign, led)
		if sign > best && b[0] != '/' {
			best, s.Best = sign, string(b)
		}
	})
	if weights > 0 {
		s.Texts = sum / weights
	}
	if len(l.words) == 0 && s.Named == 0 && s.Led < math.Ln2 {
		s = Signs{Silent: true}
	}
	return s
}

// mean is the mean worth of all pages, as if a few had been seen.
func (m *Model) mean() float64 { return (m.worth + 0.2) / (m.pages + 1) }

// contrast returns the log-odds of the worth of n pages, shrunk towards the mean of all pages, less those of the mean.
func contrast(worth, n, mean float64) float64 {
	return logit((worth+prior*mean)/(n+prior)) - logit(mean)
}

func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Score returns the score of a URL alone by its signs: that of links of other kinds which turned out to be worth as much. A
// silent URL waits behind all links.
func (m *Model) Score(s Signs) float64 {
	if s.Silent {
		return 0
	}
	m.refit()
	return inverse(m.linkFit, at(m.urlFit, s.Sum()/signStep-signLow))
}

// Raise returns the score of a link of another kind to a listed URL: it changes as much as the worth of its score does
// when the signs of texts and of what URLs led to are added to its log-odds. It is 0 to 1.
func (m *Model) Raise(score float64, s Signs) float64 {
	m.refit()
	was := logit(at(m.linkFit, score*linkBins-0.5))
	more := inverse(m.linkFit, logistic(was+s.Texts+s.Led)) - inverse(m.linkFit, logistic(was))
	return min(max(score+more, 0), 1)
}

// refit computes the fits, if a page was learned since.
func (m *Model) refit() {
	if m.linkFit == nil {
		m.linkFit, m.urlFit = m.links.fit(m.linkPrior()), m.urls.fit(m.urlPrior())
	}
}

// urlPrior returns the worth of URLs by their signs before any was requested: log-odds that grow by two for each unit
// of signs, and are far below the crawl's mean without signs, since the crawl's pages were chosen, and lists are not.
func (m *Model) urlPrior() func(bin int) float64 {
	base, full := logit(m.mean())-unchosen, 0.5
	if m.worth > 0 {
		full = m.squares / m.worth
	}
	return func(bin int) float64 {
		return full * logistic(base+signSlope*(float64(bin)+signLow)*signStep)
	}
}

// linkPrior returns the worth of links by their score before any was followed: proportional to the score.
func (m *Model) linkPrior() func(bin int) float64 {
	worth, scores := m.links.sums()
	ratio := (worth + 1) / (scores + 2) // one half before any page
	return func(bin int) float64 { return ratio * (float64(bin) + 0.5) / linkBins }
}

// Why describes what the signs rest on, as evidence of Rule.
func (m *Model) Why(s Signs) string {
	one := m.features[s.Best]
	if one == nil {
		return "its words say nothing"
	}
	return fmt.Sprintf("%s: in the texts of %.0f pages worth %.2f, in the URLs of %.0f worth %.2f",
		s.Best, one.texts, one.textWorth/max(one.texts, 1), one.urls, one.urlWorth/max(one.urls, 1))
}
