package synth

import "iter"

// maxLinks bounds the random links of a page.
const maxLinks = 300

// targetsOf yields the pages that a page of a run links to, in document order: the first page of its host,
// its children in the host's tree and, for a first page, the child hosts in the tree of hosts; then the
// random links.
func (w *Web) targetsOf(page int64, r run) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		n, host := page-r.first, r.host
		if n > 0 && !yield(r.first) {
			return
		}
		for child := n*fan + 1; child <= min(n*fan+fan, r.size-1); child++ {
			if !yield(r.first + child) {
				return
			}
		}
		for child := host*fan + 1; n == 0 && child <= min(host*fan+fan, w.Hosts-1); child++ {
			if !yield(w.sizes.start(child)) {
				return
			}
		}
		d, topic := w.dice(forLinks, page), w.Topic(page)
		for range min(int(d.draw(w.Links)), maxLinks) {
			if to := w.target(page, r, topic, &d); to != page && !yield(to) {
				return
			}
		}
	}
}

// target draws the target of a link on a page of a run.
func (w *Web) target(page int64, r run, topic int, d *dice) int64 {
	onHost, onTopic := d.chance(w.OnHost), d.chance(w.OnTopic)
	if onHost {
		from, to := r.first, r.first+r.size
		if onTopic { // a section certainly has the topic
			section := page - page%w.Section
			from, to = max(from, section), min(to, section+w.Section)
		}
		return from + d.popular(to-from)
	}
	if !onTopic && d.chance(w.Near) {
		onTopic = true
		topic = (topic + 1 + int(d.below(2))*(w.Topics-2)) % w.Topics
	}
	if onTopic {
		if other, ok := w.about(topic, d); ok {
			return other
		}
	}
	return d.below(w.Pages)
}
