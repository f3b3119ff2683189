package linkeddata

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// The rules of requests to what gives data by an interface: SPARQL endpoints and CKAN catalogues.
const (
	RuleHarvest      = "harvest"       // R: statements of an endpoint, page by page
	RuleHarvestGuess = "harvest-guess" // R, with the score of H: the first page of what may be an endpoint
	RuleHarvestGraph = "harvest-graph" // R: statements of a named graph that an endpoint has
	RuleGraphs       = "graphs"        // R: the graphs whose statements an endpoint does not show without naming them
	RuleSmaller      = "smaller-page"  // R: fewer statements than an endpoint failed to give
	RuleCatalog      = "ckan-search"   // R: a page of a CKAN catalogue's list of datasets
	RuleResource     = "ckan-resource" // R: a resource of a dataset that its catalogue calls RDF
)

// Sizes of pages of statements, first to last: an endpoint that fails to give one is asked for the next.
const firstPage, nextPage, lastPage = 10_000, 1000, 100

// nextOfList is the Rel of a request for what goes on where an answer ends: Hydra's. The engine adds nothing to its depth.
const nextOfList = "http://www.w3.org/ns/hydra/core#next"

// maxGraphs bounds the named graphs that an endpoint is asked about.
const maxGraphs = 1000

// A query is a question to an endpoint that a crawl asks: for statements, or for the names of graphs. The text of the
// question in the URL is all of its state: what is asked next follows from the URL and the answer.
type query struct {
	endpoint string
	graphs   bool // for the names of graphs
	plain    bool // of all graphs, also of those that the default graph has
	graph    string
	limit    int64
	offset   int64
}

// The texts of questions.
const (
	graphsText = "CONSTRUCT { [] <" + sd + "name> ?g } WHERE { SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } FILTER NOT EXISTS { ?s ?p ?o } } LIMIT 1000 }"
	plainText  = "CONSTRUCT { [] <" + sd + "name> ?g } WHERE { SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 1000 }"
)

// statementsText matches the questions for statements.
var statementsText = regexp.MustCompile(`^CONSTRUCT \{ \?s \?p \?o \} WHERE \{ (?:\?s \?p \?o|GRAPH <([^<>"{}|^` + "`" + `\\\s]+)> \{ \?s \?p \?o \}) \} LIMIT ([0-9]{1,9}) OFFSET ([0-9]{1,9})$`)

// text is the question in SPARQL.
func (q query) text() string {
	switch {
	case q.graphs && q.plain:
		return plainText
	case q.graphs:
		return graphsText
	}
	pattern := "?s ?p ?o"
	if q.graph != "" {
		pattern = "GRAPH <" + q.graph + "> { ?s ?p ?o }"
	}
	return fmt.Sprintf("CONSTRUCT { ?s ?p ?o } WHERE { %s } LIMIT %d OFFSET %d", pattern, q.limit, q.offset)
}

// url is the request of SPARQL's protocol by GET, in canonical form; empty: the endpoint is no URL.
func (q query) url() string {
	at, _, _ := strings.Cut(q.endpoint, "#")
	join := "?"
	if strings.Contains(at, "?") {
		join = "&"
	}
	to, err := weburl.Canonical(at + join + "query=" + url.QueryEscape(q.text()))
	if err != nil {
		return ""
	}
	return to
}

// queryOf returns the question that a URL puts; false: none of ours.
func queryOf(address string) (q query, ok bool) {
	i := strings.LastIndex(address, "query=")
	if i < 1 || address[i-1] != '?' && address[i-1] != '&' {
		return q, false
	}
	text, err := url.QueryUnescape(address[i+len("query="):])
	if err != nil {
		return q, false
	}
	q.endpoint = address[:i-1]
	switch text {
	case graphsText, plainText:
		q.graphs, q.plain = true, text == plainText
		return q, true
	}
	found := statementsText.FindStringSubmatch(text)
	if found == nil {
		return q, false
	}
	q.graph = found[1]
	q.limit, _ = strconv.ParseInt(found[2], 10, 64) // nine digits at most
	q.offset, _ = strconv.ParseInt(found[3], 10, 64)
	return q, true
}

// interfaces are what a page's quads say of endpoints and graphs.
type interfaces struct {
	endpoints []string // IRIs, in order
	graphs    []string
	seen      map[string]bool
}

// read processes a quad.
func (n *interfaces) read(q rdf.Quad) {
	if q.O.Kind != rdf.IRI {
		return
	}
	switch q.P.Value {
	case void + "sparqlEndpoint", sd + "endpoint":
		n.endpoints = n.add(n.endpoints, q.O.Value)
	case sd + "name":
		n.graphs = n.add(n.graphs, q.O.Value)
	}
}

// add keeps an IRI once, within maxGraphs.
func (n *interfaces) add(list []string, iri string) []string {
	if n.seen[iri] || len(list) == maxGraphs {
		return list
	}
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	n.seen[iri] = true
	return append(list, iri)
}

