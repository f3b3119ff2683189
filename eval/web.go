package eval

import "math"

// Web is an archive's documents and links as a graph. It is filled by Add from one goroutine, then frozen; a
// frozen Web is safe for concurrent use. It takes a URL's text and about 40 bytes per URL, and 4 bytes per link
// in each direction (8 while it is filled).
type Web struct {
	ids       map[string]int32
	urls      []string
	document  []bool // answered 2xx
	documents int

	links, hops       edges // hops are redirects, which count as no distance
	out, in           adjacency
	hopsOut, hopsBack adjacency
	frozen            bool
}

// NewWeb returns an empty Web.
func NewWeb() *Web { return &Web{ids: map[string]int32{}} }

// Add adds a record of the archive: the canonical URL, its HTTP status, the canonical target of a redirect (or
// ""), and the canonical targets of the document's links that a crawl would follow under scope and robots.
// Several records of one URL are merged. It panics on a frozen Web.
func (w *Web) Add(url string, status int, redirect string, links []string) {
	if w.frozen {
		panic("eval: Web.Add after Freeze")
	}
	from := w.id(url)
	if redirect != "" {
		w.hops.add(from, w.id(redirect))
		return
	}
	if status < 200 || status >= 300 {
		return
	}
	if !w.document[from] {
		w.document[from] = true
		w.documents++
	}
	for _, to := range links {
		w.links.add(from, w.id(to))
	}
}

// AddList adds a list of links that is no document of the archive, such as a sitemap that it was given.
func (w *Web) AddList(url string, links []string) {
	from := w.id(url)
	for _, to := range links {
		w.links.add(from, w.id(to))
	}
}

// Has reports whether a URL is that of a document or of a link.
func (w *Web) Has(url string) bool {
	_, known := w.ids[url]
	return known
}

func (w *Web) id(url string) int32 {
	if id, ok := w.ids[url]; ok {
		return id
	}
	if len(w.urls) == math.MaxInt32 {
		panic("eval: a Web of more than 2147483647 URLs")
	}
	id := int32(len(w.urls))
	w.ids[url] = id
	w.urls = append(w.urls, url)
	w.document = append(w.document, false)
	return id
}

// Freeze ends the filling and prepares the Web for reading. It is idempotent.
func (w *Web) Freeze() {
	if w.frozen {
		return
	}
	n := len(w.urls)
	w.out, w.in = w.links.forward(n), w.links.backward(n)
	w.hopsOut, w.hopsBack = w.hops.forward(n), w.hops.backward(n)
	w.links, w.hops = edges{}, edges{}
	w.frozen = true
}

// Documents returns the size of the web: the number of distinct URLs that answered 2xx.
func (w *Web) Documents() int { return w.documents }

// Relevant returns how many documents of the web are relevant, reachable or not.
func (w *Web) Relevant(truth Truth) int {
	n := 0
	for id, url := range w.urls {
		if w.document[id] && truth.Relevant(url) {
			n++
		}
	}
	return n
}

// Links returns the distinct targets of a document's links as they were added, without the document itself; nil
// for an unknown URL. The Web must be frozen.
func (w *Web) Links(url string) []string {
	from, ok := w.ids[url]
	if !ok {
		return nil
	}
	seen := map[int32]bool{from: true}
	var targets []string
	for _, to := range w.out.of(from) {
		if !seen[to] {
			seen[to] = true
			targets = append(targets, w.urls[to])
		}
	}
	return targets
}

// Reachable returns the documents reachable from the seeds by links and redirects, at any depth, including
// seeds that are documents. The Web must be frozen.
func (w *Web) Reachable(seeds []string) *Set {
	s := &Set{web: w, has: make([]bool, len(w.urls))}
	var queue []int32
	visit := func(id int32) {
		if !s.has[id] {
			s.has[id] = true
			queue = append(queue, id)
		}
	}
	for _, url := range seeds {
		if id, ok := w.ids[url]; ok {
			visit(id)
		}
	}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, to := range w.out.of(id) {
			visit(to)
		}
		for _, to := range w.hopsOut.of(id) {
			visit(to)
		}
	}
	return s.documents()
}

// A Set is a set of documents of a Web. It is immutable.
type Set struct {
	web *Web
	has []bool
	n   int
}

// documents removes from the set what did not answer 2xx.
func (s *Set) documents() *Set {
	for id := range s.has {
		s.has[id] = s.has[id] && s.web.document[id]
		if s.has[id] {
			s.n++
		}
	}
	return s
}

// Len returns the number of documents in the set.
func (s *Set) Len() int { return s.n }

// Has reports whether the document of a canonical URL is in the set.
func (s *Set) Has(url string) bool {
	id, ok := s.web.ids[url]
	return ok && s.has[id]
}

// Relevant returns how many documents of the set are relevant.
func (s *Set) Relevant(truth Truth) int {
	n := 0
	for id, has := range s.has {
		if has && truth.Relevant(s.web.urls[id]) {
			n++
		}
	}
	return n
}
