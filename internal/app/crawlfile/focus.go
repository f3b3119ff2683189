package crawlfile

import "reflect"

// A Focus says what a crawl is about. Exactly one field is set.
type Focus struct {
	Ontology     *Ontology     `yaml:"ontology" type:"section" doc:"Pages about the target, judged with the background knowledge of an ontology: words that name entities near the target count too."`
	Keyword      *Keyword      `yaml:"keyword" type:"section" doc:"Pages about any of some terms: how much a page is about them decides, and with it what stands at links, which links go first."`
	LinkedData   *LinkedData   `yaml:"linked_data" type:"section" doc:"Documents of RDF, and the pages that lead to them. With the defaults: linked_data: {}."`
	KRS          *KRS          `yaml:"krs" type:"section" doc:"Pages like the documents of a corpus, of which a knowledge representation schema was learned (orbweaver krs build)."`
	Metadata     *Metadata     `yaml:"metadata" type:"section" doc:"Classes of vocabularies that are related to some, and the datasets that have instances of them: which vocabularies to use, and which datasets to link to (CRAWLER-LD)."`
	Swget        *Swget        `yaml:"swget" type:"section" doc:"What a path of links leads to, from document to document (NautiLOD)."`
	Crossref     *Crossref     `yaml:"crossref" type:"section" doc:"Pages with the same information as an item, a page of which there may be other sources (SemXDM)."`
	BestFirst    *BestFirst    `yaml:"best_first" type:"section" doc:"The links of the pages most similar to the terms, first."`
	BreadthFirst *BreadthFirst `yaml:"breadth_first" type:"section" doc:"Every link, in the order found. Takes no keys: write breadth_first: {}."`
	Random       *Random       `yaml:"random" type:"section" doc:"Every link, in a random order that a seed decides."`
	Oracle       *Oracle       `yaml:"oracle" type:"section" doc:"Relevant pages first, then those nearest to one: what a crawler would do that knows the truth. Needs truth and an archived web. Takes no keys: write oracle: {}."`
}

// Ontology judges by an ontology.
type Ontology struct {
	Files     []string `yaml:"files" as:"files" need:"yes" type:"path, or list of paths" doc:"The ontology: OWL, RDFS or SKOS in any RDF syntax. Several files are read as one."`
	Target    []string `yaml:"target" as:"iri" need:"yes" type:"list of IRIs or prefixed names" doc:"The entities of the ontology that the crawl looks for."`
	Relevance string   `yaml:"relevance" default:"total" oneof:"single|taxonomic|relational|total" doc:"Which entities count for a target. single: itself. taxonomic: also its direct sub- and superclasses and instances. relational: also its relations and what they lead to. total: all entities, discounted by distance."`
	Discount  string   `yaml:"discount" default:"exponential" oneof:"exponential|linear|logarithmic" doc:"How the weight of an entity falls with its distance from the target, for relevance: total."`
	Base      float64  `yaml:"base" default:"0.5" type:"number between 0 and 1, both left out" doc:"The weight one step away, base² being that of two, for discount: exponential."`
	Combine   string   `yaml:"combine" default:"sum" oneof:"sum|min|max" doc:"How several targets make one score. sum: added up. min: all of them are wanted. max: any of them is."`
	IDF       string   `yaml:"idf" as:"idf" default:"learned" type:"learned, none or path" doc:"How rare words weigh more. learned: from the pages of the crawl, as it goes. none: not at all. A path: from that file. For a file of one of these names write ./learned."`
	Accept    *float64 `yaml:"accept" min:"0" max:"1" doc:"The score from which a page is accepted, 0.5 being that of a page as much about the target as not. Left out: it is calibrated from the scores of the crawl's own pages (reasons.md)."`
}

// Keyword judges by terms.
type Keyword struct {
	Terms  []string `yaml:"terms" need:"yes" type:"list of words or phrases" doc:"What pages are to be about: any of these."`
	Mode   string   `yaml:"mode" default:"scored" oneof:"scored|paper" doc:"How pages are judged and links followed. scored: by how often a page names the terms, in its title, headings and text, against its length; links of seeds always, others by anchor, context and the score of their page. paper: a page that holds a term is relevant, and only the links of such pages are followed, in the order found (the baseline of Ehrig and Maedche 2003); a crawl whose seeds hold none ends after them."`
	Accept *float64 `yaml:"accept" min:"0" max:"1" doc:"For mode: scored, the score from which a page is accepted, 0.5 being that of a page as much about the terms as not. Left out: it is calibrated from the scores of the crawl's own pages (reasons.md)."`
}

