package kind

import (
	"context"
	"io"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// An Instance is a focus of one crawl, and what its kind adds to that crawl. Its methods are called in their order here, by
// whoever runs the crawl or looks at its folder; Close always. Plain has a default for each but Focus.
type Instance interface {
	// Focus is the focus; nil as long as it is not built, and at rest where only a running crawl builds it.
	Focus() orbweaver.Focus

	// Look builds what needs the crawl's web or truth. Nothing is written.
	Look(context.Context, *Env) error
	// Reach connects the services that the focus asks, at addresses of private networks too that are allowed.
	Reach(wire.Wire, crawlfile.Private) error
	// Settle builds what a crawl that is to run needs beside, before its folder is opened: what is wrong here leaves no
	// folder behind.
	Settle(context.Context, *Env) error
	// Open takes possession of the crawl folder, whose ledger is open.
	Open(*Env) error
	// Web puts what the focus answers by itself before the web of the crawl.
	Web(pipeline.Fetcher) pipeline.Fetcher
	// Store is the folder for what becomes known of endpoints; empty: the crawl folder.
	Store() string
	// Begin begins a session; begun: the crawl made a request, or has one waiting, already.
	Begin(env *Env, begun bool) error
	// Observe sees each outcome once it is committed.
	Observe(orbweaver.Outcome)
	// End ends a session: what was learned is kept in the folder and, where it did not fail, in the ledger.
	End(ctx context.Context, env *Env, l *ledger.Ledger, failed error) error
	// View is what was found so far. Running: the session goes on, and nothing that the ledger would have to be flushed
	// for is written.
	View(env *Env, l *ledger.Ledger, running bool) (View, error)

	// Drawn are seeds that the focus drew by itself, and where from.
	Drawn() (from string, urls []string)
	// Query is what a search engine is asked for seeds where the crawl file does not say; empty: nothing.
	Query() string
	// AsBegun reports whether what the focus was built of is what the crawl in a folder began with.
	AsBegun(folder string) bool
	// AcceptFrom is the score from which the crawl file has pages accepted; nil where it does not say.
	AcceptFrom() *float64
	// Topic says of a page what the focus knows beside its judgement; nil: nothing.
	Topic(context.Context, *orbweaver.Page) (Topic, error)
	// Accept makes a decision of a person's yes to a suggestion, and keeps it in the user's files.
	Accept(env *Env, v Verdict, s orbweaver.Suggestion) (Decided, error)

	Close() error
}

// A View is what an instance found, as of a moment. Nothing in it changes any more.
type View struct {
	Warnings []string                         // what kept the crawl from finding more
	Rounds   []eval.RoundFacts                // of a focus that learns in them
	Results  int                              // that are no pages
	Facts    func(*eval.CrawlFacts)           // adds to the report of a crawl at rest; nil: nothing
	Keep     func(folder string) error        // writes what was found; nil: nothing
	Print    func(w io.Writer, folder string) // tells people, folder as shown; nil: nothing
}

// A Verdict is what a person says of a suggestion.
type Verdict struct {
	ID       string `json:"id"`
	Accepted bool   `json:"accepted"`
	As       string `json:"as,omitempty"`     // what it becomes: see orbweaver.AsEntry and the others
	Text     string `json:"text,omitempty"`   // in other words than the suggestion's; empty: in those
	Entity   string `json:"entity,omitempty"` // IRI or name
	Range    string `json:"range,omitempty"`  // of a property: IRI or name
}

// Decided is what became of a verdict.
type Decided struct {
	Decision orbweaver.Decision `json:"decision"`
	File     string             `json:"file,omitempty"` // the ontology file that has the statements now
	Written  int                `json:"written"`        // statements that it lacked before
}
