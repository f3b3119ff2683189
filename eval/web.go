package eval

import "math"

// Web is an archive's documents and links as a graph. It is filled by Add from one goroutine, then frozen; a frozen
// Web is safe for concurrent use. It costs a URL's text and about 40 bytes per URL, and 4 bytes per link in each
// direction (8 while it is filled).
type Web struct {
	ids       map[string]int32
	urls      []string
	document  []bool // answered 2xx
	documents int

	links, hops       edges // hops are redirects: they cost nothing
	out, in           adjacency
	hopsOut, hopsBack adjacency
	frozen            bool
}

// NewWeb returns an empty Web.
func NewWeb() *Web { return &Web{ids: map[string]int32{}} }

// Add enters what one record of the archive holds: the canonical URL, its HTTP status, the canonical
// target of a redirect (or ""), and the canonical targets of the document's links as a crawl would
// follow them, scope and robots obeyed. Several records of one URL add up. It panics on a Web that is
// frozen.
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

// Freeze ends the filling and makes the Web ready to be asked. Freezing again does nothing.
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

// Links returns the targets of a document's links as they were added, each once, the document itself
// left out; nil for a URL the Web does not know. The Web must be frozen.
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

// Reachable returns the documents that links and redirects lead to from the seeds, at any depth, the
// seeds included where they are documents. The Web must be frozen.
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

// A Set is a set of documents of a Web. It never changes.
type Set struct {
	web *Web
	has []bool
	n   int
}

// documents leaves in the set only what answered 2xx.
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
