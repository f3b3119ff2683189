package orbweaver

import (
	"iter"
	"slices"
	"strings"
	"time"

	"orbweaver/rdf"
)

// A Purpose is the reason for which a request is made.
type Purpose uint8

// The purposes of requests.
const (
	ForPage    Purpose = iota // a page, to be read, judged and followed
	ForQuery                  // a SPARQL query put to an endpoint
	ForSitemap                // a sitemap: links only
	ForRobots                 // robots.txt: never in the ranked queue
	ForContext                // a JSON-LD context that a page's data needs: never in the ranked queue
)

// An Origin is the place of a link in a document.
type Origin string

// The origins of links.
const (
	FromSeed    Origin = "seed"    // named by the user or by the focus itself
	FromAnchor  Origin = "anchor"  // <a href>, <area href>
	FromHead    Origin = "head"    // <link href>, rel=alternate and the like
	FromFrame   Origin = "frame"   // <iframe src>, <frame src>
	FromHeader  Origin = "header"  // the HTTP header Link
	FromTriple  Origin = "triple"  // an IRI in subject or object place of a triple
	FromSitemap Origin = "sitemap" // an entry of a sitemap
	FromFeed    Origin = "feed"    // an item of a feed, or what the feed is of

	FromSearch   Origin = "search"   // no link: a query to the search of a site, a search engine or an endpoint, or its description
	FromBacklink Origin = "backlink" // no link: by a link graph the page links to one that was accepted
)

// A Request is one request to the Web. URL, Accept, Query and State together are its identity: two requests that agree
// in all four are the same and are made once.
//
// Parent, Via and Depth belong to the link that was followed; a redirect changes none of them, so the chain of parents
// is the provenance of every page.
type Request struct {
	URL    string // canonical: see weburl.Canonical
	Accept string // media types asked for; empty: the fetcher's default
	Query  string // SPARQL, put to the endpoint at URL
	State  string // a focus's own mark

	Purpose   Purpose
	Parent    string   // URL of the page that held the link; empty for a seed
	Via       *Link    // that link; nil for a seed
	Depth     int      // links from a seed
	Redirects []string // hops already taken, oldest first
	Note      []byte   // the focus's own, opaque
	Since     *Version // version to compare with in a conditional request; never stored
}

// A Version identifies a version of an answer, for a conditional request.
type Version struct{ ETag, LastModified string }

// A Ref is a position in the archive. The zero Ref is none.
type Ref struct {
	File           string // name within the archive's folder
	Offset, Length int64  // compressed: of the record's first byte, and of the record
}

// A Link is a URL with everything that a person would look at before clicking.
//
// For a link FromTriple, Rel is the IRI of the predicate, as written, of the first triple that has the target as its
// object; a predicate that leads to data (void:dataDump, void:exampleResource, void:sparqlEndpoint, dcat:downloadURL,
// dcat:endpointURL) takes precedence over any other. Rel is empty if the target is only a subject. For a link
// FromSitemap it is "sitemap", "alternate", or, for what a dataset names, "sc:datadump", "sc:sampleuri",
// "sc:dataseturi" or "sc:sparqlendpoint".
type Link struct {
	To               string // canonical URL
	Rel, Type, Title string // the attributes of these names, Rel in lower case: see above
	Anchor           string // text of the link
	Context          string // 20 words either side of the link within its block, the anchor left out
	Origin           Origin
	// Modified is when the target was last modified, in seconds since 1970, if the sitemap or feed says; else 0.
	Modified int64
	// Path is a hash of the block elements that the link's element stands in, outermost first, and of its own, with
	// their classes: the same for all links of a list, and on all pages of a template. 0: none, as of links that are
	// no elements within the body.
	Path  uint32
	Place string // the parts of the page that it stands in, of "nav header footer aside list table main", in this order
}

// NoFollow reports whether the page asks not to follow the link.
func (l Link) NoFollow() bool {
	return slices.Contains(strings.Fields(l.Rel), "nofollow")
}

