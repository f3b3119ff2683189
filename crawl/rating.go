package crawl

import (
	"context"
	"fmt"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/offline/sample"
)

// Samples of pages that people rate, and what comes of it: orbweaver rate, and docs/howto/rating.md.
type (
	Rating           = sample.Rating     // a folder with a sample, its key and the sheets of raters
	RatingDesign     = sample.Design     // how many pages a sample has
	RatingAnswer     = sample.Answer     // what a rater says of a page
	RatedPage        = sample.Shown      // a page as a rater sees it
	RaterStanding    = sample.Standing   // how far a rater is
	RatingResult     = sample.Result     // figures by all raters: what rate score prints
	RatingDifference = sample.Difference // a page that raters answer differently
)

// OpenRating opens the folder of a rating. The error wraps orbweaver.ErrUnknown if it has no sample, and orbweaver.ErrInput if that cannot be
// read.
func OpenRating(folder string) (*Rating, error) { return sample.Open(folder) }

// CheckRatingName returns an error that wraps orbweaver.ErrInput if a rating or a rater, as what says, cannot have a name: letters, digits and
// hyphens, at most 40.
func CheckRatingName(what, name string) error { return sample.CheckName(what, name) }

// A RatingSample says which sample to draw.
type RatingSample struct {
	Seed   uint64       `json:"seed"`            // the same crawl and seed give the same sample
	Pages  int          `json:"pages,omitempty"` // of the sample, from 1 to 10 000; 0: as many as the design wants
	Design RatingDesign `json:"design,omitzero"` // by the zero value that of the paper: 95 %, ± 0.05
}

// Rate draws a sample of the crawl's pages, with accepted and rejected ones in proportion, into a folder that exists and has none: sheet.csv and
// sheet.key.csv, as orbweaver rate sample writes them. The error wraps orbweaver.ErrInput if the crawl has no pages, or the sample is none.
func (c *Crawl) Rate(ctx context.Context, folder string, s RatingSample) (*Rating, error) {
	if s.Pages < 0 || s.Pages > sample.MaxRows {
		return nil, fmt.Errorf("pages: from 1 to %d, or 0 for as many as the margin of error wants, not %d (%w)", sample.MaxRows, s.Pages, orbweaver.ErrInput)
	}
	if s.Design == (RatingDesign{}) {
		s.Design = sample.DefaultDesign()
	}
	err := sample.Draw(ctx, &c.at.Job.Console, c.at.Dir, sample.Options{Out: filepath.Join(folder, sample.SheetFile), Seed: s.Seed, Design: s.Design, Pages: s.Pages})
	if err != nil {
		return nil, err
	}
	return sample.Open(folder)
}

// Teach gives the crawl the agreed answers of a rating as verdicts, as of Verdicts, or withdraws those of its pages. It returns the number of
// verdicts. Of those to withdraw, pages without a verdict are passed over.
func (c *Crawl) Teach(ctx context.Context, r *Rating, withdraw bool) (n int, err error) {
	agreed, err := r.Agreed()
	if err != nil {
		return 0, err
	}
	var all []Verdict
	for _, o := range agreed {
		v := Verdict{URL: o.URL, Relevant: o.Relevant, Withdrawn: withdraw}
		if !withdraw || c.judgedBy(ctx, o.URL) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return 0, nil
	}
	taken, err := c.Verdicts(ctx, all...)
	return len(taken), err
}

// judgedBy reports whether a person's verdict on a page holds.
func (c *Crawl) judgedBy(ctx context.Context, url string) bool {
	e, err := c.Explain(ctx, url)
	return err == nil && e.Outcome != nil && e.Outcome.Verdict != nil
}
