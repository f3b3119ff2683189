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
	"orbweaver/internal/run"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
)

// What calls take and give.
type (
	QuickCrawl  = run.QuickCrawl   // a crawl for words
	Progress    = step.Progress    // how far a crawl has come
	Status      = server.Status    // how a crawl stands
	Summary     = assembly.Summary // what a crawl came to
	Measured    = assembly.Measured
	Changes     = assembly.ChangeList
	Added       = server.Added
	Page        = ledger.Line      // a line of pages.jsonl
	PageQuery   = ledger.PageQuery // which pages are listed, in which order
	PageList    = inspect.PageList
	Host        = step.Account
	HostQuery   = inspect.HostQuery
	Failed      = inspect.Failed
	FailedQuery = inspect.FailureQuery
	Waiting     = inspect.WaitingURL
	WaitQuery   = inspect.WaitingQuery
	Explanation = inspect.Explanation // how a crawl came to a URL, or why it was never asked for
	Evidence    = inspect.Evidence    // where in a page stands what its judgement rests on
	Exclusion   = inspect.Exclusion
	Excluded    = inspect.Excluded
	Limits      = inspect.Limits
	Verdict     = inspect.PageVerdict // a person's verdict on a page
	Choice      = kind.Verdict        // a person's yes or no to a suggestion
	Decided     = kind.Decided
	Judged      = judge.Verdict // what the focus makes of one page
	SearchQuery = store.SearchJob
	Found       = store.Found
	ExportQuery = export.Options
)

// URL is the canonical form of a URL that a person typed, perhaps without its scheme. The error wraps orbweaver.ErrBadURL and
// orbweaver.ErrInput.
func URL(address string) (string, error) { return judge.AddressOf(address) }

// Judge fetches one page as the crawl would, and returns what its focus makes of it and of its links, by what the crawl has
// learned where it does not run. Nothing is written. What scope or robots.txt forbid is an error that wraps
// orbweaver.ErrScope or orbweaver.ErrRobots.
func (c *Crawl) Judge(ctx context.Context, url string) (*Judged, error) {
	return judge.Of(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, url, false)
}

// JudgeForced is Judge for a page that scope or robots.txt may forbid: Judged.Refused tells which.
func (c *Crawl) JudgeForced(ctx context.Context, url string) (*Judged, error) {
	return judge.Of(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, url, true)
}

// Ranks are the ways of ranking pages by words: SearchQuery.Rank.
func Ranks() []string { return store.Ranks() }

// Search finds pages by words, by similarity to a page (Like: its URL) or to a file (Like: its path), by a label or by an
// entity. The error wraps orbweaver.ErrInput where the query cannot be answered, and says why.
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

// Query puts a SPARQL query to the crawl's quad store, and writes the answer in a format: json, xml, csv, tsv or table for
// rows; turtle or ntriples for graphs; empty: table, or turtle.
func (c *Crawl) Query(ctx context.Context, w io.Writer, sparql, format string) error {
	quiet := *c.at.Job
	quiet.Out = w
	return store.Query(ctx, &quiet, store.QueryOptions{Data: store.QueryData{Crawl: c.at.Dir}, Text: sparql, Format: format})
}

// Export writes what the crawl has so far in a format of ExportQuery: csv, jsonl, urls, warc, wacz, text, nquads or trig.
// Formats of one file go to w unless the query names an output.
func (c *Crawl) Export(ctx context.Context, w io.Writer, q ExportQuery) error {
	to := c.at.Job.Console
	to.Out = w
	if q.Entity == nil {
		q.Entity = c.at.Job.EntityName
	}
	return export.Write(ctx, &to, c.at.Dir, q)
}

// Report writes report.html anew, from what is committed, and sums up.
func (c *Crawl) Report(ctx context.Context) (*Summary, error) { return c.at.Summary(ctx) }

