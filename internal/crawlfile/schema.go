package crawlfile

import (
	"net/netip"
	"path/filepath"
	"time"
)

// The tags of the schema:
//
//	yaml     the key
//	as       how the value is written, where its Go type does not tell: size, file, files, archives,
//	         folder, idf, iri, source (a path, or a URL)
//	default  the value of a key left out, as it would stand in the file
//	need     "yes": the key must be there, and a list must not be empty; "unless KEY|KEY": unless the file
//	         has a key KEY, and a list must not be empty
//	oneof    the words allowed, separated by |
//	min, max the range allowed, both ends included
//	type     how docs/crawl-file.md names the type, where the Go type does not tell
//	doc      what docs/crawl-file.md says of it
//
// In limits 0 means none.

// A Crawl is a crawl file: what one crawl is told.
type Crawl struct {
	Seeds        Seeds             `yaml:"seeds" need:"unless *" type:"list of URLs, {file: PATH} or {search: {engine: URL, query: WORDS}}" doc:"Where the crawl starts; a focus that begins with terms of its own needs none. A seed file holds one URL a line; empty lines and lines that start with # are skipped. A search is made once, when a crawl of the live Web begins: its first results (results: 20) are seeds, of an instance of SearXNG (engine: URL) or of another engine by the address of its results (template: URL with {query} and {page}; path: where in its JSON the addresses are, as in web.results.url, or else it is HTML). file and search may stand together."`
	Web          *Web              `yaml:"web" type:"section" doc:"The web to crawl. Left out: the live Web."`
	Documents    map[string]string `yaml:"documents" as:"file" type:"map of URL prefix to file" doc:"Documents answered from a file instead of the web, for every URL that starts with the prefix."`
	Prefixes     map[string]string `yaml:"prefixes" type:"map of prefix to IRI" doc:"Short names for IRIs: with ex: \"http://example.org/\" a target can be written ex:Plane."`
	Focus        Focus             `yaml:"focus" need:"yes" type:"section" doc:"What the crawl is about. Exactly one key."`
	Decisions    string            `yaml:"decisions" as:"file" type:"path" doc:"What a person decided in an earlier crawl (its decisions.jsonl), to be taken up after as many requests as then. With that crawl's archive as the web, and the ontology as it was at its start (its folder ontology), the same crawl comes out."`
	Truth        *Truth            `yaml:"truth" type:"section" doc:"Which pages are truly relevant, so that the crawl can report its harvest rate and recall. Exactly one of file, keywords and class. No focus but the oracle sees it."`
	Limits       Limits            `yaml:"limits" type:"section" doc:"When the crawl ends, and how far it goes. 0 is no limit."`
	Sitemaps     string            `yaml:"sitemaps" default:"seeds" oneof:"seeds|all|off" doc:"Which sitemaps, of those that robots.txt files name, are asked for: of the hosts of seeds, of every host that is met, or none. A sitemap counts as a request, and as a page that is never accepted."`
	Render       Render            `yaml:"render" type:"section" doc:"Whether pages are read as a browser shows them, once their scripts ran. Needs an installed Chromium; what scripts ask for is fetched in the same turns, under the same rules, and archived."`
	Duplicates   string            `yaml:"duplicates" default:"on" oneof:"on|off" doc:"Whether a page that repeats one that was judged has its judgement: the same bytes, whose links are not followed then if they are on the same host, or nearly the same text under the same title. off: every page is judged by itself."`
	Traps        string            `yaml:"traps" default:"on" oneof:"on|off" doc:"Whether URLs that look as if they had no end are kept from waiting: see traps.md for the rules and their budgets."`
	Scope        Scope             `yaml:"scope" type:"section" doc:"Which URLs may be asked for at all. A pattern is a host with its subdomains (example.org), a host and path (example.org/wiki/*, where * is anything), or a regular expression over the whole URL (/\\.pdf$/)."`
	Politeness   Politeness        `yaml:"politeness" type:"section" doc:"How hosts of the live Web are treated. An archived web is read as fast as it can be."`
	Archive      string            `yaml:"archive" default:"auto" oneof:"auto|on|off" doc:"Whether what is fetched is kept as WARC. auto: on for the live Web, off when the web is an archive already. Without one, a crawl that was killed has forgotten what its last pages taught the focus."`
	Workers      int               `yaml:"workers" default:"0" min:"0" max:"4096" doc:"How many requests are worked on at a time. 0: as many as serve best: of the live Web 128, of an archive as many as there are processors. On the live Web more of them are faster where answers are slow; fewer keep closer to the best links, since whoever is free takes the best of the hosts that may be asked."`
	Memory       int64             `yaml:"memory" as:"size" default:"1GB" min:"1" doc:"How much memory may be taken by what is known and by what waits: some 40 bytes a URL. What is beyond goes to the crawl folder: the crawl is the same, and slower."`
	AllowPrivate Private           `yaml:"allow_private" default:"false" type:"true, false, or list of networks" doc:"Whether addresses of private networks may be reached: all of them, none, or those in the networks listed, as in 10.0.0.0/8."`
	Output       string            `yaml:"output" as:"folder" type:"path" doc:"The crawl folder. Left out: crawls/NAME beside the crawl file, NAME being the file's name without its extension."`

	Schema Schema `yaml:"-"` // by which it was read
}

