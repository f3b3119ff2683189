package pipeline

import (
	"context"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Ask makes a request and reads the whole payload. A payload over MaxBody is an error, returned with the
// bytes read so far.
func (p *Pipeline) Ask(ctx context.Context, request orbweaver.Request) (response *step.Response, payload []byte, err error) {
	defer Catch(&err, "fetch", request.URL)
	if response, err = p.Fetch.Fetch(ctx, request); err != nil {
		return nil, nil, err
	}
	if payload, err = Payload(response, p.MaxBody, nil); err != nil {
		err = failed("fetch", request, err)
	}
	return response, payload, err
}

// Document makes a request and returns its page, complete and prepared; nil for a redirect or an error
// status.
func (p *Pipeline) Document(ctx context.Context, request orbweaver.Request, env Env) (*step.Response, *orbweaver.Page, error) {
	response, payload, err := p.Ask(ctx, request)
	if err != nil || response.Status/100 != 2 {
		return response, nil, err
	}
	page, _, err := p.Page(ctx, response, payload, env)
	return response, page, err
}

// read parses a page.
func (p *Pipeline) read(ctx context.Context, response *step.Response, payload []byte) (page *orbweaver.Page, err error) {
	defer Catch(&err, "read", response.Request.URL)
	defer p.took(StageRead, p.begun())
	if page, err = p.Read.Read(ctx, response, payload); err != nil {
		return nil, failed("read", response.Request, err)
	}
	if response.Status/100 != 2 { // a Reader returned a page nevertheless
		return nil, NoPage(response)
	}
	return page, nil
}

// check examines whether an answer is the page that was asked for. Answers to queries and sitemaps have readers of
// their own.
func (p *Pipeline) check(response *step.Response, payload []byte, page *orbweaver.Page) (err error) {
	if p.Check == nil || response.Request.Query != "" || response.Request.Purpose != orbweaver.ForPage {
		return nil
	}
	defer Catch(&err, "read", response.Request.URL)
	return p.Check(response, payload, page)
}

// Refused returns the error for a response whose status means that there is no page: what its body shows it to be, or
// NoPage.
func (p *Pipeline) Refused(response *step.Response, payload []byte) error {
	if err := p.check(response, payload, nil); err != nil {
		return err
	}
	return NoPage(response)
}

// NoPage returns the error for a response whose status means that there is no page.
func NoPage(response *step.Response) error {
	return fmt.Errorf("fetch %s: %w %d", response.Request.URL, orbweaver.ErrStatus, response.Status)
}

// render runs a page's scripts.
func (p *Pipeline) render(ctx context.Context, response *step.Response, payload []byte, page *orbweaver.Page, env Env) (rendered *orbweaver.Page, err error) {
	defer Catch(&err, "render", response.Request.URL)
	env.Release()
	defer env.Acquire()
	env.Rendering()
	if rendered, err = p.Render.Render(ctx, response, payload, page, env.Get); err != nil {
		return nil, failed("render", response.Request, err)
	}
	rendered.Rendered = rendered != page
	return rendered, nil
}

// complete reads the data of a page that needs other documents.
func (p *Pipeline) complete(ctx context.Context, page *orbweaver.Page, env Env) (beside []any, err error) {
	if p.Complete == nil {
		if page.Pending {
			page.Body = nil // no later step reads it
		}
		return nil, nil
	}
	defer Catch(&err, "read", page.Request.URL)
	defer p.took(StageData, p.begun())
	if beside, err = p.Complete.Complete(ctx, page, env.GetContext, away(env)); err != nil {
		return nil, failed("read", page.Request, err)
	}
	return beside, nil
}

// away lends the CPU slot of a page to another page during a wait.
func away(env Env) Away {
	return func(wait func()) {
		env.Release()
		defer env.Acquire()
		wait()
	}
}

// prepare runs the focus's CPU-bound work on a page, if the focus is a Preparer.
func (p *Pipeline) prepare(ctx context.Context, page *orbweaver.Page) (err error) {
	preparer, ok := p.Focus.(orbweaver.Preparer)
	if !ok {
		return nil
	}
	defer Catch(&err, "prepare", page.Request.URL)
	defer p.took(StagePrepare, p.begun())
	if page.Findings, err = preparer.Prepare(ctx, page); err != nil {
		return failed("prepare", page.Request, err)
	}
	return nil
}

// begun returns the start time of a step; it reads the clock only for a Meter.
func (p *Pipeline) begun() time.Time {
	if p.Meter == nil {
		return time.Time{}
	}
	return time.Now()
}

// took reports the duration of a step.
func (p *Pipeline) took(stage string, begun time.Time) {
	if p.Meter != nil {
		p.Meter(stage, time.Since(begun))
	}
}

// failed adds the request to an error.
func failed(what string, r orbweaver.Request, err error) error {
	return fmt.Errorf("%s %s: %w", what, r.URL, err)
}
