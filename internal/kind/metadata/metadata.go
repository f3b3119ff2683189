// Package metadata is the kind of focus that finds classes related to given ones, and datasets with instances of them: which
// vocabularies to use, and which datasets to link to (CRAWLER-LD).
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

// A section configures which classes are searched for, and where.
type section struct {
	Mode       string         `yaml:"mode" default:"default" oneof:"default|paper" doc:"Whose crawler it is. default: Orbweaver's. paper: CRAWLER-LD and nothing else: sets expand, order, batch, processors and void to what the paper has (papers.md), and rejects other values. Of properties, which the paper gives two ways, it takes the default or ~owl:sameAs, ~owl:equivalentClass, ~rdfs:subClassOf."`
	Terms      []string       `yaml:"terms" need:"unless focus.metadata.terms_from" type:"list of IRIs, prefixed names or words" doc:"The classes that describe the topic. Words (music album) are looked up in the labels of the datasets: the crawl lists the matches, best first, and with --yes takes the best."`
	TermsFrom  string         `yaml:"terms_from" as:"file" type:"path" doc:"An RDF file, such as your own dataset: the classes it uses most are the terms, up to limits.terms."`
	Expand     string         `yaml:"expand" default:"paper" oneof:"paper|judged" doc:"Which classes the crawl follows. paper: those reached through the properties. judged: superclasses and their other subclasses are candidates too, and the crawl follows the candidates that are close to the terms as a whole, by labels, comments and neighbours: see metadata.md."`
	Order      string         `yaml:"order" default:"sorted" oneof:"sorted|prepended" doc:"With expand: paper, the order in which found terms are cut to the limits and processed. sorted: what each term of a stage led to, by IRI; a class found twice counts once. prepended: in the order of the answers, what a dataset has before what the datasets before it have, and what a term led to before what the terms before it led to; a class found twice counts twice (Appendix 1 of the paper)."`
	Batch      string         `yaml:"batch" default:"stage" oneof:"stage|term" doc:"How many terms a query is about. stage: as many of a stage as fit. term: one, so that the time each term takes is measured; the results are the same."`
	Limits     termLimits     `yaml:"limits" type:"section" doc:"Bounds of the search."`
	Properties []string       `yaml:"properties" type:"list of IRIs or prefixed names" doc:"With expand: paper, the properties that lead from class to class; ^ before a property follows it from object to subject, ~ in both directions. Default: ~owl:sameAs, ~owl:equivalentClass, ^rdfs:subClassOf."`
	Processors []string       `yaml:"processors" oneof:"dereference|property|instances|matches" type:"list of: dereference, property, instances, matches" doc:"Queries made for each term. dereference: the document of its IRI. property: statements about it in datasets. instances: number of instances in each dataset. matches: rdfs:seeAlso and the mapping properties of SKOS, in documents and datasets. Default: the first three."`
	Datasets   []datasetEntry `yaml:"datasets" type:"list of sections" doc:"Datasets to query."`
	Catalogues []string       `yaml:"catalogues" as:"source" type:"list of paths or URLs" doc:"Dataset catalogues to read: CKAN (the address of a site), DCAT or VoID in any RDF syntax, the LOD cloud's JSON, or a YAML list; see catalogs.md."`
	Dumps      string         `yaml:"dumps" default:"named" oneof:"named|all|off" doc:"Which dumps of datasets without an endpoint are loaded as local datasets. named: those of datasets above and of YAML lists. all: also those of other catalogues. off: none."`
	Void       string         `yaml:"void" default:"named" oneof:"named|all|off" doc:"Which VoID descriptions are fetched first, to save queries. named: those named by datasets and catalogues. all: also /.well-known/void of each endpoint's host. off: none."`
	Store      string         `yaml:"store" as:"folder" type:"path" doc:"Folder for local copies of dumps and the observed capabilities of endpoints, shared by all crawls that name it. Default: datasets, beside the crawl folder."`
	Breaker    int            `yaml:"breaker" default:"3" min:"1" max:"1000" doc:"Consecutive failures after which a dataset is not queried again."`
}

// termLimits prune the search for terms.
type termLimits struct {
	Levels     int `yaml:"levels" default:"2" min:"1" max:"100" doc:"Number of stages. 1 processes the given terms; 2 also the terms found from them."`
	Terms      int `yaml:"terms" default:"40" min:"1" max:"100000" doc:"Maximum number of terms processed, including the given ones."`
	PerTerm    int `yaml:"per_term" default:"20" min:"1" max:"100000" doc:"Maximum number of terms found from one term."`
	PerDataset int `yaml:"per_dataset" default:"10" min:"1" max:"100000" doc:"Maximum number of terms found from one term in one dataset."`
}

