// Package metadata is the kind of focus that finds classes of vocabularies related to some, and the datasets that have
// instances of them: which vocabularies to use, and which datasets to link to (CRAWLER-LD).
package metadata

import (
	"context"
	"fmt"
	"io"
	"strings"

	"orbweaver/eval"
	"orbweaver/focus/linkeddata"
	focus "orbweaver/focus/metadata"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/datasets"
	"orbweaver/internal/findings"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/endpoints"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A section says which classes are looked for, and where.
type section struct {
	Terms      []string       `yaml:"terms" need:"unless focus.metadata.terms_from" type:"list of IRIs, prefixed names or words" doc:"The classes that describe what the crawl is about. Words (music album) are looked up in the labels of the datasets: what fits is offered, best first, and with --yes the best is taken."`
	TermsFrom  string         `yaml:"terms_from" as:"file" type:"path" doc:"A file of RDF, your own dataset say: the classes that it uses most are terms, as many as limits.terms lets in."`
	Expand     string         `yaml:"expand" default:"paper" oneof:"paper|judged" doc:"Which classes are followed. paper: those that the properties lead to. judged: superclasses and their other subclasses are candidates too, and of all candidates those are taken that are close to the terms as a whole, by their labels, comments and neighbours: see metadata.md."`
	Limits     termLimits     `yaml:"limits" type:"section" doc:"How far the search goes."`
	Properties []string       `yaml:"properties" type:"list of IRIs or prefixed names" doc:"What leads from class to class, for expand: paper: ^ before a property follows it from object to subject, ~ in both directions. Left out: ~owl:sameAs, ~owl:equivalentClass, ^rdfs:subClassOf."`
	Processors []string       `yaml:"processors" oneof:"dereference|property|instances|matches" type:"list of: dereference, property, instances, matches" doc:"What is asked about each term. dereference: the document of its IRI. property: what datasets state of it. instances: how many each dataset has. matches: rdfs:seeAlso and the mapping properties of SKOS, in documents and datasets. Left out: the first three."`
	Datasets   []datasetEntry `yaml:"datasets" type:"list of sections" doc:"Datasets to ask."`
	Catalogues []string       `yaml:"catalogues" as:"source" type:"list of paths or URLs" doc:"Catalogues of datasets to ask: CKAN (the address of a site), DCAT or VoID in any syntax of RDF, the LOD cloud's JSON, or a list in YAML; see catalogs.md."`
	Dumps      string         `yaml:"dumps" default:"named" oneof:"named|all|off" doc:"Which dumps become local datasets where there is no endpoint. named: those of datasets above and of lists in YAML. all: those in other catalogues too. off: none."`
	Void       string         `yaml:"void" default:"named" oneof:"named|all|off" doc:"Which VoID descriptions are asked for, before anything else: they spare queries. named: those that datasets and catalogues name. all: also /.well-known/void of each endpoint's host. off: none."`
	Store      string         `yaml:"store" as:"folder" type:"path" doc:"The folder in which dumps are kept as local datasets, and what endpoints were seen to do, for every crawl that names it. Left out: datasets, beside the crawl folder."`
	Breaker    int            `yaml:"breaker" default:"3" min:"1" max:"1000" doc:"After how many failures in a row a dataset is left alone."`
}

// termLimits prune the search for terms.
type termLimits struct {
	Levels     int `yaml:"levels" default:"2" min:"1" max:"100" doc:"Stages. 1 processes the terms given; 2 also what they led to."`
	Terms      int `yaml:"terms" default:"40" min:"1" max:"100000" doc:"Terms that are processed at most, those given included."`
	PerTerm    int `yaml:"per_term" default:"20" min:"1" max:"100000" doc:"Terms that one leads to at most."`
	PerDataset int `yaml:"per_dataset" default:"10" min:"1" max:"100000" doc:"Terms that one leads to at most by what one dataset states."`
}

// A datasetEntry is one dataset. It has an endpoint or a dump.
type datasetEntry struct {
	Name     string `yaml:"name" need:"yes" doc:"What it is called in results; no two share a name."`
	Title    string `yaml:"title" doc:"A longer name."`
	Endpoint string `yaml:"endpoint" type:"URL" doc:"Its SPARQL endpoint."`
	Dump     string `yaml:"dump" as:"source" type:"path or URL" doc:"A file of RDF in any syntax, also .gz or .bz2, which is loaded once and asked here. It is loaded again when it has changed. With an endpoint it is not needed."`
	Void     string `yaml:"void" type:"URL" doc:"A document that describes it in VoID."`
}

// Kind looks for vocabularies and datasets.
type Kind struct{ kind.Base }

// Traits are those of metadata.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "metadata", Seedless: true,
		Doc: "Classes of vocabularies that are related to some, and the datasets that have instances of them: which vocabularies to use, and which datasets to link to (CRAWLER-LD).",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Begins reports that terms are what it begins with.
func (Kind) Begins(any) bool { return true }

// Check spells names out and finds datasets that cannot be asked.
func (Kind) Check(s any, c *crawlfile.Check) {
	m := s.(*section)
	for i, name := range m.Terms {
		if isWords(name) {
			m.Terms[i] = strings.Join(strings.Fields(name), " ")
			continue
		}
		c.Spell(&m.Terms[i], c.Item("terms", i), "", false)
	}
	for i := range m.Properties {
		mark := ""
		if p := m.Properties[i]; strings.HasPrefix(p, "^") || strings.HasPrefix(p, "~") {
			mark = p[:1]
		}
		c.Spell(&m.Properties[i], c.Item("properties", i), mark, true)
	}
	if len(m.Properties) > 0 && m.Expand == "judged" {
		c.Problem("properties", "are for expand: paper", "judged has its own: superclasses, their other subclasses and what is the same")
	}
	names := map[string]bool{}
	for i := range m.Datasets {
		checkDataset(c, &m.Datasets[i], c.Item("datasets", i), names)
	}
	if m.Store == "" && !c.Given("store") {
		m.Store = c.Beside()
	}
}

// checkDataset finds what is wrong with one dataset.
func checkDataset(c *crawlfile.Check, s *datasetEntry, key string, names map[string]bool) {
	if names[s.Name] && s.Name != "" {
		c.Problem(key+".name", crawlfile.Quote(s.Name)+" is taken", "")
	}
	names[s.Name] = true
	if s.Endpoint == "" && s.Dump == "" && !c.Troubled(key) {
		c.Problem(key, "has neither endpoint nor dump", "")
	}
	c.URL(&s.Endpoint, key+".endpoint")
	c.URL(&s.Void, key+".void")
}

// isWords tells words to be looked up from the name of a class.
func isWords(name string) bool { return !strings.ContainsAny(name, ":<") }

// Abilities are those of a focus that asks datasets and dereferences terms: it ranks no pages and follows no links.
func (Kind) Abilities(any) kind.Abilities {
	return kind.Abilities{
		Uncompared: "metadata: it ranks no pages: it can be crawled, and not compared or simulated",
		Pageless:   true, Linkless: true, Forms: linkeddata.Accept, Data: true,
	}
}

// Line tells how far the search goes, and its terms.
func (Kind) Line(s any) string {
	m := s.(*section)
	return fmt.Sprintf("metadata: expand %s, levels %d, %s", m.Expand, m.Limits.Levels, strings.Join(m.Terms, ", "))
}

// New waits until it is known whom to ask about what.
func (Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	return &instance{section: s.(*section)}, nil
}

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	section  *section
	env      *kind.Env
	focus    *focus.Focus    // nil: it was not settled
	datasets *datasets.Store // that queries are put to on this machine; nil: there are none
	settled  *settlement     // whom a crawl that begins asks about what; nil: it does not begin
}

