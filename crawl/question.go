package crawl

import (
	"context"

	"orbweaver/internal/inspect"
	"orbweaver/kb/relevance"
)

// What Crawl.Asks and Crawl.Answer take and return.
type (
	Asking        = inspect.Asking      // a question, and the answers so far
	ClassAnswer   = inspect.ClassAnswer // whether a class belongs to the topic
	ClassQuestion = relevance.Question
)

// Asks returns what a metadata crawl with expand: judged asks a person: whether a class that it rejected belongs to the topic, that of
// which a yes promises most. The error wraps orbweaver.ErrInput if the focus of the crawl asks nothing.
func (c *Crawl) Asks(ctx context.Context) (Asking, error) { return c.at.Question(ctx) }

// Answer gives the crawl answers about classes that it has judged, accepted or not, and commits each. A yes accepts the class and what is below it, a no
// rejects the class. A crawl that is over takes them up when it is run again, and goes on from there. An answer replaces an earlier one. The error
// wraps orbweaver.ErrInput if the focus asks nothing, or a class was not judged; the answers before that one stand.
func (c *Crawl) Answer(ctx context.Context, all ...ClassAnswer) (Asking, error) {
	return c.at.Answer(ctx, all)
}
