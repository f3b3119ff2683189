package editing

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// The reasons for which an edit is refused, beside ontology.ErrUnknownEntity and ontology.ErrWrongKind.
var (
	ErrNothing = errors.New("that changes nothing")
	ErrCycle   = errors.New("it would stand above itself")
	ErrTaken   = errors.New("the IRI is used already")
	ErrEdit    = errors.New("no such edit") // not one of the kinds, or without what it needs
)

// The kinds of edits.
const (
	DoCreate   = "create"   // a new entity: Kind, Text, Language; Under, From, To, IRI as far as given
	DoLabel    = "label"    // Entity is given the label Text; with Old, in place of that one; As is its property
	DoComment  = "comment"  // likewise for a comment
	DoRelate   = "relate"   // Entity, As, To: a statement
	DoUnrelate = "unrelate" // that statement goes
	DoMove     = "move"     // Entity goes from below From, or from below all, to below To; without To to the top
	DoRename   = "rename"   // Entity's name becomes Text; with IRI, it has that IRI everywhere
	DoMerge    = "merge"    // Entity becomes part of To
	DoDelete   = "delete"   // Entity goes, and all statements about it; Lift: what is below it goes below what is above it
	DoRetract  = "retract"  // the statements of Entity that Remove lists go
	DoAdd      = "add"      // the statements of Add come
)

// An Edit is what a person changes. Which fields count is up to Do.
type Edit struct {
	Do          string `json:"do"`
	Entity      string `json:"entity,omitempty"` // an IRI
	Kind        string `json:"kind,omitempty"`
	Text        string `json:"text,omitempty"`
	Language    string `json:"language,omitempty"`
	Old         string `json:"old,omitempty"`
	OldLanguage string `json:"old_language,omitempty"`
	As          string `json:"as,omitempty"` // a property: its IRI, or a word of Words
	From        string `json:"from,omitempty"`
	To          string `json:"to,omitempty"`
	Under       string `json:"under,omitempty"`
	IRI         string `json:"iri,omitempty"`
	Lift        bool   `json:"lift,omitempty"`

	Remove []rdf.Triple `json:"-"`
	Add    []rdf.Triple `json:"-"`
	Says   string       `json:"-"` // of DoAdd and DoRetract, for people
}

// maxText bounds a text of an edit, in bytes.
const maxText = 20_000

// Do does an edit in somebody's name at some time, and returns the step. Errors wrap ErrNothing, ErrCycle, ErrTaken, ErrEdit,
// ontology.ErrUnknownEntity or ontology.ErrWrongKind, and change nothing.
func (d *Draft) Do(e Edit, by string, at time.Time) (Step, error) {
	e.Text = strings.ReplaceAll(e.Text, "\r\n", "\n") // as a form sends lines
	for _, text := range []string{e.Text, e.IRI, e.As} {
		if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
			return Step{}, fmt.Errorf("%s: a text of an edit has at most %d bytes of plain text: %w", e.Do, maxText, ErrEdit)
		}
	}
	do, ok := map[string]func(Edit) (Step, error){
		DoCreate: d.create, DoLabel: d.label, DoComment: d.comment, DoRelate: d.relate, DoUnrelate: d.unrelate, DoMove: d.move,
		DoRename: d.rename, DoMerge: d.merge, DoDelete: d.remove, DoRetract: d.retract, DoAdd: d.add,
	}[e.Do]
	if !ok {
		return Step{}, fmt.Errorf("%q: %w", e.Do, ErrEdit)
	}
	s, err := do(e)
	if err != nil {
		return Step{}, err
	}
	s.By, s.At = by, at
	return d.step(s)
}

func control(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError }

// entity returns the nature of an entity that an edit names.
func (d *Draft) entity(iri string) (nature, error) {
	n, ok := d.natures[iri]
	if !ok {
		return 0, fmt.Errorf("%q is not in the file: %w", iri, ontology.ErrUnknownEntity)
	}
	return n, nil
}

// quoted names an entity for people.
func (d *Draft) quoted(iri string) string { return "“" + short(d.g.name(iri)) + "”" }

// checkIRI returns an error if a text cannot be the IRI of an entity.
func checkIRI(iri string) error {
	u, err := url.Parse(iri)
	if err != nil || u.Scheme == "" || u.Host+u.Opaque+u.Path == "" || strings.ContainsAny(iri, "<>\"{}|\\^` \t\n") || ontology.Builtin(iri) {
		return fmt.Errorf("%q cannot be the IRI of an entity: it is absolute, as http://example.org/Name, without spaces and brackets: %w", iri, ErrEdit)
	}
	return nil
}

// state is a statement about an entity.
func state(s, p string, o rdf.Term) rdf.Triple {
	return rdf.Triple{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: o}
}

// concepts reports whether the file is of SKOS: it has concepts, and no class.
func (d *Draft) concepts() bool {
	concept := false
	for _, n := range d.natures {
		switch n.kind() {
		case Class:
			return false
		case Concept:
			concept = true
		}
	}
	return concept
}

