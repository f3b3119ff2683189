package orbweaver

import (
	"context"
	"io"
	"iter"
	"time"

	"orbweaver/rdf"
)

// A Focus decides what a crawl is about. It never fetches, stores, or sees the frontier.
//
// Judge and Plan run on one goroutine, one page after the other, so no focus needs a lock; heavy work belongs in
// Prepare. A focus may implement any of the optional interfaces below; the engine detects them in one place.
type Focus interface {
	// Judge scores a page.
	Judge(context.Context, *Page) (Judgement, error)
	// Plan proposes what to ask for next, given the page and its judgement. The engine fills in
	// Parent, Depth and, where the proposal leaves it nil, nothing else. What the page asks not to follow
	// the engine leaves out, whatever is proposed.
	Plan(context.Context, *Page, Judgement) ([]Proposal, error)
}

// A Preparer does its heavy work in parallel, before Judge. The result becomes Page.Findings and must depend on the
// page alone.
type Preparer interface {
	Prepare(context.Context, *Page) (any, error)
}

// A DataReader looks at the data within some pages (Page.Pending). ReadsData is asked of each such page, in parallel, and
// must depend on the page alone: where it is true, Page.Quads holds the statements before Prepare. They add no links.
type DataReader interface {
	ReadsData(*Page) bool
}

// A Seeder has first requests of its own.
type Seeder interface {
	Seeds(context.Context, Known) ([]Proposal, error)
}

// A Recoverer proposes requests in place of a failed one: another mirror, a simpler query. Recover is called for each
// outcome with an Err, in place of Plan and before Learn.
type Recoverer interface {
	Recover(context.Context, Outcome) ([]Proposal, error)
}

// A Rephraser is a Recoverer that may have a simpler form of a query. A query that an endpoint accepted but did not
// answer is then not retried unchanged: it may keep the endpoint busy for as long again, in vain.
type Rephraser interface {
	Rephrases(Request) bool
}

// A Learner changes with the outcomes it sees. Its state is a fold over outcomes: restored from a snapshot and taught
// the outcomes since, it is the same as without the interruption.
type Learner interface {
	Learn(context.Context, Outcome) (Lesson, error)
	Snapshot(io.Writer) error
	Restore(io.Reader) error
}

// A Rounder works in rounds of RoundSize requests, the best of the frontier at the start of the round; requests found
// meanwhile wait for the next. With size 0 a round ends when nothing waits, and a round whose proposals are all known
// or refused ends at once. The crawl is over when a round proposes nothing, so a focus must not make the same
// proposals at the end of every round.
type Rounder interface {
	RoundSize() int
	EndRound(context.Context, Round) ([]Proposal, Lesson, error)
}

// A Reranker has a new judgement of a waiting request whose key went stale, or whose turn has come: the reasons of the
// latter are kept. A waiting request may sink but not leave: Drop is ignored.
type Reranker interface {
	Rerank(Known, Proposal) Judgement
}

// A Merger weighs several links to one request. Merge is called when Plan proposes a request that waits already; note
// is that request's Note, in which the Merger keeps what it needs of earlier links. Merge gives no reasons: a Merger
// is a Reranker too, which gives them at the request's turn. Without a Merger the proposal of the higher score stands.
type Merger interface {
	Reranker
	Merge(note []byte, again Proposal) Merged
	// Worth is the score of a request by its Note, as of now; false where the Note does not suffice.
	// It is asked for what went stale; Rerank only after false, and where the Note is not empty.
	Worth(note []byte) (score float64, ok bool)
}

// Merged is the value of a waiting request by all links to it.
type Merged struct {
	Score  float64
	Note   []byte // replaces the Note; nil: the link changes nothing
	Follow bool   // the request waits by the new link from now on
}

// Known is the knowledge of a crawl as of the last committed outcome.
type Known interface {
	Inlinks(url string) iter.Seq[string]
	Outlinks(url string) iter.Seq[string]
	// Outcome returns what became of the URL, without its page; ErrUnknown when nothing did.
	Outcome(url string) (Outcome, error)
	// Quads matches facts, and what pages say, in their graphs; a zero term matches any.
	Quads(s, p, o, g rdf.Term) iter.Seq2[rdf.Quad, error]
}

// An Evidencer shows where in a page stands what a judgement of it rests on: what its reasons name, as Judge
// would give them now. It runs where Judge runs, changes nothing, and may take as long as Prepare.
type Evidencer interface {
	// Evidence returns at most 1 000 spans, title before text, then by Start; each name that a reason finds in the
	// title or text has one at least. Spans may overlap.
	Evidence(context.Context, *Page) ([]Span, error)
}

// The fields of a page that spans are in.
const (
	InTitle = "title"
	InText  = "text"
)

// A Span is a piece of a page's title or text that a reason rests on: whole characters of UTF-8.
type Span struct {
	Field string `json:"field"`         // InTitle or InText
	Start int    `json:"start"`         // byte offset in Page.Title or Page.Text
	End   int    `json:"end"`           // byte offset behind the last byte
	Rule  string `json:"rule"`          // of the reason
	Name  string `json:"name"`          // the entity, term or noun, as the reason names it
	IRI   string `json:"iri,omitempty"` // of the entity; empty: it has none
}

// A Suggester has suggestions for a person to decide, best first.
type Suggester interface {
	Suggestions(context.Context) ([]Suggestion, error)
}

