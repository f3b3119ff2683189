// Package dublin finds what a page states of itself in terms of Dublin Core: who made it, when, under which terms, in which language.
//
// Sources by precedence: the elements and terms of Dublin Core in <meta>; statements about the page itself; the schema.org data of
// what the page is mainly about; Open Graph's article; other <meta> in common use, and rel=license. What a page states of comments,
// reviews and other parts is not its own. Values are as stated, with white space collapsed, and bounded in number and size.
//
// This package is not part of the stable API.
package dublin

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver"
	"orbweaver/rdf"
)

// A Record is what a page states of itself; empty: nothing.
type Record struct {
	Creator  []string `json:"creator,omitempty"`
	Date     string   `json:"date,omitempty"`     // of publication, or else of making
	Rights   string   `json:"rights,omitempty"`   // a licence's IRI, or a statement
	Language string   `json:"language,omitempty"` // BCP 47, as stated; if it is not stated, as read from the text
}

// Limits of reading.
const (
	maxSource   = 1 << 20 // bytes of a page that are looked through for <meta>
	maxValue    = 500     // bytes of a value
	maxCreators = 32
	maxTriples  = 100_000 // statements of a page that are looked at
	maxNodes    = 10_000  // nodes of these
)

// Of returns the record of a page, whose Body has the HTML (page.Options.KeepBody) and of which data are the statements; nil: none.
func Of(p *orbweaver.Page, data iter.Seq[rdf.Triple]) Record {
	f := &finding{page: p}
	f.meta(p.Body)
	if data != nil {
		f.data(data)
	}
	for _, l := range p.Links {
		if slices.Contains(strings.Fields(l.Rel), "license") {
			f.offer(rights, common, l.To)
			break
		}
	}
	f.offer(language, common, p.Lang)
	return Record{Creator: f.values[creator], Date: f.one(date), Rights: f.one(rights), Language: f.one(language)}
}

// An element is a column.
type element int

const (
	creator element = iota
	date
	rights
	language
	elements
)

// A grade orders sources: the lowest wins.
type grade int

const (
	explicit grade = 1 + iota // Dublin Core
	stated                    // data about the page, or its main entity
	graph                     // Open Graph
	common                    // other <meta>, rel=license, the language of the text
)

// finding collects values.
type finding struct {
	page   *orbweaver.Page
	grades [elements]grade
	values [elements][]string
}

// offer takes a value, unless there are better ones. A secondary value of one element is dropped, but for creators.
func (f *finding) offer(e element, g grade, value string) {
	value = strings.Join(strings.Fields(html.UnescapeString(value[:min(len(value), 8*maxValue)])), " ") // many escape twice
	if len(value) > maxValue {
		value = value[:maxValue]
		for !utf8.ValidString(value) && len(value) > maxValue-utf8.UTFMax {
			value = value[:len(value)-1]
		}
	}
	value = strings.ToValidUTF8(value, "\ufffd")
	switch {
	case value == "" || f.grades[e] != 0 && f.grades[e] < g:
	case f.grades[e] != g:
		f.grades[e], f.values[e] = g, []string{value}
	case e == creator && len(f.values[e]) < maxCreators && !slices.Contains(f.values[e], value):
		f.values[e] = append(f.values[e], value)
	}
}

func (f *finding) one(e element) string {
	if len(f.values[e]) == 0 {
		return ""
	}
	return f.values[e][0]
}

// named returns what the name of a <meta> is for.
func named(name string) (element, grade, bool) {
	name = strings.ToLower(strings.ReplaceAll(name, ":", "."))
	g := common
	if rest, is := strings.CutPrefix(name, "dcterms."); is {
		name, g = rest, explicit
	} else if rest, is := strings.CutPrefix(name, "dc."); is {
		name, g = rest, explicit
	}
	switch name {
	case "creator", "author":
		return creator, g, true
	case "citation_author":
		return creator, stated, true
	case "article.author":
		return creator, graph, true
	case "date", "date.issued", "date.created", "issued", "created", "pubdate", "publishdate":
		return date, g, true
	case "citation_publication_date", "citation_date":
		return date, stated, true
	case "article.published_time":
		return date, graph, true
	case "rights", "license", "rights.license", "copyright":
		return rights, g, true
	case "language":
		return language, g, true
	}
	return 0, 0, false
}

// meta reads the <meta> of a page, and the language of its root.
func (f *finding) meta(source []byte) {
	z := html.NewTokenizer(bytes.NewReader(source[:min(len(source), maxSource)]))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			isMeta, isRoot := string(tag) == "meta", string(tag) == "html"
			if !isMeta && !isRoot {
				continue
			}
			var name, content string
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch string(key) {
				case "lang", "xml:lang":
					if isRoot {
						f.offer(language, graph, string(value))
					}
				case "name", "property":
					name = string(value)
				case "content":
					content = string(value)
				}
			}
			if e, g, known := named(name); isMeta && known && !(e == creator && g == graph && strings.Contains(content, "://")) {
				f.offer(e, g, content)
			}
		}
	}
}

