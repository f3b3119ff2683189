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

// Politeness are the rules that a Web checks.
type Politeness struct {
	Delay       time.Duration // least time between two starts at one host, and at one address
	Tolerance   time.Duration // permitted shortfall of a gap; 0 in virtual time
	Connections int           // most requests in flight at one host, and at one address; 0: 1
	Retries     int           // retries of a perfect crawler: see Allowed
}

// A Host is one host of a Web. References, here and in pages, are "/path" on the same host,
// "//name/path" on another, or absolute.
type Host struct {
	Name    string
	At      int           // hosts of equal At share an address
	Latency time.Duration // of its address; hosts that share one use the last latency set
	Robots  Robots
	Pages   []Page // the first is the host's seed
}

// Robots describes a host's robots.txt.
type Robots struct {
	Disallow []string      // path prefixes of plain ASCII, for all crawlers
	Delay    time.Duration // Crawl-delay
	Status   int           // 0: 200. Others have no rules; 4xx allows everything (RFC 9309, 2.3.1.3)
	At       []string      // redirect chain of /robots.txt; the last location has the rules
	Trouble  Trouble
}

// A Page is the response of a host at one path.
type Page struct {
	Path     string   // with its query, percent-decoded
	Links    []string // references, written unchanged
	Redirect string   // reference; the response is a 301
	Status   int      // 0: 200
	Type     string   // Content-Type; empty: HTML
	Body     string   // served unchanged; empty: HTML with the links
	Listed   bool     // in the host's sitemaps
	Slow     time.Duration
	Trouble  Trouble
}

// Trouble describes failures before success.
type Trouble struct {
	Times      int           // number of failures; negative: always
	Cut        bool          // the connection closes in mid-response; otherwise the response is a 503
	RetryAfter time.Duration // of the 503; 0: none. Whole seconds
	Date       bool          // Retry-After as a date
}

// A Visit is one request as its host received it.
type Visit struct {
	Host, Path string
	At         time.Time // when its handler began
	Status     int       // 0: cut, or cancelled by the client
}

// A Web is a set of hosts that measures the politeness of its crawler. It is safe for concurrent use.
//
// A request begins with its handler and ends before the last bytes of the response are written, so that a
// client that waits for a response never appears to have a second request in flight.
type Web struct {
	politeness Politeness
	hosts      []*host
	named      map[string]*host // by lower-case name
	unknown    string           // base of missing hosts; empty: their names are kept

	mu         sync.Mutex
	answering  map[string]*host // by Host header
	places     map[int]*guest   // by Host.At
	visits     []Visit
	violations []string
	more       int // violations beyond maxViolations
}

// A host is a Host with the state of its requests.
type host struct {
	Host
	base      string // scheme, name and port
	resources map[string]*resource
	guest     guest
	known     bool // robots.txt was served
	quiet     time.Time
}

// A resource is the response at a path.
type resource struct {
	page     *Page // nil for robots.txt and sitemaps
	trouble  Trouble
	slow     time.Duration
	status   int
	redirect string
	kind     string // Content-Type
	body     func(w *Web) []byte
	hop      bool  // of a robots.txt: needs no robots.txt itself
	opens    *host // the host whose robots.txt becomes known with this response
	served   int   // complete responses
}

// NewWeb returns a web of hosts, for Serve or ListenLoopback. It panics if two resources have the same path, or
// a robots.txt is redirected to a missing host.
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

// furnish adds all resources of a host.
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

// putRobots adds robots.txt and the locations that it is redirected to.
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

// Serve puts the hosts on a network, at port 80 of Address(Host.At). The addresses are global, so that a guard
// permits them; the network is in memory.
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

// Address is the address of hosts with At at, from 0 up to 16 million: 25.0.0.1 and up.
func Address(at int) netip.AddrPort {
	at++
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{25, byte(at >> 16), byte(at >> 8), byte(at)}), 80)
}

// answer maps a Host header to a host.
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

// ServeHTTP responds as the host of the Host header.
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

// serve responds with a resource, or fails according to its trouble.
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

// send writes a slow response in two parts, and only the first part of one that is to be cut: nothing, if there
// is no body. The visit ends before the last bytes are written.
func (v *visit) send(rw http.ResponseWriter, r *http.Request, status int, body []byte) {
	half, divided := len(body)/2, v.trouble || v.resource.slow > 0
	if v.trouble && half == 0 { // the head would be the complete response
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

// refuse responds with 503.
func (w *Web) refuse(v *visit, rw http.ResponseWriter) {
	if after := v.resource.trouble.RetryAfter; after > 0 {
		seconds := (after + time.Second - 1) / time.Second
		value := fmt.Sprint(int64(seconds))
		if v.resource.trouble.Date { // dates have whole seconds: round up
			value = time.Now().UTC().Add(seconds*time.Second + time.Second - 1).Format(http.TimeFormat)
		}
		rw.Header().Set("Retry-After", value)
	}
	v.leave(http.StatusServiceUnavailable)
	http.Error(rw, "come back later", http.StatusServiceUnavailable)
}

// pause waits; the handler ends if the client leaves.
func (v *visit) pause(r *http.Request, d time.Duration) {
	if pause(r.Context(), d) != nil {
		v.leave(0)
		panic(http.ErrAbortHandler)
	}
}