// A Decider takes up what a person decided. It runs between two outcomes; what was prepared before and
// is judged after is the focus's business. The same decisions after the same outcomes give the same
// state. A kind of decision that the focus cannot learn from is an error that wraps ErrInput: nothing is committed then,
// so that a crawl holds the decisions that made it what it is, and no others. A focus that learns from verdicts on pages
// gets the withdrawals of those that it took, and refuses what it cannot unlearn.
type Decider interface {
	Decide(context.Context, Decision) (Lesson, error)
}

// A Relearner takes a person's verdicts on pages into what it has learned of them, besides what package focus/verdicts makes of them for
// every focus: into the words by which links are ranked, say. Both methods run between two outcomes, once each with the verdicts of a
// crawl that is followed, and not again when a crawl resumes: what they change is part of the snapshot.
type Relearner interface {
	// Relearn teaches an outcome, which was learned before and whose page was read again, with a relevance from 0 to 1 that a person
	// stated, in place of the focus's own judgement. An earlier relevance of the same URL counts no more.
	Relearn(ctx context.Context, o Outcome, relevance float64) (Lesson, error)
	// Unlearn takes back what Relearn changed for a URL. A URL that was not relearned changes nothing.
	Unlearn(ctx context.Context, url string) (Lesson, error)
	// Untaught judges a page as Judge would if no verdict had been relearned.
	Untaught(context.Context, *Page) (Judgement, error)
}

// The kinds of suggestions.
const (
	SuggestWord = "word" // a frequent word or phrase that the knowledge lacks
	SuggestPair = "pair" // two entities often near each other that have no relation
	// SuggestLittle is an entity of the knowledge that does not tell relevant pages from others.
	SuggestLittle = "little"
	// SuggestEntity is an entity of another body of knowledge, with its IRI there.
	SuggestEntity = "entity"
	// SuggestBroader is two entities of which other knowledge says that the second is broader, and of which neither is above the other.
	SuggestBroader = "broader"
)

// A Suggestion is something that the knowledge of a focus may lack.
type Suggestion struct {
	ID       string   `json:"id"`              // short, of kind and matter: the same in every session
	Kind     string   `json:"kind"`            // SuggestWord, SuggestPair, SuggestLittle, SuggestEntity or SuggestBroader
	Text     string   `json:"text"`            // the word or phrase, as most often written; of two entities, both names
	Entity   string   `json:"entity"`          // IRI that the word stands near most often; of two, the first; empty: unknown
	Other    string   `json:"other,omitempty"` // of two, the second
	As       string   `json:"as,omitempty"`    // of other knowledge: what it would become, as in Decision
	IRI      string   `json:"iri,omitempty"`   // of SuggestEntity: that of the entity
	Count    int64    `json:"count"`           // pages that support it, at most; of other knowledge: items, documents or statements
	Error    int64    `json:"error,omitempty"` // by how much Count may be too large
	Score    float64  `json:"score"`           // how surely it belongs to the topic and not to any text; of one list alone
	On       float64  `json:"on"`              // share of the pages about the topic that have it, each counted by its score
	Off      float64  `json:"off"`             // share of the others, each counted by what its score lacks to 1
	Examples []string `json:"examples"`        // URLs of pages, at most 3
}

// What an accepted suggestion becomes.
const (
	AsEntry    = "entry"    // a lexical entry of Entity
	AsSubclass = "subclass" // a class below Entity
	AsInstance = "instance" // an instance of Entity
	AsProperty = "property" // a property with Entity as domain and Range as range
	AsBroader  = "broader"  // Entity directly below Range: a subclass, or a narrower concept
	AsTopic    = "topic"    // of a class, with its IRI as ID: a part of the topic, with what is below it; it adds no statements
)

// A Decision is what a person decided, of exactly one kind: about a suggestion (ID), yes or no to a page (Page), or
// statements that the knowledge is to lack (Removed). It is committed in order like a page. By and At are for people: no focus
// looks at them.
type Decision struct {
	ID        string     `json:"id,omitempty"`        // of the suggestion
	Page      string     `json:"page,omitempty"`      // URL of the page
	After     int64      `json:"after"`               // outcomes committed before it
	Accepted  bool       `json:"accepted"`            // the suggestion is taken up; the page is relevant; true of a removal
	Part      bool       `json:"part,omitempty"`      // a part of the page is about it, or it is about a part; Accepted is true then
	Withdrawn bool       `json:"withdrawn,omitempty"` // what was decided before of the page or the suggestion holds no more; Accepted is false then
	Later     bool       `json:"later,omitempty"`     // the suggestion is postponed: it stays undecided; Accepted is false then
	By        string     `json:"by,omitempty"`        // who decided, as they say; empty: unknown
	At        time.Time  `json:"at,omitzero"`         // when it was decided, to the second; zero: unknown
	As        string     `json:"as,omitempty"`
	Text      string     `json:"text,omitempty"`
	Entity    string     `json:"entity,omitempty"`
	Range     string     `json:"range,omitempty"`
	Added     []rdf.Quad `json:"added,omitempty"`   // what becomes known by a suggestion
	Removed   []rdf.Quad `json:"removed,omitempty"` // lexical entries and axioms that are known no more; of a suggestion only if it is withdrawn
}

// Name is what a decision is about, for messages.
func (d Decision) Name() string {
	if len(d.Removed) > 0 && d.ID == "" {
		return "removal of " + d.Removed[0].S.Value
	}
	return d.Page + d.ID // it has one of them
}
