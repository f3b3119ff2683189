package synth

import (
	"math"
	"strconv"
)

// fan is the number of children of a page in the tree of its host, and of a host in the tree of hosts.
const fan = 8

// A Web is a generated web. It is immutable and safe for concurrent use.
type Web struct {
	Params
	sizes    zipf
	sections shuffle // section → its index among all sections, sorted by topic
	general  []string
	topical  [][]string // by topic
}

// New validates params and returns the web. The error reports every invalid parameter and wraps
// orbweaver.ErrInput.
func New(p Params) (*Web, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Origin == nil {
		p.Origin = func(host int) string { return "http://h" + strconv.Itoa(host) + ".example" }
	}
	w := &Web{Params: p, sizes: newZipf(p.Pages, p.Hosts, p.Exponent)}
	w.sections = newShuffle((p.Pages+p.Section-1)/p.Section, w.dice(forSection, 0))
	w.makeWords()
	return w, nil
}

// Host returns the host of a page.
func (w *Web) Host(page int64) int { return w.sizes.host(page) }

// A run is the page range of a host: first and size.
type run struct {
	host        int
	first, size int64
}

func (w *Web) run(host int) run {
	first := w.sizes.start(host)
	return run{host, first, w.sizes.start(host+1) - first}
}

// runOf returns the run of a page; near is a guess.
func (w *Web) runOf(page int64, near run) run {
	if page >= near.first && page < near.first+near.size {
		return near
	}
	return w.run(w.Host(page))
}

// Topic returns the topic of a page; 0 is the target.
func (w *Web) Topic(page int64) int {
	place := w.sections.to(page / w.Section)
	targets := w.targets()
	if place < targets {
		return 0
	}
	return 1 + int((place-targets)*int64(w.Topics-1)/(int64(w.sections.n)-targets))
}

// targets returns the number of sections of the target, at least one.
func (w *Web) targets() int64 {
	return max(1, int64(math.Round(w.Target*float64(w.sections.n))))
}

// places returns the index range of a topic's sections.
func (w *Web) places(topic int) (from, to int64) {
	targets := w.targets()
	if topic == 0 {
		return 0, targets
	}
	rest, others := int64(w.sections.n)-targets, int64(w.Topics-1)
	begin := func(t int64) int64 { return targets + (t*rest+others-1)/others }
	return begin(int64(topic - 1)), begin(int64(topic))
}

// about draws a page of a topic; false if the web is too small to have one.
func (w *Web) about(topic int, d *dice) (int64, bool) {
	from, to := w.places(topic)
	if from >= to {
		return 0, false
	}
	first := w.sections.from(from+d.below(to-from)) * w.Section
	return first + d.popular(min(w.Section, w.Pages-first)), true
}

// Relevant returns the number of target pages that a crawl can find: existing and not forbidden.
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

// A Fate is the outcome of a request for a page.
type Fate uint8

// The fates.
const (
	Plain     Fate = iota
	Duplicate      // the same bytes as another page, of the same topic
	Missing        // 404
	Forbidden      // by robots.txt
)

// Fate returns the outcome of a request for a page. Only leaves of the host's tree have a fate other than
// Plain, so that all other pages stay reachable.
func (w *Web) Fate(page int64) Fate { return w.fate(page, w.run(w.Host(page))) }

// fate is Fate for a page of a known run.
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

// original returns the page whose bytes a duplicate has: a plain one of its topic. It is the page itself if
// random draws find none.
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

// moved reports whether all links use a page's old URL.
func (w *Web) moved(page int64) bool {
	d := w.dice(forMove, page)
	return d.chance(w.Moved)
}

// Seeds returns the start URLs of a crawl for the target: page 0, from which every page is reachable, and n
// pages of the target.
func (w *Web) Seeds(n int) []string {
	seeds, d := []string{w.URL(0)}, w.dice(forSeeds, 0)
	for tries := 0; len(seeds) <= n && tries < 100*n; tries++ {
		if page, ok := w.about(0, &d); ok && page != 0 && w.Fate(page) == Plain {
			seeds = append(seeds, w.URL(page))
		}
	}
	return seeds
}
