package page

import (
	"bytes"

	"orbweaver"
)

// datasets are those that a sitemap lists by the Semantic Sitemaps extension (Cyganiak, Stenzhorn, Delbru, Decker,
// Tummarello: Semantic Sitemaps, ESWC 2008), whose names no other extension has.
type datasets struct {
	links    []orbweaver.Link
	labelled int    // of these, those whose data set is closed
	open     bool   // inside a data set
	label    string // of that
}

const (
	datasetElement = "dataset"
	datasetLabel   = "datasetLabel"
)

// datasetRelation is the Rel of what an element within a data set links it to; empty: it does not.
func datasetRelation(name string) string {
	switch name {
	case "dataDumpLocation":
		return "sc:datadump"
	case "sampleURI":
		return "sc:sampleuri"
	case "datasetURI":
		return "sc:dataseturi"
	case "sparqlEndpointLocation":
		return "sc:sparqlendpoint"
	}
	return ""
}

// startInDataset acts on a start tag within a data set.
func (s *sitemap) startInDataset(name string) {
	if name == datasetLabel || datasetRelation(name) != "" {
		s.field, s.text = name, s.text[:0]
	}
}

// endInDataset acts on an end tag within a data set.
func (s *sitemap) endInDataset(name string) {
	switch d := &s.datasets; {
	case name == datasetElement:
		d.close()
	case name != s.field:
	case name == datasetLabel:
		if d.label == "" {
			d.label = string(cut(appendFields(nil, s.text), maxValue))
		}
	case len(d.links) < s.limit:
		if to := s.resolve(string(bytes.TrimSpace(s.text))); to != "" {
			d.links = append(d.links, orbweaver.Link{To: to, Rel: datasetRelation(name)})
		}
	}
	s.field = ""
}

// close ends a data set, if one is open: its links have its name.
func (d *datasets) close() {
	for ; d.labelled < len(d.links); d.labelled++ {
		d.links[d.labelled].Anchor = d.label
	}
	d.open, d.label = false, ""
}
