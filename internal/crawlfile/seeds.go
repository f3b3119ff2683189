package crawlfile

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"

	"orbweaver/internal/coding/charset"
	"orbweaver/internal/crawlfile/notation"
	"orbweaver/weburl"
)

// Bounds of a seed file.
const (
	maxSeedFile = 256 << 20
	maxSeedLine = 64 << 10
)

// A seedFile is the notation of seeds as a section, instead of a list of URLs.
type seedFile struct {
	File   string   `yaml:"file" as:"file" type:"path" doc:"Seed file with one URL per line."`
	URLs   []string `yaml:"urls" type:"list of URLs" doc:"Seeds, beside those of file, list and search."`
	List   []string `yaml:"list" as:"files" type:"path, or list of paths" doc:"Lists of URLs that are too long to be seeds."`
	Digest string   `yaml:"digest" doc:"Written by orbweaver into crawl.yaml: digest of the seeds when the crawl began. A seed file that has changed since is refused."`
	Search *Search  `yaml:"search" type:"section" doc:"Seeds from a search engine."`
}

// A Search queries a search engine for seeds, once, when a crawl of the live Web begins. Exactly one of Engine and
// Template is set.
type Search struct {
	Engine   string `yaml:"engine" type:"URL" doc:"A SearXNG instance that answers in JSON."`
	Template string `yaml:"template" type:"URL" doc:"URL of another engine's results, with {query} and, if it supports pages, {page}."`
	Path     string `yaml:"path" doc:"With template: path to the URLs in the JSON response, as in web.results.url. Default: the response is HTML."`
	Query    string `yaml:"query" doc:"The search query. Optional with focus: crossref, whose default is the item's heaviest terms."`
	Results  int    `yaml:"results" default:"20" min:"1" max:"1000" doc:"Number of results to use as seeds."`
}

// decode reads a URL, a list of URLs or a seed file.
func (s *Seeds) decode(d *decoding, n *node, key string) {
	if n.kind == mapNode {
		s.fromFile(d, n, key)
		return
	}
	items := []*node{n}
	if n.kind == listNode {
		items = n.items
	}
	urls := newURLSet()
	for i, item := range items {
		path := key
		if n.kind == listNode {
			path = fmt.Sprintf("%s[%d]", key, i+1)
			d.places[path] = item.at
		}
		if item.kind != textNode {
			d.problem(path, "must be a URL, not "+item.describe(), "")
		} else if err := urls.add(item.text); err != nil {
			msg, hint := badURL(item.text, err)
			d.problem(path, msg, hint)
		}
	}
	s.URLs, s.Digest = urls.list, urls.digest()
}

// checkSeeds reports missing seeds, unless the focus generates its own first requests, and a search in the crawl of an
// archive.
func (d *decoding) checkSeeds(s *Seeds, f Focus, web *Web) {
	if s.Search != nil {
		d.checkSearch(s.Search)
		if s.Search.Query == "" && !d.troubled("seeds.search.query") && d.schema != nil && !f.traits().Searches {
			d.problem("seeds.search.query", "is missing", "")
		}
		if web != nil || d.given("web") {
			d.problem("seeds.search", "finds pages of the live Web, and web names an archive", "write seeds as a list of URLs")
		}
		return
	}
	if len(s.URLs)+len(s.Lists) > 0 || d.schema == nil || f.begins() || !d.given("seeds") {
		return
	}
	if slices.ContainsFunc(d.problems, func(p Problem) bool { return p.File != d.file || strings.HasPrefix(p.Key, "seeds") }) {
		return // the likely cause of missing seeds
	}
	switch {
	case s.File == "":
		d.problem("seeds", "is empty", "")
	case d.look:
		d.problem("seeds.file", s.File+" holds no URL", "")
	}
}

// checkSearch reports invalid search engines.
func (d *decoding) checkSearch(s *Search) {
	const key = "seeds.search"
	if (s.Engine == "") == (s.Template == "") {
		d.problem(key, "has one of engine and template", "engine: URL for an instance of SearXNG, template: URL with {query} for others")
		return
	}
	if s.Path != "" && s.Template == "" {
		d.problem(join(key, "path"), "has no template to go with", "")
	}
	at, raw := join(key, "engine"), s.Engine
	if s.Template != "" {
		at, raw = join(key, "template"), strings.NewReplacer("{query}", "x", "{page}", "1").Replace(s.Template)
		if !strings.Contains(s.Template, "{query}") {
			d.problem(at, "holds no {query}", "which stands for what is searched")
		}
	}
	if _, err := weburl.Canonical(raw); err != nil {
		msg, hint := badURL(raw, err)
		d.problem(at, msg, hint)
	}
}

// A urlSet is an ordered set of canonical URLs.
type urlSet struct {
	list  []string
	known map[string]bool
}

// newURLSet returns an empty set.
func newURLSet() *urlSet { return &urlSet{known: map[string]bool{}} }

// add adds a URL as written.
func (u *urlSet) add(raw string) error {
	url, err := weburl.Canonical(raw)
	if err != nil {
		return err
	}
	if !u.known[url] {
		u.known[url] = true
		u.list = append(u.list, url)
	}
	return nil
}

