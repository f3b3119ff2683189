package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/weburl"
)

// Explain explains how a crawl reached a URL, or why it never requested it.
func (h *Handle) Explain(ctx context.Context, url string) (*Explanation, error) {
	url, err := judge.AddressOf(url)
	if err != nil {
		return nil, err
	}
	return explainCall.ask(ctx, h, urlIn{url})
}

// urlIn is the argument of calls about one URL.
type urlIn struct {
	URL string `json:"url"`
}

var explainCall = call[urlIn, *Explanation]{name: "explain", do: func(ctx context.Context, p *spot, in urlIn) (*Explanation, error) {
	return p.Explain(ctx, in.URL)
}}

// Evidence lists the spans of a page's text on which its judgement rests.
type Evidence struct {
	URL   string           `json:"url"`
	Title string           `json:"title"`
	Text  string           `json:"text"` // the main text; spans are offsets into it
	Spans []orbweaver.Span `json:"spans"`
}

// Evidence reads a fetched page again from the archive, and returns the spans by which the focus, in its current state,
// judges it. The error wraps ErrAbsent if no archive has the page, and ErrInput if the focus does not show evidence.
func (h *Handle) Evidence(ctx context.Context, url string) (Evidence, error) {
	url, err := judge.AddressOf(url)
	if err != nil {
		return Evidence{}, err
	}
	return evidenceCall.ask(ctx, h, urlIn{url})
}

var evidenceCall = call[urlIn, Evidence]{name: "evidence", focus: true, judge: true, do: func(ctx context.Context, p *spot, in urlIn) (e Evidence, err error) {
	evidencer, ok := kind.Evidencer(p.bench.c.Focus.Focus())
	if !ok {
		return e, fmt.Errorf("%s: the %s focus shows no evidence in pages (%w)", p.file.Name(), p.file.Focus.Key(), orbweaver.ErrInput)
	}
	response, payload, err := p.Web.Fetch(ctx, orbweaver.Request{URL: in.URL})
	if err != nil {
		return e, err
	}
	read, _, err := services.Rereading(p.file).Page(ctx, response, payload, pipeline.Direct(nil))
	if err != nil {
		return e, err
	}
	e = Evidence{URL: in.URL, Title: read.Title, Text: read.Text, Spans: []orbweaver.Span{}}
	var spans []orbweaver.Span
	ended := p.between(ctx, func() { spans, err = evidencer.Evidence(ctx, read) })
	e.Spans = append(e.Spans, spans...)
	return e, cmp.Or(ended, err)
}}

// An Exclusion narrows the scope of a crawl by patterns as in scope.exclude.
type Exclusion struct {
	Patterns []string `json:"patterns"`
	Preview  bool     `json:"preview,omitempty"` // change nothing
}

// Excluded counts the waiting requests that an exclusion removes, or would remove.
type Excluded struct {
	Waiting  int      `json:"waiting"`  // requests
	Examples []string `json:"examples"` // URLs, ten at most
}

// Exclude narrows the scope of a crawl permanently. It removes waiting requests that match, and the crawl follows no
// matching links later. steering.json in the folder keeps the patterns; the crawl file does not change.
func (h *Handle) Exclude(ctx context.Context, e Exclusion) (Excluded, error) {
	return excludeCall.ask(ctx, h, e)
}

// shownExcluded is the maximum number of URLs in Excluded.Examples.
const shownExcluded = 10

var excludeCall = call[Exclusion, Excluded]{name: "exclude", focus: true, do: func(ctx context.Context, p *spot, e Exclusion) (out Excluded, err error) {
	if len(e.Patterns) == 0 {
		return out, fmt.Errorf("exclude: no pattern is given (%w)", orbweaver.ErrInput)
	}
	only, err := weburl.CompileScope(nil, e.Patterns, nil)
	if err != nil {
		return out, fmt.Errorf("exclude: %w (%w)", err, orbweaver.ErrInput)
	}
	ended := p.between(ctx, func() { out, err = p.exclude(ctx, e, only) })
	return out, cmp.Or(ended, err)
}}

