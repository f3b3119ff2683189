// Package krs is the kind of focus that judges pages by a knowledge representation schema learned from documents. It also
// has the jobs on such schemas: build, show and export, and making the gazetteer that links their nouns.
package krs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"orbweaver"
	"orbweaver/fetch/spotlight"
	focus "orbweaver/focus/krs"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/krs"
	"orbweaver/ledger"
)

// A section configures judging by a knowledge representation schema.
type section struct {
	File       string   `yaml:"file" as:"folder" need:"yes" type:"path" doc:"The KRS: a folder made by orbweaver krs build."`
	Mode       string   `yaml:"mode" default:"default" oneof:"default|paper" doc:"default: the keys below. paper: the crawler of the paper, to the letter (papers.md): rule: paper, order: breadth_first, language: any, learn: false, and unknown: zero unless given; other values of these keys are errors."`
	Rule       string   `yaml:"rule" default:"calibrated" oneof:"calibrated|paper" doc:"Which pages are accepted. calibrated: pages whose nouns are closer to the corpus than to the background, by the margin that divides the corpus's own documents from the pages met so far. paper: pages whose linked nouns have a mean IDF within one standard deviation of the corpus's."`
	Order      string   `yaml:"order" oneof:"best_first|breadth_first" doc:"Which links are followed, and when. best_first: links of all pages, the best first. breadth_first: links of accepted pages, in discovery order. Default: best_first with rule: calibrated, breadth_first with rule: paper."`
	Unknown    string   `yaml:"unknown" default:"drop" oneof:"drop|zero|once|reject" doc:"With rule: paper, the IDF of a linked noun that the corpus lacks, for which the paper's formula is undefined. drop: none, the noun does not count. zero: 0. once: that of a noun in one document. reject: infinite, so that a page with such a noun is rejected."`
	Count      string   `yaml:"count" default:"documents" oneof:"documents|mentions|nouns" doc:"With rule: paper, of which values mean and deviation are taken. documents: a noun counts once a document. mentions: it counts as often as it is mentioned. nouns: once in the corpus and once on a page."`
	Accept     *float64 `yaml:"accept" min:"0" max:"1" doc:"With rule: calibrated, the minimum score of an accepted page; 0.5 is the score of a page that is as like the corpus as its own documents, but for three of ten. Default: the pages of the crawl move it (reasons.md)."`
	Language   string   `yaml:"language" default:"corpus" oneof:"corpus|any" doc:"Which pages are read. corpus: those in the language of the corpus, and those whose language is not known; others are rejected. any: all."`
	Learn      bool     `yaml:"learn" default:"false" doc:"Whether accepted pages join the documents by which later pages are judged; the KRS itself is not modified."`
	Tagger     string   `yaml:"tagger" as:"file" type:"path" doc:"A model made by orbweaver text train. Default: that of the corpus."`
	Gazetteer  string   `yaml:"gazetteer" as:"file" type:"path" doc:"The gazetteer that links nouns (orbweaver krs gazetteer). Default: that of the corpus."`
	Confidence float64  `yaml:"confidence" default:"0" min:"0" max:"1" doc:"Minimum confidence of a link from a noun to an entity. 0: that of the corpus."`
	Linking    string   `yaml:"linking" default:"built" oneof:"built|gazetteer|spotlight|both" doc:"How nouns are linked to entities. built: as in the corpus. gazetteer: by the gazetteer only. spotlight: by a DBpedia Spotlight server only. both: by the gazetteer, and by the server for nouns that the gazetteer does not link."`
	Spotlight  string   `yaml:"spotlight" type:"URL" doc:"A DBpedia Spotlight server, as in https://api.dbpedia-spotlight.org/en, which receives the text of every page in the language of the corpus. Default: that of the corpus. If the corpus was linked by a gazetteer only, setting it implies linking: both. The crawl folder keeps the responses; pages for which the server fails are linked without it, and the crawl reports their number at the end."`
	Seeds      int      `yaml:"seeds" default:"0" min:"0" max:"1000000" doc:"Number of corpus documents, among those whose names are URLs, to use as additional seeds. The crawl's own seeds may then be an empty list: seeds: []."`
	Seed       int64    `yaml:"seed" default:"1" doc:"Random seed for drawing them."`
}

