package crawlfile

import (
	"net/netip"
	"path/filepath"
	"time"

	"orbweaver/internal/rendering"
	"orbweaver/internal/requisites"
	"orbweaver/internal/sinks"
	"orbweaver/internal/urllist"
)

// The tags of the schema:
//
//	yaml     the key
//	as       notation of the value, if the Go type does not determine it: size, file, files, archives,
//	         folder, idf, iri, source (a path or a URL)
//	default  value of a missing key, in the notation of the file
//	need     "yes": the key is required, and a list must not be empty; "unless KEY|KEY": the same, unless
//	         the file has one of the keys
//	oneof    allowed words, separated by |
//	min, max allowed range, both ends included
//	short    of a section: the key that a single value in its place is for
//	type     name of the type in docs/reference/crawl-file.md, if the Go type does not determine it
//	doc      description in docs/reference/crawl-file.md
//
// A limit of 0 means no limit.

// A Crawl is a crawl file: the configuration of one crawl.
type Crawl struct {
	Seeds        Seeds               `yaml:"seeds" need:"unless *" type:"list of URLs, {file: PATH}, {list: PATH} or {search: {engine: URL, query: WORDS}}" doc:"URLs where the crawl starts. Optional for focuses with terms of their own. A seed file has one URL per line; empty lines and lines that start with # are skipped. A list is a file of URLs too long to be seeds, also packed by gzip: one URL per line, a sitemap or an index of sitemaps, a CDX or CDXJ index, the pages.jsonl of a WACZ file, or such a file. Its URLs are ranked like those of a sitemap instead of being requested first; 50 000 of them count as one request. list: [A, B] reads several. A search runs once, when a crawl of the live Web begins: its first results (results: 20) become seeds. It uses a SearXNG instance (engine: URL) or the result page of another engine (template: URL with {query} and {page}; path: where its JSON has the URLs, as in web.results.url; without path the result is HTML). urls, file, list and search may be combined, as in {urls: [URL], list: PATH}."`
	Web          *Web                `yaml:"web" type:"section" doc:"The archived web to crawl. Default: the live Web."`
	Documents    map[string]string   `yaml:"documents" as:"file" type:"map of URL prefix to file" doc:"Files that replace documents of the web: each URL that starts with the prefix is answered from the file."`
	Prefixes     map[string]string   `yaml:"prefixes" type:"map of prefix to IRI" doc:"Abbreviations of IRIs: with ex: \"http://example.org/\" a target can be written ex:Plane."`
	Focus        Focus               `yaml:"focus" need:"yes" type:"section" doc:"What the crawl looks for. Exactly one key."`
	Explore      Explore             `yaml:"explore" short:"share" type:"percentage, or section" doc:"Requests drawn at random among all that wait, in place of the best. What they lead to tells how good the links are that the ranking leaves out. explore: 5% is short for {share: 5%}; explore: 0 draws none."`
	Discover     Discover            `yaml:"discover" short:"by" type:"list of sources, or section" doc:"Pages that links by rank do not lead to. discover: [index, search] is short for {by: [index, search]}. Default: off. See discovery.md."`
	Decisions    string              `yaml:"decisions" as:"file" type:"path" doc:"The decisions.jsonl of an earlier crawl: a person's verdicts on suggestions and pages, applied after the same number of requests as then. With that crawl's archive as the web, and the ontology in its initial state (its folder ontology), it repeats that crawl."`
	Truth        *Truth              `yaml:"truth" type:"section" doc:"Ground truth: which pages are relevant, so that the crawl can report harvest rate and recall. Exactly one of file, keywords and class. Only the oracle focus sees it."`
	Limits       Limits              `yaml:"limits" type:"section" doc:"Limits that end the crawl or bound its reach. 0 means no limit."`
	Schedule     Recrawl             `yaml:"schedule" short:"requests|every" type:"number, duration, cron expression, or section" doc:"When orbweaver watch visits the pages of the crawl again. schedule: 1000 is short for {requests: 1000}: as often as each page changes, at most 1000 requests a day. schedule: 24h and schedule: \"0 3 * * *\" are short for {every: ...}. See recrawl.md."`
	Failing      string              `yaml:"failing" oneof:"last|ranked" doc:"Where requests wait whose kind of URL did not answer so far: by file extension, host, directory and the media type that a link states. last: after all others. ranked: by their rank. Default: last for focuses that explore by default, ranked for the others and in crawls that an older version began. Requests drawn at random notice when such URLs answer again."`
	Lists        string              `yaml:"lists" oneof:"items|text" doc:"How the ontology and keyword focuses judge a page that only lists links, such as a table of contents. items: by what most of its items are about (reasons.md). text: as any text, by the words in it. Default: items; text in crawls that an older version began."`
	Stop         Stop                `yaml:"stop" type:"section" doc:"When the crawl ends although links wait."`
	Sitemaps     string              `yaml:"sitemaps" default:"seeds" oneof:"seeds|all|off" doc:"Which sitemaps named by robots.txt files are fetched: those of seed hosts, of every host, or none. A sitemap counts as a request, and as a page that is never accepted."`
	Render       rendering.Settings  `yaml:"render" type:"section" doc:"Whether a browser renders pages, running their scripts, before they are read. Needs an installed Chromium. Subresources are fetched within the same politeness turn, under the same rules, and archived."`
	Requisites   requisites.Settings `yaml:"requisites" short:"of" type:"off, accepted, or section" doc:"Whether images, style sheets, fonts and scripts of accepted pages are archived with them, so that the pages can be shown as they were. They are requested as politely as pages, from any host, and are no pages themselves. Over an archive it has no effect. requisites: accepted is short for {of: accepted}. See requisites.md."`
	Duplicates   string              `yaml:"duplicates" default:"on" oneof:"on|off" doc:"Whether duplicate pages reuse the judgement of the first. on: a page with the same bytes, whose links are then not followed if it is on the same host, or with nearly the same text under the same title. off: every page is judged by itself."`
	Traps        string              `yaml:"traps" default:"on" oneof:"on|off" doc:"Whether URLs that look like part of an infinite URL space are kept out of the frontier: see traps.md for rules and budgets."`
	Sources      []string            `yaml:"sources" type:"list of patterns" doc:"Pages that are lists of links and nothing else, such as directories and tables of contents. Their links are followed and ranked as those of any page, by what the page itself says; they have no judgement, are never accepted, teach nothing, and count as a request but as no page. Patterns are those of scope, which holds for them as well."`
	Scope        Scope               `yaml:"scope" type:"section" doc:"Which URLs may be requested. A pattern is a host with its subdomains (example.org), a host and path (example.org/wiki/*, where * matches anything), or a regular expression over the whole URL (/\\.pdf$/)."`
	Politeness   Politeness          `yaml:"politeness" type:"section" doc:"How the crawl treats hosts of the live Web. Archives are read at full speed."`
	HTTP         []HTTP              `yaml:"http" type:"list of sections" doc:"What hosts of the live Web are sent beside a request, and how they are reached: headers, cookies, credentials, logins, certificates, proxies. Of each header and each other setting, the first section counts that matches the URL and has it. A redirect to a URL that a section does not match takes nothing along. See access.md."`
	Archive      Archiving           `yaml:"archive" short:"keep" type:"auto, on, off, or section" doc:"Whether responses are archived as WARC, and how small. archive: off is short for {keep: off}."`
	Sinks        []sinks.Sink        `yaml:"sinks" type:"list of sections" doc:"Where accepted pages go as the crawl accepts them. Each has one of folder, sqlite, postgres, s3 and webhook. They may change between sessions. See sinks.md."`
	Workers      int                 `yaml:"workers" default:"0" min:"0" max:"4096" doc:"Number of requests in parallel. 0: automatic: one per processor for an archive; 128 for the live Web, and up to 512 while the processors wait for answers. On the live Web more workers are faster when responses are slow; fewer follow the ranking more closely, since each free worker takes the best link among the hosts that may be requested."`
	Memory       int64               `yaml:"memory" as:"size" default:"1GB" min:"1" doc:"Memory for known and waiting URLs, some 40 bytes each. The rest is kept in the crawl folder: the crawl is the same, and slower."`
	AllowPorts   []int               `yaml:"allow_ports" type:"list of ports" min:"1" max:"65535" doc:"Ports that the crawl may connect to though they belong to other protocols than HTTP: the bad ports of the Fetch standard, such as 25 or 6667, are refused otherwise."`
	AllowPrivate Private             `yaml:"allow_private" default:"false" type:"true, false, or list of networks" doc:"Whether the crawl may connect to addresses of private networks: all, none, or those in the networks listed, as in 10.0.0.0/8."`
	Cluster      *Cluster            `yaml:"cluster" type:"section" doc:"How a cluster runs the crawl: see cluster.md. A crawl by one process does without."`
	Output       string              `yaml:"output" as:"folder" type:"path" doc:"The crawl folder. Default: crawls/NAME beside the crawl file, where NAME is the file name without extension."`

	Schema Schema `yaml:"-"` // used to read the file
}

