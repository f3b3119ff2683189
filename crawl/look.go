package crawl

import (
	"context"
	"io"
	"iter"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/inspect"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/graph"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/proposals"
	"orbweaver/internal/run"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/internal/teach"
	"orbweaver/internal/vocabulary"
	"orbweaver/internal/whatif"
	"orbweaver/ledger"
	"orbweaver/server"
)

// Parameters and results of the methods of Crawl.
type (
	QuickCrawl  = run.QuickCrawl   // a crawl for words
	Progress    = step.Progress    // counts of a crawl
	Status      = server.Status    // state of a crawl
	Summary     = assembly.Summary // result of a session
	Measured    = assembly.Measured
	Changes     = assembly.ChangeList
	Added       = server.Added
	Page        = ledger.Line      // one line of pages.jsonl
	PageQuery   = ledger.PageQuery // filter and order of a list of pages
	PageList    = inspect.PageList
	Host        = step.Account
	HostQuery   = inspect.HostQuery
	Failed      = inspect.Failed
	FailedQuery = inspect.FailureQuery
	Waiting     = inspect.WaitingURL
	WaitQuery   = inspect.WaitingQuery
	Explanation = inspect.Explanation    // why a URL was requested, or why not
	Evidence    = inspect.Evidence       // passages of a page that support its judgement
	Question    = inspect.Question       // how pages stand to the item of a crawl, or to another
	Document    = labelmodel.Text        // a document to label
	Labelled    = labelmodel.Explanation // the labels of a document, and why
	Facets      = inspect.Facets         // what pages have in common
	Facet       = inspect.Facet
	DataQuery   = inspect.DataQuery
	Data        = inspect.Data     // statements of a page
	MapQuery    = inspect.MapQuery // a part of the graph of a crawl
	Map         = inspect.Map
	MapNode     = inspect.MapNode
	MapEdge     = inspect.MapEdge
	Exclusion   = inspect.Exclusion
	Excluded    = inspect.Excluded
	Limits      = inspect.Limits
	Verdict     = inspect.PageVerdict // a person's verdict on a page, or its withdrawal
	Teaching    = teach.Teaching      // what verdicts changed
	TeachQuery  = teach.TeachingQuery
	Said        = teach.Said   // verdicts counted
	Moved       = teach.Moved  // a page that verdicts moved over the threshold
	Moving      = teach.Moving // a word that verdicts moved
	Given       = teach.Given  // a verdict that holds
	GivenQuery  = teach.GivenQuery
	GivenList   = teach.GivenList
	Recommended = vocabulary.Recommended // a vocabulary as an ontology to crawl with
	Choice      = kind.Verdict           // a person's yes or no to a suggestion
	Decided     = kind.Decided
	Judged      = judge.Verdict // judgement of one page and its links

	Proposal      = proposals.Proposal // a suggestion with what a person needs to decide about it
	ProposalQuery = proposals.Query    // a part of the queue of suggestions
	ProposalList  = proposals.List
	Passage       = proposals.Passage // a sentence of an archived page

	Revision   = whatif.Revision // knowledge that a crawl might have instead of its own
	Effect     = whatif.Effect   // what it does to the pages of the crawl's archive
	EffectPage = whatif.Moved    // a page that is accepted with one of the two alone

	SearchQuery = store.SearchJob
	Found       = store.Found
	Prepared    = store.Prepared
	ExportQuery = export.Options
	RuleSet     = graph.Set // maps what pages say, in ExportQuery.Graph.Rules by its name
)

// URL returns the canonical form of a URL that a person typed, possibly without a scheme. The error wraps orbweaver.ErrBadURL and
// orbweaver.ErrInput.
func URL(address string) (string, error) { return judge.AddressOf(address) }

// Judge fetches one page as the crawl would, and returns the focus's judgement of the page and its links. If the crawl does
// not run, the focus has the state that the crawl learned. Judge writes nothing. The error wraps orbweaver.ErrScope or
// orbweaver.ErrRobots if the crawl must not fetch the page.
func (c *Crawl) Judge(ctx context.Context, url string) (*Judged, error) {
	return judge.Of(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, url, false)
}

// JudgeForced is Judge without regard to scope and robots.txt; Judged.Refused lists the rules that forbid the page.
func (c *Crawl) JudgeForced(ctx context.Context, url string) (*Judged, error) {
	return judge.Of(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, url, true)
}