// A Page is the parsed content of one response. Several goroutines may read it; none changes it.
type Page struct {
	Request           Request
	URL               string // of the document: that of the request, in canonical form
	Canonical         string // rel=canonical; empty if there is none
	Status            int
	MediaType         string // by bytes and header together, lower case, without parameters
	Title             string
	Text, Textless    string   // main text, blocks separated by a blank line, boilerplate left out; why a document that should have text has none
	Article           [][2]int // of Text, what a reader is here for: start and end of its parts in bytes (text.Parts); nil: all
	Lang              string   // BCP 47 primary subtag, lower case; empty when unknown
	Digest            string   // "sha1:" and base32 of the payload as received
	Size              int64    // bytes of the payload as received
	Links             []Link   // in document order, each target and anchor as it stands
	NoFollow, NoIndex bool     // meta robots or X-Robots-Tag: follow none of the links; not to be shown in results
	Simhash           uint64   // of the main text; 0 if that is too short
	Items             int      // blocks of Text that are little but a link, of a page that has hardly any text beside them; else 0
	// Rendered: the content is the DOM after the page's scripts ran, not the payload. Scripted: HTML with hardly any text, probably because
	// scripts produce it. Pending: data of the page is still to be read: see page.Reader.Data.
	Rendered, Scripted, Pending bool

	Quads   iter.Seq2[rdf.Quad, error] // nil when the page holds no RDF; can be ranged over again
	Data    []rdf.Count                // of Quads, by where they stand; nil: the page holds none, or they were not counted
	Results *rdf.Results               // of a SPARQL SELECT or ASK query; nil for any other page
	Body    []byte                     // decoded, of HTML in UTF-8 and only where data is in it; valid until the outcome is committed
	// Flaws is what was wrong with the response and was mended or left out while it was read: how often, by kind, of at
	// most 8 kinds; nil: nothing.
	Flaws map[string]int
	// Rendering is what the crawl decided about the page's scripts, and why; nil: nothing. Findings is the result of Prepare.
	Rendering, Findings any
	Fetched             time.Time
	// Searches are the searches of its site that the page has, in order: GET forms, as templates for
	// weburl.Filled, and URLs of OpenSearch descriptions, or, of a page that is one, its templates.
	Searches []string
}

// A Reason is one ground of a judgement.
type Reason struct {
	Rule     string  `json:"rule"`               // a documented identifier
	Evidence string  `json:"evidence,omitempty"` // part of the page or link that matched
	Weight   float64 `json:"weight"`             // its share of the raw score
}

// RuleNoIndex is the rule of a page that asks not to be shown in results, and is therefore not accepted.
const RuleNoIndex = "noindex"

// A Judgement is a focus's opinion of a page, or of a link before it is followed.
type Judgement struct {
	Score float64 // 0..1, on the same scale for pages and links
	// Chance is the estimated probability that the page is what the focus is for or, of a link, that it leads to an
	// accepted page: above 0 and below 1; 0: unknown. The engine sets it; the Score stays raw.
	Chance   float64
	Accepted bool   // the user wants to see it
	Drop     bool   // of a link: do not follow
	Class    string // the focus's own; may be empty
	Reasons  []Reason
}

// RuleThreshold is the rule of the reason whose Weight is the acceptance threshold. A judgement without such a reason
// does not follow from its score.
const RuleThreshold = "threshold"

// RulePart is the rule of what one part of a blend says: see package focus/blend.
const RulePart = "part"

// A Proposal is a request that a focus would like to make, with its judgement. Keys name the groups to which it
// belongs ("host:…", "pattern:…"); Learn may declare a group stale.
type Proposal struct {
	Request
	Judgement
	Keys []string
}

// An Outcome is the result of a request: a Page (2xx), a Redirect, or an Err. A redirect that is not followed has both
// Redirect and Err.
type Outcome struct {
	N        int64 // position in commit order, from 1
	Request  Request
	Page     *Page
	Status   int    // HTTP status; 0 when nothing answered
	Redirect string // canonical target of a redirect
	Record   Ref
	At       time.Time // when it was received

	Predicted, Actual Judgement // Actual is zero for a redirect, unless its target was judged before
	Plan              []Proposal
	Snippet           string    // of the page's text, around what its reasons name; made when it is committed
	Duplicate         Duplicate // a page before with the same content: the outcome has its judgement
	Err               error     // wraps a Failure
	Explored          bool      // the link was drawn at random, not by its rank
	Change            Change    // of a page that was fetched before; never stored
}

// A Duplicate names the earlier page whose content a page repeats. The zero Duplicate is none.
type Duplicate struct {
	URL  string
	Near bool // the text is nearly the same; else the bytes are the same
}

// A Change is what a refresh found of a page that was fetched before. Empty: there was none before.
type Change string

// The changes.
const (
	Unchanged Change = "unchanged" // 304, or the same bytes
	Changed   Change = "changed"
	Gone      Change = "gone"   // 404 or 410
	Moved     Change = "moved"  // redirects now
	Failed    Change = "failed" // no usable answer: the previous content stands
)

// A Lesson is what Learn took from an outcome. Facts go into the outcome's batch, in the focus's own graph; Stale
// names Keys whose waiting requests must be ranked again, "*" meaning all.
type Lesson struct {
	Facts []rdf.Quad
	Stale []string
}

// A Round is a set of requests taken from the frontier together: see Rounder.
type Round struct {
	N     int // from 1
	Known Known
}
