package catalog

import (
	"encoding/json"
	"errors"
	"strings"
)

// A lodEntry is a dataset in the LOD cloud's format.
type lodEntry struct {
	ID          text               `json:"_id"`
	Title       text               `json:"title"`
	Description text               `json:"description"`
	Website     text               `json:"website"`
	Namespace   text               `json:"namespace"`
	Triples     text               `json:"triples"`
	Keywords    items[text]        `json:"keywords"`
	Domain      text               `json:"domain"`
	Links       items[lodLink]     `json:"links"`
	SPARQL      items[lodResource] `json:"sparql"`
	Full        items[lodResource] `json:"full_download"`
	Other       items[lodResource] `json:"other_download"`
	Example     items[lodResource] `json:"example"`
}

// A lodLink is what an entry says of its links to another dataset.
type lodLink struct {
	Target text `json:"target"`
}

type lodResource struct {
	Title       text `json:"title"`
	Description text `json:"description"`
	MediaType   text `json:"media_type"`
	Access      text `json:"access_url"`
	Download    text `json:"download_url"`
}

func (r lodResource) address() string {
	if r.Download != "" {
		return string(r.Download)
	}
	return string(r.Access)
}

// lodCloud reads an object of datasets by identifier.
func (r *reading) lodCloud(b []byte) {
	s := newScan(b)
	_, err := s.opens()
	if err == nil {
		err = s.members(func(key string) error {
			raw, err := s.value()
			if err == nil {
				err = r.lodEntry(key, raw)
			}
			return err
		})
	}
	if err != nil && !errors.Is(err, errFull) {
		r.problem("", "%w", err)
	}
}

// errFull ends reading when the limit of datasets is reached, which was reported before.
var errFull = errors.New("full")

func (r *reading) lodEntry(key string, raw json.RawMessage) error {
	if !r.fits() {
		return errFull
	}
	var e lodEntry
	if err := json.Unmarshal(raw, &e); err != nil || len(raw) == 0 || raw[0] != '{' {
		r.problem(key, "no description of a dataset: %s", clipped(string(raw), 40))
		return nil
	}
	b := r.draft(key)
	b.d.Title, b.d.Description = clipped(oneLine(string(e.Title)), maxTitle), clipped(strings.TrimSpace(string(e.Description)), maxDescription)
	b.d.Homepage = b.address("website", string(e.Website))
	b.d.Triples = b.count("triples", string(e.Triples))
	b.put("name", &b.d.Same, "https://lod-cloud.net/dataset/"+b.d.Name)
	b.putIRI("namespace", &b.d.Spaces, string(e.Namespace))
	for _, k := range e.Keywords.all {
		b.keyword(string(k))
	}
	b.d.Domain = clipped(oneLine(string(e.Domain)), maxName)
	for _, l := range e.Links.all {
		b.put("link", &b.d.Links, slug(string(l.Target)))
	}
	b.lodResources(e)
	b.done()
	return nil
}

// lodResources reads an entry's resources. A full download is a dump, whatever its declared type, unless it
// is an HTML page.
func (b *draft) lodResources(e lodEntry) {
	for _, s := range e.SPARQL.all {
		b.endpoint(s.address())
	}
	for _, f := range e.Full.all {
		kind, mediaType := roleOf(string(f.MediaType), f.address(), "RDF")
		if kind == isDump || !strings.HasPrefix(plainFormat(string(f.MediaType)), "text/html") {
			b.dump(f.address(), mediaType)
		} else if _, named := roleOf("", f.address(), "RDF"); named != "" {
			b.dump(f.address(), named)
		}
	}
	for _, o := range e.Other.all {
		b.resource(string(o.MediaType), o.address(), string(o.Title+" "+o.Description))
	}
	for _, x := range e.Example.all {
		b.putURL("example", &b.d.Examples, x.address())
	}
	if bad := e.SPARQL.bad + e.Full.bad + e.Other.bad + e.Example.bad + e.Links.bad; bad > 0 {
		b.report("%d resources make no sense", bad)
	}
}
