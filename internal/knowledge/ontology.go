package knowledge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/offer"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const (
	owl  = "http://www.w3.org/2002/07/owl#"
	rdfs = "http://www.w3.org/2000/01/rdf-schema#"
	typ  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// Ontology writes the best n offers of a source as the Turtle of an ontology to begin with: a class for each, with its name, what is known of
// how often it occurs, and what it is below; those below nothing are below one class for the topic. space is the namespace of the classes. The
// error wraps orbweaver.ErrInput if the source offers nothing.
func Ontology(src *offer.Source, topic, space string, n int) ([]byte, error) {
	best := slices.DeleteFunc(slices.Clone(src.Offers), func(o offer.Offer) bool { return o.Anchor || ontology.Coin(o.Text, false) == "" })
	order.Stably(best, func(a, b offer.Offer) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count))
	})
	best = best[:min(n, len(best))]
	if len(best) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to make an ontology of (%w)", topic, orbweaver.ErrInput)
	}
	root := space + cmp.Or(ontology.Coin(topic, false), "Topic")
	d := draft{root: root, taken: map[string]bool{root: true}, by: map[string]string{}}
	for _, o := range best {
		d.name(space, o)
	}
	d.state(root, typ, rdf.NewIRI(owl+"Class"))
	d.state(root, rdfs+"label", rdf.NewString(topic))
	for i, o := range best {
		d.describe(d.iris[i], o)
	}
	var b bytes.Buffer
	w := turtle.NewWriter(&b, syntax.WriteOptions{Prefixes: map[string]string{"": space, "owl": owl, "rdfs": rdfs}})
	for _, t := range d.all {
		if err := w.Write(t); err != nil {
			return nil, fmt.Errorf("%s: %w", topic, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", topic, err)
	}
	return b.Bytes(), nil
}

// A draft is the statements of an ontology that is made.
type draft struct {
	root  string
	iris  []string          // by position
	taken map[string]bool   // IRIs
	by    map[string]string // IRIs by words in lower case, and by other IRIs
	all   []rdf.Triple
}

// name gives an offer its IRI.
func (d *draft) name(space string, o offer.Offer) {
	iri := space + ontology.Coin(o.Text, false)
	for n := 2; d.taken[iri]; n++ {
		iri = fmt.Sprintf("%s%s%d", space, ontology.Coin(o.Text, false), n)
	}
	d.taken[iri] = true
	d.iris = append(d.iris, iri)
	for _, key := range []string{strings.ToLower(o.Text), o.IRI} {
		if _, known := d.by[key]; key != "" && !known {
			d.by[key] = iri
		}
	}
}

// describe states what is known of an offer.
func (d *draft) describe(iri string, o offer.Offer) {
	d.state(iri, typ, rdf.NewIRI(owl+"Class"))
	above := d.root
	for _, ref := range o.Above {
		to := cmp.Or(d.by[ref.IRI], d.by[strings.ToLower(ref.Text)])
		if to != "" && to != iri {
			above = to
			break
		}
	}
	d.state(iri, rdfs+"subClassOf", rdf.NewIRI(above))
	label := rdf.NewString(o.Text)
	if o.Lang != "" {
		label = rdf.NewLang(o.Text, o.Lang)
	}
	d.state(iri, rdfs+"label", label)
	if o.Count > 0 {
		d.state(iri, rdfs+"comment", rdf.NewLang(fmt.Sprintf("Found %d times.", o.Count), "en"))
	}
	if strings.Contains(o.IRI, "://") {
		d.state(iri, rdfs+"seeAlso", rdf.NewIRI(o.IRI))
	}
}

func (d *draft) state(s, p string, o rdf.Term) {
	d.all = append(d.all, rdf.Triple{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: o})
}
