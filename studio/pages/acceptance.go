package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// The drawing of two distributions, in its own units.
const (
	lineBins   = 50   // bars
	fineBins   = 1000 // in which pages are counted
	lineWidth  = 1000
	lineHeight = 260
)

// A line is the threshold of acceptance over the distributions that it divides.
type line struct {
	At       float64 // the threshold that is tried
	Now      float64 // the threshold of now
	File     string  // that of the crawl file; empty: the pages move it
	Fixed    string  // why it cannot be moved; empty: it can
	Pages    int64   // of the crawl
	Would    int64   // of these, at or above At
	Accepted int64   // of these, accepted now

	X, Width, Height   int // of the line, and of the drawing
	Bars               []bar
	Corpus, Background string // points of lines, as SVG has them; empty: no such documents
	Reached, Outside   string // shares of corpus and background at or above At
	Rows               []lineRow
}

// A bar is the pages of the crawl with scores of a bin.
type bar struct {
	X, Y, Width, Height int
	In                  bool // at or above the threshold that is tried
}

// A lineRow is ten bars in the table.
type lineRow struct {
	From, To                  float64
	Pages, Corpus, Background int64
}

// acceptance sets the line of a crawl and what it divides.
func (h *Handler) acceptance(r *http.Request, v *topicView, t *crawl.Topic) error {
	l := &line{Width: lineWidth, Height: lineHeight, Now: 0.5}
	v.Line = l
	if v.Crawl == "" {
		return fmt.Errorf("a topic alone accepts no pages: a crawl does (%w)", orbweaver.ErrInput)
	}
	text, err := h.Workspace.Text(v.Crawl)
	if err != nil {
		return err
	}
	values, err := crawl.FileValues(text)
	if err != nil {
		return err
	}
	l.File = values[acceptKey]
	switch {
	case values["focus"] != "krs":
		l.Fixed = "The topic is a part of another focus, which decides what is accepted."
	case values["focus.krs.rule"] == "paper", values["focus.krs.mode"] == "paper":
		l.Fixed = "rule: paper accepts pages whose mean IDF is within a range, and not from a score on."
	}
	var scores crawl.Scores
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		scores, err = c.Scores(ctx, fineBins)
		return err
	})
	if err != nil {
		return err
	}
	spread, err := t.Spread(r.Context(), fineBins)
	if err != nil {
		return err
	}
	if scores.Threshold > 0 {
		l.Now = scores.Threshold
	}
	if l.At, err = strconv.ParseFloat(strings.TrimSpace(r.URL.Query().Get("at")), 64); err != nil || !(l.At >= 0 && l.At <= 1) {
		l.At = l.Now
	}
	l.draw(scores, spread)
	return nil
}

// draw draws the distributions, and counts what is at or above the line.
func (l *line) draw(scores crawl.Scores, spread crawl.TopicSpread) {
	pages := make([]int64, fineBins)
	from := int(l.At*fineBins + 0.5)
	for i := range pages {
		pages[i] = scores.Accepted[i] + scores.Rejected[i]
		l.Pages += pages[i]
		l.Accepted += scores.Accepted[i]
		if i >= from {
			l.Would += pages[i]
		}
	}
	l.X = int(l.At * lineWidth)
	coarse := binned(pages)
	most := highest(coarse)
	for i, n := range coarse {
		height := tall(n, most)
		l.Bars = append(l.Bars, bar{X: i*lineWidth/lineBins + 1, Y: lineHeight - height, Width: lineWidth/lineBins - 2, Height: height, In: (i+1)*fineBins/lineBins > from})
	}
	corpus, background := binned(spread.Corpus), binned(spread.Background)
	l.Corpus, l.Background = points(corpus), points(background)
	l.Reached, l.Outside = reached(spread.Corpus, from), reached(spread.Background, from)
	for i := 0; i < lineBins; i += 5 {
		row := lineRow{From: float64(i) / lineBins, To: float64(i+5) / lineBins}
		for k := i; k < i+5; k++ {
			row.Pages, row.Corpus, row.Background = row.Pages+coarse[k], row.Corpus+corpus[k], row.Background+background[k]
		}
		l.Rows = append(l.Rows, row)
	}
}

// binned adds up fine bins.
func binned(fine []int64) []int64 {
	coarse := make([]int64, lineBins)
	for i, n := range fine {
		coarse[i*lineBins/fineBins] += n
	}
	return coarse
}

func highest(all []int64) (most int64) {
	for _, n := range all {
		most = max(most, n)
	}
	return most
}

// tall is the height of a number; at least 2 if there is any.
func tall(n, most int64) int {
	if n == 0 {
		return 0
	}
	return max(2, int(n*(lineHeight-10)/most))
}

// points are the places of a line through the middles of bins; empty if there is nothing.
func points(bins []int64) string {
	most := highest(bins)
	if most == 0 {
		return ""
	}
	var b strings.Builder
	for i, n := range bins {
		fmt.Fprintf(&b, "%d,%d ", i*lineWidth/lineBins+lineWidth/lineBins/2, lineHeight-tall(n, most))
	}
	return strings.TrimSpace(b.String())
}

// reached is the share of a distribution from a bin on.
func reached(bins []int64, from int) string {
	var all, above int64
	for i, n := range bins {
		all += n
		if i >= from {
			above += n
		}
	}
	return share(above, all)
}
