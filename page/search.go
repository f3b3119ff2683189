package page

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"strings"

	"golang.org/x/net/html"

	"orbweaver"
	"orbweaver/weburl"
)

// Bounds of searches: what is looked at of one page.
const (
	maxForms       = 16 // searches
	maxFormTags    = 1024
	maxFormBytes   = 64 << 10 // of one form
	maxInputs      = 32       // of one form
	maxFormValue   = 100      // bytes of a name or value
	maxDescription = 64 << 10 // of an OpenSearch description
	maxTemplates   = 16
)

// searchTerms is the place of the words in a template, as OpenSearch 1.1 has it.
const searchTerms = "{searchTerms}"

// typeOpenSearch is the media type of an OpenSearch description.
const typeOpenSearch = "application/opensearchdescription+xml"

// search notes where the tag at the current offset starts a form, or a link to an OpenSearch description.
func (d *document) search(t tag, name, source []byte) {
	switch {
	case len(name) == len("form") && string(name) == "form":
		if len(d.forms) < maxFormTags {
			d.forms = append(d.forms, d.at)
		}
	case t == tagLink && d.openSearch.end == 0 && bytes.Contains(source, []byte(typeOpenSearch)):
		d.openSearch = span{d.at, d.at + len(source)}
	}
}

// readSearches finds the searches of an HTML page: forms that look like one, and a link to an OpenSearch description.
func (d *document) readSearches() {
	for _, at := range d.forms {
		if len(d.page.Searches) == maxForms {
			break
		}
		f := readForm(d.source[at:min(len(d.source), at+maxFormBytes)])
		if template := f.template(d.base, d.encoding); template != "" {
			d.page.Searches = append(d.page.Searches, template)
		}
	}
	if d.openSearch.end > 0 {
		readSearchLink(d.page, d.base, d.source[d.openSearch.start:d.openSearch.end])
	}
}

// readSearchLink reads <link rel="search" type="application/opensearchdescription+xml" href="…">.
func readSearchLink(page *orbweaver.Page, base *weburl.Base, source []byte) {
	z := html.NewTokenizer(bytes.NewReader(source[:min(len(source), maxValue)]))
	if t := z.Next(); t != html.StartTagToken && t != html.SelfClosingTagToken {
		return
	}
	_, more := z.TagName()
	a := formAttributes(z, more)
	if strings.EqualFold(a["rel"], "search") && strings.EqualFold(a["type"], typeOpenSearch) {
		if to, err := base.Resolve(a["href"]); err == nil {
			page.Searches = append(page.Searches, to)
		}
	}
}

// A form is what is known of an HTML form.
type form struct {
	action  string
	charset string      // of what is sent, if the form says; else that of the page
	fields  [][2]string // sent as they are
	words   string      // name of the field for words
	looks   bool        // like a search
	never   bool        // posts, logs in, uploads, or is too large
	inputs  int
}

// readForm reads a form that a source starts with.
func readForm(source []byte) (f form) {
	z := html.NewTokenizer(bytes.NewReader(source))
	for first := true; !f.never; first = false {
		switch z.Next() {
		case html.ErrorToken:
			f.never = f.never || len(source) == maxFormBytes
			return f
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "form" {
				return f
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			f.start(string(name), formAttributes(z, more), first)
		}
	}
	return f
}

// formAttributes returns the attributes of a tag, cut.
func formAttributes(z *html.Tokenizer, more bool) map[string]string {
	all := map[string]string{}
	for more && len(all) < maxInputs {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, known := all[string(key)]; !known {
			all[string(key)] = string(cut(value, maxValue))
		}
	}
	return all
}

// start reads a start tag within a form; first: that of the form.
func (f *form) start(name string, a map[string]string, first bool) {
	switch name {
	case "form":
		if !first {
			f.never = true // the form before was not closed
			return
		}
		method := a["method"]
		f.never = method != "" && !strings.EqualFold(method, "get")
		f.action = a["action"]
		f.charset, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(a["accept-charset"])), " ")
		f.looks = strings.EqualFold(a["role"], "search") || isSearchName(a["action"]) || isSearchName(a["class"]) || isSearchName(a["id"])
	case "textarea":
		f.never = true
	case "button":
		f.never = f.never || strings.EqualFold(a["formmethod"], "post")
	case "input":
		f.input(a)
	}
}

// input reads an <input>.
func (f *form) input(a map[string]string) {
	if f.inputs++; f.inputs > maxInputs || strings.EqualFold(a["formmethod"], "post") {
		f.never = true
		return
	}
	name, value, kind := a["name"], a["value"], strings.ToLower(a["type"])
	_, checked := a["checked"]
	switch kind {
	case "password", "file", "email", "tel":
		f.never = true
	case "", "text", "search":
		if name == "" {
			return
		}
		f.never = f.words != "" || len(name) > maxFormValue || isSecret(name)
		f.words = name
		f.looks = f.looks || kind == "search" || isSearchName(name)
	case "hidden":
		f.never = isSecret(name) || len(name) > maxFormValue || len(value) > maxFormValue
		f.add(name, value)
	case "checkbox", "radio":
		if checked && len(name) <= maxFormValue && len(value) <= maxFormValue {
			f.add(name, value)
		}
	}
}

