package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// A Sample is a page on which a crawl file is tried.
type Sample struct {
	URL    string `json:"url,omitempty"`    // of the page; with Text where that could stand, and it may be empty
	Text   string `json:"text,omitempty"`   // HTML or plain text to judge; empty: the URL is requested
	Forced bool   `json:"forced,omitempty"` // without regard to scope and robots.txt
	Folder string `json:"-"`                // in place of the crawl folder: what a focus keeps is kept there; empty: the crawl folder
}

// A Trial is what a crawl file makes of a sample.
type Trial struct {
	*Verdict
	Page Passages `json:"page"`
}

// Passages are the text of a page, and where the evidence for its judgement stands in it.
type Passages struct {
	Title   string           `json:"title"`
	Text    string           `json:"text"`              // the main text
	Spans   []orbweaver.Span `json:"spans"`             // offsets are bytes
	Without string           `json:"without,omitempty"` // why there are no spans, if the focus shows none
}

// sampleURL stands for a text without a URL.
const sampleURL = "http://sample.example/"

// Known is what a focus knows that a sample is tried with.
type Known struct {
	Folder string                                       // where the focus is as the crawl began with it; empty: the crawl file alone counts
	Forget bool                                         // what was learned of things that the input lacks is left out
	AsOf   string                                       // description, for Opinion.AsOf
	Teach  func(context.Context, orbweaver.Focus) error // gives it to the focus
	// Fetch answers in place of the live Web; nil: what the crawl file says does. No robots.txt is asked then.
	Fetch func(context.Context, orbweaver.Request) (*step.Response, error)
}

// Try judges a sample as Of judges a page. Of a text nothing is requested.
func Try(ctx context.Context, j *job.Job, file assembly.Source, s Sample) (*Trial, error) {
	return TryKnowing(ctx, j, file, s, nil)
}

// TryKnowing is Try with a focus that knows something else than the crawl of the file has learned.
func TryKnowing(ctx context.Context, j *job.Job, file assembly.Source, s Sample, known *Known) (*Trial, error) {
	if s.URL == "" && s.Text != "" {
		s.URL = sampleURL
	}
	if s.Folder != "" {
		load := file.Load
		file.Load = func() (*crawlfile.Crawl, error) {
			c, err := load()
			if err == nil {
				c.Output = s.Folder
			}
			return c, err
		}
	}
	t, url, err := prepared(ctx, j, file, s.URL, known)
	if err != nil {
		return nil, err
	}
	t.Force = s.Forced
	if s.Text != "" {
		t.Web, t.Force = &sample{t.Web, url, s.Text}, true
	}
	if known != nil && known.Fetch != nil && s.Text == "" {
		t.Web = &kept{t.Web, known.Fetch, t.limit}
	}
	trial := &Trial{Verdict: &Verdict{URL: url}, Page: Passages{Spans: []orbweaver.Span{}}}
	p, err := t.run(ctx, url, trial.Verdict)
	trial.Error = orbweaver.FailureOf(err)
	if err == nil {
		trial.Page, err = t.passages(ctx, p)
	}
	return trial, errors.Join(err, t.Web.Close())
}

// passages returns the text of a page with its evidence.
func (t *JudgeRun) passages(ctx context.Context, p *orbweaver.Page) (Passages, error) {
	all := Passages{Title: p.Title, Text: p.Text, Spans: []orbweaver.Span{}}
	evidencer, ok := kind.Evidencer(t.Pipeline.Focus)
	if !ok {
		all.Without = "this kind of focus shows no evidence in pages"
		return all, nil
	}
	spans, err := evidencer.Evidence(ctx, p)
	all.Spans = append(all.Spans, spans...)
	return all, err
}

// A sample is a web of one text.
type sample struct {
	PageSource
	url, text string
}

func (s *sample) Fetch(_ context.Context, url, _ string) (*step.Response, []byte, error) {
	if url != s.url {
		return nil, nil, fmt.Errorf("fetch %s: %w: nothing is requested for a text", url, orbweaver.ErrAbsent)
	}
	kind := "text/plain; charset=utf-8"
	if strings.HasPrefix(strings.TrimSpace(s.text), "<") {
		kind = "text/html; charset=utf-8"
	}
	return &step.Response{
		Request: orbweaver.Request{URL: url}, Status: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(nil)),
	}, []byte(s.text), nil
}

// Robots knows no robots.txt: links are not refused by one.
func (s *sample) Robots(context.Context, string, bool) (allowed, known bool, line string) {
	return true, false, ""
}

// A kept is a web of what was archived.
type kept struct {
	PageSource
	fetch func(context.Context, orbweaver.Request) (*step.Response, error)
	limit int64 // bytes of a payload
}

func (k *kept) Fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	response, err := k.fetch(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	payload, err := pipeline.Payload(response, k.limit, nil)
	return response, payload, err
}

// Robots knows no robots.txt: what is archived was allowed.
func (k *kept) Robots(context.Context, string, bool) (allowed, known bool, line string) {
	return true, false, ""
}

// Document fetches one document of the Web, as polite as a crawl that the crawl file defines, and returns it without content coding, its
// media type, and the URL at the end of redirects. accept lists the media types to ask for. Errors are those of Of.
func Document(ctx context.Context, j *job.Job, file assembly.Source, address, accept string, limit int64) (body []byte, media, at string, err error) {
	t, url, err := prepared(ctx, j, file, address, nil)
	if err != nil {
		return nil, "", "", err
	}
	defer func() { err = errors.Join(err, t.Web.Close()) }()
	t.wants = accept
	v := &Verdict{URL: url}
	response, payload, err := t.Answer(ctx, url, v)
	if err != nil {
		return nil, "", "", err
	}
	if body, err = page.Decode(response.Header, payload, limit); err != nil {
		return nil, "", "", fmt.Errorf("fetch %s: %w", v.Last(), err)
	}
	return body, response.Header.Get("Content-Type"), v.Last(), nil
}
