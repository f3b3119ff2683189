package ontology

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/order"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/text"
)

// RuleData is the rule of entities that a page's data names: the metadata of the paper's "documents and
// metadata" (section 1), which its measure leaves out. The evidence is the statements that name them.
const RuleData = "data"

// DataUse determines which pages' data is looked at.
type DataUse uint8

// The uses of data.
const (
	DataUnused DataUse = iota // of none, as in the paper
	DataMet                   // of pages with an IRI in a namespace of the ontology
	DataUsed                  // of all pages
)

// ParseDataUse returns the use of a name in the crawl file.
func ParseDataUse(name string) (DataUse, bool) {
	switch name {
	case "off":
		return DataUnused, true
	case "met":
		return DataMet, true
	case "on":
		return DataUsed, true
	}
	return DataUnused, false
}

// Data configures how the data of pages names entities.
type Data struct {
	Use    DataUse
	Weight int  // matches in a hundred words that an entity in the data counts for; 0: DefaultDataWeight
	Schema bool // terms of schema.org name the entities that have their names as labels
}

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// DefaultDataWeight is the weight of data: as much as a text in which every tenth word names the entity.
const DefaultDataWeight = 10

// The limits of reading the data of a page.
const (
	maxStatements = 10_000 // statements looked at
	maxShown      = 3      // statements in an entity's evidence
	maxTerm       = 120    // bytes of a term in evidence
)

// dataNames knows which entities an IRI in data names. It is immutable.
type dataNames struct {
	k      *knowledge
	of     map[string][]int32 // by IRI, see kb.SchemaTerm: what it names, if that is not the entity of that IRI alone
	labels map[string][]int32 // with Data.Schema, by plain label: classes and properties
}

// newDataNames indexes the entities that have a weight. An IRI that the ontology states to be the same as others
// names, of all these, the targets, or else the heaviest: one statement counts once.
func newDataNames(k *knowledge, data Data) *dataNames {
	if data.Use == DataUnused {
		return nil
	}
	d := &dataNames{k: k, of: map[string][]int32{}}
	o := k.ontology
	for i := range o.Len() {
		if term := kb.SchemaTerm(o.Entity(i).IRI); k.weights.page[i] > 0 && strings.HasPrefix(term, kb.SchemaOrg) {
			d.of[term] = append(d.of[term], int32(i)) // http and https, with and without www
		}
	}
	for _, set := range o.Equals() {
		if named := k.chosen(set); named != nil {
			for _, iri := range set {
				d.of[kb.SchemaTerm(iri)] = named
			}
		}
	}
	if data.Schema {
		d.labels = k.byLabel()
	}
	return d
}

// appendNamed appends the entities that an IRI names, see kb.SchemaTerm: those with a weight. known is false if there are none.
func (d *dataNames) appendNamed(to []int32, iri string) (named []int32, known bool) {
	if several, ok := d.of[iri]; ok {
		return append(to, several...), true
	}
	if i, ok := d.k.ontology.Find(iri); ok && d.k.weights.page[i] > 0 {
		return append(to, int32(i)), true
	}
	return to, false
}

// all yields the IRIs that name entities, in their order.
func (d *dataNames) all(yield func(string) bool) {
	others := slices.Sorted(maps.Keys(d.of))
	for i := range d.k.ontology.Len() {
		iri := d.k.ontology.Entity(i).IRI
		for len(others) > 0 && others[0] < iri {
			if !yield(others[0]) {
				return
			}
			others = others[1:]
		}
		if _, also := d.of[iri]; !also && d.k.weights.page[i] > 0 && iri == kb.SchemaTerm(iri) && !yield(iri) {
			return
		}
	}
	for _, iri := range others {
		if !yield(iri) {
			return
		}
	}
}

