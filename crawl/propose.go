package crawl

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/proposals"
)

// How a suggestion stands: values of Proposal.State.
const (
	ProposalOpen     = proposals.Open
	ProposalLater    = proposals.Later // postponed
	ProposalAccepted = proposals.Accepted
	ProposalRejected = proposals.Rejected
)

// Proposals returns a part of the queue of suggestions of every kind: those of the crawl's own focus, those that SuggestionsFrom
// took from other knowledge, and those that were decided, each with sentences of archived pages. It may be asked while the crawl
// runs. The error wraps orbweaver.ErrInput if the focus makes no suggestions, or the query cannot be answered.
func (c *Crawl) Proposals(ctx context.Context, q ProposalQuery) (ProposalList, error) {
	return c.at.Proposals(ctx, q)
}

// Proposal returns one suggestion of the queue. The error wraps orbweaver.ErrUnknown if there is none with the ID.
func (c *Crawl) Proposal(ctx context.Context, id string) (Proposal, error) {
	list, err := c.at.Proposals(ctx, ProposalQuery{ID: id})
	if err != nil {
		return Proposal{}, err
	}
	if len(list.Proposals) == 0 {
		return Proposal{}, fmt.Errorf("suggestion %s: %w", id, orbweaver.ErrUnknown)
	}
	return list.Proposals[0], nil
}

// Decide accepts, rejects or postpones a suggestion, or withdraws what was decided before about it. An accepted suggestion is
// written to the user's ontology file, and applies to pages judged afterwards, of a running crawl from the next page on. One that is
// withdrawn is open again: what it had added to the file goes, and pages judged afterwards are judged without it. A postponed
// one can be decided, or its postponement withdrawn. Who decides and when is recorded, and no focus looks at it. The error wraps
// orbweaver.ErrInput if there is no such suggestion, if it was decided before, or if another that holds rests on it.
func (c *Crawl) Decide(ctx context.Context, choice Choice) (Decided, error) {
	return c.at.Decide(ctx, choice)
}

// Decisions returns what persons decided, in order: each with the number of outcomes before it (After), for a mark in the curve.
// It reads decisions.jsonl of the crawl folder, and asks nothing of a crawl that runs.
func (c *Crawl) Decisions(context.Context) ([]orbweaver.Decision, error) {
	return assembly.DecisionsOf(c.Folder())
}