// Status says how far the crawl has come, and how it stands.
func (c *Crawl) Status(ctx context.Context) (Status, error) { return c.at.Status(ctx) }

// Pause lets the running crawl start no new request until Resume. The error of Pause, Resume and Stop wraps
// orbweaver.ErrInput when no process runs the crawl.
func (c *Crawl) Pause(ctx context.Context) error { return c.at.Pause(ctx) }

// Resume ends a pause.
func (c *Crawl) Resume(ctx context.Context) error { return c.at.Resume(ctx) }

// Stop ends the session under way after the requests in flight.
func (c *Crawl) Stop(ctx context.Context) error { return c.at.Stop(ctx) }

// PageSorts are the orders of lists of pages: PageQuery.Sort.
func PageSorts() []string { return ledger.PageSorts() }

// Pages lists pages by an index, at most 1 000 at a time: PageList.Next is PageQuery.After of the part that follows. A
// list of 300 000 pages costs what the rows returned cost.
func (c *Crawl) Pages(ctx context.Context, q PageQuery) (PageList, error) { return c.at.Pages(ctx, q) }

// AllPages ranges over all pages that a query asks for, whatever their number.
func (c *Crawl) AllPages(ctx context.Context, q PageQuery) iter.Seq2[Page, error] {
	return c.at.AllPages(ctx, q)
}

// Explain tells how the crawl came to a URL and what it made of it; or why it was never asked for. That the crawl does
// not know the URL is no error.
func (c *Crawl) Explain(ctx context.Context, url string) (*Explanation, error) {
	return c.at.Explain(ctx, url)
}

// Evidence reads a fetched page again and shows where in it stands what its judgement rests on: byte offsets into its title
// and main text. The error wraps orbweaver.ErrAbsent where no archive has the page, and orbweaver.ErrInput where the
// focus cannot tell.
func (c *Crawl) Evidence(ctx context.Context, url string) (Evidence, error) {
	return c.at.Evidence(ctx, url)
}

// Hosts lists the hosts of the live Web that were asked, those asked most first.
func (c *Crawl) Hosts(ctx context.Context, q HostQuery) ([]Host, error) { return c.at.Hosts(ctx, q) }

// Failures lists requests that gave no page, in the order decided.
func (c *Crawl) Failures(ctx context.Context, q FailedQuery) ([]Failed, error) {
	return c.at.Failures(ctx, q)
}

// Waiting lists requests that wait, the best first.
func (c *Crawl) Waiting(ctx context.Context, q WaitQuery) ([]Waiting, error) {
	return c.at.Waiting(ctx, q)
}

// Exclude narrows the scope for good: what waits and matches a pattern is removed, what is found later is not followed. A
// preview changes nothing and tells how much that would be.
func (c *Crawl) Exclude(ctx context.Context, e Exclusion) (Excluded, error) {
	return c.at.Exclude(ctx, e)
}

// SetLimits changes the limits of the session under way, and returns those in force. The next session has those of the
// crawl file again. The error wraps orbweaver.ErrInput when no process runs the crawl.
func (c *Crawl) SetLimits(ctx context.Context, l Limits) (Limits, error) {
	return c.at.SetLimits(ctx, l)
}

// Suggestions are what the focus would have a person decide, the best first. The error wraps orbweaver.ErrInput for a focus
// that suggests nothing.
func (c *Crawl) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	return c.at.Suggestions(ctx)
}

// Decide accepts or refuses a suggestion. What it adds is written into the user's ontology file, and known to pages that
// are judged from then on.
func (c *Crawl) Decide(ctx context.Context, choice Choice) (Decided, error) {
	return c.at.Decide(ctx, choice)
}

// Verdict gives the focus a person's verdict on a page. The error wraps orbweaver.ErrInput for a focus that cannot learn from
// verdicts.
func (c *Crawl) Verdict(ctx context.Context, v Verdict) (orbweaver.Decision, error) {
	return c.at.Verdict(ctx, v)
}
