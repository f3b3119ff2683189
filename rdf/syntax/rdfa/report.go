package rdfa

import (
	"strings"

	"orbweaver/rdf"
)

const (
	maxReports = 1000 // remarks on one page
	maxWritten = 256  // bytes of the page's text that a remark quotes
)

// A report is the processor graph (7.6): the parts of a page that have no meaning.
type report struct {
	wanted bool
	said   []remark
}

// A remark has a class of the RDFa vocabulary.
type remark struct{ class, text, written string }

// String returns the message of the remark.
func (r remark) String() string {
	text := r.text
	if r.written != "" {
		text += ": " + r.written[:min(len(r.written), maxWritten)]
	}
	return strings.ToValidUTF8(text, "")
}

// add adds a remark about a text of the page, if the report is wanted.
func (r *report) add(class, text, written string) {
	if r.wanted && len(r.said) < maxReports {
		r.said = append(r.said, remark{class, text, written})
	}
}

// graph returns the remarks as triples.
func (r *report) graph(n *names) (out []rdf.Triple) {
	for _, s := range r.said {
		node := n.fresh()
		out = append(out,
			rdf.Triple{S: node, P: rdf.NewIRI(rdfType), O: rdf.NewIRI(rdfaNS + s.class)},
			rdf.Triple{S: node, P: rdf.NewIRI(dcNS + "description"), O: rdf.NewString(s.String())},
			rdf.Triple{S: node, P: rdf.NewIRI(rdfaNS + "context"), O: n.page(n.document)})
		if s.class != "Warning" && s.class != "Error" {
			out = append(out, rdf.Triple{S: node, P: rdf.NewIRI(rdfType), O: rdf.NewIRI(rdfaNS + "Warning")})
		}
	}
	return out
}
