package crawl

import (
	"context"
	"slices"

	"orbweaver/internal/findings"
	"orbweaver/internal/kind"
	"orbweaver/internal/linked"
	"orbweaver/internal/offline/labelmodel"
)

// What of a crawl's knowledge can be looked at: values of Crawl.Knows.
const (
	KnowsTopic           = kind.KnowsTopic           // a topic learned from documents: Crawl.Topic
	KnowsLabels          = kind.KnowsLabels          // labels and rules: Crawl.LabelModel
	KnowsRecommendations = kind.KnowsRecommendations // terms and datasets: Crawl.Recommendations
	KnowsLinks           = kind.KnowsLinks           // classes of links, and endpoints: Crawl.LinkedData
	KnowsEndpoints       = kind.KnowsEndpoints       // endpoints alone: Crawl.LinkedData
	KnowsSchedule        = "schedule"                // visits and changes: Crawl.Visits, Crawl.Changed
)

// Knows returns what of the crawl's knowledge can be looked at, by its crawl file, and KnowsLabels if its folder has a label model.
// It is empty if the crawl file cannot be read.
func (c *Crawl) Knows() []string {
	var all []string
	if file, err := c.load(); err == nil {
		all = kind.KnowledgeOf(file.Focus)
		if file.Discover.Sparql.Endpoint != "" && !slices.Contains(all, KnowsLinks) && !slices.Contains(all, KnowsEndpoints) {
			all = append(all, KnowsEndpoints)
		}
	}
	if c.Scheduled() || c.Watched() {
		all = append(all, KnowsSchedule)
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

// What Crawl.LinkedData takes and returns.
type (
	LinkedQuery = linked.Query // parts of the lists of hosts and endpoints
	ListPart    = linked.Part
	LinkedData  = linked.Data
	LinkTables  = linked.Links // tables I and II of the paper
	LinkClass   = linked.Class // a row of Table I
	LinkRule    = linked.Rule  // a row of Table II
	LinkCounts  = linked.Counts
	LinkDomain  = linked.Domain
	LinkHost    = linked.Host
	LinkShare   = linked.Share // a ratio
	Endpoint    = linked.Endpoint

	TripleFigures = linked.Triples // triples by how they were found
	TripleDomain  = linked.TriplesDomain
	TripleWay     = linked.TriplesWay
)

// States of an Endpoint.
const (
	EndpointDown     = linked.Down     // its host does not answer
	EndpointResting  = linked.Resting  // its latest query failed, and the host gets no request for a while
	EndpointFailing  = linked.Failing  // its latest query failed
	EndpointAwaiting = linked.Awaiting // it was not asked yet
	EndpointAnswers  = linked.Answers  // its latest query was answered
)

// LinkedData returns how well the crawl predicted the classes of links, in all, by rule and by host, and the health of the SPARQL
// endpoints that it asks. Links is nil if its focus predicts no classes, or has predicted none yet. While the crawl runs, looks take
// at most a twentieth of the time for the classes of HTML pages: those of new pages may be open for a moment longer.
func (c *Crawl) LinkedData(ctx context.Context, q LinkedQuery) (LinkedData, error) {
	return c.at.LinkedData(ctx, q)
}
