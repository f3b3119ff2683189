package catalog

import (
	"iter"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// A described is a graph with its services' statements about datasets.
type described struct {
	*reading
	*graph
	parts     map[rdf.Term]bool       // partitions, and subsets served by their superset
	wholes    map[rdf.Term]rdf.Term   // the superset of a subset
	servers   map[rdf.Term][]rdf.Term // services that declare to serve a dataset
	graphs    map[rdf.Term][]rdf.Term // the graphs of those services that hold it
	linked    map[rdf.Term]bool       // services described through their datasets
	services  map[rdf.Term]rdf.Term   // sd:Service, of datasets
	documents map[rdf.Term][]rdf.Term // documents that describe a dataset
}

// rdf converts descriptions to datasets, in order of first occurrence.
func (r *reading) rdf(quads iter.Seq2[rdf.Quad, error]) {
	d := &described{
		reading: r, graph: r.gather(quads), parts: map[rdf.Term]bool{}, linked: map[rdf.Term]bool{}, wholes: map[rdf.Term]rdf.Term{},
		servers: map[rdf.Term][]rdf.Term{}, graphs: map[rdf.Term][]rdf.Term{}, services: map[rdf.Term]rdf.Term{},
		documents: map[rdf.Term][]rdf.Term{},
	}
	for _, s := range d.order {
		d.findParts(s)
	}
	for _, s := range d.order {
		d.findService(s)
		if s.Kind == rdf.IRI && d.is(s, nsVoid+"DatasetDescription") {
			for _, topic := range d.of(s, nsFOAF+"primaryTopic", nsFOAF+"topic") {
				d.documents[topic] = append(d.documents[topic], s)
			}
		}
	}
	for _, s := range d.order {
		switch {
		case d.isDataset(s):
			d.dataset(s)
		case d.isService(s) && !d.linked[s]:
			d.service(s)
		}
	}
	if d.left < 0 {
		r.problem("", "its descriptions are too entangled: what came late was not looked at")
	}
}

// hasAccess reports whether a dataset has its own access to its data.
func (d *described) hasAccess(s rdf.Term) bool {
	return d.has(s, nsVoid+"sparqlEndpoint", nsVoid+"dataDump", nsDCAT+"distribution")
}

// findParts finds parts of datasets that are not datasets themselves: all partitions, and subsets without an
// endpoint of their own.
func (d *described) findParts(s rdf.Term) {
	for _, part := range d.of(s, nsVoid+"classPartition", nsVoid+"propertyPartition") {
		d.parts[part] = true
	}
	for _, subset := range d.of(s, nsVoid+"subset") {
		if !d.has(subset, nsVoid+"sparqlEndpoint") && !d.isWithin(s, subset) {
			d.parts[subset] = true
			d.wholes[subset] = s
		}
	}
}

// maxWithin bounds the nesting of subsets.
const maxWithin = 100

// isWithin reports whether a dataset equals another or is a part of it at some depth. Cycles are harmless.
func (d *described) isWithin(s, whole rdf.Term) bool {
	for range maxWithin {
		if s == whole {
			return true
		}
		var within bool
		if s, within = d.wholes[s]; !within {
			return false
		}
	}
	return true
}

// isDataset reports whether a node is a dataset. A linkset is one if its data is available.
func (d *described) isDataset(s rdf.Term) bool {
	switch {
	case d.parts[s] || s.Kind == rdf.Literal:
		return false
	case d.is(s, nsVoid+"Linkset"):
		return d.hasAccess(s)
	}
	return d.is(s, nsVoid+"Dataset", nsDCAT+"Dataset") || d.hasAccess(s)
}

// entryOf is a node's name in problems.
func (d *described) entryOf(s rdf.Term) string {
	if title := d.title(s); s.Kind == rdf.Blank && title != "" {
		return title
	}
	if s.Kind == rdf.Blank {
		return "_:" + s.Value
	}
	return s.Value
}

func (d *described) title(s rdf.Term) string {
	return oneLine(d.text(s, nsDCT+"title", nsDC+"title", nsRDFS+"label"))
}

// begin starts a draft of a node with the properties common to all kinds of descriptions.
func (d *described) begin(s rdf.Term) *draft {
	b := d.draft("")
	b.entry = d.entryOf(s)
	b.d.Title = clipped(d.title(s), maxTitle)
	b.d.Description = clipped(strings.TrimSpace(d.text(s, nsDCT+"description", nsDC+"description")), maxDescription)
	b.d.Name = d.nameOf(s)
	if s.Kind == rdf.IRI {
		b.putIRI("name", &b.d.Same, s.Value)
	}
	for _, o := range d.of(s, sameAs) {
		if o.Kind == rdf.IRI {
			b.putIRI("owl:sameAs", &b.d.Same, o.Value)
		}
	}
	for _, o := range d.of(s, nsFOAF+"homepage", nsDCAT+"landingPage") {
		if b.d.Homepage == "" {
			b.d.Homepage = b.address("homepage", o.Value)
		}
	}
	for _, o := range d.of(s, nsDCT+"modified") {
		b.date(o.Value)
	}
	for _, o := range d.of(s, nsDCT+"alternative") {
		if o.Kind == rdf.Literal {
			b.put("alternative", &b.d.Aliases, clipped(oneLine(o.Value), maxTitle))
		}
	}
	for _, o := range d.of(s, nsDCAT+"keyword") {
		if o.Kind == rdf.Literal {
			b.keyword(o.Value)
		}
	}
	return b
}

// nameOf derives a name for a node: from a suitable identifier, or from the end of its IRI.
func (d *described) nameOf(s rdf.Term) string {
	for _, o := range d.of(s, nsDCT+"identifier", nsDC+"identifier") {
		if name := slug(o.Value); name == o.Value && name != "" {
			return name
		}
	}
	if s.Kind != rdf.IRI {
		return ""
	}
	rest := strings.TrimRight(s.Value, "/#")
	for range 3 {
		i := strings.LastIndexAny(rest, "/#:")
		if i < 0 {
			break
		}
		name := slug(rest[i+1:])
		switch strings.ToLower(name) { // common names of the only dataset in a VoID file
		case "", "void", "dataset", "void.ttl", "void.rdf", "this", "id":
			rest = strings.TrimRight(rest[:i], "/#")
			continue
		}
		return name
	}
	return ""
}

// dataset reads a dataset of VoID or DCAT, or of both.
func (d *described) dataset(s rdf.Term) {
	b := d.begin(s)
	for _, o := range d.of(s, nsVoid+"sparqlEndpoint") {
		b.endpoint(o.Value)
	}
	for _, service := range d.servers[s] {
		for _, o := range d.serviceEndpoints(service) {
			b.endpoint(o.Value)
		}
	}
	for _, o := range d.graphs[s] {
		b.putIRI("graph", &b.d.Graphs, o.Value)
	}
	for _, o := range d.of(s, nsDCAT+"distribution") {
		d.distribution(b, o)
	}
	d.dumps(b, s)
	for _, o := range d.documents[s] {
		b.putURL("VoID", &b.d.Void, o.Value)
	}
	d.statistics(b, s)
	if service, ok := d.services[s]; ok {
		d.languages(b, service)
		for _, g := range d.of(s, nsSD+"defaultGraph") {
			d.statistics(b, g)
		}
	}
	b.done()
}

// dumps reads the dumps of VoID; those of its subsets if the dataset has none.
func (d *described) dumps(b *draft, s rdf.Term) {
	found := d.of(s, nsVoid+"dataDump")
	if len(found) == 0 {
		seen := map[rdf.Term]bool{s: true}
		for waiting := []rdf.Term{s}; len(waiting) > 0; waiting = waiting[1:] {
			for _, subset := range d.of(waiting[0], nsVoid+"subset") {
				if !seen[subset] && d.parts[subset] {
					seen[subset] = true
					found = append(found, d.of(subset, nsVoid+"dataDump")...)
					waiting = append(waiting, subset)
				}
			}
		}
	}
	for _, o := range found {
		b.dump(o.Value, syntax.Detect(o.Value, "", nil).MediaType())
	}
}

// distribution reads a DCAT distribution: by its format a dump, an endpoint or nothing usable.
func (d *described) distribution(b *draft, s rdf.Term) {
	for _, service := range d.of(s, nsDCAT+"accessService") {
		if d.isService(service) {
			for _, o := range d.serviceEndpoints(service) {
				b.endpoint(o.Value)
			}
		}
	}
	words := d.title(s) + " " + d.text(s, nsDCT+"description")
	format := ""
	for _, o := range d.of(s, nsDCAT+"mediaType", nsDCT+"format") {
		if name := d.word(o); format == "" || useless(format) {
			format = name
		}
	}
	for _, o := range d.of(s, nsDCT+"conformsTo") {
		if strings.Contains(strings.ToLower(o.Value), "sparql") {
			format = "sparql"
		}
	}
	for _, o := range d.of(s, nsDCAT+"downloadURL") {
		if b.resource(format, o.Value, words) && !isSPARQL(plainFormat(format)) {
			return
		}
	}
	for _, o := range d.of(s, nsDCAT+"accessURL") {
		if r, _ := roleOf(format, o.Value, words); r != isOther && (format != "" || r != isDump) {
			b.resource(format, o.Value, words)
		}
	}
}

// useless reports whether a format is uninformative.
func useless(format string) bool {
	r, _ := roleOf(format, "http://a.test/", "")
	return r == isOther
}

// statistics reads the VoID statistics of a dataset.
func (d *described) statistics(b *draft, s rdf.Term) {
	for _, o := range d.of(s, nsVoid+"triples") {
		b.d.Triples = max(b.d.Triples, b.count("triples", o.Value))
	}
	for _, o := range d.of(s, nsVoid+"entities") {
		b.d.Entities = max(b.d.Entities, b.count("entities", o.Value))
	}
	for _, o := range d.of(s, nsVoid+"exampleResource") {
		b.putURL("example", &b.d.Examples, o.Value)
	}
	for _, o := range d.of(s, nsVoid+"vocabulary") {
		b.putIRI("vocabulary", &b.d.Vocabulary, o.Value)
	}
	for _, o := range d.of(s, nsVoid+"uriSpace") {
		b.putIRI("uriSpace", &b.d.Spaces, o.Value)
	}
	for _, part := range d.of(s, nsVoid+"classPartition") {
		d.partition(b, "class", &b.d.Classes, part)
	}
	for _, part := range d.of(s, nsVoid+"propertyPartition") {
		d.partition(b, "property", &b.d.Properties, part)
	}
}

// partition reads a partition by a class or a property.
func (d *described) partition(b *draft, of string, to *[]Partition, s rdf.Term) {
	objects := d.of(s, nsVoid+of)
	if len(objects) == 0 {
		b.report("a %sPartition without a void:%s", of, of)
		return
	}
	o := objects[0]
	if o.Kind != rdf.IRI || !b.fitsWithin(of+"Partition", len(*to), b.limits.Partitions) {
		return
	}
	p := Partition{IRI: o.Value}
	for _, n := range d.of(s, nsVoid+"triples") {
		p.Triples = max(p.Triples, b.count("triples of "+o.Value, n.Value))
	}
	for _, n := range d.of(s, nsVoid+"entities") {
		p.Entities = max(p.Entities, b.count("entities of "+o.Value, n.Value))
	}
	*to = append(*to, p)
}