// LinkedData looks for RDF.
type LinkedData struct {
	Method     string `yaml:"method" default:"focused" oneof:"focused|non_focused|pld|dynamic_depth" doc:"In which order links are followed. focused: those that are RDF by their look, then those like links that led to RDF, then other pages; links of no such class are not followed. The others are what that is compared with: all alike, by what share of its domain was RDF so far, as far as the path has links left, of which RDF adds some."`
	Classifier string `yaml:"classifier" default:"rules" oneof:"rules|online" doc:"What tells the class of a link before it is followed, for method: focused. rules: those of reasons.md. online: a classifier that begins as these rules and learns from all that is fetched, by the words, addresses, attributes and hosts of links."`
	Seed       int64  `yaml:"seed" default:"1" doc:"For classifier: online. The same seed gives the same crawl."`
	HR         string `yaml:"hr" default:"embedded" oneof:"embedded|paper" doc:"Which pages count as leading to RDF, so that pages like them go before others. embedded: those with a link to RDF, and those with data in them (RDFa, JSON-LD, microdata, microformats) that is not of their layout. paper: with a link alone."`
	Hosts      string `yaml:"hosts" default:"found" oneof:"found|greedy|bandit" doc:"Among links of one class, which hosts go first, for method: focused. found: none, links go in the order found. greedy: those of which the larger share was RDF so far. bandit: those of which it may well be, so that a host hardly tried goes before a good one (UCB1)."`
	KeepN      bool   `yaml:"keep_n" default:"false" doc:"Links that look like neither RDF nor HTML are followed too; not with method: focused."`

	Terms           []string `yaml:"terms" type:"list of words or phrases" doc:"More that speak of RDF, in a link's address, text or attributes."`
	ContentTypes    []string `yaml:"content_types" type:"list of media types" doc:"More that are RDF where a link names them."`
	Extensions      []string `yaml:"extensions" type:"list of extensions" doc:"More that files of RDF have, as in .rj."`
	HTMLExtensions  []string `yaml:"html_extensions" type:"list of extensions" doc:"More that pages of HTML have."`
	OtherExtensions []string `yaml:"other_extensions" type:"list of extensions" doc:"More that are neither: such links are not followed."`
	Layout          []string `yaml:"layout" type:"list of beginnings of IRIs" doc:"More vocabularies that say how a page is shown, as Open Graph does: data of these alone is none."`
}

// KRS judges by a knowledge representation schema.
type KRS struct {
	File       string  `yaml:"file" as:"folder" need:"yes" type:"path" doc:"The KRS: a folder that orbweaver krs build made."`
	Rule       string  `yaml:"rule" default:"calibrated" oneof:"calibrated|paper" doc:"Which pages are accepted. calibrated: those whose nouns are nearer to the corpus than to the background by as much as its own documents are; links are followed best first. paper: those whose linked nouns have a mean IDF within a deviation of the corpus's; the links of accepted pages are followed, in the order found."`
	Learn      bool    `yaml:"learn" default:"false" doc:"Accepted pages are taken up among the documents by which later ones are judged; the KRS itself stays as it is."`
	Tagger     string  `yaml:"tagger" as:"file" type:"path" doc:"A model of orbweaver train tagger. Left out: what the corpus was read with."`
	Gazetteer  string  `yaml:"gazetteer" as:"file" type:"path" doc:"What nouns are linked by (orbweaver krs gazetteer). Left out: what the corpus was read with."`
	Confidence float64 `yaml:"confidence" default:"0" min:"0" max:"1" doc:"That a link of a noun to an entity needs. 0: as the corpus was read."`
	Linking    string  `yaml:"linking" default:"built" oneof:"built|gazetteer|spotlight|both" doc:"What links nouns to entities. built: what did in the corpus. gazetteer: the gazetteer alone. spotlight: a server of DBpedia Spotlight alone. both: the gazetteer, and the server for what that does not link."`
	Spotlight  string  `yaml:"spotlight" type:"URL" doc:"A server of DBpedia Spotlight, as in https://api.dbpedia-spotlight.org/en, which gets the text of every page in the language of the corpus. Left out: that of the corpus. Where the corpus was linked by a gazetteer alone, it makes linking: both. Answers are kept in the crawl folder; for pages that it gives no answer for it is left out, and in the end the crawl says for how many."`
	Seeds      int     `yaml:"seeds" default:"0" min:"0" max:"1000000" doc:"How many documents of the corpus the crawl starts with as well, of those whose names are URLs. With them seeds may be an empty list: seeds: []."`
	Seed       int64   `yaml:"seed" default:"1" doc:"By which they are drawn."`
}

// BestFirst ranks links by how similar their page is to the terms or, without terms, to the item of a
// comparison that draws items.
type BestFirst struct {
	Terms []string `yaml:"terms" need:"unless each" type:"list of words or phrases" doc:"What pages are compared with. In a comparison file with each they may be left out: then pages are compared with the words of the item."`
	N     int      `yaml:"n" default:"1" min:"1" max:"1000000" doc:"How many requests are taken from the frontier at a time."`
}

// BreadthFirst takes links in the order found.
type BreadthFirst struct{}

// Random takes links in random order.
type Random struct {
	Seed int64 `yaml:"seed" default:"1" doc:"The same seed gives the same order."`
}

// Oracle knows the truth.
type Oracle struct{}

// begins reports whether the focus has first requests of its own.
func (f *Focus) begins() bool {
	return f.Metadata != nil || f.Swget != nil || f.Crossref != nil || f.KRS != nil && f.KRS.Seeds > 0
}

// Kind is the key of the focus that is set, as written in the file ("best_first"), or "" when none
// is.
func (f *Focus) Kind() string {
	if kinds := f.kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	return ""
}

// kinds returns the keys that are set, in the order of the schema.
func (f *Focus) kinds() []string {
	var kinds []string
	v := reflect.ValueOf(f).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsNil() {
			kinds = append(kinds, v.Type().Field(i).Tag.Get("yaml"))
		}
	}
	return kinds
}

// isLaterFocus tells the focuses that the design has and this version has not.
func isLaterFocus(kind string) bool {
	switch kind {
	case "blend":
		return true
	}
	return false
}
