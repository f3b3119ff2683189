package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// parts implements all parts of a pipeline. They log their calls, and one of them panics.
type parts struct {
	log    []string
	panics string
	page   orbweaver.Page
}

func (p *parts) at(name string) {
	p.log = append(p.log, name)
	if name == p.panics {
		panic("in " + name)
	}
}

func (p *parts) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	p.at("fetch")
	return &step.Response{Request: r, Status: 200, Body: io.NopCloser(strings.NewReader("payload"))}, nil
}

func (p *parts) Read(_ context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	p.at("read")
	page := p.page
	page.URL, page.Request, page.Body = r.Request.URL, r.Request, payload
	return &page, nil
}

func (p *parts) Render(ctx context.Context, _ *step.Response, _ []byte, page *orbweaver.Page, get pipeline.Get) (*orbweaver.Page, error) {
	p.at("render")
	_, _, err := get(ctx, "http://a.example/script", "")
	made := *page
	return &made, err
}

func (p *parts) Complete(ctx context.Context, page *orbweaver.Page, get pipeline.Get, away pipeline.Away) (beside []any, err error) {
	p.at("complete")
	away(func() { _, _, err = get(ctx, "http://a.example/context", "") })
	return []any{"a context"}, err
}

func (p *parts) Prepare(context.Context, *orbweaver.Page) (any, error) {
	p.at("prepare")
	return "findings", nil
}

func (p *parts) Judge(context.Context, *orbweaver.Page) (orbweaver.Judgement, error) {
	p.at("judge")
	return orbweaver.Judgement{Score: 1, Accepted: true}, nil
}

func (p *parts) Plan(_ context.Context, _ *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	p.at("plan")
	plan := []orbweaver.Proposal{{Request: orbweaver.Request{URL: "http://a.example/1"}}, {Request: orbweaver.Request{URL: "http://a.example/2"}}}
	if !j.Accepted {
		plan = plan[:1]
	}
	return plan, nil
}

func (p *parts) pipeline() *pipeline.Pipeline {
	return &pipeline.Pipeline{Fetch: p, Read: p, Render: p, Complete: p, Focus: p}
}

// all runs every step.
func (p *parts) all(ctx context.Context) error {
	line := p.pipeline()
	get := func(_ context.Context, url, _ string) (*step.Response, []byte, error) {
		p.log = append(p.log, "get "+url)
		return nil, nil, nil
	}
	_, page, err := line.Document(ctx, orbweaver.Request{URL: "http://a.example/"}, pipeline.Direct(get))
	if err != nil {
		return err
	}
	j, err := line.Judge(ctx, page)
	if err == nil {
		_, err = line.Plan(ctx, page, j)
	}
	return err
}

