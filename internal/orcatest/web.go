// Package orcatest is a generated Data Web in process, with a truth of statements, after ORCA (Röder, de Souza Jr.,
// Kuchelev, Desouki, Ngonga Ngomo: "ORCA: a Benchmark for Data Web Crawlers", ICSC 2021): a seeded graph of nodes, each
// a host that publishes statements in one way; some statements lead to other nodes. A node has a robots.txt with a
// Crawl-delay and closed paths, and measures how its crawler heeds them.
//
// Beyond the paper's kinds of nodes (dereferencing, dumps, SPARQL, CKAN, RDFa) there are DCAT catalogues, Triple
// Pattern Fragments, pages with Microdata or JSON-LD, and pages that are told apart by their Link header alone. It
// shares no code with the crawler but the syntaxes' writers and the evaluation of SPARQL. Only tests use it.
//
// This package is not part of the stable API.
package orcatest

import (
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/rdf"
)

// The namespace of predicates; nothing is there.
const words = "http://words.test/vocab#"

// Options configure a web. The same options give the same web.
type Options struct {
	Nodes   int
	Degree  float64       // links to other nodes, on average, at least about 1
	Triples int           // statements of a node, links aside
	Large   int           // statements of each third dump; 0: as the others
	Closed  float64       // closed documents by open one
	Delay   time.Duration // the longest Crawl-delay, in whole seconds; the shortest is a second
	Seed    uint64
	// Compress are programs beside gzip and zstd, by name ("bzip2", "xz"), each from standard input to standard
	// output. Without one there are no dumps of its kind.
	Compress map[string]func(in []byte) ([]byte, error)
}

// A Web is the nodes.
type Web struct {
	Nodes []*Node
	opts  Options
}

// A Node is a host.
type Node struct {
	N     int
	Kind  string // "sparql" and the like
	Form  string // syntax, packing, or variant
	Host  string
	Entry string        // URL by which other nodes lead here
	Delay time.Duration // of robots.txt

	web     *Web
	large   bool
	links   []rdf.Triple // to other nodes
	handler func(w http.ResponseWriter, r *http.Request)

	mu      sync.Mutex
	started []time.Time // requests other than for robots.txt
	closed  int         // of these, to closed paths
	early   int         // of these, before robots.txt was answered
	robots  bool
	store   endpointStore
}

// kinds are the kinds of nodes, each with its forms, in turn.
func kinds(o Options) []kindOf {
	dumps := []string{
		"nt", "ttl.gz", "nt.zip", "zip", "tar.gz", "nq", "tgz", "rdf.gz", "nt.zst", "trig.zip", "list",
	}
	if o.Compress["bzip2"] != nil {
		dumps = append(dumps, "nt.bz2", "tar.bz2")
	}
	if o.Compress["xz"] != nil {
		dumps = append(dumps, "nt.xz", "tar.xz", "xz")
	}
	return []kindOf{
		{"dereferencing", []string{"turtle", "rdfxml", "jsonld", "ntriples", "turtle-303"}, (*Node).dereferencing},
		{"dump", dumps, (*Node).dump},
		{"sparql", []string{"plain", "capped", "graphs", "described", "path"}, (*Node).sparql},
		{"ckan", []string{"front", "api"}, (*Node).ckan},
		{"rdfa", []string{"page"}, (*Node).pages},
		{"dcat", []string{"download", "access"}, (*Node).dcat},
		{"microdata", []string{"page"}, (*Node).pages},
		{"dump", dumps, (*Node).dump},
		{"tpf", []string{"turtle", "trig"}, (*Node).fragments},
		{"jsonld", []string{"page"}, (*Node).pages},
		{"headers", []string{"alternate"}, (*Node).headers},
	}
}

type kindOf struct {
	name  string
	forms []string
	serve func(*Node) func(w http.ResponseWriter, r *http.Request)
}

// New returns a web. Node 0 leads to all others: each node is led to by one before it, and further links are drawn
// until the average is reached.
func New(o Options) *Web {
	w := &Web{opts: o}
	random := rand.New(rand.NewPCG(o.Seed, 24))
	of, turn := kinds(o), map[string]int{}
	for i := range o.Nodes {
		k := of[i%len(of)]
		n := &Node{N: i, Kind: k.name, Form: k.forms[turn[k.name]%len(k.forms)], Host: fmt.Sprintf("node%d.test", i), web: w}
		turn[k.name]++
		n.large = o.Large > 0 && k.name == "dump" && turn[k.name]%3 == 1
		n.Delay = time.Duration(1+random.IntN(max(int(o.Delay/time.Second), 1))) * time.Second
		n.handler = k.serve(n)
		w.Nodes = append(w.Nodes, n)
	}
	linked := map[[2]int]bool{}
	link := func(from, to int) {
		if from == to || linked[[2]int{from, to}] {
			return
		}
		linked[[2]int{from, to}] = true
		w.Nodes[from].lead(w.Nodes[to])
	}
	for i := 1; i < o.Nodes; i++ {
		link(random.IntN(i), i)
	}
	for range o.Nodes * 20 {
		if float64(len(linked)) >= o.Degree*float64(o.Nodes) {
			break
		}
		link(random.IntN(o.Nodes), random.IntN(o.Nodes))
	}
	return w
}