// Kind judges pages by a schema.
type Kind struct{ kind.Base }

// Traits are those of krs.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "krs",
		Doc: "Pages similar to the documents of a corpus, from which a knowledge representation schema was learned (orbweaver krs build).",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Check completes a section: see settle.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	for _, k := range [...]struct{ key, is, want string }{
		{"rule", f.Rule, paper},
		{"order", f.Order, "breadth_first"},
		{"language", f.Language, "any"},
		{"learn", strconv.FormatBool(f.Learn), "false"},
	} {
		if f.Mode == paper && c.Given(k.key) && !c.Troubled(k.key) && k.is != k.want {
			c.Problem(k.key, k.is+" contradicts mode: paper, where it is "+k.want, "leave out "+k.key+", or leave out mode: paper")
		}
	}
	if f.Rule == paper && c.Given("accept") && !c.Troubled("accept") {
		c.Problem("accept", "rule: paper accepts a range of the mean IDF, and no score", "leave out accept")
	}
	f.settle(c.Given("unknown"))
}

// settle sets the keys that mode and rule determine.
func (f *section) settle(unknown bool) {
	if f.Mode == paper {
		f.Rule, f.Order, f.Language, f.Learn = paper, "breadth_first", "any", false
		if !unknown {
			f.Unknown = "zero"
		}
	}
}

// paper is the name of the paper's mode and rule.
const paper = "paper"

// Begins reports whether documents of the corpus are seeds.
func (Kind) Begins(s any) bool { return s.(*section).Seeds > 0 }

// Abilities are those of a focus that scores pages and links.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{
		Blended: true, Explored: s.(*section).bestFirst(), Shared: true, Learned: s.(*section).Rule != paper,
		Paper: s.(*section).Mode == paper,
		Knows: kind.KnowsTopic,
		Mend:  "No seed is accepted. Set focus.krs.order: best_first, since breadth_first follows links of accepted pages alone (rule: paper and mode: paper do), or name seeds that are nearer to the topic.",
	}
}

// bestFirst reports whether links are followed by their rank.
func (f *section) bestFirst() bool {
	return f.Order == "best_first" || f.Order == "" && f.Rule != paper
}

// KRS returns the folder of the schema.
func (Kind) KRS(s any) string { return s.(*section).File }

// Line names the schema and the rule.
func (Kind) Line(s any) string {
	f := s.(*section)
	if f.Mode == paper {
		return fmt.Sprintf("krs: %s, mode paper, unknown nouns %s", console.Relative(f.File), f.Unknown)
	}
	return fmt.Sprintf("krs: %s, rule %s", console.Relative(f.File), f.Rule)
}

// Names returns a noun, its lemma and the entity it is linked to.
func (Kind) Names(r orbweaver.Reason) kind.Named {
	noun, ok := focus.NounOf(r)
	if !ok {
		return kind.Named{}
	}
	return kind.Named{Names: []string{noun.Words, noun.Lemma}, IRI: noun.IRI, Entity: r.Rule == focus.RuleNoun && noun.IRI != ""}
}

// New builds a focus from a schema, which it reads once and closes.
func (Kind) New(ctx context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	f := s.(*section)
	store, err := openKRS(ctx, f.File)
	if err != nil {
		return nil, userError(err)
	}
	reading, snapshot, seeds, err := openTopic(store, f)
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, userError(err)
	}
	built, err := f.focus(snapshot, reading)
	if err == nil && reading.settings.Linking != byGazetteer {
		reading.linker, err = newLinker(reading.settings, wire.Wire{}, crawlfile.Private{})
	}
	if err != nil {
		return nil, err
	}
	return &instance{Plain: kind.Plain{F: &seeded{built, seeds}}, focus: built, reading: reading, seeds: seeds, accept: f.Accept}, nil
}

// focus makes the focus of a section. The crawl file was checked.
func (f *section) focus(snapshot *krs.Snapshot, r *reading) (*focus.Focus, error) {
	opts := focus.Options{Snapshot: snapshot, Annotator: annotator{r}, Accept: f.Accept, Learn: f.Learn}
	if f.Language != "any" {
		opts.Lang = r.pipeline.Language()
	}
	opts.Rule, _ = focus.ParseRule(f.Rule)
	opts.Order, _ = focus.ParseOrder(f.Order)
	opts.Reading, _ = krs.ParseReading(f.Unknown, f.Count)
	return focus.New(opts)
}

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	focus   *focus.Focus
	reading *reading
	seeds   []string
	accept  *float64
}

