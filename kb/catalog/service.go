package catalog

import (
	"slices"
	"strings"

	"orbweaver/rdf"
)

// isService reports whether a node is an endpoint that describes itself, or a DCAT service of SPARQL.
func (d *described) isService(s rdf.Term) bool {
	return d.is(s, nsSD+"Service") || d.has(s, nsSD+"endpoint", nsSD+"url") || d.isSPARQLService(s)
}

// isSPARQLService reports whether a DataService is a SPARQL endpoint: by what it conforms to or, if that is
// not stated, by its address.
func (d *described) isSPARQLService(s rdf.Term) bool {
	if !d.is(s, nsDCAT+"DataService") && !d.has(s, nsDCAT+"endpointURL") {
		return false
	}
	stated := d.of(s, nsDCT+"conformsTo", nsDCT+"format", nsDCAT+"mediaType")
	if len(stated) == 0 {
		stated = d.of(s, nsDCAT+"endpointURL")
	}
	return slices.ContainsFunc(stated, func(t rdf.Term) bool { return strings.Contains(strings.ToLower(d.word(t)), "sparql") })
}

// serviceEndpoints returns the addresses of a service.
func (d *described) serviceEndpoints(s rdf.Term) []rdf.Term {
	found := d.of(s, nsSD+"endpoint", nsSD+"url", nsDCAT+"endpointURL")
	if len(found) == 0 && s.Kind == rdf.IRI && d.is(s, nsSD+"Service") {
		return []rdf.Term{s}
	}
	return found
}

// findService records what a service serves: its datasets, and those in its named graphs.
func (d *described) findService(s rdf.Term) {
	if !d.isService(s) {
		return
	}
	served := d.of(s, nsDCAT+"servesDataset", nsSD+"defaultDataset", nsSD+"defaultDatasetDescription", nsSD+"availableGraphs")
	for _, t := range served {
		if d.isDataset(t) {
			d.serve(s, t, nil)
		}
		for _, named := range d.of(t, nsSD+"namedGraph") {
			for _, described := range d.of(named, nsSD+"graph") {
				if d.isDataset(described) {
					d.serve(s, described, d.of(named, nsSD+"name"))
				}
			}
		}
	}
}

// maxServed bounds the services examined per dataset, and their graphs.
const maxServed = 100

// serve records that a service serves a dataset, in some of its graphs. A service with a default graph is
// described by its default dataset alone, which differs from the contents of its named graphs.
func (d *described) serve(service, dataset rdf.Term, graphs []rdf.Term) {
	if known := d.servers[dataset]; len(known) < maxServed && !slices.Contains(known, service) {
		d.servers[dataset] = append(known, service)
	}
	if known := d.graphs[dataset]; len(known) < maxServed {
		d.graphs[dataset] = append(known, graphs...)
	}
	if len(graphs) == 0 {
		d.services[dataset] = service
	}
	inDefault := func(t rdf.Term) bool { return d.has(t, nsSD+"defaultGraph") }
	if len(graphs) == 0 || !slices.ContainsFunc(d.of(service, nsSD+"defaultDataset", nsSD+"defaultDatasetDescription"), inDefault) {
		d.linked[service] = true
	}
}

// service creates a dataset for an endpoint that describes no dataset.
func (d *described) service(s rdf.Term) {
	b := d.begin(s)
	b.d.Name = ""
	b.d.Same = nil // these IRIs denote the service, not its content
	if s.Kind == rdf.IRI && !slices.Contains(d.serviceEndpoints(s), s) {
		b.d.Name = d.nameOf(s)
	}
	for _, o := range d.serviceEndpoints(s) {
		b.endpoint(o.Value)
	}
	d.languages(b, s)
	for _, t := range d.of(s, nsSD+"defaultDataset", nsSD+"defaultDatasetDescription") {
		if b.d.Title == "" {
			b.d.Title = clipped(d.title(t), maxTitle)
		}
		for _, g := range d.of(t, nsSD+"defaultGraph") {
			d.statistics(b, g)
		}
	}
	if len(b.d.Endpoints) == 0 {
		b.report("a service without address")
		return
	}
	b.done()
}

// languages reads the SPARQL versions that a service declares.
func (d *described) languages(b *draft, s rdf.Term) {
	for _, o := range d.of(s, nsSD+"supportedLanguage") {
		switch o.Value {
		case nsSD + "SPARQL10Query":
			b.put("language", &b.d.SPARQL, "1.0")
		case nsSD + "SPARQL11Query":
			b.put("language", &b.d.SPARQL, "1.1")
		}
	}
}