// chosen returns the entities that an IRI of a set of equals names, ascending.
func (k *knowledge) chosen(set []string) (named []int32) {
	var weighted []int32
	for _, iri := range set {
		if i, ok := k.ontology.Find(iri); ok && k.weights.page[i] > 0 {
			weighted = append(weighted, int32(i))
		}
	}
	for _, i := range weighted {
		if slices.Contains(k.targets, i) {
			named = append(named, i)
		}
	}
	if named == nil && weighted != nil {
		heaviest, _ := k.heaviest(weighted)
		named = []int32{heaviest}
	}
	return named
}

// byLabel returns the classes and properties with a weight by their labels.
func (k *knowledge) byLabel() map[string][]int32 {
	labels := map[string][]int32{}
	for _, e := range k.ontology.Entries() {
		for _, i := range e.Entities {
			if k.weights.page[i] > 0 && k.ontology.Entity(int(i)).Kind != kb.Instance {
				label := plainLabel(e.Text)
				labels[label] = append(labels[label], i)
			}
		}
	}
	return labels
}

// plainLabel returns a label in lower case, its words apart.
func plainLabel(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(text.Key(s))), " ")
}

// A datum is an entity that the data of a page names.
type datum struct {
	entity     int32
	statements int
	shown      []string // the first distinct ones
}

// A dataReader reads the data of a page.
type dataReader struct {
	*dataNames
	k     *knowledge
	found map[int32]*datum
	at    []int32 // the entities of the current statement
	named []int32 // by an IRI; a buffer
}

// read returns the entities that the first statements name, ascending. Statements that cannot be read count too.
func (r *dataReader) read(p *orbweaver.Page) []*datum {
	n := 0
	for q, err := range p.Quads {
		if n++; n > maxStatements {
			break
		}
		if err != nil {
			continue
		}
		r.at = r.at[:0]
		if r.statement(q); len(r.at) > 0 {
			r.note(q)
		}
	}
	named := make([]*datum, 0, len(r.found))
	for _, d := range r.found {
		named = append(named, d)
	}
	order.By(named, func(a, b *datum) int { return cmp.Compare(a.entity, b.entity) })
	return named
}

// statement finds the entities that a statement names: the class of a type; the property of any other, and the
// instances and concepts at its ends, of which it states a relation. A class that is described is not named by that:
// that is a vocabulary about itself.
func (r *dataReader) statement(q rdf.Quad) {
	if q.P.Value == rdfType {
		r.term(q.O, func(e kb.Entity, _ int32) bool { return e.Kind == kb.Class })
		return
	}
	r.term(q.P, func(e kb.Entity, _ int32) bool { return e.Kind == kb.Property })
	for _, end := range [...]rdf.Term{q.S, q.O} {
		r.term(end, func(e kb.Entity, i int32) bool { return e.Kind == kb.Instance || r.k.ontology.IsConcept(int(i)) })
	}
}

// term finds the entities of some kind that a term names.
func (r *dataReader) term(t rdf.Term, is func(kb.Entity, int32) bool) {
	if t.Kind != rdf.IRI {
		return
	}
	iri := kb.SchemaTerm(t.Value)
	named, known := r.appendNamed(r.named[:0], iri)
	if r.named = named; !known && r.labels != nil && strings.HasPrefix(iri, kb.SchemaOrg) && len(iri) <= maxTerm {
		named = r.labels[plainLabel(kb.Words(iri))]
	}
	for _, i := range named {
		if is(r.k.ontology.Entity(int(i)), i) && !slices.Contains(r.at, i) {
			r.at = append(r.at, i)
		}
	}
}

// note counts a statement for the entities that it names.
func (r *dataReader) note(q rdf.Quad) {
	shown := ""
	for _, entity := range r.at {
		d := r.found[entity]
		if d == nil {
			d = &datum{entity: entity}
			r.found[entity] = d
		}
		if d.statements++; len(d.shown) == maxShown {
			continue
		}
		if shown == "" {
			shown = showStatement(q)
		}
		if !slices.Contains(d.shown, shown) {
			d.shown = append(d.shown, shown)
		}
	}
}

