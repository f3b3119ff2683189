package sample

import "orbweaver/eval/rating"

// opinions are the answers of all raters, by name, and the settled ones.
func (r *Rating) opinions() (raters []rating.Rater, marks map[string][]rating.Mark, err error) {
	names, err := r.raters()
	marks = map[string][]rating.Mark{}
	for _, rater := range append(names, Settled) {
		if err != nil {
			return nil, nil, err
		}
		if marks[rater], err = r.marks(rater); err != nil {
			return nil, nil, err
		}
		answers := make([]rating.Answer, len(r.rows))
		for i, m := range marks[rater] {
			answers[i] = m.Answer
		}
		raters = append(raters, rating.Rater{Name: rater, Answers: answers})
	}
	return raters, marks, err
}

// Result scores all raters, as rate score does on their sheets. An error names file and line of a sheet that is bad.
func (r *Rating) Result() (*rating.Result, error) {
	raters, _, err := r.opinions()
	if err != nil {
		return nil, err
	}
	return scored(r.key, raters), nil
}

// A Difference is a page that raters answer differently.
type Difference struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Answers []Said `json:"answers"` // by rater's name; who has not answered is left out
	Settled string `json:"settled"` // yes, no, or empty
}

// A Said is what a rater says of a page.
type Said struct {
	Rater  string `json:"rater"`
	Answer string `json:"answer"` // yes or no
	Note   string `json:"note,omitempty"`
}

// Differences lists pages that raters answer differently, in the order of the sample: at most limit, from the first on. total counts all.
func (r *Rating) Differences(first, limit int) (all []Difference, total int, err error) {
	raters, marks, err := r.opinions()
	if err != nil {
		return nil, 0, err
	}
	raters = raters[:len(raters)-1]
	rows := rating.Differing(raters)
	all, total = []Difference{}, len(rows)
	for _, row := range rows[min(max(first, 0), total):min(max(first, 0)+limit, total)] {
		page := r.rows[row]
		d := Difference{ID: page.ID, URL: page.URL, Title: page.Title, Answers: []Said{}, Settled: wordOf(marks[Settled][row])}
		for _, rater := range raters {
			if m := marks[rater.Name][row]; m.Answer != rating.Unanswered {
				d.Answers = append(d.Answers, Said{rater.Name, wordOf(m), m.Note})
			}
		}
		all = append(all, d)
	}
	return all, total, nil
}

// Agreed are the pages with an agreed answer, in the order of the sample.
func (r *Rating) Agreed() ([]rating.Opinion, error) {
	raters, _, err := r.opinions()
	if err != nil {
		return nil, err
	}
	last := len(raters) - 1
	var all []rating.Opinion
	for row, a := range rating.Agreed(raters[:last], raters[last].Answers) {
		if a != rating.Unanswered {
			all = append(all, rating.Opinion{URL: r.rows[row].URL, Relevant: a == rating.Relevant})
		}
	}
	return all, nil
}
