// Package sink is what a place has to do to which a crawl delivers its accepted pages.
//
// A sink is one type with three methods. The crawl calls them on one goroutine, one after another:
//
//	for items := range theCrawl {
//		for s.Deliver(ctx, items) != nil {
//			wait() // 1 s, 2 s ... 5 min
//		}
//		keepPosition()
//	}
//	s.Close()
//
// What a sink may rely on:
//
//   - Items come in order. Of two items with one URL the later one holds, and has the larger or the same N.
//   - Nothing is left out: what Deliver did not return nil for comes again, in this process or in the next one after a kill.
//   - The same items may come again though they were delivered, as after a kill between the delivery and the note that it was made. An item
//     that comes again has the ID that it had, so that writing by URL, or leaving out an ID that was seen, changes nothing.
//   - While Deliver takes its time the crawl goes on, until the sink is too many pages behind: then the crawl waits.
//
// What a sink has to do: return nil only when items would survive a loss of power where they are; return soon with an error when the context
// ends; name in its errors what failed, and no secret. An error that wraps [ErrGone] says that trying again is of no use, and one with a
// method RetryAfter() time.Duration when to try again.
//
// The kinds are packages below this one. A new one is such a package, its keys in internal/sinks, and a case in internal/delivery/open.go.
//
// This package is not part of the stable API.
package sink

import (
	"context"
	"errors"
	"time"

	"orbweaver"
)

// A Sink is where items go.
type Sink interface {
	// Check reports whether items can be delivered, as far as that can be told without delivering one: it reaches servers, and makes what is
	// missing. It changes nothing that was delivered. An error that a person can correct wraps [orbweaver.ErrInput].
	Check(ctx context.Context) error
	// Deliver takes items: all of them, or none that counts. At least one is given.
	Deliver(ctx context.Context, items []Item) error
	// Close releases what the sink holds.
	Close() error
}

// A Settler is a sink that has something to do when the crawl is over and all its sinks have all items. Settle is called after the last Deliver,
// and again whenever the same command is run again: made twice it does nothing more.
type Settler interface {
	Settle(ctx context.Context) error
}

// ErrGone says that a sink takes nothing any more.
var ErrGone = errors.New("it takes nothing any more")

// A Kind is what an item tells.
type Kind string

// The kinds of items.
const (
	Accepted  Kind = "accepted"  // a page is accepted, or is accepted still with other content
	Withdrawn Kind = "withdrawn" // a page that was accepted is not any more, or is gone
	Verdict   Kind = "verdict"   // a person said whether a page is relevant, or took that back
	End       Kind = "end"       // the crawl is over for now
)

// An Item is one thing that is delivered. Fields that a kind has no use for are empty.
type Item struct {
	ID   string `json:"id"` // the same whenever the item comes again, and no other item's
	Kind Kind   `json:"kind"`
	N    int64  `json:"n"` // outcomes that the crawl had when it came to hold; it never falls
	URL  string `json:"url,omitempty"`

	*Page `json:",omitempty"` // of an accepted page

	Relevant *bool  `json:"relevant,omitempty"` // of a verdict; nil: it is taken back
	Why      string `json:"why,omitempty"`      // of a withdrawal: threshold, verdict, gone, moved, changed or removed; of an end: why the crawl is over
	Pages    int64  `json:"pages,omitempty"`    // of an end: pages of the crawl
	Total    int64  `json:"total,omitempty"`    // of an end: those that it accepted
}

// A Page is an accepted page.
type Page struct {
	Outcome   int64              `json:"outcome"` // its number, which is n of its line in pages.jsonl
	Title     string             `json:"title,omitempty"`
	Text      string             `json:"text,omitempty"` // the page's article as Markdown, with its headings, lists, quotations, tables and code
	Score     float64            `json:"score"`          // 0 to 1
	Class     string             `json:"class,omitempty"`
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"` // of the judgement, with the evidence, heaviest first
	Lang      string             `json:"lang,omitempty"`    // BCP 47
	Type      string             `json:"type,omitempty"`    // media type
	Creators  []string           `json:"creators,omitempty"`
	Published string             `json:"published,omitempty"` // as the page states it
	Rights    string             `json:"rights,omitempty"`    // likewise
	Fetched   time.Time          `json:"fetched,omitzero"`
	Digest    string             `json:"digest,omitempty"` // of the payload, as in pages.jsonl
	Unread    string             `json:"unread,omitempty"` // why Text is missing: the archive does not have the page

	Record orbweaver.Ref `json:"-"` // in the crawl's archive
}
