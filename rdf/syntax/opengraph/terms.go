package opengraph

import (
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// namespace returns the namespace of a prefix, empty for an unknown one. Declarations in the page are
// ignored: pages that declare these prefixes differently (https, a missing path segment) mean the same
// namespaces.
func namespace(prefix string) string {
	switch prefix {
	case "og":
		return "http://ogp.me/ns#"
	case "article", "book", "books", "business", "fb", "music", "place", "product", "profile", "restaurant", "video", "website":
		return "http://ogp.me/ns/" + prefix + "#"
	case "twitter":
		return "https://dev.twitter.com/cards#"
	}
	return ""
}

// A kind is the type of a property's values.
type kind uint8

const (
	text      kind = iota
	reference      // a URL, relative or not
	resource       // the URL of an object of the graph; pages write names instead
)

// kindOf returns the kind of a property.
func kindOf(prefix, local string) kind {
	first, last, structured := strings.Cut(local, ":")
	switch prefix {
	case "og":
		switch first {
		case "audio", "image", "video":
			if !structured || last == "url" || last == "secure_url" {
				return reference
			}
		case "url", "see_also":
			if !structured {
				return reference
			}
		}
	case "twitter":
		switch local {
		case "url", "image", "image:src", "player", "player:stream":
			return reference
		}
	case "article", "book", "music", "video", "books", "product":
		switch local {
		case "author", "publisher", "actor", "director", "writer", "musician", "song", "album", "creator", "series", "product_link":
			return resource
		}
	}
	return text
}

// value returns a property's value as a term.
func (p *reader) value(prefix, local, content string) rdf.Term {
	switch kindOf(prefix, local) {
	case reference:
		if address, ok := p.resolve(content); ok {
			return rdf.NewIRI(address)
		}
	case resource:
		lower := strings.ToLower(content)
		if (strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")) && iri.Check(content) == nil {
			return rdf.NewIRI(content)
		}
	}
	return rdf.NewString(content)
}

// resolve returns the absolute IRI of a URL; false if it has none. It encodes spaces.
func (p *reader) resolve(written string) (string, bool) {
	written = strings.ReplaceAll(strings.TrimSpace(written), " ", "%20")
	address, err := p.base.Resolve(written)
	if err != nil || iri.Check(address) != nil {
		return "", false
	}
	return address, true
}
