package crawlfile

import (
	"strings"

	"orbweaver/weburl"
)

// Metadata looks for classes related to some.
type Metadata struct {
	Terms      []string       `yaml:"terms" need:"unless focus.metadata.terms_from" type:"list of IRIs, prefixed names or words" doc:"The classes that describe what the crawl is about. Words (music album) are looked up in the labels of the datasets: what fits is offered, best first, and with --yes the best is taken."`
	TermsFrom  string         `yaml:"terms_from" as:"file" type:"path" doc:"A file of RDF, your own dataset say: the classes that it uses most are terms, as many as limits.terms lets in."`
	Expand     string         `yaml:"expand" default:"paper" oneof:"paper|judged" doc:"Which classes are followed. paper: those that the properties lead to. judged: superclasses and their other subclasses are candidates too, and of all candidates those are taken that are close to the terms as a whole, by their labels, comments and neighbours: see metadata.md."`
	Limits     TermLimits     `yaml:"limits" type:"section" doc:"How far the search goes."`
	Properties []string       `yaml:"properties" type:"list of IRIs or prefixed names" doc:"What leads from class to class, for expand: paper: ^ before a property follows it from object to subject, ~ in both directions. Left out: ~owl:sameAs, ~owl:equivalentClass, ^rdfs:subClassOf."`
	Processors []string       `yaml:"processors" oneof:"dereference|property|instances|matches" type:"list of: dereference, property, instances, matches" doc:"What is asked about each term. dereference: the document of its IRI. property: what datasets state of it. instances: how many each dataset has. matches: rdfs:seeAlso and the mapping properties of SKOS, in documents and datasets. Left out: the first three."`
	Datasets   []DatasetEntry `yaml:"datasets" type:"list of sections" doc:"Datasets to ask."`
	Catalogues []string       `yaml:"catalogues" as:"source" type:"list of paths or URLs" doc:"Catalogues of datasets to ask: CKAN (the address of a site), DCAT or VoID in any syntax of RDF, the LOD cloud's JSON, or a list in YAML; see catalogs.md."`
	Dumps      string         `yaml:"dumps" default:"named" oneof:"named|all|off" doc:"Which dumps become local datasets where there is no endpoint. named: those of datasets above and of lists in YAML. all: those in other catalogues too. off: none."`
	Void       string         `yaml:"void" default:"named" oneof:"named|all|off" doc:"Which VoID descriptions are asked for, before anything else: they spare queries. named: those that datasets and catalogues name. all: also /.well-known/void of each endpoint's host. off: none."`
	Store      string         `yaml:"store" as:"folder" type:"path" doc:"The folder in which dumps are kept as local datasets, and what endpoints were seen to do, for every crawl that names it. Left out: datasets, beside the crawl folder."`
	Breaker    int            `yaml:"breaker" default:"3" min:"1" max:"1000" doc:"After how many failures in a row a dataset is left alone."`
}

// TermLimits prune the search for terms.
type TermLimits struct {
	Levels     int `yaml:"levels" default:"2" min:"1" max:"100" doc:"Stages. 1 processes the terms given; 2 also what they led to."`
	Terms      int `yaml:"terms" default:"40" min:"1" max:"100000" doc:"Terms that are processed at most, those given included."`
	PerTerm    int `yaml:"per_term" default:"20" min:"1" max:"100000" doc:"Terms that one leads to at most."`
	PerDataset int `yaml:"per_dataset" default:"10" min:"1" max:"100000" doc:"Terms that one leads to at most by what one dataset states."`
}

// A DatasetEntry is one dataset. It has an endpoint or a dump.
type DatasetEntry struct {
	Name     string `yaml:"name" need:"yes" doc:"What it is called in results; no two share a name."`
	Title    string `yaml:"title" doc:"A longer name."`
	Endpoint string `yaml:"endpoint" type:"URL" doc:"Its SPARQL endpoint."`
	Dump     string `yaml:"dump" as:"source" type:"path or URL" doc:"A file of RDF in any syntax, also .gz or .bz2, which is loaded once and asked here. It is loaded again when it has changed. With an endpoint it is not needed."`
	Void     string `yaml:"void" type:"URL" doc:"A document that describes it in VoID."`
}