// declarations are the classes that say a kind.
var declarations = map[string]string{
	Class: owlNS + "Class", Concept: skosNS + "Concept", Property: owlNS + "ObjectProperty", Individual: owlNS + "NamedIndividual",
}

func (d *Draft) create(e Edit) (s Step, err error) {
	text := strings.Join(strings.Fields(e.Text), " ")
	under, above := nature(0), ""
	if e.Under != "" {
		if under, err = d.entity(e.Under); err != nil {
			return s, err
		}
		if above = under.kind(); e.Kind == "" {
			e.Kind = above
		}
	}
	if e.Kind == "" && d.concepts() {
		e.Kind = Concept
	} else if e.Kind == "" {
		e.Kind = Class
	}
	declaration, ok := declarations[e.Kind]
	if !ok {
		return s, fmt.Errorf("%q is none of class, property, individual and concept: %w", e.Kind, ErrEdit)
	}
	iri, err := d.coin(e, text)
	if err != nil {
		return s, err
	}
	typed := state(iri, typeOf, rdf.NewIRI(declaration))
	var place []rdf.Triple
	switch {
	case e.Under == "":
	case e.Kind == Individual && (above == Class || above == Concept):
		typed = state(iri, typeOf, rdf.NewIRI(e.Under))
	case e.Kind != above:
		return s, fmt.Errorf("a %s cannot be below %s, which is a %s: %w", e.Kind, e.Under, above, ontology.ErrWrongKind)
	default:
		place = []rdf.Triple{state(iri, upward(e.Kind), rdf.NewIRI(e.Under))}
	}
	for as, class := range map[string]string{rdfsNS + "domain": e.From, rdfsNS + "range": e.To} {
		if e.Kind == Property && class != "" {
			place = append(place, state(iri, as, rdf.NewIRI(class)))
		}
	}
	s.Add = append([]rdf.Triple{typed}, place...)
	if text != "" {
		s.Add = append(s.Add, state(iri, namedBy(e.Kind), Label{Text: text, Language: e.Language}.term()))
	}
	s.Says = fmt.Sprintf("new %s “%s”", e.Kind, text)
	if text == "" {
		s.Says = fmt.Sprintf("new %s %s", e.Kind, iri)
	}
	return s, nil
}

// upward is the property that places an entity of a kind below another.
func upward(kind string) string {
	switch kind {
	case Concept:
		return broader
	case Property:
		return subPropertyOf
	}
	return subClassOf
}

// namedBy is the property that names an entity of a kind.
func namedBy(kind string) string {
	if kind == Concept {
		return preferred
	}
	return labelled
}

// coin returns the IRI of a new entity: the one that an edit gives, or one of its words in the namespace of its neighbour or of the file.
func (d *Draft) coin(e Edit, text string) (string, error) {
	if e.IRI != "" {
		if err := checkIRI(e.IRI); err != nil {
			return "", err
		}
		if len(d.g.about(rdf.NewIRI(e.IRI))) > 0 {
			return "", fmt.Errorf("%s: %w", e.IRI, ErrTaken)
		}
		return e.IRI, nil
	}
	space := d.Namespace()
	for _, beside := range []string{e.Under, e.From, e.To} {
		if d.natures[beside]&isDeclared != 0 {
			space = beside[:len(beside)-len(local(beside))]
			break
		}
	}
	if space == "" {
		space = d.Header()
	}
	name := ontology.Coin(text, e.Kind == Property)
	if name == "" || space == "" {
		return "", fmt.Errorf("a new entity needs a name with a letter or a digit, or an IRI: %w", ErrEdit)
	}
	iri := space + name
	for n := 2; len(d.g.about(rdf.NewIRI(iri))) > 0; n++ {
		iri = fmt.Sprintf("%s%s%d", space, name, n)
	}
	return iri, nil
}

// Header is the namespace that the file's owl:Ontology or skos:ConceptScheme stands for; empty if it has none.
func (d *Draft) Header() string {
	header := ""
	for _, l := range d.g.headers() {
		if header == "" || l < header {
			header = l
		}
	}
	if header != "" && !strings.HasSuffix(header, "#") && !strings.HasSuffix(header, "/") {
		header += "#"
	}
	return header
}

// headers are the IRIs of the ontologies and concept schemes that the file describes.
func (g *graph) headers() (all []string) {
	for s, links := range g.out {
		for _, l := range links {
			if l.predicate == typeOf && s.Kind == rdf.IRI && (l.to.Value == owlNS+"Ontology" || l.to.Value == skosNS+"ConceptScheme") {
				all = append(all, s.Value)
			}
		}
	}
	return all
}

// Made returns the IRI of the entity that the last of some steps made, or gave its IRI; empty if none did.
func Made(steps []Step) string {
	for i := len(steps) - 1; i >= 0; i-- {
		for _, t := range steps[i].Add {
			if t.P.Value == typeOf && t.S.Kind == rdf.IRI {
				return t.S.Value
			}
		}
	}
	return ""
}