// node is what the data says of one thing.
type node struct {
	id    rdf.Term
	types []string
	found [elements][]rdf.Term // by element; dates of publication before others
	names []string
	part  bool // another thing has it as its value
}

// property returns what a property is for, if it is of Dublin Core, schema.org or FOAF; name says that it names a thing.
func property(iri string) (e element, name bool) {
	if !strings.HasPrefix(iri, "http://purl.org/dc/") && !strings.Contains(iri, "schema.org/") && !strings.HasPrefix(iri, "http://xmlns.com/foaf/") {
		return elements, false
	}
	switch iri[strings.LastIndexAny(iri, "/#")+1:] {
	case "author", "creator", "maker":
		return creator, false
	case "datePublished", "dateCreated", "date", "issued", "created":
		return date, false
	case "license", "rights", "copyrightNotice":
		return rights, false
	case "inLanguage", "language":
		return language, false
	case "name":
		return elements, true
	}
	return elements, false
}

// data reads the statements of a page.
func (f *finding) data(data iter.Seq[rdf.Triple]) {
	nodes, n := map[rdf.Term]*node{}, 0
	var order []*node
	of := func(t rdf.Term) *node {
		if nodes[t] == nil && len(order) < maxNodes {
			nodes[t] = &node{id: t}
			order = append(order, nodes[t])
		}
		return nodes[t]
	}
	for q := range data {
		if n++; n > maxTriples {
			break
		}
		if s := of(q.S); s != nil {
			s.take(q)
		}
		if q.O.Kind != rdf.Literal && !strings.HasSuffix(q.P.Value, "/mainEntity") && q.O != q.S {
			if o := nodes[q.O]; o != nil || q.O.Kind == rdf.Blank {
				if o = of(q.O); o != nil {
					o.part = true
				}
			}
		}
	}
	if best := f.best(order); best != nil {
		f.read(best, nodes)
	}
}

// take takes a statement about a node.
func (n *node) take(q rdf.Triple) {
	if strings.HasSuffix(q.P.Value, "#type") {
		n.types = append(n.types, q.O.Value[strings.LastIndexAny(q.O.Value, "/#")+1:])
		return
	}
	e, name := property(q.P.Value)
	switch {
	case name && q.O.Kind == rdf.Literal && len(n.names) < 4:
		n.names = append(n.names, q.O.Value)
	case name || e == elements || len(n.found[e]) >= maxCreators:
	case e == date && (strings.HasSuffix(q.P.Value, "Published") || strings.HasSuffix(q.P.Value, "issued")):
		n.found[e] = append([]rdf.Term{q.O}, n.found[e]...)
	default:
		n.found[e] = append(n.found[e], q.O)
	}
}

// best returns the node that is the page, or what the page is mainly about: one that is no part of another, an article or the like
// rather than a page, with a creator rather than without; nil: there is none.
func (f *finding) best(order []*node) (best *node) {
	most := 0
	for _, n := range order {
		worth := 0
		for e := range elements {
			if len(n.found[e]) > 0 {
				worth++
			}
		}
		if worth == 0 || n.part && n.id.Value != f.page.URL {
			continue
		}
		if n.id.Value == f.page.URL {
			worth += 64
		}
		if len(n.found[creator]) > 0 {
			worth += 8
		}
		for _, t := range n.types {
			switch {
			case strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") || slices.Contains(articles, t):
				worth += 16
			case slices.Contains(others, t):
				worth -= 32
			}
		}
		if worth > most {
			best, most = n, worth
		}
	}
	return best
}

// Types of things that pages are about, and of those that they only hold.
var (
	articles = []string{"Recipe", "Dataset", "Book", "Report", "Thesis", "Course", "VideoObject", "Movie", "MusicRecording", "SoftwareApplication", "SoftwareSourceCode", "Map", "HowTo", "Document"}
	others   = []string{"Review", "Comment", "Answer", "Question", "Rating", "ImageObject", "Person", "Organization"}
)

// read offers what is said of a node.
func (f *finding) read(n *node, nodes map[rdf.Term]*node) {
	for e := range elements {
		for _, v := range n.found[e] {
			if v.Kind == rdf.Literal {
				f.offer(e, stated, v.Value)
				continue
			}
			switch other := nodes[v]; {
			case other != nil && len(other.names) > 0 && e != rights:
				f.offer(e, stated, other.names[0])
			case v.Kind == rdf.IRI:
				f.offer(e, stated, v.Value)
			}
		}
	}
}
