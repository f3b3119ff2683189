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

// An Instance is the focus of one crawl, with the kind's hooks into that crawl. The code that runs a crawl or inspects its
// folder calls the methods in the order below, and always Close. Plain has a default for each but Focus.
type Instance interface {
	// Focus returns the focus; nil until it is built, and outside a running crawl if only that builds it.
	Focus() orbweaver.Focus

	// Look builds parts that need the crawl's web or ground truth. It writes nothing.
	Look(context.Context, *Env) error
	// Reach connects the services that the focus uses; private may permit addresses of private networks.
	Reach(wire.Wire, crawlfile.Private) error
	// Settle builds the other parts that a running crawl needs, before its folder is opened, so that an error leaves no
	// folder behind.
	Settle(context.Context, *Env) error
	// Open takes ownership of the crawl folder, whose ledger is open.
	Open(*Env) error
	// Web wraps the web of the crawl with responses that the focus provides itself.
	Web(pipeline.Fetcher) pipeline.Fetcher
	// Begin starts a session; begun is true if the crawl has made requests or has some waiting.
	Begin(env *Env, begun bool) error
	// Observe sees each outcome once it is committed.
	Observe(orbweaver.Outcome)
	// End ends a session: it saves what was learned in the folder and, unless the session failed, in the ledger.
	End(ctx context.Context, env *Env, l *ledger.Ledger, failed error) error
	// View returns the findings so far. If running, the session continues, and View writes nothing that would require
	// flushing the ledger.
	View(env *Env, l *ledger.Ledger, running bool) (View, error)

	// Drawn returns the seeds that the focus drew itself, and their origin.
	Drawn() (from string, urls []string)
	// Query returns the default query of a seed search; empty: none.
	Query() string
	// AsBegun reports whether the input of the focus is the one that the crawl in a folder began with.
	AsBegun(folder string) bool
	// AcceptFrom returns the threshold of acceptance in the crawl file; nil if it sets none.
	AcceptFrom() *float64
	// Topic returns what the focus knows about a page in addition to its judgement; nil: nothing.
	Topic(context.Context, *orbweaver.Page) (Topic, error)
	// Accept turns a person's acceptance of a suggestion into a decision, and writes it to the user's files.
	Accept(env *Env, v Verdict, s orbweaver.Suggestion) (Decided, error)

	Close() error
}

// A View is an immutable snapshot of the findings of an instance.
type View struct {
	Warnings []string                         // what kept the crawl from finding more
	Rounds   []eval.RoundFacts                // of a focus that learns in them
	Results  int                              // that are no pages
	Facts    func(*eval.CrawlFacts)           // adds to the report of a crawl at rest; nil: nothing
	Keep     func(folder string) error        // writes what was found; nil: nothing
	Print    func(w io.Writer, folder string) // tells people, folder as shown; nil: nothing
}

// A Verdict is a person's decision about a suggestion: yes, no, not now (Later), or that what was decided before holds no more
// (Withdrawn).
type Verdict struct {
	ID        string `json:"id"`
	Accepted  bool   `json:"accepted"`
	Later     bool   `json:"later,omitempty"`
	Withdrawn bool   `json:"withdrawn,omitempty"`
	By        string `json:"by,omitempty"` // who decides, as they say

	As     string `json:"as,omitempty"`     // what it becomes: see orbweaver.AsEntry and the others
	Text   string `json:"text,omitempty"`   // in other words than the suggestion's; empty: in those
	Entity string `json:"entity,omitempty"` // IRI or name
	Range  string `json:"range,omitempty"`  // of a property: IRI or name
}

// Decided is the result of a verdict.
type Decided struct {
	Decision orbweaver.Decision `json:"decision"`
	File     string             `json:"file,omitempty"` // the ontology file that has the statements now, or had them
	Written  int                `json:"written"`        // statements that it lacked before
	Removed  int                `json:"removed"`        // statements that it has no more
}

// A Grower is an instance whose knowledge a person's decisions change, in files of theirs.
type Grower interface {
	// Accepting returns the decision that Accept makes, and writes nothing.
	Accepting(v Verdict, s orbweaver.Suggestion) (orbweaver.Decision, error)
	// Speaking returns the names of a suggestion's entities, empty if it has none, and the things that pages speak of which support the
	// suggestion: of each, its names.
	Speaking(s orbweaver.Suggestion) (entity, other string, things [][]string)
	// Withdraw takes what an accepted suggestion added out of the user's files, except what the crawl began with or what a
	// decision of held added, too: those accepted since the crawl began that hold, without it, in order. The error wraps
	// orbweaver.ErrInput if one of them rests on it.
	Withdraw(env *Env, d orbweaver.Decision, held []orbweaver.Decision) (Decided, error)
}
