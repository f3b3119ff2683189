package rating

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rater holds the answers of one rater, in the order of the key.
type Rater struct {
	Name    string
	Answers []Answer
}

// A Tally counts the agreement of a rater and the crawl on pages of one verdict.
type Tally struct {
	Judged float64 `json:"judged"` // pages of the verdict that the rater answered; fractional in an average
	Right  float64 `json:"right"`  // of these, those where rater and crawl agree
	Ratio  float64 `json:"ratio"`  // Right ÷ Judged; 0 if nothing was judged
}

// String writes a ratio as count and percentage: 119/142 83.80%; - if nothing was judged.
func (t Tally) String() string {
	if t.Judged == 0 {
		return "-"
	}
	return fmt.Sprintf("%s/%s %.2f%%", mean(t.Right), mean(t.Judged), 100*t.Ratio)
}

// mean writes a mean with at most two decimals.
func mean(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

// Tallies are those of both verdicts.
type Tallies struct {
	Accepted Tally `json:"accepted"` // its ratio is the harvest ratio, equation 5
	Rejected Tally `json:"rejected"` // its ratio is the share of correct rejections
}

// Answered reports whether there is any answer.
func (t *Tallies) Answered() bool { return t.Accepted.Judged+t.Rejected.Judged > 0 }

// A Score is one rater's assessment of the crawl.
type Score struct {
	Rater      string `json:"rater"`
	Unanswered int    `json:"unanswered"` // rows
	Tallies
}

// A Result is the assessment by all raters.
type Result struct {
	Accepted int     `json:"accepted"` // pages of the sample that the crawl accepted
	Rejected int     `json:"rejected"`
	Raters   []Score `json:"raters"`

	// Average is the mean number of pages judged and judged right, and their ratio: Tables 10 and 11. Raters
	// without any answer are excluded here and from the agreement.
	Average Tallies `json:"average"`

	Agreement *Agreement `json:"agreement"`           // null: undefined
	Undefined string     `json:"undefined,omitempty"` // why Agreement is undefined

	Pairs []Pair `json:"pairs"` // of raters with answers, in their order

	// Agreed is the assessment by the agreed answers: see Agreed. Null if no rater has an answer.
	Agreed *Score `json:"agreed"`
	Split  int    `json:"split"` // rows with answers, and without an agreed one

	Quality []Quality `json:"quality"` // of the crawl by each rater with answers, and by the agreed answers
}

// AgreedName is the name of the agreed answers among those of raters.
const AgreedName = "agreed"

// Agreed are the answers that count, in the order of the key: the settled one, or that of more than half of the raters who answered.
// settled may be nil.
func Agreed(raters []Rater, settled []Answer) []Answer {
	var agreed []Answer
	if len(raters) > 0 {
		agreed = make([]Answer, len(raters[0].Answers))
	}
	for row := range agreed {
		yes, no := votes(raters, row)
		switch {
		case row < len(settled) && settled[row] != Unanswered:
			agreed[row] = settled[row]
		case yes > no:
			agreed[row] = Relevant
		case no > yes:
			agreed[row] = Irrelevant
		}
	}
	return agreed
}

// votes counts the answers to a row.
func votes(raters []Rater, row int) (yes, no int) {
	for _, r := range raters {
		switch r.Answers[row] {
		case Relevant:
			yes++
		case Irrelevant:
			no++
		}
	}
	return yes, no
}

// Differing are the rows that raters answer differently.
func Differing(raters []Rater) (rows []int) {
	if len(raters) == 0 {
		return nil
	}
	for row := range raters[0].Answers {
		if yes, no := votes(raters, row); yes > 0 && no > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// Score counts answers against the verdicts of the key. settled are answers to rows that raters differ on, as they agreed on
// later, in the order of the key.
func (k *Key) Score(raters []Rater, settled ...Answer) *Result {
	r := &Result{Raters: []Score{}, Pairs: []Pair{}, Quality: []Quality{}}
	for _, yes := range k.accepted {
		if yes {
			r.Accepted++
		}
	}
	r.Rejected = k.Len() - r.Accepted
	var answered [][]Answer
	var judges []Rater
	for _, rater := range raters {
		s := k.scoreOf(rater)
		r.Raters = append(r.Raters, s)
		if !s.Answered() {
			continue
		}
		r.Quality = append(r.Quality, k.qualityOf(s))
		for _, other := range judges {
			r.Pairs = append(r.Pairs, pair(other, rater))
		}
		answered, judges = append(answered, rater.Answers), append(judges, rater)
		r.Average.Accepted.join(s.Accepted)
		r.Average.Rejected.join(s.Rejected)
	}
	r.Average.Accepted.by(len(answered))
	r.Average.Rejected.by(len(answered))
	r.agree(answered)
	if len(judges) > 0 {
		agreed := k.scoreOf(Rater{AgreedName, Agreed(judges, settled)})
		r.Agreed, r.Quality = &agreed, append(r.Quality, k.qualityOf(agreed))
		for row, a := range Agreed(judges, settled) {
			if yes, no := votes(judges, row); a == Unanswered && yes+no > 0 {
				r.Split++
			}
		}
	}
	return r
}

// scoreOf counts the answers of one rater.
func (k *Key) scoreOf(rater Rater) Score {
	s := Score{Rater: rater.Name}
	for row, answer := range rater.Answers {
		switch {
		case answer == Unanswered:
			s.Unanswered++
		case k.accepted[row]:
			s.Accepted.count(answer == Relevant)
		default:
			s.Rejected.count(answer == Irrelevant)
		}
	}
	s.Accepted.by(1)
	s.Rejected.by(1)
	return s
}

// count adds a page.
func (t *Tally) count(right bool) {
	t.Judged++
	if right {
		t.Right++
	}
}

// join adds another tally.
func (t *Tally) join(o Tally) { t.Judged, t.Right = t.Judged+o.Judged, t.Right+o.Right }

// by divides the counts by n raters and computes the ratio.
func (t *Tally) by(n int) {
	if t.Judged == 0 {
		return
	}
	t.Ratio = rounded(t.Right / t.Judged)
	t.Judged, t.Right = rounded(t.Judged/float64(n)), rounded(t.Right/float64(n))
}

// agree measures the agreement on rows that all answered.
func (r *Result) agree(raters [][]Answer) {
	var rows [][]int
	for row := range r.Accepted + r.Rejected {
		counts := make([]int, 2)
		for _, answers := range raters {
			if a := answers[row]; a != Unanswered {
				counts[a-Relevant]++
			}
		}
		if counts[0]+counts[1] == len(raters) {
			rows = append(rows, counts)
		}
	}
	agreement, err := Fleiss(rows)
	if len(raters) < 2 {
		err = errRaters
	}
	if err != nil {
		r.Undefined = err.Error()
		return
	}
	r.Agreement = &agreement
}
