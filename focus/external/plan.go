package external

import (
	"context"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/focus/inlinks"
)

// The rules of link judgements; inlinks.Rule is the last reason of each.
const (
	RuleLink    = "link"    // the judge's score of the link
	RulePage    = "page"    // without one: half of the score of the page with the link
	RuleNeutral = "neutral" // that page has no answer either: half of the mean score of the pages before
)

// lends is the part of a page's score that its links have which the judge did not score.
const lends = 0.5

// unknown is the mean score of pages before the first answer.
const unknown = 0.5

// mean returns the mean score of the pages answered so far.
func (f *Focus) mean() float64 {
	if n := f.state.tally.Answered; n > 0 {
		return f.state.sum / float64(n)
	}
	return unknown
}

// Plan proposes every distinct target of the page's links once; Merge combines it with the links of other pages. The
// weights of a proposal's reasons add up to its score.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	q := f.found(p).question
	answer, err := f.answerOf(p)
	if err != nil {
		return nil, err
	}
	rest := f.unscored(p, j)
	plan := make([]orbweaver.Proposal, 0, len(q.targets))
	at := map[int]int{} // position among the links that the judge saw, by target
	for i, target := range q.sent {
		at[target] = i
	}
	for i, via := range q.targets {
		reason := rest
		if sent, seen := at[i]; seen {
			if score, scored := answer.Links[sent]; scored {
				reason = orbweaver.Reason{Rule: RuleLink, Evidence: plain(via.Anchor, maxEvidence), Weight: score}
			}
		}
		one := inlinks.One(reason.Weight)
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via, Note: one.Append(nil)},
			Judgement: orbweaver.Judgement{Score: one.Score(), Reasons: []orbweaver.Reason{reason, one.Reason()}},
		})
	}
	return plan, nil
}

// answerOf returns the answer about a page that was judged; one with a Lack if it was not, as a duplicate.
func (f *Focus) answerOf(p *orbweaver.Page) (Answer, error) {
	found := f.found(p)
	if found.answered {
		return found.answer, nil
	}
	if key := found.question.Key; key != f.last.key {
		a, ok, err := f.opts.Source.Recorded(key)
		if !ok {
			a = Lacking("nothing is recorded")
			a.Unasked = true
		}
		return a, err
	}
	return f.last.answer, nil
}

// unscored returns the reason for links of a page that the judge did not score.
func (f *Focus) unscored(p *orbweaver.Page, j orbweaver.Judgement) orbweaver.Reason {
	if lacks(j) != "" || p.Request.Purpose == orbweaver.ForSitemap {
		mean := f.mean()
		return orbweaver.Reason{
			Rule: RuleNeutral, Weight: lends * mean,
			Evidence: p.URL + " has no answer; the " + strconv.FormatInt(f.state.tally.Answered, 10) + " pages before score " + short3(mean) + " on average",
		}
	}
	return orbweaver.Reason{Rule: RulePage, Evidence: p.URL + " scores " + short3(j.Score), Weight: lends * j.Score}
}

func short3(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// lacks returns the rule that says why a judgement has no answer; empty if it has one.
func lacks(j orbweaver.Judgement) string {
	i := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleNoAnswer || r.Rule == RuleNotAsked })
	if i < 0 {
		return ""
	}
	return j.Reasons[i].Rule
}

// readNote decodes a Note; false for a note of another kind, such as a seed's.
func readNote(note []byte) (inlinks.Links, bool) {
	l, rest, ok := inlinks.Read(note)
	return l, ok && len(rest) == 0
}

// Merge adds another page's link to a waiting request. The request keeps the link of highest rank, the first of
// equals. A seed stays unchanged.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, ok := readNote(note)
	another, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := known.And(another)
	return orbweaver.Merged{Score: all.Score(), Note: all.Append(nil), Follow: another.Best > known.Best}
}

// Worth returns the score of a request by the links in its Note.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, ok := readNote(note)
	if !ok {
		return 0, false
	}
	return l.Score(), true
}

// Rerank makes the reasons of a request's best link add up to the score of all links.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if l, ok := readNote(p.Note); ok {
		return l.Conclude(p.Judgement)
	}
	return p.Judgement
}