// add adds a field that is sent as it is.
func (f *form) add(name, value string) {
	if name != "" {
		f.fields = append(f.fields, [2]string{name, value})
	}
}

// isSearchName reports whether a name or address is usual for a search.
func isSearchName(s string) bool {
	s = strings.ToLower(s)
	switch s {
	case "q", "s", "w", "wd", "query", "qry", "keyword", "keywords", "term", "terms", "text":
		return true
	}
	for _, word := range [...]string{"search", "suche", "recherche", "buscar", "busca", "cerca", "zoek", "find"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// isSecret reports whether a field is for those who log in, or proves a session.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"token", "csrf", "xsrf", "nonce", "auth", "session", "login", "user", "pass", "captcha"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "sid" || strings.HasPrefix(name, "__")
}

// template returns the URL that the form asks for, with {searchTerms} where the words stand; empty: it is no search.
func (f *form) template(base *weburl.Base, encoding string) string {
	if f.never || !f.looks || f.words == "" {
		return ""
	}
	action := f.action
	if strings.TrimSpace(action) == "" {
		action = base.String()
	}
	to, err := base.Resolve(action)
	if err != nil {
		return ""
	}
	to, _, _ = strings.Cut(to, "?") // the fields replace it
	var b strings.Builder
	b.WriteString(to + "?")
	if f.charset != "" {
		encoding = f.charset
	}
	for _, p := range f.fields {
		if strings.EqualFold(p[0], "_charset_") {
			p[1] = cmp.Or(encoding, "UTF-8")
		}
		b.WriteString(weburl.FormValue(p[0], encoding) + "=" + weburl.FormValue(p[1], encoding) + "&")
	}
	b.WriteString(weburl.FormValue(f.words, encoding) + "=" + weburl.Place(encoding))
	return oneTemplate(b.String())
}

// within returns a template unless it is too long, or has another place for words before its own.
func oneTemplate(template string) string {
	if len(template) > weburl.MaxLength/2 || strings.Count(template, "{") != 1 {
		return ""
	}
	return template
}

// isOpenSearch reports whether the name of a root element is that of a description.
func isOpenSearch(root []byte) bool { return string(root) == "opensearchdescription" }

// readOpenSearch reads the templates of an OpenSearch 1.1 description in UTF-8 for pages of results: HTML before feeds.
func readOpenSearch(page *orbweaver.Page, base *weburl.Base, body []byte) {
	body = cut(body, maxDescription)
	var feeds []string
	for n := 0; n < maxTemplates && len(body) > 0; n++ {
		at := openSearchUntil(body, func(e xml.StartElement) {
			template, kind := openSearchURL(e, base)
			switch {
			case template == "" || len(page.Searches)+len(feeds) >= maxTemplates:
			case kind == typeHTML || kind == typeXHTML:
				page.Searches = append(page.Searches, template)
			case kind == typeRSS || kind == typeAtom:
				feeds = append(feeds, template)
			}
		})
		if at < len(body) {
			flawed(page, flawMarkup, 1)
		}
		body = from(body[at:], "<Url ", "<Url\n", "<os:Url ")
	}
	page.Searches = append(page.Searches, feeds...)
}

// openSearchUntil calls see with the Url elements of a description up to the first error, and returns its offset.
func openSearchUntil(body []byte, see func(xml.StartElement)) int {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict, d.CharsetReader = false, func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for range 4096 {
		t, err := d.RawToken()
		if err == io.EOF {
			break
		} else if err != nil {
			return int(d.InputOffset())
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "Url" {
			see(e)
		}
	}
	return len(body)
}

// openSearchURL reads a Url element: its template, resolved, with {searchTerms} as its only parameter; empty: none of use.
func openSearchURL(e xml.StartElement, base *weburl.Base) (template, kind string) {
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "template":
			template = strings.TrimSpace(a.Value)
		case "type":
			kind = strings.ToLower(a.Value)
		case "method":
			if !strings.EqualFold(a.Value, "get") {
				return "", ""
			}
		case "rel":
			if !strings.EqualFold(a.Value, "results") {
				return "", ""
			}
		}
	}
	if len(template) > weburl.MaxLength {
		return "", ""
	}
	const place = "searchTermsPlace0"
	if strings.Contains(template, place) {
		return "", ""
	}
	filled, ok := openSearchFilled(template, place)
	if !ok {
		return "", ""
	}
	to, err := base.Resolve(filled)
	if err != nil || strings.Count(to, place) != 1 {
		return "", ""
	}
	return oneTemplate(strings.Replace(to, place, searchTerms, 1)), kind
}

// openSearchFilled gives the parameters of a template their defaults, and that for words a place of its own.
func openSearchFilled(template, place string) (filled string, ok bool) {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(template, "{")
		b.WriteString(before)
		if !more {
			return b.String(), true
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", false
		}
		switch strings.TrimSuffix(name, "?") {
		case "searchTerms":
			b.WriteString(place)
		case "count":
			b.WriteString("20")
		case "startIndex", "startPage":
			b.WriteString("1")
		case "inputEncoding", "outputEncoding":
			b.WriteString("UTF-8")
		case "language":
			b.WriteString("*")
		default:
			if !strings.HasSuffix(name, "?") {
				return "", false
			}
		}
		template = after
	}
}