// evidence describes the statements that name an entity: "Airplane: <http://a.test/x> a <http://b.test/#Airplane>".
func (d *datum) evidence(k *knowledge) string {
	s := k.ontology.Entity(int(d.entity)).Name + ": " + strings.Join(d.shown, "; ")
	if d.statements > len(d.shown) {
		s += "; " + strconv.Itoa(d.statements) + " statements in all"
	}
	return s
}

// showStatement writes a statement almost as Turtle: blank nodes as [], long terms cut.
func showStatement(q rdf.Quad) string {
	predicate := "a"
	if q.P.Value != rdfType {
		predicate = showTerm(q.P)
	}
	return showTerm(q.S) + " " + predicate + " " + showTerm(q.O)
}

func showTerm(t rdf.Term) string {
	if triple, is := t.Triple(); is {
		return "<<( " + showStatement(rdf.Quad{S: triple.S, P: triple.P, O: triple.O}) + " )>>"
	}
	value := t.Value
	if len(value) > maxTerm {
		end := maxTerm
		for end > 0 && !utf8.RuneStart(value[end]) {
			end--
		}
		value = value[:end] + "…"
	}
	switch t.Kind {
	case rdf.IRI:
		return "<" + value + ">"
	case rdf.Literal:
		return strconv.Quote(value)
	}
	return "[]"
}

// readData adds the entities named by the data of a page to its findings: to the hits, so that they count where the
// words of the text do, and satisfy. Links and suggestions are left alone.
func (f *Focus) readData(found *findings, p *orbweaver.Page) {
	names := found.by.data
	if names == nil || p.Quads == nil || p.Body != nil && !f.looksAt(p) {
		return
	}
	r := dataReader{dataNames: names, k: found.by, found: map[int32]*datum{}}
	named := r.read(p)
	if len(named) == 0 {
		return
	}
	text, words := found.hits, found.evidence
	found.hits = make([]hit, 0, len(text)+len(named))
	found.evidence, found.data = make([]string, 0, len(text)+len(named)), make([]string, 0, len(text)+len(named))
	for len(text)+len(named) > 0 {
		var h hit
		var inText, inData string
		switch {
		case len(named) == 0 || len(text) > 0 && text[0].entity < named[0].entity:
			h, inText, text, words = text[0], words[0], text[1:], words[1:]
		case len(text) == 0 || named[0].entity < text[0].entity:
			h, inData, named = hit{entity: named[0].entity}, named[0].evidence(found.by), named[1:]
		default:
			h, inText, text, words = text[0], words[0], text[1:], words[1:]
			inData, named = named[0].evidence(found.by), named[1:]
		}
		found.hits = append(found.hits, h)
		found.evidence, found.data = append(found.evidence, inText), append(found.data, inData)
	}
	found.satisfies = found.by.satisfies(found.hits)
}

// value returns the value of a hit before its weight, in parts: what the words say, by frequency, and what the data adds.
//
// Data is no word: it means one thing, and no less so where it stands beside a long text or on every page of a crawl. It
// has neither length nor idf, and counts as Data.Weight matches in a hundred words: x/(x + 0.02) with x = Weight/100. With
// Presence, where values are shares, it adds its share of what the words leave, 1 − (1 − words)(1 − data); with Frequency
// it adds x, with RawCounts Weight.
func (f *Focus) value(found *findings, i int) (words, data float64) {
	if h := found.hits[i]; h.count > 0 {
		words = f.frequency(h, found.words) * f.telling.factor(h.entity)
	}
	if found.data == nil || found.data[i] == "" {
		return words, 0
	}
	x := float64(f.opts.Data.Weight) / perWords
	switch {
	case f.opts.Measure == Presence:
		return words, x / (x + halfThere) * (1 - words)
	case f.opts.RawCounts:
		return words, float64(f.opts.Data.Weight)
	}
	return words, x
}

// perWords is the number of words for which Data.Weight counts.
const perWords = 100

// appendEntity appends the reasons of a hit: what words and data contribute to r, by its weight.
func (f *Focus) appendEntity(reasons []orbweaver.Reason, found *findings, i int, weight float64) []orbweaver.Reason {
	words, data := f.value(found, i)
	if words > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleEntity, Evidence: found.evidence[i], Weight: words * weight})
	}
	if data > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleData, Evidence: found.data[i], Weight: data * weight})
	}
	return reasons
}

