package sample

import (
	"fmt"
	"io"
	"time"

	"orbweaver"
	"orbweaver/eval/rating"
)

// A Shown is a page as a rater sees it: without the verdict of the crawl, and without the answers of others.
type Shown struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`   // as the sheet has it
	Snippet string `json:"snippet"` // likewise
	Answer  string `json:"answer"`  // of this rater: yes, no, skip, or empty
	Note    string `json:"note,omitempty"`
}

// Words of answers, beside the empty one.
const (
	Yes  = "yes"
	No   = "no"
	Skip = "skip" // looked at, and no answer
)

// wordOf is a mark in a word.
func wordOf(m rating.Mark) string {
	switch {
	case m.Answer == rating.Relevant:
		return Yes
	case m.Answer == rating.Irrelevant:
		return No
	case !m.At.IsZero():
		return Skip
	}
	return ""
}

// shown is a row as a rater sees it.
func (r *Rating) shown(row int, m rating.Mark) *Shown {
	page := r.rows[row]
	return &Shown{page.ID, page.URL, page.Title, page.Snippet, wordOf(m), m.Note}
}

// find returns the row of an id.
func (r *Rating) find(id string) (int, error) {
	row, ok := r.key.Row(id)
	if !ok {
		return 0, fmt.Errorf("id: the sample has no page %.60q: %w", id, orbweaver.ErrUnknown)
	}
	return row, nil
}

// Next returns how far a rater is, and the next page in the rater's order without an answer; nil: there is none. With again it is the page that was
// passed over longest ago.
func (r *Rating) Next(rater string, again bool) (*Shown, Standing, error) {
	if err := CheckName("rater", rater); err != nil {
		return nil, Standing{}, err
	}
	marks, err := r.marks(rater)
	if err != nil {
		return nil, Standing{}, err
	}
	s, next := r.standing(rater, marks), -1
	for _, row := range r.order(rater) {
		m := marks[row]
		switch word := wordOf(m); {
		case word == "" && !again:
			return r.shown(row, m), s, nil
		case word == Skip && again && (next < 0 || m.At.Before(marks[next].At)):
			next = row
		}
	}
	if next < 0 {
		return nil, s, nil
	}
	return r.shown(next, marks[next]), s, nil
}

// Page returns a page of the sample as a rater sees it. The error wraps orbweaver.ErrUnknown if there is none of this id.
func (r *Rating) Page(rater, id string) (*Shown, Standing, error) {
	if err := CheckName("rater", rater); err != nil {
		return nil, Standing{}, err
	}
	row, err := r.find(id)
	if err != nil {
		return nil, Standing{}, err
	}
	marks, err := r.marks(rater)
	if err != nil {
		return nil, Standing{}, err
	}
	return r.shown(row, marks[row]), r.standing(rater, marks), nil
}

// An Answer is what a rater says of a page.
type Answer struct {
	Rater  string `json:"rater"`
	ID     string `json:"id"`     // of the page
	Answer string `json:"answer"` // yes, no, skip; empty: none any more, as if the page had not been seen
	Note   string `json:"note"`   // for those who settle; at most 500 characters
}

// Answer writes an answer into the rater's sheet. The error wraps orbweaver.ErrInput if it is none, or if the name or the sheet is bad.
func (r *Rating) Answer(a Answer, now time.Time) (Standing, error) {
	if err := CheckName("rater", a.Rater); err != nil {
		return Standing{}, err
	}
	return r.put(a.Rater, a, now)
}

// Settle writes what raters agreed on where they differed; an empty answer takes that back.
func (r *Rating) Settle(a Answer, now time.Time) error {
	if a.Answer == Skip {
		return fmt.Errorf("answer: a page is settled by yes or no (%w)", orbweaver.ErrInput)
	}
	_, err := r.put(Settled, a, now)
	return err
}

// put writes an answer into a sheet.
func (r *Rating) put(rater string, a Answer, now time.Time) (Standing, error) {
	row, err := r.find(a.ID)
	if err != nil {
		return Standing{}, err
	}
	marks, err := r.marks(rater)
	if err != nil {
		return Standing{}, err
	}
	last := r.standing(rater, marks).Last
	if now = now.UTC(); !now.After(last) { // the order of answers is that of their times
		now = last.Add(time.Microsecond)
	}
	m := rating.Mark{Note: noteOf(a.Note), At: now}
	switch a.Answer {
	case Yes:
		m.Answer = rating.Relevant
	case No:
		m.Answer = rating.Irrelevant
	case Skip:
	case "":
		m = rating.Mark{}
	default:
		return Standing{}, fmt.Errorf("answer: %.40q is none: yes, no, skip, or nothing (%w)", a.Answer, orbweaver.ErrInput)
	}
	marks[row] = m
	return r.standing(rater, marks), r.write(rater, marks)
}

// Back takes the last answer of a rater back, and returns the page; nil: there is none.
func (r *Rating) Back(rater string) (*Shown, Standing, error) {
	if err := CheckName("rater", rater); err != nil {
		return nil, Standing{}, err
	}
	marks, err := r.marks(rater)
	if err != nil {
		return nil, Standing{}, err
	}
	last := -1
	for row, m := range marks {
		if !m.At.IsZero() && (last < 0 || m.At.After(marks[last].At)) {
			last = row
		}
	}
	if last < 0 {
		return nil, r.standing(rater, marks), nil
	}
	marks[last] = rating.Mark{}
	return r.shown(last, marks[last]), r.standing(rater, marks), r.write(rater, marks)
}

// Take takes in a sheet that a rater has filled elsewhere. Errors name its lines, and wrap orbweaver.ErrInput; that the rater has answers here already
// wraps orbweaver.ErrForeign, unless they may be replaced.
func (r *Rating) Take(rater string, sheet io.Reader, replace bool, now time.Time) (Standing, error) {
	if err := CheckName("rater", rater); err != nil {
		return Standing{}, err
	}
	marks, err := r.read(rater, sheet)
	if err != nil {
		return Standing{}, err
	}
	for row := range marks {
		m := &marks[row]
		m.Note = noteOf(m.Note)
		if m.Answer != rating.Unanswered && m.At.IsZero() || m.At.After(now) {
			m.At = now.UTC()
		}
	}
	if here, err := r.marks(rater); !replace {
		if err != nil {
			return Standing{}, err
		}
		if s := r.standing(rater, here); s.Answered+s.Skipped > 0 {
			return Standing{}, fmt.Errorf("%s has answered %d pages here: say that they may be replaced, or choose another name (%w)", rater, s.Answered, orbweaver.ErrForeign)
		}
	}
	return r.standing(rater, marks), r.write(rater, marks)
}
