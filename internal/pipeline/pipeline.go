// Package pipeline turns a request into a judged page: fetch, read, render, complete, prepare, judge.
//
// Each step can be run alone. The engine fetches and prepares many pages at a time and judges them one
// after the other; the judge verb runs all steps on one page. A step names the URL in
// its error, reports its duration to the Meter, and turns a panic into a *Crash, which fails that page
// alone. A Pipeline keeps no state between pages: it is safe for concurrent use if its parts are.
package pipeline

import (
	"context"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Fetcher answers requests. It is called from many goroutines. Its errors name the URL and wrap a
// Failure.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// A Reader parses a 2xx response and its payload into a page. For a request with a Query it gets every
// answer but redirects: an endpoint explains an error in the body, and the Reader's error repeats it. It
// is called from many goroutines.
type Reader interface {
	Read(context.Context, *step.Response, []byte) (*orbweaver.Page, error)
}

// A Renderer runs a document's scripts if that is worthwhile, and returns the resulting page. page is the
// document without scripts, and the result if nothing was rendered. It sets the response's Rendered, to be archived with it. It is called from
// many goroutines.
type Renderer interface {
	Render(ctx context.Context, response *step.Response, payload []byte, page *orbweaver.Page, get Get) (*orbweaver.Page, error)
}

// A Chooser is a Renderer that learns which pages are worth it. In an archive, where pages are read before their turn, a page is read again
// if its choice does not stand when its turn comes: so the result does not depend on what was read ahead.
type Chooser interface {
	Renderer
	// Stands reports whether what was chosen for a page would be chosen now.
	Stands(*orbweaver.Page) bool
	// Learn is told each page that was decided, in order.
	Learn(*orbweaver.Page)
}

// A Completer reads the parts of a page that need other documents: its data, by the JSON-LD contexts
// that it names. It returns exchanges to archive with the page. It is called from many goroutines, at
// most one per CPU slot: it waits, for get or for another page, only within away.
type Completer interface {
	Complete(ctx context.Context, page *orbweaver.Page, get Get, away Away) (beside []any, err error)
}

// Get fetches a document that a page needs. The body of the response is closed; payload holds its bytes,
// still with content coding.
type Get func(ctx context.Context, url, accept string) (response *step.Response, payload []byte, err error)

// Away runs a function that waits, and lends the CPU slot to another page meanwhile.
type Away func(wait func())

// A Pipeline is the steps, assembled.
type Pipeline struct {
	Fetch    Fetcher
	MaxBody  int64 // bytes of a payload; 0: no limit
	Read     Reader
	Render   Renderer        // nil: no page is rendered
	Complete Completer       // nil: data that needs other documents is not read
	Focus    orbweaver.Focus // nil: no page is prepared; Judge and Plan must not be called
	ListAll  bool            // a page that asks not to be indexed may be accepted
	// Check returns an error for an answer that is not the page that was asked for; page is nil for one with an error
	// status. Nil: answers are not examined.
	Check func(response *step.Response, payload []byte, page *orbweaver.Page) error
	// Correct changes the focus's judgement of a page, before Adjust. Nil: it stands.
	Correct func(*orbweaver.Page, *orbweaver.Judgement)
	// Meter receives the duration of a step, by its Stage constant. It is called from many goroutines. May
	// be nil.
	Meter func(stage string, took time.Duration)
}

// The stages that a Meter receives.
const (
	StageRead    = "read"    // bytes to page
	StageData    = "data"    // data of a page that needs other documents
	StagePrepare = "prepare" // the focus's CPU-bound work
)

// Env is the environment of the steps of one page.
type Env interface {
	Get(ctx context.Context, url, accept string) (*step.Response, []byte, error)        // for scripts
	GetContext(ctx context.Context, url, accept string) (*step.Response, []byte, error) // for data
	Acquire()                                                                           // takes a CPU slot, before CPU-bound steps
	Release()                                                                           // gives it back, also around a wait
	Rendering()                                                                         // called before a page is rendered, without a CPU slot
	Prepared(ctx context.Context, page *orbweaver.Page) error                           // called after the last step, with a CPU slot
}

// Direct is the Env of a caller that works on one page at a time: it limits nothing and uses one function
// for scripts and data.
type Direct Get

// Get calls the function.
func (d Direct) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	return d(ctx, url, accept)
}

// GetContext calls the function.
func (d Direct) GetContext(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	return d(ctx, url, accept)
}

// Acquire does nothing.
func (Direct) Acquire() {}

// Release does nothing.
func (Direct) Release() {}

// Rendering does nothing.
func (Direct) Rendering() {}

// Prepared does nothing.
func (Direct) Prepared(context.Context, *orbweaver.Page) error { return nil }

// Page reads a page from a response, renders, completes and prepares it. beside are the exchanges to
// archive with it. A page that was complete and could not be prepared is returned with the error.
func (p *Pipeline) Page(ctx context.Context, response *step.Response, payload []byte, env Env) (page *orbweaver.Page, beside []any, err error) {
	env.Acquire()
	defer env.Release()
	if page, err = p.read(ctx, response, payload); err != nil {
		return nil, nil, err
	}
	if p.Render != nil && response.Request.Query == "" { // the answer to a query has no scripts
		if page, err = p.render(ctx, response, payload, page, env); err != nil {
			return nil, nil, err
		}
	}
	if err = p.check(response, payload, page); err != nil {
		return nil, nil, err
	}
	if beside, err = p.complete(ctx, page, env); err != nil {
		return nil, nil, err
	}
	if err = p.prepare(ctx, page); err == nil {
		err = env.Prepared(ctx, page)
	}
	return page, beside, err
}

// Ready completes and prepares a copy of a page that was read, and rendered if it had to be: several focuses may so have one page.
func (p *Pipeline) Ready(ctx context.Context, read *orbweaver.Page, env Env) (*orbweaver.Page, error) {
	page := *read
	if _, err := p.complete(ctx, &page, env); err != nil {
		return nil, err
	}
	return &page, p.prepare(ctx, &page)
}