// Ranks returns the ranking functions of a search by words, values of SearchQuery.Rank.
func Ranks() []string { return store.Ranks() }

// Search finds pages by words, by similarity to a page (Like: its URL) or to a file (Like: its path), by a label or by an
// entity. The error wraps orbweaver.ErrInput if the query cannot be answered.
func (c *Crawl) Search(ctx context.Context, q SearchQuery) (*Found, error) {
	if q.Like != "" && !strings.Contains(q.Like, "://") { // the process that runs the crawl may have another working directory
		text, err := store.TextOf(ctx, c.at.Job, c.at.Dir, q.Like)
		if err != nil {
			return nil, err
		}
		q.Like, q.Text = "", &text
	}
	return store.Find(ctx, c.at.Job, c.at.Dir, q)
}

// Prepare brings the indexes of a crawl at rest up to date, which lists, explanations and searches do by themselves otherwise. When the
// context is done it stops within a moment, and the next call goes on from there; the result says how far it is, in either case. The error
// wraps orbweaver.ErrBusy if a process uses the folder, and orbweaver.ErrInput if the crawl keeps no archive, so that words cannot be indexed.
func (c *Crawl) Prepare(ctx context.Context) (Prepared, error) {
	return store.Prepare(ctx, c.at.Job, c.at.Dir)
}

// Query evaluates a SPARQL query on the crawl's quad store and writes the result to w. format is json, xml, csv, tsv or table
// for rows, turtle or ntriples for graphs; empty means table or turtle.
func (c *Crawl) Query(ctx context.Context, w io.Writer, sparql, format string) error {
	quiet := *c.at.Job
	quiet.Out = w
	return store.Query(ctx, &quiet, store.QueryOptions{Data: store.QueryData{Crawl: c.at.Dir}, Text: sparql, Format: format})
}

// ErrViolations means that what was exported does not conform to the shapes of ExportQuery.Graph; it is written all the same.
var ErrViolations = graph.ErrViolations

// RuleSets returns the rule sets that ship with the program. The name "standard" means all of them but "as-is".
func RuleSets() []RuleSet { return graph.Sets() }

// Export exports the committed results in a format of ExportQuery: csv, jsonl, urls, warc, wacz, text, chunks, nquads, trig, ntriples or turtle. Formats
// with a single file are written to w unless the query names an output.
func (c *Crawl) Export(ctx context.Context, w io.Writer, q ExportQuery) error {
	to := c.at.Job.Console
	to.Out = w
	if q.Pages != nil {
		only := map[int64]bool{}
		for p, err := range c.AllPages(ctx, *q.Pages) {
			if err != nil {
				return err
			}
			only[p.N] = true
		}
		q.Only = func(n int64) bool { return only[n] }
	}
	if q.Entity == nil {
		q.Entity = c.at.Job.EntityName
	}
	return export.Write(ctx, &to, c.at.Dir, q)
}

// Report rewrites report.html from the committed results, and returns the summary.
func (c *Crawl) Report(ctx context.Context) (*Summary, error) { return c.at.Summary(ctx) }

// Status returns counts and state of the crawl.
func (c *Crawl) Status(ctx context.Context) (Status, error) { return c.at.Status(ctx) }

// Pause stops the running crawl from starting requests until Resume. The error of Pause, Resume and Stop wraps
// orbweaver.ErrInput if no process runs the crawl.
func (c *Crawl) Pause(ctx context.Context) error { return c.at.Pause(ctx) }

// Resume ends a pause.
func (c *Crawl) Resume(ctx context.Context) error { return c.at.Resume(ctx) }

// Stop ends the running session after the requests in flight.
func (c *Crawl) Stop(ctx context.Context) error { return c.at.Stop(ctx) }

// PageSorts returns the values of PageQuery.Sort.
func PageSorts() []string { return ledger.PageSorts() }

// Pages lists pages from an index, at most 1 000 per call; PageList.Next is the PageQuery.After of the next call. The cost
// depends on the rows returned, not on the size of the crawl.
func (c *Crawl) Pages(ctx context.Context, q PageQuery) (PageList, error) { return c.at.Pages(ctx, q) }

// AllPages iterates over all pages of a query.
func (c *Crawl) AllPages(ctx context.Context, q PageQuery) iter.Seq2[Page, error] {
	return c.at.AllPages(ctx, q)
}