// Name returns the crawl's name in reports: the base name of its output folder.
func (c *Crawl) Name() string { return filepath.Base(c.Output) }

// Listed returns the crawl's lists of URLs.
func (c *Crawl) Listed() Lists { return Lists{Seeds: c.Seeds, Web: c.Web} }

// A Cluster says how several machines share a crawl. A crawl by one process is not concerned.
type Cluster struct {
	Partitions int           `yaml:"partitions" default:"256" min:"1" max:"256" doc:"Parts into which the hosts are divided, by their registrable domain. Each belongs to one node at a time."`
	Replicas   int           `yaml:"replicas" default:"0" min:"0" max:"5" doc:"Servers that keep each message between nodes: 1, 3 or 5. 0: 3 if three nodes or more have one, else 1."`
	Storage    string        `yaml:"storage" as:"storage" type:"folder, or s3://BUCKET/PREFIX" doc:"Where all nodes keep what they find, so that others can go on with the part of one that is gone: a folder that all have under this path, or a bucket, as in s3://crawls/mine?endpoint=10.0.0.9:9000. Credentials of S3 come from the environment. Without it, the part of a node that is gone waits until it is back."`
	Lease      time.Duration `yaml:"lease" default:"15s" min:"2s" max:"10m" doc:"How long others wait before they take the part of a node that does not answer. Servers of three nodes need up to 12 seconds to agree on a leader."`
	Checkpoint time.Duration `yaml:"checkpoint" default:"5s" min:"100ms" max:"10m" doc:"How often a node writes what it has found to the storage. Pages that a node fetched since are fetched again by the one that takes its part."`
}

