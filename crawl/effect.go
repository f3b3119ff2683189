package crawl

import "context"

// Effect judges the pages of the crawl's archive twice: as the crawl judges now, by what it has learned and a person's verdicts, and
// as it would under a revision, with the same learned state by IRI. It changes nothing, also of a crawl that runs, which goes on
// meanwhile. It judges for ten seconds at most, and 20 000 pages: those accepted last and those nearest to their threshold first. If that was
// enough for all (Effect.Complete), equal calls on a crawl at rest give equal results. The error wraps orbweaver.ErrInput if the
// crawl has another focus than ontology, keyword or a blend of these, if its crawl file names no such file or key, or if what they
// would be is wrong; and orbweaver.ErrTooLarge for files of more than 64 MiB.
func (c *Crawl) Effect(ctx context.Context, r Revision) (Effect, error) { return c.at.Effect(ctx, r) }

// ProposalEffect is Effect of accepting a suggestion so. The error wraps orbweaver.ErrInput if it cannot be accepted so.
func (c *Crawl) ProposalEffect(ctx context.Context, choice Choice) (Effect, error) {
	return c.at.ChoiceEffect(ctx, choice)
}

// TryBoth is Try with what the crawl has learned, also while it runs, for its own knowledge and for a revision. A page is read from the
// archive: nothing is requested. Errors are those of Try and Effect, orbweaver.ErrAbsent for a page that was not archived; beside
// the error of a page stands how far it came.
func (c *Crawl) TryBoth(ctx context.Context, s Sample, r Revision) (now, then *Trial, err error) {
	return c.at.TryBoth(ctx, s, r)
}