// Explain returns the path of links from a seed to a URL with all judgements and reasons, or why the URL was never requested. A
// URL unknown to the crawl is no error.
func (c *Crawl) Explain(ctx context.Context, url string) (*Explanation, error) {
	return c.at.Explain(ctx, url)
}

// Evidence reads a fetched page again and returns the passages that support its judgement, as byte offsets into its title and
// main text. The error wraps orbweaver.ErrAbsent if no archive has the page, and orbweaver.ErrInput if the focus has no
// such evidence.
func (c *Crawl) Evidence(ctx context.Context, url string) (Evidence, error) {
	return c.at.Evidence(ctx, url)
}

// Reclassified returns the judgements of the pages that the focus keeps, by URL, as it makes them now. The error wraps
// orbweaver.ErrInput if the focus keeps none: only crossref does.
func (c *Crawl) Reclassified(ctx context.Context, q Question) (map[string]orbweaver.Judgement, error) {
	return c.at.Reclassified(ctx, q)
}

// Labels returns the labels of a document by the model of a running crawl as it is now. It fails if no process runs the
// crawl, or its focus learns no labels.
func (c *Crawl) Labels(ctx context.Context, d Document) (*Labelled, error) {
	return c.at.Labels(ctx, d)
}

// Hosts lists requested hosts of the live Web, by number of requests, descending.
func (c *Crawl) Hosts(ctx context.Context, q HostQuery) ([]Host, error) { return c.at.Hosts(ctx, q) }

// Failures lists requests without a page, in commit order.
func (c *Crawl) Failures(ctx context.Context, q FailedQuery) ([]Failed, error) {
	return c.at.Failures(ctx, q)
}

// Waiting lists waiting requests, best first.
func (c *Crawl) Waiting(ctx context.Context, q WaitQuery) ([]Waiting, error) {
	return c.at.Waiting(ctx, q)
}

// Facets counts what the first 1 000 pages of a query have in common: hosts, classes, media types, languages, and the entities that
// their reasons name.
func (c *Crawl) Facets(ctx context.Context, q PageQuery) (Facets, error) { return c.at.Facets(ctx, q) }

// Data returns the statements of a page: of an RDF document, and of data within HTML. The error wraps orbweaver.ErrUnknown if the page was
// not fetched.
func (c *Crawl) Data(ctx context.Context, q DataQuery) (Data, error) { return c.at.Data(ctx, q) }

// Map returns the graph of the hosts with the most pages, or of the pages around one. The error wraps orbweaver.ErrUnknown if that page
// was not fetched.
func (c *Crawl) Map(ctx context.Context, q MapQuery) (Map, error) { return c.at.Map(ctx, q) }

// Exclude narrows the scope permanently: it removes waiting requests that match a pattern, and the crawl does not follow such
// links later. A preview changes nothing and counts what Exclude would remove.
func (c *Crawl) Exclude(ctx context.Context, e Exclusion) (Excluded, error) {
	return c.at.Exclude(ctx, e)
}

// SetLimits changes the limits of the running session, and returns the limits in force. The next session uses the crawl file's
// limits again. The error wraps orbweaver.ErrInput if no process runs the crawl.
func (c *Crawl) SetLimits(ctx context.Context, l Limits) (Limits, error) {
	return c.at.SetLimits(ctx, l)
}

// Suggestions returns the focus's suggestions, best first. The error wraps orbweaver.ErrInput if the focus makes none.
func (c *Crawl) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	return c.at.Suggestions(ctx)
}

// SuggestionsFrom returns what the focus's knowledge lacks and another folder has, best first: the folder of a crawl that
// learned labels, nouns or classes, of a label model, or of a KRS. Decide takes their IDs. The error wraps
// orbweaver.ErrInput if the focus takes none, or if the folder has nothing of the kind.
func (c *Crawl) SuggestionsFrom(ctx context.Context, folder string) ([]orbweaver.Suggestion, error) {
	return c.at.SuggestionsFrom(ctx, folder)
}

// RecommendOntology makes an ontology of a vocabulary that a metadata crawl recommends: the first, or the one of a namespace.
// file is the name under which its crawl file is to find the ontology. Nothing is written. The error wraps
// orbweaver.ErrInput if it is no metadata crawl, recommends no such vocabulary or has no document that declares it, and
// orbweaver.ErrBusy if a process runs the crawl.
func (c *Crawl) RecommendOntology(ctx context.Context, vocabulary, file string) (*Recommended, error) {
	return c.at.Recommended(ctx, vocabulary, file)
}