// Shared returns how a cluster runs the crawl, whether the file says so or not.
func (c *Crawl) Shared() Cluster {
	if c.Cluster != nil {
		return *c.Cluster
	}
	return Cluster{Partitions: 256, Lease: 15 * time.Second, Checkpoint: 5 * time.Second}
}

// Seeds are the first URLs of a crawl.
type Seeds struct {
	File   string   // absolute path of the seed file; empty if the seeds are in the crawl file
	Digest string   // "sha256:" and hex over the canonical URLs, each followed by a line feed; with lists, over that and the digest of each
	URLs   []string // canonical, in the file's order, without duplicates; without those of File after LoadRun
	Search *Search  // search for more seeds; nil: none

	Lists  []string        // absolute paths of lists
	Opened []*urllist.List // the same; nil after LoadRun
}

// A Web is an archived web.
type Web struct {
	Archive []string `yaml:"archive" as:"archives" need:"yes" type:"path, or list of paths" doc:"WARC, ARC and WACZ files, or folders of them."`
	Robots  string   `yaml:"robots" default:"archived" oneof:"archived|ignore" doc:"archived: obey the robots.txt files in the archive. ignore: do not, and accept pages marked noindex."`
	Sitemap Sitemap  `yaml:"sitemap" short:"share|file" type:"percentage, path, or section" doc:"Gives each host of the archive a sitemap that lists its pages, made from the archive's index, as if its robots.txt named it: 100% lists all, 50% a half drawn at random. A path gives the crawl the URLs in a file, as seeds: {list: PATH} does. A sitemap counts as a request. In a crawl file, sitemaps says at which hosts it is fetched; in a comparison it is fetched at the hosts of the seeds. sitemap: 50% is short for {share: 50%}, sitemap: PATH for {file: PATH}."`
}