// ReadsData reports whether the data of a page is to be read. It depends on the page and on the ontology that the
// crawl began with, and not on decisions, since pages are read ahead of them.
func (f *Focus) ReadsData(p *orbweaver.Page) bool {
	return f.opts.Data.Use != DataUnused && f.looksAt(p)
}

func (f *Focus) looksAt(p *orbweaver.Page) bool {
	return f.opts.Data.Use == DataUsed || f.spaces.met(p)
}

// spaces are the namespaces by which pages are known to speak of an ontology.
type spaces struct {
	hosts map[string][]string // by host: the rest of each namespace, without # or / at the end
	bare  [][]byte            // of IRIs without a host
	last  string              // the namespace with a host that was added last
}

// maxSpaces bounds the namespaces of a host, and those without one. Beyond it, the shortest common part counts.
const maxSpaces = 16

// newSpaces returns the namespaces of the IRIs that name entities.
func newSpaces(names *dataNames) *spaces {
	s := &spaces{hosts: map[string][]string{}}
	if names == nil {
		return s
	}
	for iri := range names.all {
		s.add(iri)
	}
	if names.labels != nil {
		s.add(kb.SchemaOrg)
	}
	return s
}

func (s *spaces) add(iri string) {
	space := iri[:strings.LastIndexAny(iri, "#/:")+1]
	if space == s.last && space != "" {
		return
	}
	_, rest, ok := strings.Cut(space, "://")
	if !ok {
		if len(s.bare) >= maxSpaces {
			scheme, _, _ := strings.Cut(iri, ":")
			space = scheme + ":"
		}
		if space != "" && !slices.ContainsFunc(s.bare, func(b []byte) bool { return string(b) == space }) {
			s.bare = append(s.bare, []byte(space))
		}
		return
	}
	s.last = space
	host, path, _ := strings.Cut(strings.TrimPrefix(rest, "www."), "/")
	path = strings.TrimRight(path, "#/")
	switch known := s.hosts[host]; {
	case slices.Contains(known, path) || slices.Contains(known, ""):
	case path == "" || len(known) >= maxSpaces:
		s.hosts[host] = []string{""}
	default:
		s.hosts[host] = append(known, path)
	}
}

// met reports whether a page speaks of the ontology: its body, or its own URL, has an IRI in one of the namespaces.
// The IRIs of JSON may have their slashes escaped. It takes one pass over the body.
func (s *spaces) met(p *orbweaver.Page) bool {
	if s.in([]byte(p.URL)) {
		return true
	}
	return s.in(p.Body)
}

func (s *spaces) in(b []byte) bool {
	for _, bare := range s.bare {
		if bytes.Contains(b, bare) {
			return true
		}
	}
	return s.after(b, "://") || s.after(b, `:\/\/`)
}

// after reports whether one of the namespaces with a host follows a mark.
func (s *spaces) after(b []byte, mark string) bool {
	for len(s.hosts) > 0 {
		i := bytes.Index(b, []byte(mark))
		if i < 0 {
			return false
		}
		if b = b[i+len(mark):]; s.begins(b) {
			return true
		}
	}
	return false
}

// begins reports whether text begins with a namespace, its scheme left out.
func (s *spaces) begins(b []byte) bool {
	b = bytes.TrimPrefix(b[:min(len(b), maxSpace)], []byte("www."))
	end := bytes.IndexAny(b, "/\\\"'<>#? \t\r\n")
	if end < 0 {
		end = len(b)
	}
	paths, ok := s.hosts[string(b[:end])]
	if !ok {
		return false
	}
	rest := bytes.TrimLeft(bytes.ReplaceAll(b[end:], []byte(`\`), nil), "/")
	return slices.ContainsFunc(paths, func(path string) bool { return bytes.HasPrefix(rest, []byte(path)) })
}

// maxSpace is the number of bytes of an IRI that are compared with namespaces.
const maxSpace = 512
