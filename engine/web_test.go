package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A web is a fake web: it maps each URL to a status, a redirect target, or links with scores. A page's body
// has one link per line: "URL SCORE".
type web map[string]string

func (w web) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	body, ok := w[r.URL]
	if !ok {
		return nil, orbweaver.ErrAbsent
	}
	response := &step.Response{Request: r, Status: 200, Header: http.Header{}}
	if target, moved := strings.CutPrefix(body, "-> "); moved {
		response.Status, response.Redirect, body = 301, target, ""
	}
	if body == "500" {
		response.Status = 500
	}
	response.Body = io.NopCloser(strings.NewReader(body))
	return response, nil
}

// A reader reads such pages.
type reader struct{}

func (reader) Read(_ context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	p := &orbweaver.Page{Request: r.Request, URL: r.Request.URL, Status: r.Status, Text: string(payload)}
	for line := range strings.Lines(string(payload)) {
		to, score, _ := strings.Cut(strings.TrimSpace(line), " ")
		p.Links = append(p.Links, orbweaver.Link{To: to, Anchor: score})
	}
	return p, nil
}

// A focus follows links by the score written with them, and accepts all pages.
type focus struct{}

func (focus) Judge(context.Context, *orbweaver.Page) (orbweaver.Judgement, error) {
	return orbweaver.Judgement{Score: 0.5, Accepted: true}, nil
}

func (focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	var plan []orbweaver.Proposal
	for _, l := range p.Links {
		proposal := orbweaver.Proposal{Request: orbweaver.Request{URL: l.To, Via: &l}}
		_, _ = fmt.Sscan(l.Anchor, &proposal.Score)
		plan = append(plan, proposal)
	}
	return plan, nil
}

// A counting focus scores links by the number of links to their target so far: its state is a fold over
// outcomes, and every page makes its targets stale.
type counting struct {
	focus
	seen map[string]int
}

func newCounting() *counting { return &counting{seen: map[string]int{}} }

func (c *counting) score(url string) float64 { return float64(c.seen[url]) / 1000 }

func (c *counting) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	var plan []orbweaver.Proposal
	for _, l := range p.Links {
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: l.To, Via: &l},
			Judgement: orbweaver.Judgement{Score: c.score(l.To)},
			Keys:      []string{"to:" + l.To},
		})
	}
	return plan, nil
}

func (c *counting) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	var lesson orbweaver.Lesson
	if o.Page != nil {
		for _, l := range o.Page.Links {
			c.seen[l.To]++
			lesson.Stale = append(lesson.Stale, "to:"+l.To)
		}
	}
	return lesson, nil
}

func (c *counting) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	p.Score = c.score(p.URL)
	return p.Judgement
}

func (c *counting) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(c.seen) }
func (c *counting) Restore(r io.Reader) error  { return json.NewDecoder(r).Decode(&c.seen) }

// A merging focus scores a request by the mean of its links.
type merging struct{ focus }

func (m merging) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	plan, err := m.focus.Plan(ctx, p, j)
	for i := range plan {
		plan[i].Note = fmt.Appendf(nil, "%g 1", plan[i].Score)
	}
	return plan, err
}

// mean decodes a Note: the sum and number of scores.
func (merging) mean(note []byte) (sum, n float64) {
	_, _ = fmt.Sscan(string(note), &sum, &n)
	return sum, n
}

func (m merging) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	sum, n := m.mean(note)
	if n == 0 {
		return orbweaver.Merged{}
	}
	sum, n = sum+again.Score, n+1
	return orbweaver.Merged{Score: sum / n, Note: fmt.Appendf(nil, "%g %g", sum, n), Follow: again.Score > sum/n}
}

func (m merging) Worth(note []byte) (float64, bool) {
	sum, n := m.mean(note)
	return sum / max(n, 1), n > 0
}

func (m merging) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if sum, n := m.mean(p.Note); n > 0 {
		p.Score = sum / n
	}
	return p.Judgement
}

// tape is an in-memory archive.
type tape struct{ bytes.Buffer }

func (t *tape) Pack(r *step.Response, payload []byte) (any, error) {
	return r.Request.URL + "\n", nil
}

func (t *tape) Append(packed any) (orbweaver.Ref, error) {
	ref := orbweaver.Ref{File: "tape", Offset: int64(t.Len())}
	_, err := t.WriteString(packed.(string))
	return ref, err
}

func (t *tape) Mark() ([]byte, error) { return json.Marshal(t.Len()) }