// exclude runs on the decider goroutine.
func (p *spot) exclude(ctx context.Context, e Exclusion, only *weburl.Scope) (out Excluded, err error) {
	var requests []orbweaver.Request
	var ids []uint64
	out.Examples = []string{}
	for w, err := range p.ledger.AllWaiting() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return out, err
		}
		if ok, _ := only.Allows(w.URL); ok || p.bench.session.Flying(w.ID) {
			continue
		}
		requests, ids = append(requests, w.Request), append(ids, w.ID)
		if out.Waiting++; len(out.Examples) < shownExcluded {
			out.Examples = append(out.Examples, w.URL)
		}
	}
	if e.Preview {
		return out, nil
	}
	c := p.bench.c
	steering, err := crawlfolder.ReadSteering(c.File.Output)
	if err != nil {
		return out, err
	}
	for _, pattern := range e.Patterns {
		if !slices.Contains(steering.Exclude, pattern) {
			steering.Exclude = append(steering.Exclude, pattern)
		}
	}
	scope, err := weburl.CompileScope(c.File.Scope.Include, slices.Concat(c.File.Scope.Exclude, steering.Exclude), c.File.Scope.Hosts)
	if err != nil {
		return out, err
	}
	if err := steering.Write(c.File.Output); err != nil {
		return out, err
	}
	c.Gate.Narrow(scope)
	return out, p.bench.session.Exclude(requests, ids, "excluded: "+e.Patterns[0])
}

// Limits are limits of the current session. A nil limit is left unchanged; 0 means no limit.
type Limits struct {
	Requests *int64         `json:"requests,omitempty"`
	Pages    *int64         `json:"pages,omitempty"`
	Bytes    *int64         `json:"bytes,omitempty"`
	Time     *time.Duration `json:"time,omitempty"`
	Depth    *int           `json:"depth,omitempty"`
}

// SetLimits changes the limits of the current session and returns the limits in force. The next session uses those of
// the crawl file again. The error wraps ErrInput if a limit is negative or no process runs the crawl.
func (h *Handle) SetLimits(ctx context.Context, l Limits) (Limits, error) {
	return limitsCall.ask(ctx, h, l)
}

var limitsCall = call[Limits, Limits]{name: "limits", do: func(ctx context.Context, p *spot, l Limits) (now Limits, err error) {
	if p.run == nil {
		return now, fmt.Errorf("no crawl runs in %s: its limits are those of the crawl file (%w)", p.file.Output, orbweaver.ErrInput)
	}
	var problems []error
	ended := p.between(ctx, func() {
		in := p.run.Session.Limits()
		next := in
		problems = []error{
			setLimit(&next.Requests, l.Requests, "requests"), setLimit(&next.Pages, l.Pages, "pages"), setLimit(&next.Bytes, l.Bytes, "bytes"),
			setLimit(&next.Time, l.Time, "time"), setLimit(&next.Depth, l.Depth, "depth"),
		}
		if errors.Join(problems...) == nil {
			in = next
			p.run.Session.SetLimits(in)
		}
		now = limitsOf(in)
	})
	return now, cmp.Or(ended, errors.Join(problems...))
}}

// Onto sets the limits that are not nil.
func (l Limits) Onto(to *engine.Limits) {
	for _, one := range []struct{ to, from *int64 }{{&to.Requests, l.Requests}, {&to.Pages, l.Pages}, {&to.Bytes, l.Bytes}} {
		if one.from != nil {
			*one.to = *one.from
		}
	}
	if l.Time != nil {
		to.Time = *l.Time
	}
	if l.Depth != nil {
		to.Depth = *l.Depth
	}
}

// setLimit sets *limit to *to, unless to is nil.
func setLimit[T int | int64 | time.Duration](limit *T, to *T, name string) error {
	switch {
	case to == nil:
	case *to < 0:
		return fmt.Errorf("limits.%s: %v is below 0 (%w)", name, *to, orbweaver.ErrInput)
	default:
		*limit = *to
	}
	return nil
}

func limitsOf(l engine.Limits) Limits {
	return Limits{Requests: &l.Requests, Pages: &l.Pages, Bytes: &l.Bytes, Time: &l.Time, Depth: &l.Depth}
}

// Suggestions returns what the focus suggests for a person's decision, the best first.
func (h *Handle) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	return suggestionsCall.ask(ctx, h, struct{}{})
}

var suggestionsCall = call[struct{}, []orbweaver.Suggestion]{name: "suggestions", focus: true, do: func(ctx context.Context, p *spot, _ struct{}) (list []orbweaver.Suggestion, err error) {
	ended := p.between(ctx, func() { list, err = p.bench.desk().Suggestions(ctx) })
	return list, cmp.Or(ended, err)
}}

// Decide accepts or refuses a suggestion.
func (h *Handle) Decide(ctx context.Context, v kind.Verdict) (kind.Decided, error) {
	return decideCall.ask(ctx, h, v)
}

var decideCall = call[kind.Verdict, kind.Decided]{name: "decide", focus: true, do: func(ctx context.Context, p *spot, v kind.Verdict) (d kind.Decided, err error) {
	ended := p.between(ctx, func() { d, err = p.bench.desk().Decide(ctx, v) })
	return d, cmp.Or(ended, err)
}}
