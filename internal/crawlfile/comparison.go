package crawlfile

import "path/filepath"

// A Comparison is a comparison file: many focuses on one archived web, measured by one truth. Each is
// nil unless the runs are repeated; with it the truth is a cosine or Of an item, Seeds may be empty, and a
// best-first focus without terms and a cross-reference focus without an item go by the item.
type Comparison struct {
	Web          *Web              `yaml:"web" need:"yes" type:"section" doc:"The archived web that every run crawls."`
	Seeds        Seeds             `yaml:"seeds" need:"unless each" type:"list of URLs, or {file: PATH}" doc:"Where every run starts, as in a crawl file. With each they may be left out: then the runs for an item start from the links of that item."`
	Documents    map[string]string `yaml:"documents" as:"file" type:"map of URL prefix to file" doc:"As in a crawl file."`
	Prefixes     map[string]string `yaml:"prefixes" type:"map of prefix to IRI" doc:"As in a crawl file."`
	Truth        *Truth            `yaml:"truth" need:"yes" type:"section" doc:"Which pages are truly relevant. Exactly one of file, keywords, class and cosine."`
	Each         *Each             `yaml:"each" type:"section" doc:"Repeats all runs for each of several items, pages drawn from the web; results are means with 95 % intervals. Goes with truth: {cosine: …} and truth: {file: …, of: item}."`
	Limits       Limits            `yaml:"limits" type:"section" doc:"The budget of every run, as in a crawl file."`
	Scope        Scope             `yaml:"scope" type:"section" doc:"As in a crawl file."`
	Checkpoints  []float64         `yaml:"checkpoints" type:"list of numbers above 0, at most 1" doc:"Shares of the web at which results are given, beside every 1 % of the budget."`
	Runs         []Run             `yaml:"runs" need:"yes" type:"list of sections" doc:"What is compared. Runs named oracle and breadth-first are always there and need not be listed."`
	Workers      int               `yaml:"workers" default:"0" min:"0" max:"4096" doc:"How many runs are worked on at a time. 0: as many as serve best."`
	AllowPrivate Private           `yaml:"allow_private" default:"false" type:"true, false, or list of networks" doc:"As in a crawl file, for a server of Spotlight: a comparison asks for nothing else."`
	Output       string            `yaml:"output" as:"folder" type:"path" doc:"The folder of the results. Left out: comparisons/NAME beside the comparison file, NAME being the file's name without its extension."`
}

// Name is what the comparison is called in reports: the last part of its output folder.
func (c *Comparison) Name() string { return filepath.Base(c.Output) }

// A Truth says which pages are relevant. Exactly one of File, Keywords, Class and Cosine is set;
// Topics and Of go with File.
type Truth struct {
	File     string   `yaml:"file" as:"file" type:"path" doc:"A table of URLs and their topics: a header line, then a URL, a tab and a topic a line. A URL may have several lines; one that has none is not relevant."`
	Topics   []string `yaml:"topics" type:"list of topics" doc:"With file: the topics that are relevant. subject.IT is also every topic that starts so."`
	Keywords []string `yaml:"keywords" type:"list of words or phrases" doc:"A page that holds one of these is relevant."`
	Class    string   `yaml:"class" oneof:"R" doc:"R: a page that is an RDF document is relevant."`
	Of       string   `yaml:"of" oneof:"item" type:"item" doc:"With file, in comparison files with each: item. Relevant is what has a topic in common with the drawn item; of the topics given, if there are any. Only pages with a topic are drawn."`
	Cosine   *float64 `yaml:"cosine" min:"0" max:"1" doc:"In comparison files, with each: a page whose cosine to the drawn item is above this is relevant. docs/formats.md defines it; with 0.25 few pages are, with 0.1 dozens."`
}

// Each repeats a comparison for several items.
type Each struct {
	Items int   `yaml:"items" need:"yes" min:"1" max:"100000" doc:"How many items are drawn, none twice: HTML pages of at least 50 words, stop words not counted, within reach of the seeds if there are any. An item without a relevant page within reach is drawn again."`
	Seed  int64 `yaml:"seed" default:"1" doc:"The same seed draws the same items of the same web."`
}

// A Run is one focus of a comparison.
type Run struct {
	Name  string `yaml:"name" need:"yes" doc:"What the run is called in the results. No two runs share a name; oracle and breadth-first are kept for those focuses."`
	Focus Focus  `yaml:"focus" need:"yes" type:"section" doc:"As in a crawl file."`
}