// A datasetEntry is one dataset. It has an endpoint or a dump.
type datasetEntry struct {
	Name     string `yaml:"name" need:"yes" doc:"Name of the dataset in results, unique."`
	Title    string `yaml:"title" doc:"Longer name."`
	Endpoint string `yaml:"endpoint" type:"URL" doc:"SPARQL endpoint of the dataset."`
	Dump     string `yaml:"dump" as:"source" type:"path or URL" doc:"RDF file in any syntax, also .gz or .bz2, which is loaded once and queried locally, and loaded again when it changes. Unnecessary with an endpoint."`
	Void     string `yaml:"void" type:"URL" doc:"VoID description of the dataset."`
}

// Kind finds vocabularies and datasets.
type Kind struct{ kind.Base }

// Traits are those of metadata.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "metadata", Seedless: true,
		Doc: "Classes related to given ones, and datasets with instances of them: which vocabularies to use, and which datasets to link to (CRAWLER-LD).",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Begins reports that the focus has first requests: those for its terms.
func (Kind) Begins(any) bool { return true }

// Check expands names and reports datasets that cannot be queried.
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
	m.checkPaper(c)
	if m.Order == "prepended" && m.Expand == "judged" {
		c.Problem("order", "prepended is for expand: paper", "judged goes by scores: leave out order")
	}
	if m.Store == "" && !c.Given("store") {
		m.Store = c.Beside()
	}
}

// checkDataset validates one dataset.
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

// isWords reports whether a term is words to look up, not the name of a class.
func isWords(name string) bool { return !strings.ContainsAny(name, ":<") }

// Abilities returns those of a focus that queries datasets and dereferences terms: it ranks no pages and follows no links.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{
		Alone:      "it asks a few datasets and APIs, one after the other, and each question follows from the answers before",
		Uncompared: "metadata: it ranks no pages: it can be crawled, and not compared or simulated",
		Paper:      s.(*section).Mode == modePaper,
		Pageless:   true, Linkless: true, Forms: linkeddata.Accept, Data: true,
		Asks: true, Store: s.(*section).Store, Knows: kind.KnowsRecommendations,
	}
}

// Line names the limits and the terms.
func (Kind) Line(s any) string {
	m := s.(*section)
	if m.Mode == modePaper {
		return fmt.Sprintf("metadata: mode paper, levels %d, %s", m.Limits.Levels, strings.Join(m.Terms, ", "))
	}
	return fmt.Sprintf("metadata: expand %s, levels %d, %s", m.Expand, m.Limits.Levels, strings.Join(m.Terms, ", "))
}

// New defers building the focus until terms and datasets are resolved.
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
	watch    *stopwatch      // nil: no request was made
	settled  *settlement     // whom a crawl that begins asks about what; nil: it does not begin
}

// Settle builds the focus. For a new crawl it reads catalogues, loads dumps and looks words up.
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

// Open builds the focus of a crawl at rest, which settled when it began.
func (c *instance) Open(env *kind.Env) error {
	if c.focus != nil {
		return nil
	}
	asked, settled, err := readSettled(env.File.Output)
	if err != nil || !settled {
		return err
	}
	if c.focus, err = newFocus(*c.section, asked); err == nil {
		c.F = c.focus
	}
	return err
}

// Web answers requests to local datasets, and measures all.
func (c *instance) Web(web pipeline.Fetcher) pipeline.Fetcher {
	web = c.datasets.Before(web)
	if c.watch == nil { // no session
		return web
	}
	c.watch.web = web
	return c.watch
}

// Begin saves the settlement of a new crawl. One that goes on adds to the times of its earlier sessions.
func (c *instance) Begin(env *kind.Env, _ bool) error {
	spent, _ := findings.Times(env.File.Output) // a damaged file costs the times alone
	c.watch = newStopwatch(spent)
	if c.settled == nil {
		return nil
	}
	return c.settled.write(env.File.Output)
}

// View returns the terms and datasets found so far.
func (c *instance) View(env *kind.Env, _ *ledger.Ledger, _ bool) (v kind.View, err error) {
	if c.focus == nil || c.watch == nil { // no session
		return v, nil
	}
	found := &findings.Findings{Terms: c.focus.Terms(), Rejected: c.focus.Rejected(), Datasets: c.focus.Datasets(), Question: c.focus.Question()}
	found.Spent = c.watch.spent(found.Terms)
	describe(found, env.Book)
	if found.Catalogue, err = findings.Catalogue(env.File.Output); err != nil {
		return v, err
	}
	v.Facts = func(facts *eval.CrawlFacts) { facts.Findings = found.Report() }
	v.Keep = found.Write
	v.Print = func(w io.Writer, folder string) { found.Summarize(w, folder) }
	return v, nil
}

// describe adds observations about endpoints.
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
