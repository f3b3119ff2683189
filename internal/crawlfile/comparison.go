package crawlfile

import (
	"path/filepath"
	"time"
)

// A Comparison is a comparison file: several focuses on one archived web, measured against one ground truth. Each is nil
// unless the runs are repeated per item. With Each, the truth is Cosine or Of an item, Seeds may be empty, and the item
// replaces missing terms of a best-first focus and a missing item of a cross-reference focus.
type Comparison struct {
	Web          *Web              `yaml:"web" need:"yes" type:"section" doc:"The archived web that every run crawls."`
	Seeds        Seeds             `yaml:"seeds" need:"unless each" type:"list of URLs, {file: PATH} or {list: PATH}" doc:"Where every run starts, as in a crawl file. Optional with each: the runs for an item then start from the links of that item."`
	Documents    map[string]string `yaml:"documents" as:"file" type:"map of URL prefix to file" doc:"As in a crawl file."`
	Prefixes     map[string]string `yaml:"prefixes" type:"map of prefix to IRI" doc:"As in a crawl file."`
	Truth        *Truth            `yaml:"truth" need:"yes" type:"section" doc:"Ground truth: which pages are relevant. Exactly one of file, keywords, class and cosine."`
	Each         *Each             `yaml:"each" type:"section" doc:"Repeats all runs for each of several items, pages drawn from the web; results are means with 95 % intervals. Requires truth: {cosine: …} or truth: {file: …, of: item}."`
	Limits       Limits            `yaml:"limits" type:"section" doc:"Budget of every run, as in a crawl file."`
	Scope        Scope             `yaml:"scope" type:"section" doc:"As in a crawl file."`
	Checkpoints  []float64         `yaml:"checkpoints" type:"list of numbers above 0, at most 1" doc:"Shares of the web at which results are reported, in addition to every 1 % of the budget."`
	Runs         []Run             `yaml:"runs" need:"yes" type:"list of sections" doc:"The runs to compare. Runs named oracle and breadth-first are always included."`
	Baseline     string            `yaml:"baseline" default:"breadth-first" doc:"The run that every other is compared with, item by item or topic by topic: differences with intervals and tests."`
	Bootstrap    Bootstrap         `yaml:"bootstrap" type:"section" doc:"How intervals of these differences are drawn."`
	Schedule     Schedule          `yaml:"schedule" type:"section" doc:"How long the requests of a run would take on the live Web: hours are computed from their order, and no request waits."`
	Workers      int               `yaml:"workers" default:"0" min:"0" max:"4096" doc:"Number of runs in parallel. 0: automatic."`
	AllowPrivate Private           `yaml:"allow_private" default:"false" type:"true, false, or list of networks" doc:"As in a crawl file, for a Spotlight server: a comparison makes no other connections."`
	Output       string            `yaml:"output" as:"folder" type:"path" doc:"The folder for results. Default: comparisons/NAME beside the comparison file, where NAME is the file name without extension."`
}

// Name returns the comparison's name in reports: the base name of its output folder.
func (c *Comparison) Name() string { return filepath.Base(c.Output) }

// Listed returns the comparison's lists of URLs.
func (c *Comparison) Listed() Lists { return Lists{Seeds: c.Seeds, Web: c.Web} }

// A Truth defines which pages are relevant. Exactly one of File, Keywords, Class and Cosine is set. Topics and Of
// require File.
type Truth struct {
	File     string   `yaml:"file" as:"file" type:"path" doc:"Table of URLs and topics: a header line, then per line a URL, a tab and a topic. A URL may have several lines; a URL without a line is not relevant."`
	Topics   []string `yaml:"topics" type:"list of topics" doc:"With file: the relevant topics. subject.IT also matches every topic that starts with it."`
	Keywords []string `yaml:"keywords" type:"list of words or phrases" doc:"A page that contains one of these is relevant."`
	Class    string   `yaml:"class" oneof:"R" doc:"R: a page that is an RDF document is relevant."`
	Of       string   `yaml:"of" oneof:"item" type:"item" doc:"With file, in comparison files with each: item. A page is relevant if it shares a topic with the drawn item; if topics are given, one of those. Only pages with a topic are drawn."`
	Cosine   *float64 `yaml:"cosine" min:"0" max:"1" doc:"In comparison files, with each: a page is relevant if its cosine to the drawn item exceeds this. docs/reference/formats.md defines the cosine; few pages are above 0.25, dozens above 0.1."`
}

// Each repeats a comparison for several items.
type Each struct {
	Items int   `yaml:"items" need:"yes" min:"1" max:"100000" doc:"Number of items, drawn without replacement: HTML pages with at least 50 words, stop words not counted, reachable from the seeds if there are any. An item without a reachable relevant page is drawn again."`
	Seed  int64 `yaml:"seed" default:"1" doc:"Random seed: the same seed draws the same items from the same web."`
}

// A Run is one focus of a comparison.
type Run struct {
	Name  string `yaml:"name" need:"yes" doc:"Name of the run in the results, unique. oracle and breadth-first are reserved for those focuses."`
	Focus Focus  `yaml:"focus" type:"section" doc:"As in a crawl file. Required unless there is requests."`
	// Requests is the log of a crawler that is not ours.
	Requests string `yaml:"requests" as:"file" type:"path" doc:"Instead of focus: the requests of another crawler, in order, a URL a line, as orbweaver replay --log writes them. Not with each."`
	// Explore is as in a crawl file, but that nothing is drawn unless it says so.
	Failing string  `yaml:"failing" oneof:"last|ranked" doc:"As in a crawl file."`
	Explore Explore `yaml:"explore" short:"share" type:"percentage, or section" doc:"As in a crawl file; nothing is drawn by default."`
	// Discover is as in a crawl file, without sitemaps.
	Discover Discover `yaml:"discover" short:"by" type:"list of sources, or section" doc:"As in a crawl file, but for sitemaps."`
}

// Bootstrap determines the intervals of paired differences.
type Bootstrap struct {
	Samples int   `yaml:"samples" default:"10000" min:"100" max:"1000000" doc:"Number of samples."`
	Seed    int64 `yaml:"seed" default:"1" min:"0" doc:"Random seed: the same seed gives the same intervals."`
}

// A Schedule determines how long requests would take on the live Web.
type Schedule struct {
	Delay       time.Duration `yaml:"delay" default:"1s" min:"0s" max:"24h" doc:"Interval from the answer to one request to a host to the start of the next. A longer Crawl-delay in the host's archived robots.txt takes precedence, unless web has robots: ignore."`
	Connections int           `yaml:"connections" default:"1" min:"1" max:"64" doc:"Concurrent requests to one host."`
	AtOnce      int           `yaml:"at_once" default:"16" min:"1" max:"1024" doc:"Concurrent requests in all. A request that waits for its host is one of them, so that a run which asks one host many times in a row is not served out of order."`
	Answer      time.Duration `yaml:"answer" default:"500ms" min:"0s" max:"1h" doc:"Time that an answer takes."`
}
