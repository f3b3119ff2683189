// Package ontology is the kind of focus that judges pages with the background knowledge of an ontology, which grows by
// accepted suggestions.
package ontology

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"orbweaver"
	"orbweaver/eval"
	focus "orbweaver/focus/ontology"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/kb/ontology"
)

// A section judges by an ontology.
type section struct {
	Files     []string `yaml:"files" as:"files" need:"yes" type:"path, or list of paths" doc:"The ontology: OWL, RDFS or SKOS in any RDF syntax. Several files are read as one."`
	Target    []string `yaml:"target" as:"iri" need:"yes" type:"list of IRIs, prefixed names, local names or labels" doc:"The entities of the ontology that the crawl looks for. A local name (Airplane) or label (\"light aircraft\") suffices if it is unique."`
	Relevance string   `yaml:"relevance" default:"total" oneof:"single|taxonomic|relational|total" doc:"Which entities count for a target. single: the target. taxonomic: also its direct sub- and superclasses and instances. relational: also its relations and the entities they lead to. total: all entities, discounted by distance."`
	Discount  string   `yaml:"discount" default:"exponential" oneof:"exponential|linear|logarithmic" doc:"With relevance: total, how the weight of an entity falls with its distance from the target."`
	Base      float64  `yaml:"base" default:"0.5" type:"number between 0 and 1, both left out" doc:"With discount: exponential, the weight at distance 1; the weight at distance 2 is base²."`
	Combine   string   `yaml:"combine" default:"sum" oneof:"sum|min|max" doc:"How the scores of several targets are combined. sum: their sum. min: all targets are required. max: any target suffices."`
	IDF       string   `yaml:"idf" as:"idf" default:"learned" type:"learned, none or path" doc:"How rare words gain weight. learned: by inverse document frequencies of the crawl's pages, updated as it goes. none: no weighting. A path: by the frequencies in that file; for a file of one of these names write ./learned."`
	Accept    *float64 `yaml:"accept" min:"0" max:"1" doc:"The minimum score of an accepted page; 0.5 is the score of a page that is as much about the target as not. Default: calibrated on the scores of the crawl's own pages (reasons.md)."`

	// The keys by each of which the default departs from the paper.
	Mode        string `yaml:"mode" default:"default" oneof:"default|paper" doc:"Whose crawler it is. default: Orbweaver's. paper: that of Ehrig and Maedche (2003), and nothing else: sets measure, spelling, verdict, links, anchor_words, inlinks, telling and data to what the paper has; another value of these keys, or accept, is an error. Each of these keys can be set without it (papers.md)."`
	Measure     string `yaml:"measure" default:"presence" oneof:"presence|frequency" doc:"How the matches of an entity become its share of a page's score. presence: more for those in the title and the lead, less for each further one, little on short pages. frequency: matches × idf / words, the paper's. mode: paper sets frequency."`
	Spelling    string `yaml:"spelling" default:"kept" oneof:"kept|folded" doc:"What of a label's spelling a match keeps. kept: capitals and digits where they matter (AIDS, Polish, mp3). folded: nothing but the stem. mode: paper sets folded."`
	Verdict     string `yaml:"verdict" default:"score" oneof:"score|named" doc:"Which pages are accepted. score: by accept. named: pages that name the target, with combine: min every target, the paper's satisfying pages. mode: paper sets named."`
	Links       string `yaml:"links" default:"mixed" oneof:"mixed|page|text" doc:"What ranks a link. mixed: the score of its page, anchor, URL and context. page: the score of its page alone. text: the score of its own text, anchor and title, by the page's measure. mode: paper sets page unless text is given: the paper can be read either way."`
	AnchorWords string `yaml:"anchor_words" default:"learned" oneof:"learned|off" doc:"Whether words of anchors are learned that led to pages of a high score. mode: paper sets off."`
	Telling     string `yaml:"telling" default:"learned" oneof:"learned|off" doc:"Whether entities other than the targets count for less that do not tell pages about the target from others in this crawl: the pages that name one are, by everything else on them, less about the target than those that do not (reasons.md). off: an entity counts as the ontology has it. mode: paper sets off."`
	Inlinks     string `yaml:"inlinks" default:"mean" oneof:"mean|best" doc:"What several links to one URL are worth. mean: the mean of their ranks. best: the highest rank. mode: paper sets best."`

	Layers string `yaml:"layers" default:"off" oneof:"off|on" doc:"Whether a context graph ranks links too: layer 0 is the pages that the ontology accepts, layer 1 the pages that link to them, layer 2 those that link to layer 1. on: the score of a waiting URL is the mean of the ontology's rank and of what pages scored that had the same words near the links to them (crossref.md). It costs about as much again for each page as off."`

	Data       string `yaml:"data" default:"met" oneof:"met|on|off" doc:"Whether the data of a page (JSON-LD, Microdata, RDFa, Turtle and others) names entities: what it types by a class of the ontology names that class, a statement names its property, and the instances and concepts at its ends; also by IRIs that the ontology states to be the same (owl:equivalentClass, owl:equivalentProperty, owl:sameAs, skos:exactMatch). met: on pages that hold an IRI in a namespace of the ontology; data of other pages is not read. on: on all pages, which finds also what is written without such an IRI, by prefixes that RDFa predefines or a JSON-LD context of another host. off: on none; mode: paper sets off (reasons.md)."`
	DataWeight int    `yaml:"data_weight" default:"10" min:"1" max:"1000" doc:"How many matches in a hundred words an entity counts for that the data of a page names, however often it does, and however long the text is."`
	DataLabels string `yaml:"data_labels" default:"off" oneof:"off|on" doc:"Whether a class or property of schema.org in data names the entity that has its name as a label, though the ontology does not state that they are the same: schema:Recipe the class \"recipe\"."`
}

