package catalog

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"orbweaver/weburl"
)

// The default bounds of a Pager.
const (
	pagerRows  = 100
	pagerPages = 10_000
)

// PagerOptions bound the requests to a CKAN. Zero and negative values select the defaults in parentheses.
type PagerOptions struct {
	Rows     int // packages per page (100)
	Pages    int // requests (10 000)
	Datasets int // packages (100 000)
}

// A Pager iterates over the pages of a CKAN: fetch the address that Next returns, Read the response, Take it,
// repeat.
//
// It ends when it has all packages that CKAN counts. It ends with an error at a page without new packages and
// at its bounds, so that it terminates on endless paging.
type Pager struct {
	opts    PagerOptions
	prefix  string // of actions: "https://host/api/3/action/"
	action  string
	query   url.Values
	start   int             // of the next page
	seen    map[string]bool // names of packages
	waiting []string        // names that require a package_show
	asked   int
	over    bool
}

// The actions of CKAN that a pager calls.
const (
	packageSearch = "package_search"
	packageList   = "package_list"
	packageShow   = "package_show"
	currentList   = "current_package_list_with_resources"
)

// IsCKAN reports whether an address belongs to CKAN's action API.
func IsCKAN(address string) bool {
	_, _, ok := ckanAction(address)
	return ok
}

// ckanAction splits an address of the action API.
func ckanAction(address string) (prefix, action string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", "", false
	}
	at := strings.TrimSuffix(u.Path, "/")
	action = packageSearch
	switch path.Base(at) {
	case packageSearch, packageList, packageShow, currentList:
		at, action = path.Dir(at), path.Base(at)
	}
	switch {
	case strings.HasSuffix(at, "/api/3/action"), strings.HasSuffix(at, "/api/action"):
	case strings.HasSuffix(at, "/api/3"):
		at += "/action"
	default:
		return "", "", false
	}
	return u.Scheme + "://" + u.Host + at + "/", action, true
}

// NewPager returns a pager that starts at an address of the action API: that of an action with a search
// ("…/api/3/action/package_search?fq=tags:lod"), or of the API itself, for all packages.
func NewPager(address string, o PagerOptions) (*Pager, error) {
	canonical, err := weburl.Canonical(address)
	if err != nil {
		return nil, err
	}
	prefix, action, ok := ckanAction(canonical)
	if !ok {
		return nil, fmt.Errorf("%s: no address of CKAN's action API: it has /api/3/action/ in it", address)
	}
	u, err := url.Parse(canonical)
	if err != nil {
		return nil, err
	}
	o.Rows, o.Pages, o.Datasets = orElse(o.Rows, pagerRows), orElse(o.Pages, pagerPages), orElse(o.Datasets, 100_000)
	p := &Pager{opts: o, prefix: prefix, action: action, query: u.Query(), seen: map[string]bool{}}
	if rows, err := strconv.Atoi(p.query.Get("rows")); err == nil && rows > 0 {
		p.opts.Rows = min(rows, 1000)
	}
	if start, err := strconv.Atoi(p.query.Get("start")); err == nil && start > 0 {
		p.start = start
	}
	return p, nil
}

// Next returns the next address to fetch; false at the end.
func (p *Pager) Next() (address string, ok bool) {
	if p.over {
		return "", false
	}
	query := url.Values{}
	for key, values := range p.query {
		query[key] = values
	}
	action := p.action
	switch action {
	case packageSearch:
		query.Set("rows", strconv.Itoa(p.opts.Rows))
		query.Set("start", strconv.Itoa(p.start))
		if query.Get("sort") == "" {
			query.Set("sort", "name asc") // a stable order across pages
		}
	case currentList:
		query.Set("limit", strconv.Itoa(p.opts.Rows))
		query.Set("offset", strconv.Itoa(p.start))
	case packageList:
		if len(p.waiting) > 0 {
			action, query = packageShow, url.Values{"id": {p.waiting[0]}}
		}
	}
	address = p.prefix + action
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, true
}

// Take receives the response to Next's address, or a zero Catalogue if it was unreadable. The error says why
// paging ended early; earlier packages remain valid. It wraps ErrRefused or ErrEndless where one of these
// applies.
func (p *Pager) Take(c Catalogue) error {
	p.asked++
	err := p.take(c)
	if err == nil && !p.over && p.asked >= p.opts.Pages {
		err = fmt.Errorf("%s: after %d requests %w: the rest is left out", p.prefix, p.asked, ErrEndless)
	}
	p.over = p.over || err != nil
	return err
}

func (p *Pager) take(c Catalogue) error {
	if len(p.waiting) > 0 { // package_show: a package whose request fails is skipped
		p.waiting = p.waiting[1:]
		p.over = len(p.waiting) == 0
		return nil
	}
	if c.Page.Refused != nil {
		return c.Page.Refused
	}
	fresh := p.fresh(c.Page.Names)
	switch {
	case p.action == packageShow:
		p.over = true
		return nil
	case c.Page.Listed:
		return p.list(fresh)
	}
	return p.advance(c.Page, len(fresh))
}

// list records names of packages.
func (p *Pager) list(fresh []string) error {
	if len(fresh) == 0 {
		p.over = true
		return nil
	}
	p.action, p.query, p.waiting = packageList, url.Values{}, fresh
	if len(fresh) > p.opts.Datasets {
		p.waiting = fresh[:p.opts.Datasets]
	}
	return nil
}

// advance moves to the next page, if there is one.
func (p *Pager) advance(page Page, fresh int) error {
	had := len(page.Names)
	p.start += had
	switch {
	case page.Count >= 0 && int64(p.start) >= page.Count:
		p.over = true
		return nil
	case had == 0 && page.Count < 0:
		p.over = true // a list without a total ends here
		return nil
	case had == 0:
		return fmt.Errorf("%s: an empty page at %d, of %d packages that it counts", p.prefix, p.start, page.Count)
	case fresh == 0:
		return fmt.Errorf("%s: %w: the page of %d packages before %d has none that is new", p.prefix, ErrEndless, had, p.start)
	case len(p.seen) >= p.opts.Datasets:
		return fmt.Errorf("%s: more than %d packages: the rest is left out", p.prefix, p.opts.Datasets)
	}
	return nil
}

// fresh returns the names not seen before, and records them.
func (p *Pager) fresh(names []string) (fresh []string) {
	for _, name := range names {
		if !p.seen[name] {
			p.seen[name] = true
			fresh = append(fresh, name)
		}
	}
	return fresh
}

// Asked returns the number of responses taken and of packages named in them.
func (p *Pager) Asked() (answers, packages int) { return p.asked, len(p.seen) }