// digest returns a digest of the URLs in order.
func (u *urlSet) digest() string {
	hash := sha256.New()
	for _, url := range u.list {
		io.WriteString(hash, url+"\n")
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

// NoCredentials is the hint for a URL that contains a user name and password.
const NoCredentials = "leave them out: this version logs in nowhere, and keeps no password. Ask the site to let this machine's address in, or crawl a WARC archive of what is behind the login"

// badURL returns the message for an invalid URL. The hint covers URLs without a scheme, as browsers show them.
func badURL(raw string, err error) (msg, hint string) {
	if errors.Is(err, weburl.ErrCredentials) {
		return "bad " + err.Error(), NoCredentials
	}
	if _, guess := weburl.Canonical("https://" + raw); guess == nil && strings.Contains(raw, ".") && !strings.Contains(raw, ":") {
		return "bad URL " + shorten(raw) + ": it has no scheme", "write https://" + raw
	}
	return "bad " + err.Error(), ""
}

// fromFile reads {file: PATH, search: {…}}, where one of the keys may be missing.
func (s *Seeds) fromFile(d *decoding, n *node, key string) {
	var written seedFile
	before := len(d.problems)
	d.value(reflect.ValueOf(&written).Elem(), field{}, n, key)
	s.File, s.Lists, s.Digest, s.Search = written.File, written.List, written.Digest, written.Search
	urls := newURLSet()
	for i, url := range written.URLs {
		if err := urls.add(url); err != nil {
			msg, hint := badURL(url, err)
			d.problem(fmt.Sprintf("%s[%d]", join(key, "urls"), i+1), msg, hint)
		}
	}
	if s.File == "" && s.Search == nil && len(s.Lists) == 0 && len(urls.list) == 0 && len(d.problems) == before {
		d.problem(key, "names neither a file nor a list nor a search", "write {file: PATH}, {list: PATH} or {search: {engine: URL, query: WORDS}}")
	}
	if s.URLs = urls.list; !d.look || s.File == "" && len(s.Lists)+len(urls.list) == 0 || len(d.problems) > before {
		return
	}
	if s.File != "" {
		d.readSeeds(s.File, key, urls)
	}
	s.Opened = d.openLists(s.Lists)
	digest := digestOf(urls, s.Opened)
	switch {
	case len(d.problems) > before:
	case s.Digest != "" && s.Digest != digest:
		changed := strings.Join(append(s.Lists[:len(s.Lists):len(s.Lists)], s.File), " or ")
		d.problem(join(key, "digest"), strings.TrimSuffix(changed, " or ")+" has changed since this crawl began", "restore it, or start a crawl in another folder")
	}
	s.URLs, s.Digest = urls.list, digest
}

// readSeeds adds the URLs of a seed file. Problems name the lines of that file.
func (d *decoding) readSeeds(path, key string, urls *urlSet) {
	file, err := os.Open(path)
	if err != nil {
		d.problem(join(key, "file"), err.Error(), "")
		return
	}
	defer file.Close()
	if at, err := file.Stat(); err == nil && at.Size() > maxSeedFile {
		d.problem(join(key, "file"), fmt.Sprintf("%s is larger than %d bytes", path, maxSeedFile), "")
		return
	}
	d.scanSeeds(path, file, urls)
}

// scanSeeds reads seeds, one per line. Problems name the lines.
func (d *decoding) scanSeeds(name string, from io.Reader, urls *urlSet) {
	lines := bufio.NewScanner(charset.NewReader(io.LimitReader(from, maxSeedFile)))
	lines.Buffer(nil, maxSeedLine)
	number := 0
	for lines.Scan() && len(d.problems) <= notation.MaxProblems {
		number++
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := urls.add(line); err != nil {
			msg, hint := badURL(line, err)
			d.problems = append(d.problems, Problem{File: name, Line: number, Msg: msg, Hint: hint})
		}
	}
	if err := lines.Err(); err != nil {
		d.problems = append(d.problems, Problem{File: name, Line: number + 1, Msg: err.Error()})
	}
}

// ReadSeeds reads seeds in the format of a seed file. It returns canonical URLs in order without duplicates. The error is
// Problems with name as the file name.
func ReadSeeds(name string, from io.Reader) ([]string, error) {
	d, urls := new(decoding), newURLSet()
	if d.scanSeeds(name, from, urls); len(d.problems) > 0 {
		return nil, Problems(d.problems).InOrder(name)
	}
	if len(urls.list) == 0 {
		return nil, Problems{{File: name, Msg: "holds no URL"}}
	}
	return urls.list, nil
}

// decode reads true, false or a list of networks.
func (p *Private) decode(d *decoding, n *node, key string) {
	*p = Private{}
	if n.kind == boolNode || n.kind == mapNode {
		var all bool
		d.value(reflect.ValueOf(&all).Elem(), field{}, n, key)
		p.All = all
		return
	}
	items := []*node{n}
	if n.kind == listNode {
		items = n.items
	}
	for i, item := range items {
		path := key
		if n.kind == listNode {
			path = fmt.Sprintf("%s[%d]", key, i+1)
			d.places[path] = item.at
		}
		network, err := parseNetwork(item.text)
		if err != nil {
			d.problem(path, "must be a network, not "+item.describe(), "write true, false, or networks such as 10.0.0.0/8")
			continue
		}
		p.Networks = append(p.Networks, network)
	}
}

// parseNetwork parses a network in CIDR notation, or an address as a network of one address.
func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Prefix(addr.BitLen())
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return network.Masked(), nil
}
