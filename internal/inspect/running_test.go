package inspect_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/run"
	"orbweaver/internal/takedown"
	"orbweaver/ledger"
)

// goingOn resumes a copy of the crawl that was cut, by this process, and keeps it from making requests.
func goingOn(t *testing.T) *inspect.Handle {
	t.Helper()
	h := changeable(t, cut)
	file, err := h.Job.Schema().LoadRun(filepath.Join(h.Dir, crawlfolder.RunFile))
	if err == nil {
		file.Output, file.Limits.Requests, file.Limits.Depth = h.Dir, 9, 4
		err = crawlfolder.Make(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	began, over := make(chan *assembly.Control, 1), make(chan error, 1)
	go func() {
		_, err := run.Session(ctx, h.Job, assembly.FromFile(h.Job, filepath.Join(h.Dir, crawlfolder.RunFile)), 0, run.Hooks{
			Running: func(c *assembly.Control) {
				c.Session.Pause()
				began <- c
			},
		})
		over <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-over; !errors.Is(err, console.ErrInterrupted) {
			t.Error(err)
		}
	})
	select {
	case c := <-began:
		h.Here = func() *assembly.Control { return c }
	case err := <-over:
		over <- console.ErrInterrupted
		t.Fatal(err)
	}
	return h
}

// TestTheSameAnswers: a crawl answers alike whether this process runs it, another does, or none.
func TestTheSameAnswers(t *testing.T) {
	here := goingOn(t)
	socket := &inspect.Handle{Job: here.Job, Dir: here.Dir}
	rest := rested(t, cut)
	for name, ask := range map[string]func(*inspect.Handle) (any, error){
		"pages": func(h *inspect.Handle) (any, error) {
			return h.Pages(t.Context(), ledger.PageQuery{Sort: ledger.SortScore, Limit: 2})
		},
		"pages by URL": func(h *inspect.Handle) (any, error) {
			return h.Pages(t.Context(), ledger.PageQuery{Sort: ledger.SortURL, Offset: 1})
		},
		"all pages": func(h *inspect.Handle) (all any, err error) {
			var lines []ledger.Line
			for line, err := range h.AllPages(t.Context(), ledger.PageQuery{Limit: 2, Text: "o"}) {
				if err != nil {
					return nil, err
				}
				line.Lang = ""
				lines = append(lines, line)
			}
			return lines, nil
		},
		"waiting":  func(h *inspect.Handle) (any, error) { return h.Waiting(t.Context(), inspect.WaitingQuery{Limit: 5}) },
		"failures": func(h *inspect.Handle) (any, error) { return h.Failures(t.Context(), inspect.FailureQuery{}) },
		"map":      func(h *inspect.Handle) (any, error) { return h.Map(t.Context(), inspect.MapQuery{}) },
		"around": func(h *inspect.Handle) (any, error) {
			return h.Map(t.Context(), inspect.MapQuery{Around: "a.test/one"})
		},
		"facets":  func(h *inspect.Handle) (any, error) { return h.Facets(t.Context(), ledger.PageQuery{}) },
		"scores":  func(h *inspect.Handle) (any, error) { return h.Scores(t.Context(), 5) },
		"page":    func(h *inspect.Handle) (any, error) { return h.Explain(t.Context(), "a.test/two") },
		"robots":  func(h *inspect.Handle) (any, error) { return h.Explain(t.Context(), "a.test/secret") },
		"scope":   func(h *inspect.Handle) (any, error) { return h.Explain(t.Context(), "out.test/x") },
		"nearest": func(h *inspect.Handle) (any, error) { return h.Explain(t.Context(), "a.test/tw") },
		"data":    func(h *inspect.Handle) (any, error) { return h.Data(t.Context(), inspect.DataQuery{URL: "a.test/"}) },
		"unsure":  func(h *inspect.Handle) (any, error) { return h.Unsure(t.Context(), 2) },
	} {
		answers := map[string]string{}
		for who, h := range map[string]*inspect.Handle{"here": here, "socket": socket, "rest": rest} {
			answer, err := ask(h)
			text, bad := json.Marshal(answer)
			if err := errors.Join(err, bad); err != nil {
				t.Errorf("%s, %s: %v", name, who, err)
			}
			answers[who] = string(text)
		}
		if answers["here"] != answers["rest"] || answers["socket"] != answers["rest"] {
			t.Errorf("%s: here %s\nsocket %s\nat rest %s", name, answers["here"], answers["socket"], answers["rest"])
		}
	}
}

// TestARunningCrawl: its limits change at once, a wrong one changes none, what waits is excluded, and nothing is removed from it.
func TestARunningCrawl(t *testing.T) {
	h := goingOn(t)
	number := func(n int64) *int64 { return &n }
	long, deep, below := time.Hour, 7, -1
	now, err := h.SetLimits(t.Context(), inspect.Limits{Pages: number(5), Time: &long})
	if err != nil || *now.Requests != 9 || *now.Pages != 5 || *now.Time != long || *now.Depth != 4 || *now.Bytes != 0 {
		t.Errorf("limits: %+v, %v", now, err)
	}
	now, err = h.SetLimits(t.Context(), inspect.Limits{Requests: number(0), Depth: &deep})
	if err != nil || *now.Requests != 0 || *now.Pages != 5 || *now.Depth != 7 {
		t.Errorf("limits: %+v, %v", now, err)
	}
	now, err = h.SetLimits(t.Context(), inspect.Limits{Pages: number(6), Bytes: number(-1), Depth: &below})
	if !errors.Is(err, orbweaver.ErrInput) || *now.Pages != 5 {
		t.Errorf("limits below 0: %+v, %v", now, err)
	}
	if x := explained(t, h, "http://b.test/"); x.Kind != inspect.KindWaiting || x.Waiting.Rank != 5 || x.Waiting.Of != 8 || x.Waiting.Here != 1 {
		t.Errorf("%+v of %+v", x.Waiting, x)
	}
	if out, err := h.Exclude(t.Context(), inspect.Exclusion{Patterns: []string{"b.test"}}); err != nil || out.Waiting != 1 {
		t.Errorf("excluded: %+v, %v", out, err)
	}
	if x := explained(t, h, "http://b.test/"); x.Kind != inspect.KindScope || x.Rule != "b.test" {
		t.Errorf("after it was excluded: %s by %q", x.Kind, x.Rule)
	}
	if added, err := h.Add(t.Context(), "http://a.test/new"); err != nil || added.URL != "http://a.test/new" {
		t.Errorf("added: %+v, %v", added, err)
	}
	if _, err := h.Add(t.Context(), "http://"); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("added what is no URL: %v", err)
	}
	_, err = h.Remove(t.Context(), inspect.RemovalQuery{Order: takedown.Order{Patterns: []string{"a.test"}}, Preview: true})
	if !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("removed: %v", err)
	}
	if s, err := h.Status(t.Context()); err != nil || !s.Paused {
		t.Errorf("status: %+v, %v", s, err)
	}
}