// Settle makes the focus. When the crawl begins, catalogues are read, dumps loaded and words looked up.
func (c *instance) Settle(ctx context.Context, env *kind.Env) error {
	c.env = env
	asked, settled, err := readSettled(env.File.Output)
	if err != nil {
		return err
	}
	if !settled {
		if asked, err = c.settle(ctx, c.section); err != nil {
			return err
		}
		c.settled = &asked
	} else if asked.local() {
		if c.datasets, err = datasets.Open(c.section.Store, datasets.Limits{}); err != nil {
			return err
		}
	}
	if c.focus, err = newFocus(*c.section, asked); err == nil {
		c.F = c.focus
	}
	return err
}

// Web has datasets on this machine answer first.
func (c *instance) Web(web pipeline.Fetcher) pipeline.Fetcher { return c.datasets.Before(web) }

// Store is shared by every crawl that asks the same endpoints.
func (c *instance) Store() string { return c.section.Store }

// Begin writes down whom a crawl that begins asks about what.
func (c *instance) Begin(env *kind.Env, _ bool) error {
	if c.settled == nil {
		return nil
	}
	return c.settled.write(env.File.Output)
}

// View has the terms and datasets found so far.
func (c *instance) View(env *kind.Env, _ *ledger.Ledger, _ bool) (v kind.View, err error) {
	if c.focus == nil {
		return v, nil
	}
	found := &findings.Findings{Terms: c.focus.Terms(), Rejected: c.focus.Rejected(), Datasets: c.focus.Datasets()}
	describe(found, env.Book)
	v.Facts = func(facts *eval.CrawlFacts) { facts.Findings = found.Report() }
	v.Keep = found.Write
	v.Print = func(w io.Writer, folder string) { found.Summarize(w, folder) }
	return v, nil
}

// describe adds what is known of endpoints.
func describe(found *findings.Findings, book *endpoints.Book) {
	if book == nil {
		return
	}
	health := map[string]endpoints.Health{}
	for _, h := range book.All() {
		health[h.Endpoint] = h
	}
	for i, d := range found.Datasets {
		address, _, _ := strings.Cut(d.Endpoint, "?")
		h, known := health[d.Endpoint]
		if !known {
			h = health[address]
		}
		found.Datasets[i].Millis = h.Mean
		if h.Dialect.Version != "" {
			found.Datasets[i].Dialect = h.Dialect.Version
		}
	}
}

// Close closes the datasets.
func (c *instance) Close() error {
	if c.datasets == nil {
		return nil
	}
	return c.datasets.Close()
}

// isDataset reports whether a URL is that of a dataset on this machine.
func isDataset(url string) bool {
	_, is := weburl.DatasetName(url)
	return is
}
