package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

const (
	askedAtOnce = 10   // questions of one form
	lookedAt    = 1000 // pages that are judged again for the page, unless more are asked for
	mostLooked  = 5000
	shownWords  = 12 // words either way
)

// teachView asks for verdicts on pages, and shows what those given changed.
type teachView struct {
	Frame
	Questions []question
	Problem   string // why there is none
	Answers   []answerTo
	Given     crawl.GivenList
	Backs     []Button // that withdraw the verdicts of Given
	Next      string   // path of the next part of Given; empty: none
	Taught    crawl.Teaching
	Figures   []Figure
	Words     []crawl.Moving
	Against   []crawl.Moving
	More      string // path of the page with more pages looked at; empty: all are, or that was it
}

// A question asks for a verdict on a page.
type question struct {
	Row
	Web, Archived string
	Threshold     float64
}

// heaviest is the number of reasons that are shown at once.
const heaviest = 3

// speaking are the reasons that speak for or against a page, the heaviest first: not the threshold, which is shown beside the score, nor what the
// score was before it was one.
func speaking(all []orbweaver.Reason) []orbweaver.Reason {
	all = slices.DeleteFunc(slices.Clone(all), func(r orbweaver.Reason) bool { return r.Rule == orbweaver.RuleThreshold || r.Rule == "raw" })
	order.Stably(all, func(a, b orbweaver.Reason) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return all
}

// Heaviest are the reasons that count most: words of the topic, and those that verdicts moved.
func (q question) Heaviest() []Reason { return q.Reasons[:min(heaviest, len(q.Reasons))] }

// Rest are the other reasons.
func (q question) Rest() []Reason { return q.Reasons[min(heaviest, len(q.Reasons)):] }

// An answerTo is an answer that a question has.
type answerTo struct{ Value, Label string }

// teachAnswers are the answers to a question, as they stand.
var teachAnswers = []answerTo{
	{crawl.SaidAbout, "About it"}, {crawl.SaidPart, "Part of it"}, {crawl.SaidNot, "Not"}, {"", "No answer"},
}

// teach asks for the verdicts that teach a crawl most, and shows what verdicts changed.
func (h *Handler) teach(w http.ResponseWriter, r *http.Request) error {
	id, q := r.PathValue("crawl"), r.URL.Query()
	v := teachView{Frame: h.frame(r, "Teach "+r.PathValue("crawl")), Answers: teachAnswers}
	after, err := strconv.ParseInt(q.Get("given"), 10, 64)
	if err != nil && q.Get("given") != "" {
		return fmt.Errorf("given %q: it is no part of the list (%w)", cut(q.Get("given"), 50), orbweaver.ErrInput)
	}
	looked := lookedAt
	if q.Get("pages") == "all" {
		looked = mostLooked
	}
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		if v.Given, err = c.Given(ctx, crawl.GivenQuery{After: after, Limit: pageSize}); err != nil {
			return err
		}
		asked, err := c.Unsure(ctx, askedAtOnce)
		if errors.Is(err, orbweaver.ErrInput) || errors.Is(err, orbweaver.ErrAbsent) {
			v.Problem = err.Error()
			return nil
		}
		if err != nil {
			return err
		}
		for i, row := range rowsOf(id, asked) {
			row.Reasons = reasonsOf(speaking(asked[i].Reasons))
			v.Questions = append(v.Questions, question{Row: row, Web: link(row.URL), Threshold: asked[i].Threshold})
		}
		v.Taught, err = c.Taught(ctx, crawl.TeachQuery{Pages: looked})
		return err
	})
	if err != nil {
		return err
	}
	for i, one := range v.Questions { // Replay must not be called while the crawl is used
		v.Questions[i].Archived = link(h.Replay(r, id, one.URL))
	}
	v.tell(q)
	return h.show(w, http.StatusOK, "teach", v)
}

// tell sets what follows from what the crawl said.
func (v *teachView) tell(q url.Values) {
	for _, g := range v.Given.Verdicts {
		v.Backs = append(v.Backs, v.Button(v.Base()+"/verdict", "Withdraw", "").With("url", g.URL).With("relevant", withdraw).With("list", "teach"))
	}
	if v.Given.Next > 0 {
		next := without(q)
		next.Set("given", strconv.FormatInt(v.Given.Next, 10))
		v.Next = v.Here + "?" + next.Encode() + "#h-given"
	}
	t := v.Taught
	v.Words, v.Against = t.Words[:min(shownWords, len(t.Words))], t.Against[:min(shownWords, len(t.Against))]
	if t.Pages == 0 {
		return
	}
	of := fmt.Sprintf(" Of %s pages that were judged again.", count(int64(t.Pages)))
	v.Figures = []Figure{
		{"Accepted before", count(int64(t.Before)), "Pages that the focus alone accepts, as it is now." + of},
		{"Accepted after", count(int64(t.After)), "Pages that are accepted with your verdicts." + of},
		{"Fell out", count(int64(t.FellOut)), fmt.Sprintf("Pages that the focus alone accepts, and your verdicts do not; of %d of them you said so yourself.", t.OutSaid)},
		{"Came in", count(int64(t.CameIn)), fmt.Sprintf("Pages that your verdicts make accepted; of %d of them you said so yourself.", t.InSaid)},
	}
	if t.Threshold > 0 && t.ThresholdNow > 0 {
		means := fmt.Sprintf("Score from which a page is accepted: %.3f by the focus alone; with your verdicts this, for a page without any word that counts.", t.Threshold)
		v.Figures = append(v.Figures, Figure{"Threshold", fmt.Sprintf("%.3f", t.ThresholdNow), means})
	}
	if int64(t.Pages) < t.Outcomes && q.Get("pages") != "all" && t.Outcomes > lookedAt {
		v.More = v.Here + "?pages=all"
	}
}

// ShownMoved is the most pages of a list of those that moved.
func (v teachView) ShownMoved() int { return pageSize }

// A movedList are pages of a crawl that moved.
type movedList struct {
	Crawl string
	Pages []crawl.Moved
}

// Moved are pages of this crawl.
func (v teachView) Moved(pages []crawl.Moved) movedList { return movedList{v.Crawl, pages} }

// teachBy gives the crawl the answers of a form.
func (h *Handler) teachBy(r *http.Request) (string, Flash, error) {
	to := crawlPath(r.PathValue("crawl")) + "/teach"
	var all []crawl.Verdict
	for i, address := range r.PostForm["url"] {
		said := r.PostForm.Get("said" + strconv.Itoa(i))
		if said != "" {
			all = append(all, crawl.Verdict{URL: address, Said: said})
		}
	}
	if len(all) == 0 {
		return to, Flash{}, errors.New("answer for at least one page")
	}
	if len(all) > pageSize {
		return to, Flash{}, fmt.Errorf("%d answers at once: at most %d are taken", len(all), pageSize)
	}
	taken, err := h.give(r, all)
	said := Flash{
		Text: fmt.Sprintf("The crawl has learned from %d of your answers. Pages judged later move by them. Undo withdraws them.", taken),
		Undo: crawlPath(r.PathValue("crawl")) + "/verdict", Fields: []Field{{"relevant", withdraw}, {"list", "teach"}},
	}
	for _, one := range all {
		said.Fields = append(said.Fields, Field{"url", one.URL})
	}
	return to, said, err
}
