package crawl

import (
	"slices"

	"orbweaver/internal/findings"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
)

// What of a crawl's knowledge can be looked at: values of Crawl.Knows.
const (
	KnowsTopic           = kind.KnowsTopic           // a topic learned from documents: Crawl.Topic
	KnowsLabels          = kind.KnowsLabels          // labels and rules: Crawl.LabelModel
	KnowsRecommendations = kind.KnowsRecommendations // terms and datasets: Crawl.Recommendations
	KnowsLinks           = kind.KnowsLinks           // classes of links, and endpoints: Crawl.LinkedData
)

// Knows returns what of the crawl's knowledge can be looked at, by its crawl file, and KnowsLabels if its folder has a label model.
// It is empty if the crawl file cannot be read.
func (c *Crawl) Knows() []string {
	var all []string
	if file, err := c.load(); err == nil {
		all = kind.KnowledgeOf(file.Focus)
	}
	if _, err := labelmodel.Locate(c.at.Dir); err == nil && !slices.Contains(all, KnowsLabels) {
		all = append(all, KnowsLabels)
	}
	return all
}

// A FoundTerm is a term of a metadata crawl.
type FoundTerm = findings.Term

// A Recommendations is what a metadata crawl recommends.
type Recommendations = findings.Advice

// Recommendations returns the vocabularies and datasets that a metadata crawl recommends, best first, with the terms that it found and what
// each led to. The error wraps orbweaver.ErrInput if it is no metadata crawl, or has found nothing yet.
func (c *Crawl) Recommendations() (Recommendations, error) { return findings.Advise(c.Folder()) }
