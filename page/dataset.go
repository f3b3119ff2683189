package page

import (
	"bytes"

	"orbweaver"
)

// datasets are the data sets of a sitemap by the Semantic Sitemaps extension (Cyganiak, Stenzhorn, Delbru,
// Decker, Tummarello: Semantic Sitemaps, ESWC 2008), whose names no other extension uses.
type datasets struct {
	links    []orbweaver.Link
	labelled int    // of these, those of closed data sets
	open     bool   // inside a data set
	label    string // of the open one
}

const (
	datasetElement = "dataset"
	datasetLabel   = "datasetLabel"
)

// datasetRelation is the Rel of an element within a data set; empty: none.
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
			d.label = string(composed(cut(appendFields(nil, s.text), maxValue)))
		}
	case len(d.links) < s.limit:
		if to := s.resolve(string(bytes.TrimSpace(s.text))); to != "" {
			d.links = append(d.links, orbweaver.Link{To: to, Rel: datasetRelation(name)})
		}
	}
	s.field = ""
}

// close ends an open data set and sets the label of its links.
func (d *datasets) close() {
	for ; d.labelled < len(d.links); d.labelled++ {
		d.links[d.labelled].Anchor = d.label
	}
	d.open, d.label = false, ""
}