// harvest adds the requests that go on where a page's links end: questions to the endpoints that it names, the page
// of statements after its own, and what a catalogue's answer lists.
func (r *reader) harvest(found *findings, p *orbweaver.Page, of interfaces) {
	h := harvester{found: found, mute: p.NoFollow, seen: map[string]bool{p.URL: true}}
	if q, ours := queryOf(p.URL); ours {
		if found.class == ClassR {
			h.goOn(q, of, found.statements)
		}
		return
	}
	for i := range found.targets {
		switch t := &found.targets[i]; {
		case t.endpoint:
			t.verdict = because(ClassR, scoreR, RuleEndpoint, "") // it may describe itself
			h.mute = t.mute
			h.begin(t.link.To, t.link.Rel != dcat+"endpointURL")
		case looksLikeEndpoint(t.link.To):
			h.mute = t.mute
			h.begin(t.link.To, false)
		}
	}
	h.mute = p.NoFollow
	for _, iri := range of.endpoints {
		if to, err := weburl.Canonical(iri); err == nil {
			h.begin(to, true)
		}
	}
	r.catalog(&h, p)
}

// A harvester collects targets.
type harvester struct {
	found *findings
	seen  map[string]bool // URLs
	mute  bool            // of what comes next
	rel   string          // likewise
}

// add adds a target of class R.
func (h *harvester) add(to, rule, evidence string, score float64) {
	if to == "" || h.seen[to] {
		return
	}
	h.seen[to] = true
	h.found.targets = append(h.found.targets, target{
		link: &orbweaver.Link{To: to, Rel: h.rel, Origin: orbweaver.FromSeed}, hash: hash(to), mute: h.mute, vocabulary: true, harvested: true,
		verdict: because(ClassR, score, rule, evidence),
	})
}

// ask adds a question.
func (h *harvester) ask(q query, rule string, score float64) {
	evidence := q.graph
	if !q.graphs {
		evidence = strings.TrimSpace(fmt.Sprintf("%s from %d", q.graph, q.offset))
	}
	h.add(q.url(), rule, evidence, score)
}

// begin adds the first questions to an endpoint; sure: a source states that it is one.
func (h *harvester) begin(endpoint string, sure bool) {
	first := query{endpoint: endpoint, limit: firstPage}
	if !sure {
		h.ask(first, RuleHarvestGuess, scoreH)
		return
	}
	h.ask(first, RuleHarvest, scoreHR)
	h.ask(query{endpoint: endpoint, graphs: true}, RuleGraphs, scoreHR)
}

// goOn adds the questions that follow from an answer with a number of statements. An endpoint may give fewer rows than
// it is asked for, so only an empty page is the last; one with more rows heeds no limit, and has given all.
func (h *harvester) goOn(q query, of interfaces, statements int64) {
	h.rel = nextOfList
	if q.graphs {
		for _, graph := range of.graphs {
			h.ask(query{endpoint: q.endpoint, graph: graph, limit: firstPage}, RuleHarvestGraph, scoreHR)
		}
		return
	}
	if q.offset == 0 && q.graph == "" && statements > 0 { // of an endpoint that was a guess, now known
		h.ask(query{endpoint: q.endpoint, graphs: true}, RuleGraphs, scoreHR)
	}
	if statements == 0 || statements > q.limit {
		return
	}
	q.offset += statements
	h.ask(q, RuleHarvest, scoreHR)
}

// looksLikeEndpoint reports whether the last name of a URL's path is that of endpoints by convention.
func looksLikeEndpoint(to string) bool {
	path, query, _ := strings.Cut(to, "?")
	path = strings.TrimSuffix(path, "/")
	return query == "" && strings.EqualFold(path[strings.LastIndexByte(path, '/')+1:], "sparql")
}

// harvested returns the proposal for a target of harvest; false: an endpoint's answers repeat, or it has had its share.
func (f *Focus) harvested(t target, p *orbweaver.Page) (orbweaver.Proposal, bool) {
	if q, ours := queryOf(t.link.To); ours && q.offset > 0 && (q.offset >= f.opts.HarvestMost || string(p.Request.Note) == string(harvestNote(p))) {
		return orbweaver.Proposal{}, false
	}
	return orbweaver.Proposal{
		Request:   orbweaver.Request{URL: t.link.To, Via: t.link, Note: harvestNote(p)},
		Judgement: orbweaver.Judgement{Class: t.class, Score: t.score, Reasons: t.reasons},
	}, true
}

// harvestNote marks a request with the answer that it follows from: it is no note of a link.
func harvestNote(p *orbweaver.Page) []byte {
	return binary.BigEndian.AppendUint64([]byte{0xff}, xxhash.Sum64String(p.Digest))
}

// Recover proposes a smaller page of statements where an endpoint failed to give one, and a simpler question for its
// graphs.
func (f *Focus) Recover(_ context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	q, ours := queryOf(o.Request.URL)
	if !f.opts.Beyond.Harvest || !ours || o.Status == 401 || o.Status == 403 || o.Status == 404 || o.Status == 410 {
		return nil, nil
	}
	evidence := ""
	switch {
	case q.graphs && !q.plain:
		q.plain = true
	case q.graphs, q.limit <= lastPage:
		return nil, nil
	case q.offset == 0 && o.Request.Via != nil && o.Predicted.Score <= scoreH:
		return nil, nil // a guess that was wrong
	case q.limit > nextPage:
		q.limit = nextPage
	default:
		q.limit = lastPage
	}
	if !q.graphs {
		evidence = strconv.FormatInt(q.limit, 10)
	}
	to := q.url()
	if to == "" {
		return nil, nil
	}
	v := because(ClassR, scoreHR, RuleSmaller, evidence)
	return []orbweaver.Proposal{{
		Request:   orbweaver.Request{URL: to, Via: &orbweaver.Link{To: to, Rel: nextOfList, Origin: orbweaver.FromSeed}, Note: o.Request.Note},
		Judgement: orbweaver.Judgement{Class: v.class, Score: v.score, Reasons: v.reasons},
	}}, nil
}
