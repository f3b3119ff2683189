package ontology

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/text"
)

// The kinds of additions.
const (
	asEntry    = "entry"
	asSubclass = "subclass"
	asInstance = "instance"
	asProperty = "property"
	asBroader  = "broader"
)

// maxWords bounds the words of an addition, in bytes.
const maxWords = 200

// The reasons for rejecting an addition.
var (
	ErrUnknownEntity = errors.New("no such entity")   // not in the ontology
	ErrWrongKind     = errors.New("wrong kind")       // an entity is not of the required kind
	ErrNoAddition    = errors.New("no addition")      // the words are unusable, or the ontology already has the addition
	ErrUnknownRole   = errors.New("no such addition") // not one of the five kinds
)

// Addition returns the statements that add words to an ontology. as selects what they become:
//
//   - entry: an additional lexical entry of the entity, in SKOS terms if the ontology uses them, else as
//     rdfs:label. An entity known only by its local name gets that as a label too, since it would no longer
//     be named by it.
//   - subclass: a subclass of the entity, which must be a class; below a SKOS concept, a concept.
//   - instance: an instance of the entity, which must be a class.
//   - property: a property from the entity to ranged, which must be classes.
//   - broader: the entity directly below ranged, which must be classes, neither of them above the other; the words are not used.
//
// A new entity has the IRI iri or, if that is empty, an unused one in the namespace of the entity, derived from the words;
// its label, like an entry, has the language of the entity's name. The words have at most 200 bytes and contain a letter or
// digit. For other kinds ranged is ignored. Statements are in the usual order: type, place, label. Errors wrap one of the four above, and for an
// unknown entity name the nearest ones.
func Addition(o *Ontology, as, words, iri, entity, ranged string) ([]rdf.Quad, error) {
	if as == asBroader {
		return (&adder{o: o}).broader(entity, ranged)
	}
	words = strings.Join(strings.Fields(words), " ")
	if !sayable(words) {
		return nil, fmt.Errorf("%q cannot be an entry: it needs 1 to 200 bytes of plain text with a letter or digit: %w", shorten(words), ErrNoAddition)
	}
	a := adder{o: o, words: words, iri: iri}
	switch as {
	case asEntry:
		return a.entry(entity)
	case asSubclass:
		return a.subclass(entity)
	case asInstance:
		return a.instance(entity)
	case asProperty:
		return a.property(entity, ranged)
	}
	return nil, fmt.Errorf("%q is none of %s, %s, %s, %s and %s: %w", as, asEntry, asSubclass, asInstance, asProperty, asBroader, ErrUnknownRole)
}

// sayable reports whether words can be an entry: plain text of limited length with a letter or digit.
func sayable(words string) bool {
	return len(words) <= maxWords && utf8.ValidString(words) && !strings.ContainsFunc(words, unicode.IsControl) &&
		strings.ContainsFunc(words, partOfName)
}

func partOfName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func shorten(s string) string { return s[:min(len(s), 80)] }

// An adder builds the statements of one addition.
type adder struct {
	o     *Ontology
	words string
	iri   string // of a new entity; empty: one is coined
	made  []rdf.Quad
}

func (a *adder) state(s, p string, o rdf.Term) {
	a.made = append(a.made, rdf.Quad{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: o})
}

func (a *adder) entry(entity string) ([]rdf.Quad, error) {
	i, err := a.find(entity)
	if err != nil {
		return nil, err
	}
	label := nsRDFS + "label"
	if a.o.alternatives {
		label = nsSKOS + "altLabel"
	}
	e := a.o.entities[i]
	for _, known := range a.o.EntriesOf(i) {
		if text.Key(known.Text) == text.Key(a.words) {
			return nil, fmt.Errorf("%q names %s already: %w", known.Text, entity, ErrNoAddition)
		}
	}
	if !e.Labelled {
		a.state(entity, a.nameOf(i), rdf.NewString(e.Name))
	}
	a.state(entity, label, a.spoken(i, a.words))
	return a.made, nil
}

func (a *adder) subclass(entity string) ([]rdf.Quad, error) {
	i, err := a.class(entity)
	if err != nil {
		return nil, err
	}
	iri := a.coin(entity, capital)
	if contains(a.o.concepts, int32(i)) {
		a.state(iri, rdfType, rdf.NewIRI(nsSKOS+"Concept"))
		a.state(iri, nsSKOS+"broader", rdf.NewIRI(entity))
	} else {
		a.state(iri, rdfType, rdf.NewIRI(nsOWL+"Class"))
		a.state(iri, nsRDFS+"subClassOf", rdf.NewIRI(entity))
	}
	a.state(iri, a.nameOf(i), a.spoken(i, a.words))
	return a.made, nil
}

func (a *adder) instance(entity string) ([]rdf.Quad, error) {
	i, err := a.class(entity)
	if err != nil {
		return nil, err
	}
	iri := a.coin(entity, capital)
	a.state(iri, rdfType, rdf.NewIRI(entity))
	a.state(iri, nsRDFS+"label", a.spoken(i, a.words))
	return a.made, nil
}

