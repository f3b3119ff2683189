package synth

import (
	"math"
	"strconv"
)

// fan is how many children a page has in the tree of its host, and a host in the tree of hosts.
const fan = 8

// A Web is a generated web. It never changes: any number of goroutines may ask it.
type Web struct {
	Params
	sizes    zipf
	sections shuffle // section → its place in the row of all sections, sorted by topic
	general  []string
	topical  [][]string // by topic
}

// New checks params and makes a web of them. Every problem is reported; all wrap orbweaver.ErrInput.
func New(p Params) (*Web, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Origin == nil {
		p.Origin = func(host int) string { return "http://h" + strconv.Itoa(host) + ".synth.example" }
	}
	w := &Web{Params: p, sizes: newZipf(p.Pages, p.Hosts, p.Exponent)}
	w.sections = newShuffle((p.Pages+p.Section-1)/p.Section, w.dice(forSection, 0))
	w.makeWords()
	return w, nil
}

// Host is the host of a page.
func (w *Web) Host(page int64) int { return w.sizes.host(page) }

// A run are the pages of a host: from first, size in number.
type run struct {
	host        int
	first, size int64
}

func (w *Web) run(host int) run {
	first := w.sizes.start(host)
	return run{host, first, w.sizes.start(host+1) - first}
}

// runOf is that which a page is of; near is one that it may well be.
func (w *Web) runOf(page int64, near run) run {
	if page >= near.first && page < near.first+near.size {
		return near
	}
	return w.run(w.Host(page))
}

// Topic is what a page is about, 0 being the target.
func (w *Web) Topic(page int64) int {
	place := w.sections.to(page / w.Section)
	targets := w.targets()
	if place < targets {
		return 0
	}
	return 1 + int((place-targets)*int64(w.Topics-1)/(int64(w.sections.n)-targets))
}

// targets is how many sections are about the target: one at least.
func (w *Web) targets() int64 {
	return max(1, int64(math.Round(w.Target*float64(w.sections.n))))
}

// places are those of the sections of a topic, in the row of all.
func (w *Web) places(topic int) (from, to int64) {
	targets := w.targets()
	if topic == 0 {
		return 0, targets
	}
	rest, others := int64(w.sections.n)-targets, int64(w.Topics-1)
	begin := func(t int64) int64 { return targets + (t*rest+others-1)/others }
	return begin(int64(topic - 1)), begin(int64(topic))
}

// about draws a page of a topic; false when the web is so small that there is none.
func (w *Web) about(topic int, d *dice) (int64, bool) {
	from, to := w.places(topic)
	if from >= to {
		return 0, false
	}
	first := w.sections.from(from+d.below(to-from)) * w.Section
	return first + d.popular(min(w.Section, w.Pages-first)), true
}

// Relevant counts the pages that a crawl can find: of the target, there and not forbidden.
func (w *Web) Relevant() int64 {
	from, to := w.places(0)
	n := int64(0)
	for place := from; place < to; place++ {
		first := w.sections.from(place) * w.Section
		for page := first; page < min(first+w.Section, w.Pages); page++ {
			if fate := w.Fate(page); fate != Missing && fate != Forbidden {
				n++
			}
		}
	}
	return n
}

// A Fate is what a crawl finds at a page's address.
type Fate uint8

// The fates.
const (
	Plain     Fate = iota
	Duplicate      // the same bytes as another page, of the same topic
	Missing        // 404
	Forbidden      // by robots.txt
)

// Fate is what becomes of a request for a page. Only leaves of the host's tree have another than
// Plain, so that nothing behind them is lost.
func (w *Web) Fate(page int64) Fate { return w.fate(page, w.run(w.Host(page))) }

// fate is Fate of a page of a run.
func (w *Web) fate(page int64, r run) Fate {
	if n := page - r.first; n == 0 || n*fan+1 < r.size {
		return Plain
	}
	d := w.dice(forFate, page)
	switch u := d.float(); {
	case u < w.Missing:
		return Missing
	case u < w.Missing+w.Forbidden:
		return Forbidden
	case u < w.Missing+w.Forbidden+w.Duplicate:
		if w.original(page) != page {
			return Duplicate
		}
	}
	return Plain
}

// original returns the page whose bytes a duplicate has: one of its topic, with bytes of its own. It is the
// page itself when chance finds none.
func (w *Web) original(page int64) int64 {
	d, topic := w.dice(forOriginal, page), w.Topic(page)
	for range 4 {
		other, _ := w.about(topic, &d)
		chosen := w.dice(forFate, other)
		if chosen.float() >= w.Missing+w.Forbidden+w.Duplicate {
			return other
		}
	}
	return page
}

// source returns the page whose words and links a page has: itself, unless it is a duplicate.
func (w *Web) source(page int64) int64 {
	if w.Fate(page) == Duplicate {
		return w.original(page)
	}
	return page
}

// moved reports whether all links name a page by its old address.
func (w *Web) moved(page int64) bool {
	d := w.dice(forMove, page)
	return d.chance(w.Moved)
}

// Seeds are where a crawl of the target begins: page 0, from which all is reached, and n pages of the
// target.
func (w *Web) Seeds(n int) []string {
	seeds, d := []string{w.URL(0)}, w.dice(forSeeds, 0)
	for tries := 0; len(seeds) <= n && tries < 100*n; tries++ {
		if page, ok := w.about(0, &d); ok && page != 0 && w.Fate(page) == Plain {
			seeds = append(seeds, w.URL(page))
		}
	}
	return seeds
}