// A Sitemap is given to the hosts of an archive.
type Sitemap struct {
	Share  *float64 `yaml:"share" as:"share" min:"0" max:"1" type:"percentage or number from 0 to 100%" doc:"Share of an archive's pages that its sitemaps list. Default: none, there is no sitemap."`
	File   string   `yaml:"file" as:"file" type:"path" doc:"A sitemap, or a list of URLs in another form that seeds: {list: PATH} reads."`
	Digest string   `yaml:"digest" doc:"Written by orbweaver into crawl.yaml: digest of the file when the crawl began. A file that has changed since is refused."`
	Opaque float64  `yaml:"opaque" as:"share" default:"0" min:"0" max:"1" type:"percentage or number from 0 to 100%" doc:"In comparison files: share of the pages, except seeds, whose URLs are replaced by numbers, in links, sitemaps and truth alike, to measure what the words of URLs are worth."`
	Seed   int64    `yaml:"seed" default:"1" doc:"Random seed of both draws."`

	Opened []*urllist.List `yaml:"-"` // File; nil after LoadRun
}

// Part returns the share of pages that sitemaps list, from 0 to 1.
func (s Sitemap) Part() float64 {
	if s.Share == nil {
		return 0
	}
	return *s.Share
}

// Archiving is what a crawl archives.
type Archiving struct {
	Keep        string   `yaml:"keep" default:"auto" oneof:"auto|on|off" doc:"Whether responses are archived as WARC. auto: on for the live Web, off if the web is an archive. Without an archive, a crawl that is killed loses the model updates of its last pages."`
	Compression string   `yaml:"compression" default:"fast" oneof:"fast|small" doc:"How responses that came uncompressed are stored; what came compressed is stored as it came. fast: as small as the processors have time for: a crawl that waits for its hosts compresses well, one at full speed hardly. small: well at any speed. It may change between sessions."`
	Known       []string `yaml:"known" as:"archives" type:"list of paths" doc:"Other archives: what they have is not stored again. A crawl folder, a folder of archives, a WARC or WACZ file, or a CDX or CDXJ index beside its WARC files. A response with the very bytes of one in there becomes a revisit record, and is read from there. Read when a session begins; it may change between sessions. See archives.md."`
}

// Explore has requests drawn at random. Share is nil if the file does not say how many: see Part.
type Explore struct {
	Share *float64 `yaml:"share" as:"share" min:"0" max:"0.5" type:"percentage or number from 0 to 50%" doc:"Share of the requests, as in 2% or 0.02. 0: none. Default: 2% for a focus that ranks links by more than the order of their discovery; none with mode: paper, for breadth_first, random, oracle, swget and metadata, for krs in breadth-first order, for methods of linked_data other than focused, in comparisons, and in crawls that an older version began. A refresh draws none. Seeds, targets of redirects, sitemaps and queries are never drawn."`
	Seed  int64    `yaml:"seed" default:"1" doc:"Random seed: the same seed draws the same requests in the same crawl of an archive."`
}

// Part returns the share of requests that are drawn, from 0 to 0.5; 0 if the file does not say.
func (e Explore) Part() float64 {
	if e.Share == nil {
		return 0
	}
	return *e.Share
}

// Same reports whether a crawl by e draws the same requests as one that ran with other. If e does not say, it goes on as
// the other began.
func (e Explore) Same(other Explore) bool {
	return e.Share == nil || e.Part() == other.Part() && (e.Part() == 0 || e.Seed == other.Seed)
}

// Limits end a crawl or bound its reach. 0 means no limit, except for Redirects, where it means that no redirect is
// followed. Body is never 0.
type Limits struct {
	Pages     int64         `yaml:"pages" default:"0" min:"0" doc:"Pages fetched: distinct URLs with a 2xx response."`
	Requests  int64         `yaml:"requests" default:"0" min:"0" doc:"Requests made, whether answered, failed, redirected or missing from the archive; robots.txt does not count. A login counts as one (http)."`
	Depth     int           `yaml:"depth" default:"20" min:"0" max:"1000000" doc:"Links from a seed. The pages of a list (next, older, numbers) are as deep as the first as long as they lead to something new."`
	Time      time.Duration `yaml:"time" default:"0s" min:"0s" doc:"Duration of the crawl."`
	Outage    time.Duration `yaml:"outage" default:"1h" min:"0s" doc:"How long the crawl waits for its own network to come back before it ends. 0s: it waits for as long as it takes."`
	Bytes     int64         `yaml:"bytes" as:"size" default:"0B" min:"0" doc:"Bytes received."`
	PerHost   int64         `yaml:"per_host" default:"0" min:"0" doc:"Pages fetched from any one host; its other URLs stay in the frontier."`
	Body      int64         `yaml:"body" as:"size" default:"10MB" min:"1" max:"1000000000" doc:"Size of one response body, decompressed; a larger one is refused. At most 1GB."`
	Dump      int64         `yaml:"dump" as:"size" default:"100MB" min:"0" max:"1000000000" doc:"With a focus that finds data (linked_data, unless harvest is false): size of one document of RDF, or of one archive or compressed file as received; body holds for JSON-LD. What is packed may unpack to 20 times this size, and, beyond 64MB, to 250 times the bytes received. At most 1GB; 0: body holds for all."`
	Redirects int           `yaml:"redirects" default:"10" min:"0" max:"50" doc:"Consecutive redirects followed. 0: none."`
}