// AcceptFrom is the threshold of the crawl file.
func (k *instance) AcceptFrom() *float64 { return k.accept }

// Reach connects the focus to its Spotlight server; private may permit private addresses.
func (k *instance) Reach(via wire.Wire, private crawlfile.Private) error {
	return k.reach(via, private)
}

// reach implements Reach. It looks up responses in kept, and takes ownership of it.
func (k *instance) reach(via wire.Wire, private crawlfile.Private, kept ...*spotlight.Store) error {
	if k.reading.linker == nil {
		return closeKept(kept)
	}
	l, err := newLinker(k.reading.settings, via, private, kept...)
	if err != nil {
		return err
	}
	err = k.reading.linker.Close()
	k.reading.linker = l
	return err
}

// Open saves Spotlight responses in the crawl folder, and also looks them up beside the archive that is crawled.
func (k *instance) Open(env *kind.Env) error {
	if k.reading.linker == nil {
		return nil
	}
	own, err := spotlight.OpenKept(env.File.Output)
	if err != nil {
		return err
	}
	kept := []*spotlight.Store{own}
	if env.File.Web != nil {
		others, err := keptBeside(env.File.Web.Archive)
		kept = append(kept, others...)
		if err != nil {
			return errors.Join(err, closeKept(kept))
		}
	}
	return k.reach(env.Wire, env.File.AllowPrivate, kept...)
}

// View reports the texts annotated without Spotlight.
func (k *instance) View(*kind.Env, *ledger.Ledger, bool) (kind.View, error) {
	return kind.View{Warnings: k.reading.linker.missed("pages")}, nil
}

// Drawn are documents of the corpus.
func (k *instance) Drawn() (from string, urls []string) { return "the corpus", k.seeds }

// Topic describes a page in terms of the schema.
func (k *instance) Topic(ctx context.Context, p *orbweaver.Page) (kind.Topic, error) {
	return k.view(ctx, p)
}

// Close closes the Spotlight client.
func (k *instance) Close() error { return k.reading.linker.Close() }

// seeded is a focus that has seeds of its own.
type seeded struct {
	*focus.Focus
	seeds []string
}

// Seeds are documents of the corpus.
func (k *seeded) Seeds(context.Context, orbweaver.Known) (all []orbweaver.Proposal, err error) {
	for _, url := range k.seeds {
		all = append(all, orbweaver.Proposal{
			Request: orbweaver.Request{URL: url},
			Judgement: orbweaver.Judgement{
				Score:   1,
				Reasons: []orbweaver.Reason{{Rule: "seed", Evidence: url, Weight: 1}},
			},
		})
	}
	return all, nil
}

// openTopic reads the parts of a KRS that a focus needs.
func openTopic(store *krs.Store, f *section) (r *reading, s *krs.Snapshot, seeds []string, err error) {
	other := Reading{Tagger: f.Tagger, Gazetteer: f.Gazetteer, Confidence: f.Confidence, Spotlight: f.Spotlight}
	if f.Linking != asBuilt {
		other.Linking = f.Linking
	}
	if r, err = openReading(store, f.File, other); err == nil {
		s, err = store.Snapshot(krs.Options{})
	}
	if err == nil {
		seeds, err = drawSeeds(store, f)
	}
	return r, s, seeds, err
}

// asBuilt is the value of linking for the linking of the corpus.
const asBuilt = "built"

// patient is the number of attempts to open a KRS in use: other readers hold it only briefly.
const patient = 100

// openKRS opens a KRS that others may open at the same time, as the runs of a comparison do.
func openKRS(ctx context.Context, dir string) (store *krs.Store, err error) {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for range patient {
		if store, err = krsdb.Open(dir, ""); !errors.Is(err, orbweaver.ErrBusy) {
			break
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return store, err
}

// An annotator finds the nouns of pages.
type annotator struct{ *reading }

// Annotate reads a page.
func (a annotator) Annotate(ctx context.Context, p *orbweaver.Page) (krs.Document, error) {
	return a.read(ctx, p.URL, p.Title, p.Lang, p.Text)
}
