package embedded

import (
	"strings"

	"orbweaver/rdf"
)

// repeats reports whether a statement of RDFa repeats one of Open Graph. The objects of the two differ in
// form: plain in Open Graph, with a language or as an IRI in RDFa. Therefore the property decides, and Open
// Graph, which is read first, takes precedence.
func (r *reader) repeats(q rdf.Quad) bool {
	switch {
	case r.opts.Apart:
	case r.syntax == OpenGraph:
		if r.said == nil {
			r.said = map[string]bool{}
		}
		r.said[q.P.Value] = true
	case r.syntax == RDFa && len(r.said) > 0:
		return r.said[property(q.P.Value)]
	}
	return false
}

// property returns the IRI that package opengraph uses for a property with an IRI from RDFa. Pages declare
// several namespaces for these properties, or none, in which case the name itself is the IRI. For any other
// property it returns a value outside Open Graph.
func property(iri string) string {
	const graph, twitter = "http://ogp.me/ns", "https://dev.twitter.com/cards#"
	if rest, secure := strings.CutPrefix(iri, "https:"); secure && !strings.HasPrefix(iri, twitter) {
		iri = "http:" + rest
	}
	prefix, local, _ := strings.Cut(iri, ":")
	switch {
	case strings.HasPrefix(iri, "http://opengraphprotocol.org/schema/"):
		return graph + "#" + strings.TrimPrefix(iri, "http://opengraphprotocol.org/schema/")
	case strings.HasPrefix(iri, "http://www.facebook.com/2008/fbml"):
		return graph + "/fb#" + strings.TrimLeft(strings.TrimPrefix(iri, "http://www.facebook.com/2008/fbml"), "#/")
	case strings.HasPrefix(local, "//"):
		return iri
	case strings.EqualFold(prefix, "og"):
		return graph + "#" + local
	case strings.EqualFold(prefix, "twitter"):
		return twitter + local
	}
	return graph + "/" + strings.ToLower(prefix) + "#" + local
}
