package eval

// Distances is the distance of each URL of a Web to the nearest relevant document not found yet: the knowledge
// of an oracle. It is not safe for concurrent use.
type Distances struct {
	web    *Web
	wanted []bool  // by id: relevant and not found
	links  []int32 // by id; -1: no path
	stale  bool    // wanted changed since links were computed
}

// Distances computes the distance of every URL to the nearest relevant document, in links; redirects are free.
// It is one backward breadth-first search from all relevant documents. The Web must be frozen.
func (w *Web) Distances(truth Truth) *Distances {
	d := &Distances{web: w, wanted: make([]bool, len(w.urls)), links: make([]int32, len(w.urls)), stale: true}
	for id, url := range w.urls {
		d.wanted[id] = w.document[id] && truth.Relevant(url)
	}
	return d
}

// Found records that a document was fetched. If it is relevant, distances to it become distances to the nearest
// relevant document that is not found yet; otherwise an oracle would stay near found documents. Distances are
// recomputed at the next call of Distance, at a cost linear in the Web. Found reports whether they may have
// changed.
func (d *Distances) Found(url string) bool {
	id, ok := d.web.ids[url]
	if !ok || !d.wanted[id] {
		return false
	}
	d.wanted[id], d.stale = false, true
	return true
}

// Distance returns the number of links from a canonical URL to the nearest relevant document not found yet: 0
// for such a document itself and for redirects to it. ok is false if no path leads to one, or the Web lacks the
// URL.
func (d *Distances) Distance(url string) (int, bool) {
	if d.stale {
		d.measure()
	}
	id, ok := d.web.ids[url]
	if !ok || d.links[id] < 0 {
		return 0, false
	}
	return int(d.links[id]), true
}

func (d *Distances) measure() {
	var level []int32
	for id, wanted := range d.wanted {
		d.links[id] = -1
		if wanted {
			d.links[id] = 0
			level = append(level, int32(id))
		}
	}
	for distance := int32(1); len(level) > 0; distance++ {
		level = d.redirecting(level)
		level = d.linking(level, distance)
	}
	d.stale = false
}

// redirecting adds to a level all URLs that redirect into it, over any number of hops.
func (d *Distances) redirecting(level []int32) []int32 {
	for i := 0; i < len(level); i++ {
		for _, from := range d.web.hopsBack.of(level[i]) {
			if d.links[from] < 0 {
				d.links[from] = d.links[level[i]]
				level = append(level, from)
			}
		}
	}
	return level
}

// linking returns the next level: all URLs that link into this one and have no distance yet.
func (d *Distances) linking(level []int32, distance int32) []int32 {
	var next []int32
	for _, id := range level {
		for _, from := range d.web.in.of(id) {
			if d.links[from] < 0 {
				d.links[from] = distance
				next = append(next, from)
			}
		}
	}
	return next
}
