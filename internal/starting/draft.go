package starting

import (
	"cmp"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfile"
)

// A Draft is the least that a person says of a crawl: where it begins, and one thing that it looks for.
type Draft struct {
	Seeds    []string `json:"seeds,omitempty"`    // URLs as written; a URL may lack its scheme
	Requests int64    `json:"requests,omitempty"` // maximum; 0: QuickRequests
	Contact  string   `json:"contact,omitempty"`  // URL or e-mail address, sent with every request

	Words []string `json:"words,omitempty"` // words and phrases, each perhaps a list with commas

	Ontology []string `json:"ontology,omitempty"` // files
	Target   []string `json:"target,omitempty"`   // what of it: IRIs, names or labels

	KRS string `json:"krs,omitempty"` // folder of a topic learned from documents

	Item string `json:"item,omitempty"` // URL or HTML file of a page, to find others with the same information

	Terms      []string `json:"terms,omitempty"`      // classes: IRIs or words, to find vocabularies and datasets
	Endpoints  []string `json:"endpoints,omitempty"`  // URLs of SPARQL endpoints to ask
	Dumps      []string `json:"dumps,omitempty"`      // RDF files to ask
	Catalogues []string `json:"catalogues,omitempty"` // files or URLs of catalogues of datasets
}

// CrawlFile returns the crawl file of a draft, with comments. The error wraps ErrInput; a seed that is no URL is no error: it is a
// problem of the crawl file.
func (d Draft) CrawlFile() (string, error) {
	focus, err := d.focus()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if seeds := clean(d.Seeds); len(seeds) > 0 {
		b.WriteString("# Where the crawl begins: a few pages that link to what you look for.\nseeds:\n")
		for _, seed := range seeds {
			if url, err := crawlfile.ReadSeeds("seeds", strings.NewReader("http://"+seed)); err == nil && !strings.Contains(seed, "://") && !strings.Contains(seed, "@") {
				seed = url[0]
			}
			fmt.Fprintf(&b, "  - %s\n", crawlfile.Scalar(seed))
		}
		b.WriteString("\n")
	}
	b.WriteString(focus)
	fmt.Fprintf(&b, "\n# When it ends. Raise a limit, and start it again: it goes on.\nlimits:\n  requests: %d\n", cmp.Or(d.Requests, QuickRequests))
	b.WriteString("\npoliteness:\n  delay: 1s  # between two requests to a host\n")
	if d.Contact != "" {
		fmt.Fprintf(&b, "  contact: %s\n", crawlfile.Scalar(d.Contact))
	}
	return b.String(), nil
}

// focus writes what the crawl looks for.
func (d Draft) focus() (string, error) {
	var b strings.Builder
	b.WriteString("# What it looks for.\nfocus:\n")
	kinds := 0
	kind := func(name string, is bool) bool {
		if is {
			kinds++
			b.WriteString("  " + name + ":\n")
		}
		return is
	}
	if words := Terms(d.Words); kind("keyword", len(words) > 0) {
		list(&b, "terms", words)
	}
	if kind("ontology", len(d.Ontology) > 0) {
		list(&b, "files", d.Ontology)
		list(&b, "target", clean(d.Target))
	}
	if kind("krs", d.KRS != "") {
		fmt.Fprintf(&b, "    file: %s\n", crawlfile.Scalar(d.KRS))
	}
	if kind("crossref", d.Item != "") {
		fmt.Fprintf(&b, "    item: %s\n", crawlfile.Scalar(d.Item))
	}
	if terms := clean(d.Terms); kind("metadata", len(terms) > 0) {
		list(&b, "terms", terms)
		d.datasets(&b)
	}
	if kinds != 1 {
		return "", fmt.Errorf("say one thing that the crawl looks for: words, an ontology, a KRS, an item or terms; there are %d (%w)", kinds, orbweaver.ErrInput)
	}
	return b.String(), nil
}

// datasets writes what is asked about terms.
func (d Draft) datasets(b *strings.Builder) {
	n := 0
	for _, some := range []struct {
		key string
		all []string
	}{{"endpoint", clean(d.Endpoints)}, {"dump", clean(d.Dumps)}} {
		for _, at := range some.all {
			if n++; n == 1 {
				b.WriteString("    datasets:\n")
			}
			fmt.Fprintf(b, "      - name: dataset-%d\n        %s: %s\n", n, some.key, crawlfile.Scalar(at))
		}
	}
	if all := clean(d.Catalogues); len(all) > 0 {
		list(b, "catalogues", all)
	}
}

// list writes a key of a focus with a list.
func list(b *strings.Builder, key string, all []string) {
	b.WriteString("    " + key + ":" + map[bool]string{true: " []"}[len(all) == 0] + "\n")
	for _, one := range all {
		b.WriteString("      - " + crawlfile.Scalar(one) + "\n")
	}
}

// clean returns the lines that are not empty, without blanks around them.
func clean(all []string) (lines []string) {
	for _, one := range all {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			lines = append(lines, one)
		}
	}
	return lines
}
