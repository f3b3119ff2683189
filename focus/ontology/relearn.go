package ontology

import (
	"context"

	"orbweaver"
)

// retold is what a person's verdict changed of what a page taught: the words by which it was requested count it with the relevance that
// the person stated instead of its score.
type retold struct {
	Stems []byte  `json:"stems"` // see stems
	More  float64 `json:"more"`  // added to the sum of scores of each of them, and to that of all pages
}

// maxRetold bounds the verdicts that are learned; later ones change no words.
const maxRetold = 10_000

// Relearn counts a page of an outcome with a person's relevance in the words by which it was requested: those that led to pages that
// a person finds irrelevant lose their lift, and waiting requests with them sink. The paper has no relevance feedback.
func (f *Focus) Relearn(ctx context.Context, o orbweaver.Outcome, relevance float64) (orbweaver.Lesson, error) {
	lesson, err := f.Unlearn(ctx, o.Request.URL)
	n, ok := parseNote(o.Request.Note)
	if err != nil || !ok || f.opts.Paper.Unlearned || len(f.retold) == maxRetold {
		return lesson, err
	}
	one := retold{Stems: append([]byte(nil), n.stems...), More: f.lends(relevance) - f.lends(o.Actual.Score)}
	f.retold[o.Request.URL] = one
	lesson.Stale = append(lesson.Stale, f.words.count(one.Stems, one.More)...)
	return lesson, nil
}

// Unlearn counts a page with its score again.
func (f *Focus) Unlearn(_ context.Context, url string) (orbweaver.Lesson, error) {
	one, ok := f.retold[url]
	if !ok {
		return orbweaver.Lesson{}, nil
	}
	delete(f.retold, url)
	return orbweaver.Lesson{Stale: f.words.count(one.Stems, -one.More)}, nil
}

// Untaught is Judge: verdicts change the ranks of links alone.
func (f *Focus) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return f.Judge(ctx, p)
}

// count adds to the scores of a page that was counted under its words before, and returns the keys of those whose lift has changed by a step
// since they were last returned.
func (ws *words) count(s stems, more float64) (stale []string) {
	within := func(sum float64, pages int64) float64 { return min(float64(pages), max(0, sum)) } // but for rounding it is
	ws.sum = within(ws.sum+more, ws.pages)
	mean := ws.mean()
	for stem := range s.all() {
		if w := ws.find(stem); w != nil {
			w.sum, w.evidence = within(w.sum+more, w.pages), ""
			stale = w.moved(mean, stale)
		}
	}
	return stale
}
