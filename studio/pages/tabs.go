package pages

import (
	"slices"

	"orbweaver/crawl"
)

// crawlTabs are the pages of a crawl. Those with a kind of knowledge are for crawls that have it.
var crawlTabs = []struct{ path, label, knows string }{
	{"", "Live", ""}, {"/results", "Results", ""},
	{"/krs", "Topic", crawl.KnowsTopic}, {"/labels", "Labels", crawl.KnowsLabels}, {"/recommendations", "Recommendations", crawl.KnowsRecommendations},
	{"/links", "Linked data", crawl.KnowsLinks}, {"/endpoints", "Endpoints", crawl.KnowsEndpoints},
	{"/stopping", "Upkeep", ""},
	{"/map", "Map", ""}, {"/proposals", "Proposals", ""}, {"/teach", "Teach", ""}, {"/ratings", "Rating", ""}, {"/ask", "Ask", ""},
}

// Tabs are the pages of the crawl.
func (f Frame) Tabs() []Tab {
	var tabs []Tab
	for _, t := range crawlTabs {
		if path := f.Base() + t.path; t.knows == "" || slices.Contains(f.Knows, t.knows) {
			tabs = append(tabs, Tab{Path: path, Label: t.label, Here: f.Here == path || t.label == "Upkeep" && f.inUpkeep()})
		}
	}
	return tabs
}

// A Tab is a link to a page beside this one.
type Tab struct {
	Path, Label string
	Here        bool
}
