package export

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver/internal/crawlfolder"
	"orbweaver/ledger"
	"orbweaver/page/dublin"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/void"
)

// Namespaces of the statements that an export adds.
const (
	NSRDF     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS    = "http://www.w3.org/2000/01/rdf-schema#"
	nsXSD     = "http://www.w3.org/2001/XMLSchema#"
	nsDCTerms = "http://purl.org/dc/terms/"
	nsFOAF    = "http://xmlns.com/foaf/0.1/"
	NSPROV    = "http://www.w3.org/ns/prov#"
	nsSPDX    = "http://spdx.org/rdf/terms#"
)

// MediaTypes are the IRIs of registered media types.
const MediaTypes = "https://www.iana.org/assignments/media-types/"

// harvestPrefixes returns the prefixes of a TriG export: the namespaces used here, and those of common Web
// vocabularies.
func harvestPrefixes() map[string]string {
	return map[string]string{
		"rdf": NSRDF, "rdfs": nsRDFS, "xsd": nsXSD, "dcterms": nsDCTerms, "foaf": nsFOAF, "prov": NSPROV, "spdx": nsSPDX, "void": void.NS,
		"owl": "http://www.w3.org/2002/07/owl#", "skos": "http://www.w3.org/2004/02/skos/core#", "dc": "http://purl.org/dc/elements/1.1/",
		"dcat": "http://www.w3.org/ns/dcat#", "schema": "http://schema.org/", "sdo": "https://schema.org/", "og": "http://ogp.me/ns#",
	}
}

// CrawlNode returns the node of a crawl as an activity: a UUID computed from its crawl file and the first
// line of its pages.jsonl, without line feed. Every description of the crawl therefore uses the same node.
func CrawlNode(dir string, first []byte) (rdf.Term, error) {
	file, err := os.ReadFile(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return rdf.Term{}, err
	}
	sum := sha256.Sum256(append(append(file, 0), first...))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8, vendor-specific (RFC 9562)
	return rdf.NewIRI(fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])), nil
}

// origin yields the provenance of a document.
func (h *harvest) origin(d *harvested) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		over := false
		of := func(s rdf.Term, p string, o rdf.Term) {
			over = over || !yield(rdf.Quad{S: s, P: rdf.NewIRI(p), O: o})
		}
		say := func(p string, o rdf.Term) { of(d.graph, p, o) }
		say(NSRDF+"type", rdf.NewIRI(NSPROV+"Entity"))
		say(NSRDF+"type", rdf.NewIRI(nsFOAF+"Document"))
		say(NSPROV+"wasGeneratedBy", h.crawl)
		if !d.page.Fetched.IsZero() {
			say(NSPROV+"generatedAtTime", rdf.NewTyped(d.page.Fetched.UTC().Format(time.RFC3339Nano), nsXSD+"dateTime"))
		}
		if d.line.Parent != "" {
			say(NSPROV+"wasDerivedFrom", rdf.NewIRI(iri.Encode(d.line.Parent)))
		}
		if from := h.asked.from(d.line.URL); from != "" {
			say(nsDCTerms+"source", rdf.NewIRI(iri.Encode(from)))
		}
		if d.duplicateOf != "" {
			say(NSPROV+"alternateOf", rdf.NewIRI(d.duplicateOf))
		}
		say(nsDCTerms+"format", rdf.NewIRI(MediaTypes+d.page.MediaType))
		if d.written > 0 {
			say(void.NS+"triples", rdf.NewTyped(strconv.Itoa(d.written), rdf.XSDInteger))
		}
		h.stated(d, say)
		if sum := sha1Of(d.page.Digest); sum != "" {
			node := rdf.NewBlank("sum" + strconv.FormatInt(d.line.N, 10))
			say(nsSPDX+"checksum", node)
			of(node, nsSPDX+"algorithm", rdf.NewIRI(nsSPDX+"checksumAlgorithm_sha1"))
			of(node, nsSPDX+"checksumValue", rdf.NewTyped(sum, nsXSD+"hexBinary"))
		}
	}
}

