package requisites

import (
	"cmp"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/weburl"
)

// Found is what a document needs.
type Found struct {
	URLs []string // canonical, each once: first what shapes the page, then images, in the order of the document
	Left int      // how many there are beyond the number wanted, about
}

// A kind says what of a page goes first when not all can be had.
type kind uint8

const (
	shape  kind = iota // style sheets, scripts, fonts
	image              // images as the page shows them
	spare              // their other sizes, and what only some browsers show
	stream             // sound and video
)

// Bounds of what is read of one document.
const (
	maxReferences = 100_000
	maxNested     = 3 // documents within attributes, and noscript
)

// A reference is something that a document names.
type reference struct {
	ref  string
	kind kind
}

// references collects what a document names.
type references struct {
	list []reference
	left int
}

// add adds a reference to something that a browser would fetch.
func (r *references) add(k kind, ref string) {
	ref = strings.TrimFunc(ref, func(c rune) bool { return c <= ' ' })
	ref, _, _ = strings.Cut(ref, "#")
	switch {
	case ref == "", hasScheme(ref, "data"), hasScheme(ref, "blob"), hasScheme(ref, "about"), hasScheme(ref, "javascript"):
	case len(ref) > weburl.MaxLength:
	case len(r.list) >= maxReferences:
		r.left++
	default:
		r.list = append(r.list, reference{ref, k})
	}
}

// hasScheme reports whether a reference has a scheme.
func hasScheme(ref, scheme string) bool {
	return len(ref) > len(scheme) && ref[len(scheme)] == ':' && strings.EqualFold(ref[:len(scheme)], scheme)
}

// resolve returns the references as URLs, most at most.
func (r *references) resolve(base *weburl.Base, most int) Found {
	order.Stably(r.list, func(a, b reference) int { return cmp.Compare(a.kind, b.kind) })
	f := Found{Left: r.left}
	known := map[string]bool{base.String(): true} // an empty image is no page
	for _, one := range r.list {
		if len(f.URLs) >= most && len(known) > 4*most {
			f.Left++
			continue
		}
		url, err := base.Resolve(one.ref)
		if err != nil || known[url] {
			continue
		}
		if known[url] = true; len(f.URLs) < most {
			f.URLs = append(f.URLs, url)
		} else {
			f.Left++
		}
	}
	return f
}