// Kind judges pages by an ontology and ranks links by it.
type Kind struct{ kind.Base }

// Traits are those of ontology.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "ontology",
		Doc: "Pages about a target in an ontology: words that name entities near the target count too.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Check resolves targets and validates the base.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	f.checkTargets(c)
	f.checkMode(c)
	f.checkData(c)
	if f.Base <= 0 || f.Base >= 1 {
		c.Problem("base", "must be between 0 and 1, both left out", "")
	}
}

// Abilities returns those of a focus that scores pages and links, and learns document frequencies.
func (Kind) Abilities(s any) kind.Abilities {
	f := s.(*section)
	return kind.Abilities{Blended: true, Explored: f.Mode != paper, Paper: f.Mode == paper, Shared: f.Layers != layersOn, Learned: true, Revised: true}
}

// Line names the weighting of entities.
func (Kind) Line(s any) string {
	f := s.(*section)
	line := fmt.Sprintf("ontology: %s, %s, idf %s", f.Relevance, f.Combine, f.IDF)
	if f.Mode == paper {
		line += ", the paper's, links by " + f.Links
	}
	if f.Layers == layersOn {
		line += ", layers"
	}
	return line
}

// Facts are the target and the ontology.
func (Kind) Facts(s any, facts *eval.CrawlFacts) {
	facts.Target, facts.Ontology = s.(*section).Target, s.(*section).Files
}

// Next suggests commands that show the relevance sets and suggested additions.
func (Kind) Next(s any, folder string) []string {
	f := s.(*section)
	file := console.Relative(f.Files[0])
	return []string{
		fmt.Sprintf("orbweaver ontology show %s --target '%s'   what counts for the target, and how much", file, f.Target[0]),
		fmt.Sprintf("orbweaver suggestions %s   words that the ontology may lack", folder),
		fmt.Sprintf("orbweaver ontology check %s   what else it lacks", file),
	}
}

// Names is the entity of a reason.
func (Kind) Names(r orbweaver.Reason) kind.Named {
	name, words, ok := focus.EntityOf(r)
	if !ok {
		return kind.Named{}
	}
	return kind.Named{Names: []string{name}, Words: words, Entity: true}
}

// Simulate makes the section for a generated web, its ontology in a file of the folder.
func (Kind) Simulate(world kind.World, target, folder string) (any, error) {
	file := filepath.Join(folder, "target.ttl")
	if err := os.WriteFile(file, []byte(world.Ontology()), 0o666); err != nil {
		return nil, err
	}
	return &section{
		Files: []string{file}, Target: []string{target}, Relevance: "total", Discount: "exponential", Base: 0.5, Combine: "sum", IDF: "learned",
	}, nil
}

// New reads the ontology and makes the focus.
func (Kind) New(_ context.Context, s any, env *kind.Env) (kind.Instance, error) {
	f := *s.(*section)
	if env.Folder != "" {
		f.Files = Files(env.Folder, f.Files)
	}
	built, err := newFocus(f, env.Forget)
	if err != nil {
		return nil, err
	}
	in := &instance{Plain: kind.Plain{F: built}, focus: built, section: s.(*section)}
	if f.Layers == layersOn {
		if in.F, err = withLayers(built); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// newFocus makes the focus of a section.
func newFocus(f section, forget bool) (*focus.Focus, error) {
	knowledge, err := ontology.Load(f.Files...)
	if err != nil {
		return nil, kind.Input(eachAlone(f.Files, err))
	}
	relevance, _ := ontology.ParseSet(f.Relevance) // the crawl file was checked
	discount, _ := ontology.ParseDecay(f.Discount)
	combine, _ := focus.ParseCombine(f.Combine)
	opts := focus.Options{
		Ontology: knowledge, Targets: f.Target, Relevance: relevance, Discount: discount, Base: f.Base,
		Combine: combine, Accept: f.Accept, Measure: f.measure(), Paper: f.options(), Data: f.data(), Telling: f.Telling == "learned",
		Forget: forget,
	}
	switch f.IDF {
	case "learned":
		opts.IDF = focus.Learned
	case "none":
		opts.IDF = focus.None
	default:
		opts.IDF = focus.Background
		if opts.Background, err = readIDF(f.IDF); err != nil {
			return nil, err
		}
	}
	return focus.New(opts)
}

// eachAlone returns the problems of each file by itself, or err if there are none.
func eachAlone(files []string, err error) error {
	var problems []error
	for _, file := range files {
		_, problem := ontology.Load(file)
		problems = append(problems, problem)
	}
	if all := errors.Join(problems...); all != nil {
		return all
	}
	return err
}

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	focus   *focus.Focus
	section *section
}

// AcceptFrom returns the threshold in the section.
func (in *instance) AcceptFrom() *float64 { return in.section.Accept }

// AsBegun reports whether the ontology is, byte for byte, the one that the crawl in a folder began with.
func (in *instance) AsBegun(folder string) bool {
	return slices.EqualFunc(in.section.Files, Files(folder, in.section.Files), func(a, b string) bool {
		now, err := os.ReadFile(a)
		then, problem := os.ReadFile(b)
		return err == nil && problem == nil && bytes.Equal(now, then)
	})
}