// stated says what a document states of itself.
func (h *harvest) stated(d *harvested, say func(p string, o rdf.Term)) {
	r := dublin.Of(d.page, slices.Values(d.head))
	for _, c := range r.Creator {
		say(nsDCTerms+"creator", rdf.NewString(c))
	}
	for _, e := range [][2]string{{"date", r.Date}, {"rights", r.Rights}, {"language", r.Language}} {
		switch {
		case e[1] == "":
		case e[0] == "rights" && iri.Check(e[1]) == nil:
			say(nsDCTerms+e[0], rdf.NewIRI(e[1]))
		default:
			say(nsDCTerms+e[0], rdf.NewString(e[1]))
		}
	}
}

// sha1Of returns a SHA-1 digest in hexadecimal; empty: the digest is of another kind.
func sha1Of(digest string) string {
	coded, found := strings.CutPrefix(digest, "sha1:")
	sum, err := base32.StdEncoding.DecodeString(coded)
	if !found || err != nil {
		return ""
	}
	return hex.EncodeToString(sum)
}

// describe writes the description of the export and of its content.
func (h *harvest) describe() error {
	dataset, agent := rdf.NewBlank("dataset"), rdf.NewBlank("agent")
	facts := []rdf.Triple{
		{S: h.crawl, P: rdf.NewIRI(NSRDF + "type"), O: rdf.NewIRI(NSPROV + "Activity")},
		{S: h.crawl, P: rdf.NewIRI(nsRDFS + "label"), O: rdf.NewString(h.name)},
		{S: h.crawl, P: rdf.NewIRI(NSPROV + "wasAssociatedWith"), O: agent},
		{S: agent, P: rdf.NewIRI(NSRDF + "type"), O: rdf.NewIRI(NSPROV + "SoftwareAgent")},
		{S: agent, P: rdf.NewIRI(nsRDFS + "label"), O: rdf.NewString(Software)},
		{S: dataset, P: rdf.NewIRI(nsDCTerms + "title"), O: rdf.NewString(h.name)},
		{S: dataset, P: rdf.NewIRI(NSPROV + "wasGeneratedBy"), O: h.crawl},
	}
	write := func(t rdf.Triple) error { return h.out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}) }
	for _, t := range facts {
		if err := write(t); err != nil {
			return err
		}
	}
	for t := range h.stats.Describe(dataset) {
		if err := write(t); err != nil && h.sink.Err != nil { // a class or vocabulary may be an IRI that TriG cannot express
			return err
		}
	}
	return nil
}

// maxRedirects bounds the redirects kept until their target arrives. The target arrives soon, because it
// is fetched before all other requests of its host.
const maxRedirects = 1 << 16

// redirects maps redirect targets to the URLs first requested, for the latest redirects.
type redirects struct {
	asked map[string]string // target → URL requested first
	ring  []string          // targets
	next  int               // index in ring of the oldest, once the ring is full
}

// note records a line that may be a redirect.
func (r *redirects) note(l ledger.Line) {
	if l.Redirect == "" || l.Redirect == l.URL {
		return
	}
	if r.asked == nil {
		r.asked = map[string]string{}
	}
	asked := l.URL
	if before := r.asked[l.URL]; before != "" {
		asked = before
	}
	if _, known := r.asked[l.Redirect]; known {
		return
	}
	r.asked[l.Redirect] = asked
	if len(r.ring) < maxRedirects {
		r.ring = append(r.ring, l.Redirect)
		return
	}
	delete(r.asked, r.ring[r.next])
	r.ring[r.next] = l.Redirect
	r.next = (r.next + 1) % maxRedirects
}

// from returns the URL whose redirects led to a URL; empty: none did.
func (r *redirects) from(url string) string { return r.asked[url] }
