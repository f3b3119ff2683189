package fetchtest

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Politeness are what a Web asks of a crawler.
type Politeness struct {
	Delay       time.Duration // least time between two starts at one host, and at one address
	Tolerance   time.Duration // how much a gap may fall short; 0 in virtual time
	Connections int           // most requests in flight at one host, and at one address; 0: 1
	Retries     int           // times a perfect crawler asks again for what failed: see Allowed
}

// A Host is one host of a Web. References, here and in pages, are "/path" on the same host,
// "//name/path" on another, or absolute.
type Host struct {
	Name    string
	At      int           // hosts of equal At share an address
	Latency time.Duration // of its address; of hosts that share one the last that has any counts
	Robots  Robots
	Pages   []Page // the first is the host's seed
}

// Robots is what becomes of a host's robots.txt.
type Robots struct {
	Disallow []string      // path prefixes of plain ASCII, for all crawlers
	Delay    time.Duration // Crawl-delay
	Status   int           // 0: 200. Others have no rules; 4xx allows everything (RFC 9309, 2.3.1.3)
	At       []string      // where /robots.txt redirects to, one after the other; the last answers
	Trouble  Trouble
}

// A Page is what a host answers at one path.
type Page struct {
	Path     string   // with its query, percent-decoded
	Links    []string // references, written as they stand
	Redirect string   // reference; the answer is a 301 then
	Status   int      // 0: 200
	Type     string   // Content-Type; empty: HTML
	Body     string   // served as it is; empty: HTML with the links
	Listed   bool     // in the host's sitemaps
	Slow     time.Duration
	Trouble  Trouble
}

// Trouble is how something fails before it succeeds.
type Trouble struct {
	Times      int           // how often; negative: always
	Cut        bool          // the connection ends in the midst of the answer; else the answer is a 503
	RetryAfter time.Duration // of the 503; 0: none. Whole seconds
	Date       bool          // Retry-After as a date
}

// A Visit is one request as a host saw it.
type Visit struct {
	Host, Path string
	At         time.Time // when its handler began
	Status     int       // 0: cut, or given up by the client
}

// A Web is a set of hosts that measures who crawls it. Its methods may be called at any time, from any
// goroutine.
//
// A request begins when the handler does and ends before the last bytes of the answer are written, so
// that who waits for an answer is never blamed for a second request in flight.
type Web struct {
	politeness Politeness
	hosts      []*host
	named      map[string]*host // by lower-case name
	unknown    string           // base of hosts that are not there; empty: their names are kept

	mu         sync.Mutex
	answering  map[string]*host // by Host header
	places     map[int]*guest   // by Host.At
	visits     []Visit
	violations []string
	more       int // violations beyond maxViolations
}

// A host is a Host with what it remembers of its visitors.
type host struct {
	Host
	base      string // scheme, name and port
	resources map[string]*resource
	guest     guest
	known     bool // robots.txt was answered
	quiet     time.Time
}

// A resource is what a path answers.
type resource struct {
	page     *Page // nil for robots.txt and sitemaps
	trouble  Trouble
	slow     time.Duration
	status   int
	redirect string
	kind     string // Content-Type
	body     func(w *Web) []byte
	hop      bool  // of a robots.txt: needs no robots.txt itself
	opens    *host // whose robots.txt is known when this was answered
	served   int   // times in full
}

// NewWeb returns a web of hosts, to be served by Serve or ListenLoopback. It panics when two things
// stand at one path, or a robots.txt is redirected to a host that is not there.
func NewWeb(p Politeness, hosts ...Host) *Web {
	p.Connections = max(p.Connections, 1)
	w := &Web{politeness: p, named: map[string]*host{}, answering: map[string]*host{}, places: map[int]*guest{}}
	for _, described := range hosts {
		h := &host{Host: described, resources: map[string]*resource{}}
		h.base = "http://" + h.Name
		if name := strings.ToLower(h.Name); w.named[name] == nil {
			w.named[name] = h
		} else {
			panic("fetchtest: two hosts are called " + h.Name)
		}
		w.places[h.At] = &guest{}
		w.hosts = append(w.hosts, h)
	}
	for _, h := range w.hosts {
		w.furnish(h)
	}
	return w
}

// furnish puts everything that a host answers in its place.
func (w *Web) furnish(h *host) {
	for i := range h.Pages {
		p := &h.Pages[i]
		h.put(p.Path, &resource{
			page: p, trouble: p.Trouble, slow: p.Slow, status: p.Status, redirect: p.Redirect, kind: p.Type,
			body: func(w *Web) []byte { return w.html(h, p) },
		})
	}
	w.putRobots(h)
	h.putSitemaps()
}

func (h *host) put(path string, r *resource) {
	if h.resources[path] != nil {
		panic(fmt.Sprintf("fetchtest: %s%s stands for two things", h.Name, path))
	}
	h.resources[path] = r
}

