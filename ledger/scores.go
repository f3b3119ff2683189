package ledger

// Scores counts the pages of a crawl by their score, in bins of equal width from 0 to 1.
type Scores struct {
	Accepted  []int64 `json:"accepted"` // by the acceptance threshold of now
	Rejected  []int64 `json:"rejected"`
	Threshold float64 `json:"threshold"` // 0: verdicts do not follow from scores
}

// Scores counts the pages by their score in n bins. It reads the listing, and no outcome.
func (l *Ledger) Scores(n int) (Scores, error) {
	s := Scores{Accepted: make([]int64, n), Rejected: make([]int64, n)}
	err := l.rows(PageQuery{}, listedByScore, func(r listed) error {
		bin := min(n-1, max(0, int(r.score*float64(n)+1e-9)))
		if (PageQuery{Accepted: true}).matches(r, l.state.ListedThreshold) {
			s.Accepted[bin]++
		} else {
			s.Rejected[bin]++
		}
		return nil
	})
	s.Threshold = l.state.ListedThreshold
	return s, err
}