// lead adds the statement by which a node leads to another.
func (n *Node) lead(to *Node) {
	subject, predicate := rdf.NewIRI(n.resource(0)), words+"link"
	switch to.Kind {
	case "sparql":
		subject = rdf.NewIRI(fmt.Sprintf("%s-set%d", n.resource(0), to.N))
		switch to.N % 3 {
		case 0:
			predicate = "http://rdfs.org/ns/void#sparqlEndpoint"
		case 1:
			predicate = "http://www.w3.org/ns/dcat#endpointURL"
		case 2:
			predicate = "http://www.w3.org/ns/sparql-service-description#endpoint"
		}
		if to.Form == "path" {
			predicate = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
		}
	case "dump":
		if to.N%2 == 0 {
			predicate = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
		}
	}
	n.links = append(n.links, rdf.Triple{S: subject, P: rdf.NewIRI(predicate), O: rdf.NewIRI(to.Entry)})
}

// Serve puts the nodes on a network.
func (w *Web) Serve(net *fetchtest.Network) {
	for _, n := range w.Nodes {
		net.Serve(n.Host, fetchtest.Address(n.N), n)
	}
}

// size is the number of the node's statements, links aside.
func (n *Node) size() int {
	if n.large {
		return n.web.opts.Large
	}
	return n.web.opts.Triples
}

// perResource is the number of statements about one resource.
const perResource = 10

// resources is the number of the node's resources.
func (n *Node) resources() int { return (n.size() + perResource - 1) / perResource }

// resource is the IRI of a resource. Those that can be dereferenced have a URL each, others share one.
func (n *Node) resource(i int) string {
	if n.Kind == "dereferencing" {
		return fmt.Sprintf("http://%s/resource/%d", n.Host, i)
	}
	return fmt.Sprintf("http://%s/data#r%d", n.Host, i)
}

// Statements ranges over the truth: what a crawler finds that reads all open documents of the node.
func (n *Node) Statements() iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		for i := range n.resources() {
			for _, t := range n.about(i) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// about returns the statements about a resource; the node's links are with the first.
func (n *Node) about(i int) (all []rdf.Triple) {
	subject := rdf.NewIRI(n.resource(i))
	if i == 0 {
		all = append(all, n.links...)
	}
	for k := range perResource {
		t := rdf.Triple{S: subject, P: rdf.NewIRI(fmt.Sprintf("%sp%d", words, k)), O: rdf.NewString(fmt.Sprintf("value %d of %d at %d", k, i, n.N))}
		switch k {
		case 0:
			t.O = rdf.NewIRI(n.resource((i + 1) % n.resources()))
		case 1:
			t.O = rdf.NewIRI(n.resource((i*7 + 3) % n.resources()))
		}
		all = append(all, t)
	}
	return all
}

// closedPath is the folder that robots.txt closes.
const closedPath = "/closed/"

// closedLinks returns statements that lead into the closed folder; they are served with the first resource, and are
// part of no truth but of what they lead to nothing may be requested.
func (n *Node) closedLinks() (all []rdf.Triple) {
	for i := range int(float64(n.resources()) * n.web.opts.Closed) {
		to := fmt.Sprintf("http://%s%s%d.ttl", n.Host, closedPath, i)
		all = append(all, rdf.Triple{S: rdf.NewIRI(n.resource(0)), P: rdf.NewIRI(words + "closed"), O: rdf.NewIRI(to)})
	}
	return all
}

// all are the statements as served: the truth and the links into the closed folder.
func (n *Node) all() iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		for _, t := range n.closedLinks() {
			if !yield(t) {
				return
			}
		}
		n.Statements()(yield)
	}
}

// ServeHTTP answers a request and notes its time.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	n.mu.Lock()
	if r.URL.Path == "/robots.txt" {
		n.robots = true
		n.mu.Unlock()
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "User-agent: *\nDisallow: %s\nCrawl-delay: %d\n", closedPath, n.Delay/time.Second)
		return
	}
	n.started = append(n.started, now)
	if !n.robots {
		n.early++
	}
	closed := strings.HasPrefix(r.URL.Path, closedPath)
	if closed {
		n.closed++
	}
	n.mu.Unlock()
	if closed {
		send(w, "text/turtle", "<#secret> <"+words+"p0> \"closed\" .\n")
		return
	}
	n.handler(w, r)
}

// Requests is the number of requests so far, those for robots.txt aside.
func (n *Node) Requests() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.started)
}

// Disallowed is the number of requests that robots.txt closes, or that came before it was answered.
func (n *Node) Disallowed() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.closed + n.early
}

// DelayRatio is the average time between the starts of two requests by the time that robots.txt asks for, and the
// least such time by it; 1 and 1 for less than two requests.
func (n *Node) DelayRatio() (average, least float64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.started) < 2 {
		return 1, 1
	}
	times := slices.Clone(n.started)
	slices.SortFunc(times, time.Time.Compare)
	least = float64(times[1].Sub(times[0]))
	for i := 1; i < len(times); i++ {
		least = min(least, float64(times[i].Sub(times[i-1])))
	}
	whole := float64(times[len(times)-1].Sub(times[0])) / float64(len(times)-1)
	return whole / float64(n.Delay), least / float64(n.Delay)
}

// send sends a short answer.
func send(w http.ResponseWriter, mediaType, body string) {
	w.Header().Set("Content-Type", mediaType)
	_, _ = io.WriteString(w, body) // the client may have left
}