// Name is what the crawl is called in reports: the last part of its output folder.
func (c *Crawl) Name() string { return filepath.Base(c.Output) }

// Seeds are the first URLs of a crawl.
type Seeds struct {
	File   string   // absolute path of the seed file; empty when the seeds stand in the crawl file
	Digest string   // "sha256:" and hex over the canonical URLs, each followed by a line feed
	URLs   []string // canonical, in the file's order, none twice; empty after LoadRun when File is set
	Search *Search  // what finds more of them; nil: nothing
}

// A Web is an archived web.
type Web struct {
	Archive []string `yaml:"archive" as:"archives" need:"yes" type:"path, or list of paths" doc:"WARC files, or folders of them."`
	Robots  string   `yaml:"robots" default:"archived" oneof:"archived|ignore" doc:"archived: the robots.txt files of the archive are obeyed. ignore: they are not, and pages that ask not to be shown in results may be accepted."`
}

// Limits end a crawl or bound its reach. 0 is no limit, but for Redirects, where it means that none
// is followed. Body is never 0.
type Limits struct {
	Pages     int64         `yaml:"pages" default:"0" min:"0" doc:"Pages fetched: distinct URLs that answered 2xx."`
	Requests  int64         `yaml:"requests" default:"0" min:"0" doc:"Requests made, whether answered, failed, redirected or absent from the archive; robots.txt does not count."`
	Depth     int           `yaml:"depth" default:"20" min:"0" max:"1000000" doc:"Links from a seed."`
	Time      time.Duration `yaml:"time" default:"0s" min:"0s" doc:"How long the crawl may run."`
	Bytes     int64         `yaml:"bytes" as:"size" default:"0B" min:"0" doc:"Bytes received."`
	PerHost   int64         `yaml:"per_host" default:"0" min:"0" doc:"Pages fetched of any one host; what else waits there is left waiting."`
	Body      int64         `yaml:"body" as:"size" default:"10MB" min:"1" max:"1000000000" doc:"Bytes of one answer, unpacked; a longer one is refused. At most 1GB."`
	Redirects int           `yaml:"redirects" default:"10" min:"0" max:"50" doc:"Redirects followed in a row. 0: none is followed."`
}

// A Scope says which URLs may be asked for; see weburl.CompileScope for its patterns.
type Scope struct {
	Include []string `yaml:"include" type:"list of patterns" doc:"When given, a URL must match one of these."`
	Exclude []string `yaml:"exclude" type:"list of patterns" doc:"A URL that matches one of these is left out, whatever else it matches."`
	Hosts   []string `yaml:"hosts" type:"list of hosts" doc:"When given, a URL must be on one of these hosts or their subdomains."`
}

// Politeness says how hosts of the live Web are treated.
type Politeness struct {
	Delay       time.Duration `yaml:"delay" default:"1s" min:"0s" max:"24h" doc:"From the start of one request to a host to the start of the next, and of requests to one address likewise. A longer Crawl-delay in the host's robots.txt wins; one of more than an hour means that nothing is asked of the host."`
	Connections int           `yaml:"connections" default:"1" min:"1" max:"64" doc:"Requests under way at one host, and at one address."`
	Robots      bool          `yaml:"robots" default:"true" doc:"Whether robots.txt is obeyed, and a page that asks not to be shown in results (noindex) is never accepted. What is nofollow is not followed in any case."`
	UserAgent   string        `yaml:"user_agent" default:"orbweaver" need:"yes" doc:"The name the crawler gives itself, to hosts and in robots.txt."`
	Contact     string        `yaml:"contact" type:"URL or e-mail address" doc:"Where a site's owner can reach you. It is sent with every request, after the name: a good guest says it."`
	Proxy       string        `yaml:"proxy" type:"URL" doc:"An HTTP proxy that everything is asked through, as in http://user:password@proxy.example:3128. User name and password stay in this file: the crawl folder has the address alone. Variables of the environment are never looked at."`
	Timeout     time.Duration `yaml:"timeout" default:"30s" min:"1ms" max:"1h" doc:"How long an answer may take."`
	Retries     int           `yaml:"retries" default:"2" min:"0" max:"20" doc:"How often a request that failed for a passing reason is made again."`
	Failures    int           `yaml:"failures" default:"5" min:"1" max:"1000" doc:"Failures of a host in a row, of its network or by overload, after which it is left alone for the session."`
}

// Render says which pages a browser makes.
type Render struct {
	When    string `yaml:"when" default:"never" oneof:"never|empty|always" doc:"never: no page. empty: HTML pages that have scripts and hardly any text without them. always: every HTML page."`
	Browser string `yaml:"browser" as:"file" type:"path" doc:"The browser's program. Left out: the first Chromium or Chrome on PATH."`
}

// Private says which private addresses may be reached. The zero value allows none.
type Private struct {
	All      bool           // every one
	Networks []netip.Prefix // those in any of these; empty when All is set
}
