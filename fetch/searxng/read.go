package searxng

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"orbweaver/weburl"
)

// instance reads a response of a SearXNG instance.
func (e *Engine) instance(_ string, body []byte) ([]found, error) {
	var answer struct {
		Results []struct{ URL, Title string }
		Silent  [][]any `json:"unresponsive_engines"` // each a name and a reason
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, e.notJSON(body, err)
	}
	if len(answer.Results) == 0 && len(answer.Silent) > 0 {
		var names []string
		for _, engine := range answer.Silent {
			names = append(names, fmt.Sprint(engine...))
		}
		return nil, e.failed(ErrSilent, "%s", saying([]byte(strings.Join(names, ", "))))
	}
	all := make([]found, len(answer.Results))
	for i, r := range answer.Results {
		all[i] = found{r.URL, r.Title}
	}
	return all, nil
}

// readJSON reads JSON with URLs at a path.
func (e *Engine) readJSON(body []byte, path []string) ([]found, error) {
	var answer any
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, e.notJSON(body, err)
	}
	var all []found
	along(answer, path, &all)
	return all, nil
}

// along follows a path and traverses arrays.
func along(v any, path []string, all *[]found) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if len(*all) < maxResults {
				along(one, path, all)
			}
		}
	case map[string]any:
		switch {
		case len(path) > 1:
			along(v[path[0]], path[1:], all)
		case len(path) == 1:
			before := len(*all)
			along(v[path[0]], nil, all)
			for i := before; i < len(*all); i++ {
				(*all)[i].title = titleOf(v)
			}
		}
	case string:
		if len(path) == 0 {
			*all = append(*all, found{url: v})
		}
	}
}

// titleOf is the title of an object.
func titleOf(object map[string]any) string {
	for _, key := range [...]string{"title", "name"} {
		if s, ok := object[key].(string); ok {
			return s
		}
	}
	return ""
}

// readHTML reads a page of results.
func readHTML(at string, body []byte) ([]found, error) {
	base, err := weburl.NewBase(at)
	if err != nil {
		return nil, err
	}
	p := &resultPage{base: base, own: domainOf(at)}
	for z := html.NewTokenizer(bytes.NewReader(body)); len(p.all) < maxResults; {
		switch z.Next() {
		case html.ErrorToken:
			p.end()
			return p.all, nil
		case html.StartTagToken:
			p.start(z)
		case html.EndTagToken:
			p.close(z)
		case html.TextToken:
			if p.target != "" && len(p.text) < maxTitle {
				p.text = append(p.text, z.Text()...)
			}
		}
	}
	return p.all, nil
}

// domainOf is the pay-level domain of a URL.
func domainOf(u string) string { return weburl.PayLevelDomain(weburl.Hostname(u)) }

// A resultPage is the state of parsing a page of results.
type resultPage struct {
	base   *weburl.Base
	own    string // the engine's domain
	aside  int    // number of open <nav> and <footer>
	target string // of the open link, if it leads to a result
	text   []byte // of the open link
	all    []found
}

func (p *resultPage) start(z *html.Tokenizer) {
	name, more := z.TagName()
	switch atom.Lookup(name) {
	case atom.Nav, atom.Footer:
		p.aside++
	case atom.A:
		p.end()
		for more && p.aside == 0 {
			var key, value []byte
			if key, value, more = z.TagAttr(); string(key) == "href" {
				p.target = p.result(string(value))
			}
		}
	}
}

func (p *resultPage) close(z *html.Tokenizer) {
	name, _ := z.TagName()
	switch atom.Lookup(name) {
	case atom.Nav, atom.Footer:
		p.aside = max(0, p.aside-1)
	case atom.A:
		p.end()
	}
}

// end ends the open link.
func (p *resultPage) end() {
	if title := saying(p.text); p.target != "" && title != "" {
		p.all = append(p.all, found{p.target, title})
	}
	p.target, p.text = "", p.text[:0]
}

// result is the target of a link to another domain than the engine's; empty: none. For a link to the engine's
// own domain it is a parameter that is a URL of another domain.
func (p *resultPage) result(href string) string {
	to, err := p.base.Resolve(href)
	if err != nil {
		return ""
	}
	if domainOf(to) != p.own {
		return to
	}
	_, query, _ := strings.Cut(to, "?")
	for pair := range strings.SplitSeq(query, "&") {
		_, value, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(value)
		if err != nil || !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") {
			continue
		}
		if to, err := weburl.Canonical(value); err == nil && domainOf(to) != p.own {
			return to
		}
	}
	return ""
}
