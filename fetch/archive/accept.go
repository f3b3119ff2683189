package archive

import (
	"strconv"
	"strings"
)

// usualAccept is the Accept of a request without one. It equals the client's default.
const usualAccept = "text/html, application/xhtml+xml, text/turtle;q=0.9, application/rdf+xml;q=0.9, " +
	"application/ld+json;q=0.9, application/n-triples;q=0.9, */*;q=0.5"

// A mediaRange is an element of the field Accept. Of its parameters only the weight is kept: an index records
// no media type parameters.
type mediaRange struct {
	kind, subtype string  // lower case; "*" for any
	q             float64 // 0..1
}

// parseAccept reads the field Accept (RFC 9110, section 12.5.1), at most maxRanges elements. Malformed elements
// are left out.
func parseAccept(field string) []mediaRange {
	var ranges []mediaRange
	for n := 0; field != "" && n < maxRanges; n++ {
		var element string
		element, field = cutUnquoted(field, ',')
		media, parameters := cutUnquoted(element, ';')
		kind, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(media)), "/")
		if !ok || !isToken([]byte(kind)) || !isToken([]byte(subtype)) || kind == "*" && subtype != "*" {
			continue
		}
		if q, ok := weight(parameters); ok {
			ranges = append(ranges, mediaRange{kind, subtype, q})
		}
	}
	return ranges
}

// cutUnquoted cuts at the first separator outside a quoted string.
func cutUnquoted(s string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c == separator:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// weight returns the parameter q, or 1 without one; ok is false if its value is invalid.
func weight(parameters string) (q float64, ok bool) {
	for parameters != "" {
		var parameter string
		parameter, parameters = cutUnquoted(parameters, ';')
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return q, err == nil && 0 <= q && q <= 1
		}
	}
	return 1, true
}

// quality is the weight of a media type, 0..1: that of the most specific range that matches, the greatest of
// equally specific ones, and 0 without a match.
func quality(ranges []mediaRange, media string) float64 {
	kind, subtype, _ := strings.Cut(media, "/")
	best, precision := 0.0, 0
	for _, r := range ranges {
		p := 0
		switch {
		case r.kind == "*":
			p = 1
		case r.kind == kind && r.subtype == "*":
			p = 2
		case r.kind == kind && r.subtype == subtype:
			p = 3
		}
		if p > precision || p == precision && p > 0 && r.q > best {
			best, precision = r.q, p
		}
	}
	return best
}

// favourite is the media type with the highest weight in a field Accept, the first of equals; "" if the field
// names none.
func favourite(accept string) string {
	media, most := "", 0.0
	for _, r := range parseAccept(accept) {
		if r.q > most {
			media, most = r.kind+"/"+r.subtype, r.q
		}
	}
	return plainMedia(strings.TrimSuffix(media, "*")) // "text/" is none
}