// TestOrder: the steps run in one order, and each gets its documents through the Env.
func TestOrder(t *testing.T) {
	p := &parts{}
	if err := p.all(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "[fetch read render get http://a.example/script complete get http://a.example/context prepare judge plan]"
	if got := fmt.Sprint(p.log); got != want {
		t.Errorf("ran %s, want %s", got, want)
	}
}

// TestPanic: a panic in any part is an error that names the URL and the cause, and counts as an
// unreadable page; nothing after it runs.
func TestPanic(t *testing.T) {
	for _, part := range []string{"fetch", "read", "render", "complete", "prepare", "judge", "plan"} {
		p := &parts{panics: part}
		err := p.all(t.Context())
		var crash *pipeline.Crash
		if !errors.As(err, &crash) || !errors.Is(err, orbweaver.ErrUnreadable) || orbweaver.FailureOf(err) != orbweaver.ErrUnreadable {
			t.Fatalf("%s: %v", part, err)
		}
		if text := err.Error(); crash.URL != "http://a.example/" || !strings.HasSuffix(text, "http://a.example/: unreadable: in "+part) {
			t.Errorf("%s: %s", part, text)
		}
		if last := p.log[len(p.log)-1]; last != part {
			t.Errorf("%s ran after %s", last, part)
		}
	}
}

// TestWishes: a page's own directives apply before the focus plans.
func TestWishes(t *testing.T) {
	for _, tc := range []struct {
		name    string
		page    orbweaver.Page
		listAll bool
		rules   string
		plan    int
	}{
		{"none", orbweaver.Page{}, false, "[]", 2},
		{"noindex", orbweaver.Page{NoIndex: true}, false, "[noindex]", 1},
		{"noindex, all are listed", orbweaver.Page{NoIndex: true}, true, "[]", 2},
		{"nofollow", orbweaver.Page{NoFollow: true}, false, "[]", 0},
		{"a nofollow link", orbweaver.Page{Links: []orbweaver.Link{{To: "http://a.example/2", Rel: "nofollow"}}}, false, "[]", 1},
		{"only scripts", orbweaver.Page{Scripted: true}, false, "[needs-script]", 2},
		{"a document without text", orbweaver.Page{Textless: "its pages are images without text"}, true, "[no-text]", 2},
	} {
		line := (&parts{}).pipeline()
		line.ListAll = tc.listAll
		j, err := line.Judge(t.Context(), &tc.page)
		if err != nil {
			t.Fatal(err)
		}
		rules := []string{}
		for _, r := range j.Reasons {
			rules = append(rules, r.Rule)
		}
		plan, err := line.Plan(t.Context(), &tc.page, j)
		if err != nil || fmt.Sprint(rules) != tc.rules || len(plan) != tc.plan {
			t.Errorf("%s: %v, %d proposals, %v", tc.name, rules, len(plan), err)
		}
	}
}

// TestPayload: a payload at the limit is complete; one byte more is too large. Memory is reserved once,
// and only for large ones.
func TestPayload(t *testing.T) {
	for _, tc := range []struct {
		size     int
		limit    int64
		reserved int
		err      error
	}{
		{0, 10, 0, nil}, {10, 10, 0, nil}, {11, 10, 0, orbweaver.ErrTooLarge},
		{511, 0, 0, nil}, {512, 0, 0, nil}, {513, 0, 0, nil},
		{pipeline.SmallBody / 2, 0, 0, nil}, {pipeline.SmallBody * 4, 0, 1, nil},
	} {
		for _, header := range []http.Header{{}, {"Content-Length": {fmt.Sprint(tc.size)}}, {"Content-Length": {"3"}}, {"Content-Length": {"1e9"}}} {
			want, reserved := bytes.Repeat([]byte("x"), tc.size), 0
			response := &step.Response{Header: header, Body: io.NopCloser(bytes.NewReader(want))}
			got, err := pipeline.Payload(response, tc.limit, func() error { reserved++; return nil })
			if !errors.Is(err, tc.err) || reserved > tc.reserved || err == nil && !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %d, %v: %d bytes, reserved %d times, %v", tc.size, tc.limit, header, len(got), reserved, err)
			}
		}
	}
}

// A host that gives walls is asked less; one that lacks a page, or wants a login for it, is not.
func TestExamined(t *testing.T) {
	for f, want := range map[orbweaver.Failure]step.Fault{
		step.ErrWall: step.FaultAnswer, step.ErrConsent: step.FaultAnswer, step.ErrParked: step.FaultAnswer,
		step.ErrMaintenance: step.FaultAnswer, step.ErrSoft404: step.FaultNone, step.ErrLogin: step.FaultNone,
	} {
		got := pipeline.Examined(step.Reply{Page: true}, fmt.Errorf("read: %w", f))
		if got.Page || got.Failure != f || got.Fault != want {
			t.Errorf("%s: %+v", f, got)
		}
	}
	if got := pipeline.Examined(step.Reply{Page: true}, orbweaver.ErrUnreadable); !got.Page || got.Failure != "" {
		t.Errorf("unreadable: %+v", got)
	}
}