// Swget follows an expression.
type Swget struct {
	Expression string   `yaml:"expression" need:"yes" doc:"What is followed, in NautiLOD: predicates, ^ against their direction, / | * ? + and <m-n>, and tests [ASK {...}]; see swget.md."`
	From       []string `yaml:"from" type:"list of IRIs or prefixed names" doc:"Where it starts. May be left out where the expression begins with an IRI."`
	Domains    []string `yaml:"domains" type:"list of hosts" doc:"Nodes on other hosts than these, and their subdomains, are told of and not fetched. Left out: all are fetched."`
	Save       bool     `yaml:"save" default:"false" doc:"Documents of results are fetched and kept too, from which nothing follows."`
	MaxNodes   int      `yaml:"max_nodes" default:"10000" min:"1" max:"10000000" doc:"Nodes reached at most."`
	Depth      int      `yaml:"depth" default:"32" min:"1" max:"100000" doc:"Steps from a start at most."`

	Prefixes map[string]string `yaml:"-"` // those of the crawl file
}

// checkMetadata finds what is wrong with a metadata focus and spells names out.
func (d *decoding) checkMetadata(m *Metadata, key string, prefixes map[string]string) {
	for i, name := range m.Terms {
		if isWords(name) {
			m.Terms[i] = strings.Join(strings.Fields(name), " ")
			continue
		}
		d.spell(&m.Terms[i], d.item(join(key, "terms"), i), "", prefixes)
	}
	for i := range m.Properties {
		mark := ""
		if p := m.Properties[i]; strings.HasPrefix(p, "^") || strings.HasPrefix(p, "~") {
			mark = p[:1]
		}
		d.spell(&m.Properties[i], d.item(join(key, "properties"), i), mark, withUsual(prefixes))
	}
	if len(m.Properties) > 0 && m.Expand == "judged" {
		d.problem(join(key, "properties"), "are for expand: paper", "judged has its own: superclasses, their other subclasses and what is the same")
	}
	names := map[string]bool{}
	for i := range m.Datasets {
		d.checkDataset(&m.Datasets[i], d.item(join(key, "datasets"), i), names)
	}
	if m.Store == "" && !d.given(join(key, "store")) {
		m.Store = d.beside
	}
}

// checkDataset finds what is wrong with one dataset.
func (d *decoding) checkDataset(s *DatasetEntry, key string, names map[string]bool) {
	if names[s.Name] && s.Name != "" {
		d.problem(join(key, "name"), shorten(s.Name)+" is taken", "")
	}
	names[s.Name] = true
	if s.Endpoint == "" && s.Dump == "" && !d.troubled(key) {
		d.problem(key, "has neither endpoint nor dump", "")
	}
	for name, url := range map[string]*string{"endpoint": &s.Endpoint, "void": &s.Void} {
		if *url == "" {
			continue
		}
		canonical, err := weburl.Canonical(*url)
		if err != nil {
			msg, hint := badURL(*url, err)
			d.problem(join(key, name), msg, hint)
			continue
		}
		*url = canonical
	}
}

// checkSwget finds what is wrong with a path through the Web and spells names out.
func (d *decoding) checkSwget(s *Swget, key string, prefixes map[string]string) {
	s.Prefixes = prefixes
	for i := range s.From {
		d.spell(&s.From[i], d.item(join(key, "from"), i), "", withUsual(prefixes))
	}
}

// spell spells out a name behind its mark.
func (d *decoding) spell(name *string, key, mark string, prefixes map[string]string) {
	iri, msg, hint := expand(strings.TrimPrefix(*name, mark), prefixes)
	if msg != "" {
		d.problem(key, msg, hint)
		return
	}
	*name = mark + iri
}

// isWords tells words to be looked up from the name of a class.
func isWords(name string) bool { return !strings.ContainsAny(name, ":<") }

// withUsual adds prefixes that everybody writes, where the file gives them no meaning of its own.
func withUsual(prefixes map[string]string) map[string]string {
	all := map[string]string{
		"rdf":  "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"rdfs": "http://www.w3.org/2000/01/rdf-schema#",
		"owl":  "http://www.w3.org/2002/07/owl#",
		"skos": "http://www.w3.org/2004/02/skos/core#",
	}
	for prefix, iri := range prefixes {
		all[prefix] = iri
	}
	return all
}
