package linkeddata

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// The actions of CKAN's API (version 3) that are asked: lists of datasets, with their resources.
const (
	ckanActions = "/api/3/action/"
	ckanSearch  = ckanActions + "package_search"
	ckanRows    = 100
)

// maxDatasets bounds the datasets that a catalogue is asked for.
const maxDatasets = 100_000

// catalog adds what a CKAN catalogue's answer lists, and the first question to a catalogue of which a page is the front.
func (r *reader) catalog(h *harvester, p *orbweaver.Page) {
	switch {
	case p.MediaType == "application/json" && strings.Contains(p.URL, ckanActions):
		r.listing(h, p)
	case h.found.class == ClassH:
		if at := ckanAt(p); at != "" {
			h.add(at+ckanSearch+"?rows="+strconv.Itoa(ckanRows)+"&start=0", RuleCatalog, "", scoreHR)
		}
	}
}

// ckanAt returns the address of the CKAN catalogue that an HTML page belongs to: pages of one link to its datasets,
// organizations and groups, side by side, or to its API. Empty: none.
func ckanAt(p *orbweaver.Page) string {
	const datasets, organizations, groups = 1, 2, 4
	lists := map[string]int{}
	site := origin(p.URL)
	for i := range p.Links {
		to, _, _ := strings.Cut(p.Links[i].To, "?")
		to = strings.TrimSuffix(to, "/")
		if at, _, api := strings.Cut(to, "/api/3"); api && origin(at+"/") == site {
			return at
		}
		slash := strings.LastIndexByte(to, '/')
		if slash < len(site)-1 || !strings.HasPrefix(to, site) {
			continue
		}
		at := to[:slash]
		switch to[slash+1:] {
		case "dataset":
			lists[at] |= datasets
		case "organization":
			lists[at] |= organizations
		case "group":
			lists[at] |= groups
		}
		if lists[at] == datasets|organizations|groups {
			return at
		}
	}
	return ""
}

// origin returns scheme and host of a canonical URL, with the slash behind it.
func origin(to string) string {
	i := strings.Index(to, "://") + 3
	if i < 3 {
		return to
	}
	if slash := strings.IndexByte(to[i:], '/'); slash >= 0 {
		return to[:i+slash+1]
	}
	return to + "/"
}

// A ckanAnswer is an answer of CKAN's API.
type ckanAnswer struct {
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result"`
}

// A ckanList is the result of package_search.
type ckanList struct {
	Count   int64         `json:"count"`
	Results []ckanPackage `json:"results"`
}

// A ckanPackage is a dataset.
type ckanPackage struct {
	Resources []ckanResource `json:"resources"`
}

// A ckanResource is a file or an interface of a dataset.
type ckanResource struct {
	URL      string `json:"url"`
	Format   string `json:"format"`
	MimeType string `json:"mimetype"`
}

// listing adds the resources of RDF that an answer lists, and its next page.
func (r *reader) listing(h *harvester, p *orbweaver.Page) {
	var answer ckanAnswer
	if json.Unmarshal(p.Body, &answer) != nil || !answer.Success {
		return
	}
	var list ckanList
	var one ckanPackage
	var names []string
	switch {
	case json.Unmarshal(answer.Result, &names) == nil:
		if at, _, ok := strings.Cut(p.URL, ckanActions+"package_list"); ok {
			h.add(at+ckanSearch+"?rows="+strconv.Itoa(ckanRows)+"&start=0", RuleCatalog, "", scoreHR)
		}
		return
	case json.Unmarshal(answer.Result, &list) == nil && len(list.Results) > 0:
	case json.Unmarshal(answer.Result, &one) == nil && len(one.Resources) > 0:
		list.Results = []ckanPackage{one}
	default:
		return
	}
	for _, dataset := range list.Results {
		for _, resource := range dataset.Resources {
			r.resource(h, p, resource)
		}
	}
	h.nextList(p.URL, list)
}

// nextList adds the page of a list of datasets after one at a URL.
func (h *harvester) nextList(at string, list ckanList) {
	u, err := url.Parse(at)
	if err != nil || !strings.HasSuffix(u.Path, ckanSearch) {
		return
	}
	values := u.Query()
	start, _ := strconv.ParseInt(values.Get("start"), 10, 64) // without one it is the first
	if start < 0 || start > maxDatasets {
		return
	}
	if start += int64(len(list.Results)); start < min(list.Count, maxDatasets) {
		values.Set("start", strconv.FormatInt(start, 10))
		u.RawQuery = values.Encode()
		if to, err := weburl.Canonical(u.String()); err == nil {
			h.rel = nextOfList
			h.add(to, RuleCatalog, fmt.Sprintf("from %d", start), scoreHR)
		}
	}
}

// resource adds a resource of a dataset: RDF, or an endpoint.
func (r *reader) resource(h *harvester, p *orbweaver.Page, resource ckanResource) {
	base, err := weburl.NewBase(p.URL)
	if err != nil {
		return
	}
	to, err := base.Resolve(resource.URL)
	if err != nil {
		return
	}
	format := strings.ToLower(resource.Format)
	if strings.Contains(format, "sparql") {
		h.begin(to, true)
		return
	}
	link := &orbweaver.Link{To: to, Type: resource.MimeType, Title: resource.Format, Origin: orbweaver.FromHead}
	if v := r.relevancy(link, false, true); v.class == ClassR || namesRDF(format) {
		h.add(to, RuleResource, resource.Format, scoreR)
	}
}

// namesRDF reports whether one of the words that a catalogue has for a format is that of a syntax of RDF.
func namesRDF(format string) bool {
	for word := range strings.FieldsFuncSeq(format, func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9') }) {
		switch word {
		case "rdf", "ttl", "turtle", "n3", "nt", "ntriples", "triples", "nq", "nquads", "quads", "trig", "jsonld", "owl", "void", "rdfxml":
			return true
		}
	}
	return false
}
