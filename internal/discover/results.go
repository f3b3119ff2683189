package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// Bounds of one answer.
const (
	mostResults = 200
	deepest     = 16 // levels of JSON
	mostText    = 200
)

// UsualQuery asks for web pages of things with a label, and of things that refer to them: by schema:url, foaf:homepage, and
// Wikidata's property for official websites.
const UsualQuery = `PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT DISTINCT ?page WHERE {
  ?thing rdfs:label ?label . FILTER (LCASE(STR(?label)) = LCASE({label}))
  { ?thing ?property ?page } UNION { ?item ?by ?thing . ?item ?property ?page }
  VALUES ?property { <http://schema.org/url> <https://schema.org/url> <http://xmlns.com/foaf/0.1/homepage> <http://www.wikidata.org/prop/direct/P856> }
} LIMIT 100`

// A Completer adds the results in the answer of a search engine or an endpoint to the page's links: URLs in JSON, those that
// an engine's own addresses wrap, and IRIs in rows. The focus judges them as any links.
type Completer struct {
	Others pipeline.Completer // what else reads data; may be nil
}

// Complete completes a page.
func (c Completer) Complete(ctx context.Context, p *orbweaver.Page, get pipeline.Get, away pipeline.Away) (beside []any, err error) {
	if via := p.Request.Via; via != nil && via.Origin == orbweaver.FromSearch {
		p.Links = append(p.Links, results(p)...)
	}
	if c.Others != nil {
		return c.Others.Complete(ctx, p, get, away)
	}
	if p.Pending {
		p.Body = nil // no later step reads it
	}
	return nil, nil
}

// results returns links to the results in an answer.
func results(p *orbweaver.Page) []orbweaver.Link {
	var r resultLinks
	switch {
	case p.Results != nil:
		r.rows(p.Results)
	case strings.HasSuffix(p.MediaType, "json"):
		var v any
		if json.NewDecoder(bytes.NewReader(p.Body)).Decode(&v) == nil {
			r.json(v, "", 0)
		}
	case p.Request.Via.Rel == Engine:
		r.wrapped(p)
	}
	return r.links
}

// resultLinks collects links, each target once.
type resultLinks struct {
	links []orbweaver.Link
	seen  map[string]bool
}

// add adds a link to a URL, with what is said of it.
func (r *resultLinks) add(raw, title, text string) {
	if len(r.links) >= mostResults || len(raw) > weburl.MaxLength || !strings.HasPrefix(raw, "http://") && !strings.HasPrefix(raw, "https://") {
		return
	}
	to, err := weburl.Canonical(raw)
	if err != nil || r.seen[to] {
		return
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[to] = true
	r.links = append(r.links, orbweaver.Link{To: to, Anchor: short(title), Context: short(text), Origin: orbweaver.FromAnchor})
}

// short returns a text on one line, cut.
func short(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), mostText)], "")), " ")
	return s
}

// rows takes the IRIs of rows, with the literals of the same row.
func (r *resultLinks) rows(of *rdf.Results) {
	for i, row := range of.Rows {
		if i >= mostResults {
			return
		}
		said := ""
		for _, t := range row {
			if t.Kind == rdf.Literal && said == "" {
				said = t.Value
			}
		}
		for _, t := range row {
			r.add(t.Value, said, "")
		}
	}
}

// json takes the URLs of objects, with the title and the snippet beside them, and those of lists.
func (r *resultLinks) json(v any, title string, depth int) {
	if depth > deepest {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			r.json(e, title, depth+1)
		}
	case map[string]any:
		title, text := textOf(v, "title", "name", "label"), textOf(v, "content", "snippet", "description", "summary")
		for _, key := range [...]string{"url", "link", "href", "uri"} {
			if to, ok := v[key].(string); ok {
				r.add(to, title, text)
				break
			}
		}
		for _, key := range sortedKeys(v) {
			switch v[key].(type) {
			case []any, map[string]any:
				r.json(v[key], title, depth+1)
			}
		}
	case string:
		r.add(v, title, "")
	}
}

// wrapped takes the targets that links to an engine's own addresses have in a parameter.
func (r *resultLinks) wrapped(p *orbweaver.Page) {
	host := weburl.Host(p.URL)
	for i := range p.Links {
		l := &p.Links[i]
		if weburl.Host(l.To) != host {
			continue
		}
		_, query := pathOf(l.To)
		for pair := range strings.SplitSeq(query, "&") {
			_, value, _ := strings.Cut(pair, "=")
			if value, err := url.QueryUnescape(value); err == nil && weburl.Host(value) != host {
				r.add(value, l.Anchor, l.Context)
			}
		}
	}
}
