package crawl

import (
	"context"
	"iter"

	"orbweaver"
	"orbweaver/internal/offline/sample"
	"orbweaver/internal/teach"
)

// What a person may say of a page: values of Verdict.Said.
const (
	SaidAbout = teach.SaidAbout // it is about the topic
	SaidPart  = teach.SaidPart  // a part of it is, or it is about a part of the topic
	SaidNot   = teach.SaidNot   // it is not
)

// ReadVerdicts reads verdicts from sheets: CSV files with the columns url and relevant, which is yes, no, part or empty; rows without an answer are
// passed over. Errors wrap orbweaver.ErrInput and name file and line.
func ReadVerdicts(sheets ...string) (all []Verdict, err error) {
	for _, sheet := range sheets {
		answers, err := sample.Answers(sheet)
		if err != nil {
			return nil, err
		}
		for _, o := range answers {
			v := Verdict{URL: o.URL, Relevant: o.Relevant}
			if o.Part {
				v.Said = SaidPart
			}
			all = append(all, v)
		}
	}
	return all, nil
}

// Verdicts gives the crawl a person's verdicts on pages that it has judged, and commits each. Every focus is corrected by them:
// the score of a page judged later moves by its words; PagesNow applies them to pages judged before. The error wraps
// orbweaver.ErrInput if the crawl has not judged a page, keeps no archive, or is to withdraw what was not given; the verdicts before
// that page stand.
//
// A verdict withdrawn corrects no page from then on, as if it had never been given: the model of the others is fitted anew. What it
// did until then stays: the scores of pages judged meanwhile, and which links were followed for them.
func (c *Crawl) Verdicts(ctx context.Context, all ...Verdict) ([]orbweaver.Decision, error) {
	return c.at.Verdicts(ctx, all)
}

// Verdict is Verdicts for one page.
func (c *Crawl) Verdict(ctx context.Context, v Verdict) (d orbweaver.Decision, err error) {
	taken, err := c.at.Verdicts(ctx, []Verdict{v})
	if len(taken) > 0 {
		d = taken[0]
	}
	return d, err
}

// Unsure returns up to n pages without a verdict of a person, in the order in which verdicts on them teach most: those of which the crawl is least
// sure now, the nearest to the threshold. It judges at most 2 000 pages again, those that were nearest when they were judged, or n if that is
// more, and changes nothing. The error wraps orbweaver.ErrInput if the crawl keeps no archive.
func (c *Crawl) Unsure(ctx context.Context, n int) ([]Page, error) { return c.at.Unsure(ctx, n) }

// PagesNow iterates over the pages of the crawl, oldest first, as the focus and a person's verdicts judge them now. It reads
// each again from the archive, and changes nothing.
func (c *Crawl) PagesNow(ctx context.Context) iter.Seq2[Page, error] { return c.at.PagesNow(ctx) }

// Taught tells what the verdicts of persons that hold changed: how many pages are accepted by the focus alone and with them, which fell out and
// came in, and the words and the threshold that moved. It judges at most 5 000 pages again and changes nothing. Without a verdict it
// judges none.
func (c *Crawl) Taught(ctx context.Context, q TeachQuery) (Teaching, error) {
	return c.at.Teaching(ctx, q)
}

// Given lists the verdicts of persons that hold, the latest first.
func (c *Crawl) Given(ctx context.Context, q GivenQuery) (GivenList, error) {
	return c.at.Given(ctx, q)
}