// putRobots puts robots.txt, and where it is redirected, in place.
func (w *Web) putRobots(h *host) {
	at, path := h, "/robots.txt"
	for i := 0; ; i++ {
		r := &resource{hop: true, kind: "text/plain"}
		if i == 0 {
			r.trouble = h.Robots.Trouble
		}
		at.put(path, r)
		if i == len(h.Robots.At) {
			r.status, r.opens, r.body = h.Robots.Status, h, func(w *Web) []byte { return w.robots(h) }
			return
		}
		r.redirect = h.Robots.At[i]
		next, key, ok := w.find(at, r.redirect)
		if !ok {
			panic(fmt.Sprintf("fetchtest: robots.txt of %s is redirected to %s, which is nowhere", h.Name, r.redirect))
		}
		at, path = next, key
	}
}

// forbids reports whether robots.txt forbids a path.
func (h *host) forbids(path string) bool {
	return h.hasRules() && slices.ContainsFunc(h.Robots.Disallow, func(prefix string) bool {
		return strings.HasPrefix(path, prefix)
	})
}

// Serve puts the hosts on a network, at port 80 of Address(Host.At). Those are global addresses, so
// that no guard of private ones is in the way; nothing real is reached.
func (w *Web) Serve(n *Network) {
	for _, h := range w.hosts {
		addr := Address(h.At)
		n.Serve(h.Name, addr, w)
		if h.Latency > 0 {
			n.SetLatency(addr, h.Latency)
		}
		w.answer(h, h.Name)
	}
}

// Address is where Serve puts hosts of an At, from 0 up to 16 million: 25.0.0.1 and up.
func Address(at int) netip.AddrPort {
	at++
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{25, byte(at >> 16), byte(at >> 8), byte(at)}), 80)
}

// answer lets a host be known by a Host header from now on.
func (w *Web) answer(h *host, authority string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.base = "http://" + authority
	w.answering[strings.ToLower(authority)] = h
}

// Seeds are the URLs of each host's first page.
func (w *Web) Seeds() []string {
	var seeds []string
	for _, h := range w.hosts {
		if len(h.Pages) > 0 {
			seeds = append(seeds, h.base+escape(h.Pages[0].Path))
		}
	}
	return seeds
}

// ServeHTTP answers as the host of the Host header.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	h := w.answering[strings.ToLower(strings.TrimSuffix(r.Host, ":80"))]
	w.mu.Unlock()
	if h == nil {
		http.Error(rw, "no such host here", http.StatusMisdirectedRequest)
		return
	}
	path := key(r.URL)
	v := w.enter(h, path, r)
	defer v.leave(0)
	if v.resource == nil {
		v.leave(http.StatusNotFound)
		http.Error(rw, "nothing here", http.StatusNotFound)
		return
	}
	w.serve(v, rw, r)
}

// serve answers with a resource, or fails as its trouble has it.
func (w *Web) serve(v *visit, rw http.ResponseWriter, r *http.Request) {
	res := v.resource
	if v.trouble && !res.trouble.Cut {
		w.refuse(v, rw)
		return
	}
	v.pause(r, res.slow/2)
	status := res.status
	if status == 0 {
		status = http.StatusOK
	}
	if res.redirect != "" {
		status = http.StatusMovedPermanently
		rw.Header().Set("Location", w.expand(v.host, res.redirect))
	}
	rw.Header().Set("Content-Type", res.kind)
	if res.kind == "" {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	var body []byte
	if res.body != nil && status == http.StatusOK {
		body = res.body(w)
	}
	rw.Header().Set("Content-Length", fmt.Sprint(len(body)))
	v.send(rw, r, status, body)
}

// send writes a slow answer in two parts, and the first alone of one that is to be cut: nothing, when
// there is no body. The visit ends before the last bytes go.
func (v *visit) send(rw http.ResponseWriter, r *http.Request, status int, body []byte) {
	half, divided := len(body)/2, v.trouble || v.resource.slow > 0
	if v.trouble && half == 0 { // of an answer without a body the head would be all
		v.leave(0)
		panic(http.ErrAbortHandler)
	}
	if divided {
		rw.WriteHeader(status)
		rw.Write(body[:half])
		rw.(http.Flusher).Flush()
		body = body[half:]
	}
	v.pause(r, v.resource.slow-v.resource.slow/2)
	if v.trouble {
		v.leave(0)
		panic(http.ErrAbortHandler)
	}
	v.leave(status)
	if !divided {
		rw.WriteHeader(status)
	}
	rw.Write(body)
}

// refuse answers 503.
func (w *Web) refuse(v *visit, rw http.ResponseWriter) {
	if after := v.resource.trouble.RetryAfter; after > 0 {
		seconds := (after + time.Second - 1) / time.Second
		value := fmt.Sprint(int64(seconds))
		if v.resource.trouble.Date { // dates are of whole seconds: the next one keeps the promise
			value = time.Now().UTC().Add(seconds*time.Second + time.Second - 1).Format(http.TimeFormat)
		}
		rw.Header().Set("Retry-After", value)
	}
	v.leave(http.StatusServiceUnavailable)
	http.Error(rw, "come back later", http.StatusServiceUnavailable)
}

// pause waits while the client does; a client that is gone ends the handler.
func (v *visit) pause(r *http.Request, d time.Duration) {
	if pause(r.Context(), d) != nil {
		v.leave(0)
		panic(http.ErrAbortHandler)
	}
}