func (a *adder) property(domain, ranged string) ([]rdf.Quad, error) {
	i, err := a.class(domain)
	_, more := a.class(ranged)
	if err = errors.Join(err, more); err != nil {
		return nil, err
	}
	iri := a.coin(domain, strings.ToLower)
	a.state(iri, rdfType, rdf.NewIRI(nsOWL+"ObjectProperty"))
	a.state(iri, nsRDFS+"domain", rdf.NewIRI(domain))
	a.state(iri, nsRDFS+"range", rdf.NewIRI(ranged))
	a.state(iri, nsRDFS+"label", a.spoken(i, a.words))
	return a.made, nil
}

// broader puts one class or concept below another.
func (a *adder) broader(narrow, broad string) ([]rdf.Quad, error) {
	i, err := a.class(narrow)
	k, more := a.class(broad)
	if err = errors.Join(err, more); err != nil {
		return nil, err
	}
	switch {
	case a.o.IsAbove(k, i):
		return nil, fmt.Errorf("%s is below %s already: %w", narrow, broad, ErrNoAddition)
	case i == k || a.o.IsAbove(i, k):
		return nil, fmt.Errorf("%s would be above itself: %w", narrow, ErrWrongKind)
	}
	above := nsRDFS + "subClassOf"
	if contains(a.o.concepts, int32(i)) {
		above = nsSKOS + "broader"
	}
	a.state(narrow, above, rdf.NewIRI(broad))
	return a.made, nil
}

func (a *adder) find(iri string) (int, error) {
	i, ok := a.o.Find(iri)
	if ok {
		return i, nil
	}
	near := ", which is empty"
	if names := a.o.Nearest(iri, 3); len(names) > 0 {
		near = " (nearest: " + strings.Join(names, ", ") + ")"
	}
	return 0, fmt.Errorf("%s is not in the ontology%s: %w", iri, near, ErrUnknownEntity)
}

func (a *adder) class(iri string) (int, error) {
	i, err := a.find(iri)
	if err != nil {
		return 0, err
	}
	switch a.o.entities[i].Kind {
	case Property:
		return 0, fmt.Errorf("%s is no class but a property: %w", iri, ErrWrongKind)
	case Instance:
		return 0, fmt.Errorf("%s is no class but an instance: %w", iri, ErrWrongKind)
	}
	return i, nil
}

// nameOf returns the property that names an entity, or one below it.
func (a *adder) nameOf(i int) string {
	if contains(a.o.concepts, int32(i)) {
		return nsSKOS + "prefLabel"
	}
	return nsRDFS + "label"
}

// spoken returns words as a literal in the language of an entity's name.
func (a *adder) spoken(i int, words string) rdf.Term {
	of := slices.DeleteFunc(a.o.EntriesOf(i), func(e Entry) bool { return e.Text != a.o.entities[i].Name })
	if len(of) == 0 {
		return rdf.NewString(words)
	}
	first := slices.MinFunc(of, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(foreign(a.Lang), foreign(b.Lang)), cmp.Compare(a.Lang, b.Lang))
	})
	if first.Lang == "" {
		return rdf.NewString(words)
	}
	return rdf.NewLang(words, first.Lang)
}

// coin returns the IRI of a new entity: the given one, or one derived from the words, in the namespace of an entity. first converts the first word to the
// case used for entities of its kind; the following words are capitalized.
func (a *adder) coin(beside string, first func(string) string) string {
	if a.iri != "" {
		return a.iri
	}
	base := namespace(beside) + coined(a.words, first)
	iri := base
	for n := 2; a.taken(iri); n++ {
		iri = base + strconv.Itoa(n)
	}
	return iri
}

// coined makes a local name of words.
func coined(words string, first func(string) string) string {
	var name strings.Builder
	for i, word := range strings.FieldsFunc(words, func(r rune) bool { return !partOfName(r) }) {
		if i == 0 {
			name.WriteString(first(word))
		} else {
			name.WriteString(capital(word))
		}
	}
	return name.String()
}

// Coin makes a local name of words, of their letters and digits, as JetPlane or, if it begins small, as hasWing; empty if they have none.
func Coin(words string, small bool) string {
	if small {
		return coined(words, strings.ToLower)
	}
	return coined(words, capital)
}

// taken reports whether the ontology's documents describe an IRI.
func (a *adder) taken(iri string) bool {
	_, entity := a.o.Find(iri)
	return entity || a.o.source.mentions(iri)
}

func capital(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// namespace returns an IRI without its local name; for an IRI without one, the IRI and a slash.
func namespace(iri string) string {
	trimmed := strings.TrimRight(iri, "#/:")
	space := trimmed[:strings.LastIndexAny(trimmed, "#/:")+1]
	if space == "" || strings.HasSuffix(space, "//") {
		return trimmed + "/"
	}
	return space
}