// Stop says when a crawl has found enough.
type Stop struct {
	Saturation float64 `yaml:"saturation" as:"share" default:"0" min:"0" doc:"The crawl ends when another 1 000 requests are expected to bring fewer accepted pages than this: a number of pages from 1 on, as in 10. Below, it is a share of those accepted so far, as in 5%, and in a crawl of more than 1 000 requests as many as so far count. 0: it does not. See saturation.md."`
}

// A Scope defines which URLs a crawl may request. weburl.CompileScope describes its patterns.
type Scope struct {
	Include []string `yaml:"include" type:"list of patterns" doc:"If set, a URL must match one of these patterns."`
	Exclude []string `yaml:"exclude" type:"list of patterns" doc:"A URL that matches one of these patterns is out of scope, whatever else it matches."`
	Hosts   []string `yaml:"hosts" type:"list of hosts" doc:"If set, a URL must be on one of these hosts or their subdomains."`
}

// Politeness controls requests to hosts of the live Web.
type Politeness struct {
	Delay       time.Duration `yaml:"delay" default:"1s" min:"0s" max:"24h" doc:"Interval from the start of one request to a host to the start of the next, and likewise for requests to one address. A longer Crawl-delay in the host's robots.txt takes precedence; with one of more than an hour, the host is not requested at all."`
	Connections int           `yaml:"connections" default:"0" min:"0" max:"64" doc:"Concurrent requests to one host, and to one address. 0: automatic: one; where there is no delay at all (delay: 0s), up to 6 at a host whose answers take 20 ms or longer to begin, as long as they come no slower for it."`
	Robots      bool          `yaml:"robots" default:"true" doc:"Whether robots.txt is obeyed; if so, a page marked noindex is never accepted. nofollow is obeyed in any case."`
	UserAgent   string        `yaml:"user_agent" default:"orbweaver" need:"yes" doc:"The crawler's name, in the User-Agent header and for robots.txt."`
	Contact     string        `yaml:"contact" type:"URL or e-mail address" doc:"URL or address where a site's owner can reach you. Sent with every request, after the name; polite crawls set it."`
	Proxy       string        `yaml:"proxy" type:"URL" doc:"HTTP proxy for all requests, as in http://user:password@proxy.example:3128. User name and password stay in this file: the crawl folder records only the address. Environment variables are ignored."`
	Timeout     time.Duration `yaml:"timeout" default:"30s" min:"1ms" max:"1h" doc:"Limit of the time to answer one request."`
	Retries     int           `yaml:"retries" default:"2" min:"0" max:"20" doc:"Retries of a request after a temporary failure."`
	Failures    int           `yaml:"failures" default:"5" min:"1" max:"1000" doc:"Consecutive failures of a host after which it is down: it gets a single request now and then, at first after 30 seconds, until it answers. A refused connection, a failed look-up or a failed TLS handshake counts each time; a request without an answer, or with one of overload, counts once, however often it is retried. What is wrong with one document counts for nothing."`
	Patience    time.Duration `yaml:"patience" default:"5m" min:"0s" max:"24h" doc:"How long the crawl, when nothing else is left to request, waits for hosts that answered before and are down now."`
	Worth       string        `yaml:"worth" default:"request" oneof:"request|second" doc:"Which of the hosts that may be requested now goes first. request: the one with the best request. second: the one with the best request for its time: its score divided by one second and the mean time in which its host answers. Slow hosts come later; no other order changes."`
}

// Private controls which private addresses may be reached. The zero value allows none.
type Private struct {
	All      bool           // all addresses
	Networks []netip.Prefix // addresses in these networks; empty if All is set
}
