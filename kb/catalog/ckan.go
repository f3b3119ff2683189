package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"orbweaver/weburl"
)

// A Page is the paging state of a CKAN response.
type Page struct {
	Names   []string // of the packages in it, as written; for package_list, all names
	Count   int64    // packages that match the search; -1: not stated
	Listed  bool     // it has names only: each requires a package_show
	Refused error    // the error returned instead; wraps ErrRefused
}

// A ckanPackage is a dataset in CKAN's format.
type ckanPackage struct {
	ID        text                `json:"id"`
	Name      text                `json:"name"`
	Title     text                `json:"title"`
	Notes     text                `json:"notes"`
	URL       text                `json:"url"`
	State     text                `json:"state"`
	Modified  text                `json:"metadata_modified"`
	Tags      items[ckanTag]      `json:"tags"`
	Extras    items[ckanExtra]    `json:"extras"`
	Resources items[ckanResource] `json:"resources"`
}

type ckanTag struct {
	Name text `json:"name"`
}

type ckanExtra struct {
	Key   text `json:"key"`
	Value text `json:"value"`
}

type ckanResource struct {
	Name        text `json:"name"`
	Description text `json:"description"`
	Format      text `json:"format"`
	MimeType    text `json:"mimetype"`
	URL         text `json:"url"`
}

// ckan reads a response of the action API, or a list of packages extracted from one.
func (r *reading) ckan(b []byte) {
	r.catalogue.Page.Count = -1
	s := newScan(b)
	opened, err := s.opens()
	switch {
	case err != nil:
	case opened == '[':
		err = s.elements(r.ckanItem)
	default:
		err = s.members(func(key string) error { return r.ckanMember(s, key) })
	}
	if err != nil && !errors.Is(err, errFull) {
		r.problem("", "%w", err)
	}
}

// ckanMember reads a top-level member of the response.
func (r *reading) ckanMember(s scan, key string) error {
	if key == "result" {
		return r.ckanResult(s)
	}
	raw, err := s.value()
	switch {
	case err != nil:
		return err
	case key == "error" && string(raw) != "null":
		r.refuse(raw)
	case key == "success" && string(raw) != "true" && r.catalogue.Page.Refused == nil:
		r.catalogue.Page.Refused = fmt.Errorf("%s: %w", r.name, ErrRefused)
	}
	return nil
}

// refuse keeps CKAN's error message.
func (r *reading) refuse(raw json.RawMessage) {
	var e struct {
		Message text `json:"message"`
		Type    text `json:"__type"`
	}
	said := oneLine(string(raw))
	if json.Unmarshal(raw, &e) == nil && e.Message+e.Type != "" {
		said = strings.TrimSpace(string(e.Type + ": " + e.Message))
	}
	r.catalogue.Page.Refused = fmt.Errorf("%s: %w: %s", r.name, ErrRefused, clipped(said, 300))
}

// ckanResult reads the result: a list, a search result, or one package.
func (r *reading) ckanResult(s scan) error {
	opened, err := s.opens()
	switch {
	case err != nil:
		return s.at(err)
	case opened == '[':
		return s.elements(r.ckanItem)
	case opened == 0:
		r.problem("", "the result is no list and no dataset")
		return nil
	}
	one := map[string]json.RawMessage{}
	err = s.members(func(key string) error { return r.ckanSearch(s, key, one) })
	if err == nil && len(one["name"])+len(one["resources"]) > 0 {
		var raw []byte
		if raw, err = json.Marshal(one); err == nil {
			err = r.ckanItem(0, raw)
		}
	}
	return err
}

// ckanSearch reads a member of a result that is an object.
func (r *reading) ckanSearch(s scan, key string, one map[string]json.RawMessage) error {
	if key == "results" {
		opened, err := s.opens()
		if err != nil || opened != '[' {
			return s.at(errors.Join(err, errors.New("the results are no list")))
		}
		return s.elements(r.ckanItem)
	}
	raw, err := s.value()
	if err != nil {
		return err
	}
	if key == "count" {
		var n int64
		if json.Unmarshal(raw, &n) == nil && n >= 0 {
			r.catalogue.Page.Count = n
		}
	}
	one[key] = raw
	return nil
}

// ckanItem reads one item of a list: a package, or the name of one.
func (r *reading) ckanItem(i int, raw json.RawMessage) error {
	page := &r.catalogue.Page
	var name string
	if json.Unmarshal(raw, &name) == nil && name != "" {
		if len(page.Names) >= r.limits.Datasets {
			r.problem("", "more than %d names: the others are left out", r.limits.Datasets)
			return errFull
		}
		page.Names, page.Listed = append(page.Names, name), true
		return nil
	}
	if !r.fits() {
		return errFull
	}
	var p ckanPackage
	if err := json.Unmarshal(raw, &p); err != nil || raw[0] != '{' {
		r.problem(nth(i), "no package: %s", clipped(oneLine(string(raw)), 40))
		return nil
	}
	called := string(p.Name)
	if called == "" {
		called = string(p.ID)
	}
	if called == "" {
		r.problem(nth(i), "a package without name")
		return nil
	}
	page.Names = append(page.Names, called)
	if p.State == "" || p.State == "active" {
		r.ckanPackage(called, p)
	}
	return nil
}

// ckanPackage converts a package to a dataset.
func (r *reading) ckanPackage(name string, p ckanPackage) {
	b := r.draft(name)
	b.d.Title, b.d.Description = clipped(oneLine(string(p.Title)), maxTitle), clipped(strings.TrimSpace(string(p.Notes)), maxDescription)
	b.d.Homepage = b.address("url", string(p.URL))
	b.date(string(p.Modified))
	if host := weburl.Host(r.name); host != "" {
		b.put("name", &b.d.Same, host+"/dataset/"+b.d.Name)
	}
	if id := string(p.ID); isUUID(id) {
		b.put("name", &b.d.Same, "urn:uuid:"+strings.ToLower(id))
	}
	for _, t := range p.Tags.all {
		b.keyword(string(t.Name))
	}
	for _, x := range p.Extras.all {
		b.ckanExtra(string(x.Key), string(x.Value))
	}
	for _, res := range p.Resources.all {
		format := string(res.Format)
		if format == "" {
			format = string(res.MimeType)
		}
		b.resource(format, string(res.URL), string(res.Name+" "+res.Description))
	}
	if p.Resources.bad > 0 {
		b.report("%d resources make no sense", p.Resources.bad)
	}
	b.done()
}

// ckanExtra reads an extra by the conventions of the Data Hub.
func (b *draft) ckanExtra(key, value string) {
	value = strings.Trim(value, `"`)
	switch strings.ToLower(key) {
	case "triples":
		b.d.Triples = b.count("triples", value)
	case "namespace":
		b.putIRI("namespace", &b.d.Spaces, value)
	case "sparql_graph_name", "sparql graph name":
		b.putIRI("graph", &b.d.Graphs, value)
	}
}

// isUUID reports whether a text is a UUID of the form 8-4-4-4-12.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(strings.ToLower(s)) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
