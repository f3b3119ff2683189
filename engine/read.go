package engine

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// A reading is what a request yields independently of the state of the crawl.
type reading struct {
	status   int
	redirect string
	cookies  bool // changed for the redirect's target, which may answer otherwise than before
	page     *orbweaver.Page
	size     int64
	at       time.Time
	record   orbweaver.Ref
	packed   any               // for the Recorder; nil: nothing is archived
	more     []any             // likewise, the page's subresources
	version  orbweaver.Version // of the answer
	same     bool              // 304: the earlier page stands
	sign     string            // why the answer looks like one for somebody who is not logged in; empty: it does not
	data     step.Staged       // of the page, taken in by the ledger; nil: not yet
	needs    needs             // what the page needs to be shown
	err      error

	reply    step.Reply // on the live Web
	accounts []step.Account
}

// An exchange turns one request into a reading. It is the pipeline's Env.
type exchange struct {
	c      *Crawl
	id     uint64      // of the request
	live   *live       // nil: the web is an archive
	turn   step.Turn   // on the live Web
	began  time.Time   // of the fetch, if there is a Meter
	past   bool        // the outcome was committed before a crash: nothing is archived
	reply  step.Reply  // on the live Web
	back   func()      // releases the memory of the body
	free   func()      // releases the memory of the page
	loads  atomic.Bool // counted in Config.Load
	freed  sync.Once   // guards endTurn
	silent atomic.Bool // endTurn has reported the turn as done

	mu   sync.Mutex
	more []any    // packed subresources
	have []string // their URLs
}

// read makes a waiting request to an archive, reads the page and prepares it for the focus.
func (c *Crawl) read(ctx context.Context, id uint64) reading {
	waiting, err := c.cfg.Ledger.Waiting(id)
	if err != nil {
		return reading{err: err}
	}
	x := &exchange{c: c, id: id}
	return x.run(ctx, waiting.Request, c.cfg.Fetch.Fetch)
}

// run fetches a response and reads its page. A panic on the way fails this request alone.
func (x *exchange) run(ctx context.Context, request orbweaver.Request, fetch func(context.Context, orbweaver.Request) (*step.Response, error)) (r reading) {
	defer func() {
		if r.err != nil && x.reply.Ended.IsZero() {
			x.reply = x.c.replyTo(nil, 0, r.err)
		}
		if request.Query != "" && x.reply.Fault == step.FaultAnswer { // of an endpoint, all queries go to one URL
			x.reply.Fault = step.FaultHost
		}
		r.reply = x.reply
	}()
	defer pipeline.Catch(&r.err, "fetch", request.URL)
	x.began, x.back, x.free = x.c.begun(), func() {}, func() {}
	response, err := fetch(ctx, request)
	if err != nil {
		return reading{err: err}
	}
	return x.digest(ctx, response)
}

// digest turns a response into a reading, and closes it.
func (x *exchange) digest(ctx context.Context, response *step.Response) reading {
	r := reading{status: response.Status, at: response.At, record: response.Record, redirect: response.Redirect, cookies: response.Cookies, version: versionOf(response.Header)}
	defer func() { x.back() }()
	payload, err := x.payload(ctx, response)
	r.size = int64(len(payload))
	if err != nil {
		r.err = failed("fetch", response.Request, err)
		return r
	}
	r.sign = x.sign(response, payload)
	late := x.c.cfg.Render != nil && response.Status/100 == 2 // the page is archived with what its scripts make of it
	if !late {
		if r.packed, r.err = x.pack(response, payload); r.err != nil {
			return r
		}
	}
	switch {
	case response.Status == http.StatusNotModified && response.Request.Since != nil:
		r.same = true
	case response.Status/100 == 2, answersQuery(response):
		r.page, r.more, r.err = x.page(ctx, response, payload)
	case response.Status/100 == 3 && r.redirect == "" && response.Header.Get("Location") != "":
		r.err = failed("fetch", response.Request, orbweaver.ErrBadTarget)
	case r.redirect == "":
		r.err = x.c.pipeline.Refused(response, payload)
	}
	if x.live != nil && r.err != nil {
		x.reply = pipeline.Examined(x.reply, r.err)
	}
	if late {
		packed, err := x.pack(response, payload)
		if r.packed = packed; err != nil {
			r.page, r.err = nil, err
			return r
		}
	}
	if r.page != nil && r.err == nil {
		r.needs = x.needsOf(response, payload)
		r.needs.have = x.have
	}
	if r.err == nil && !r.same || x.c.again != nil {
		x.takeIn(ctx, &r, response.Request)
	}
	return r
}

// sign returns why an answer looks like one for somebody who is not logged in; empty: it does not, or needs no login.
func (x *exchange) sign(response *step.Response, payload []byte) string {
	if x.live == nil || x.c.cfg.Live.Logins == nil {
		return ""
	}
	n, ok := x.c.cfg.Live.Logins.Of(response.Request.URL)
	if !ok {
		return ""
	}
	return x.c.cfg.Live.Logins.Sign(n, response, payload)
}

// answersQuery reports whether a response is an endpoint's answer to a query, a result or an error.
func answersQuery(response *step.Response) bool {
	return response.Request.Query != "" && response.Status/100 != 3
}

// payload reads a body up to the limit, and notes the reply for the host's account.
func (x *exchange) payload(ctx context.Context, response *step.Response) ([]byte, error) {
	if x.live != nil {
		x.live.started(x.turn.ID, response.Started)
	}
	limit := x.c.cfg.Limits.Body
	if x.c.cfg.Limits.Dump > limit && response.Dump() {
		limit = x.c.cfg.Limits.Dump
	}
	payload, err := pipeline.Payload(response, limit, func() (err error) {
		x.back, err = x.live.budget(bodies).take(ctx, limit)
		return err
	})
	x.c.took(StageFetch, x.began)
	if x.live != nil {
		x.loads.Store(true)
		x.c.cfg.Load.Add(1)
		x.reply = x.c.replyTo(response, int64(len(payload)), err)
		x.reply.Page = err == nil && response.Status/100 == 2
	}
	return payload, err
}

// pack makes archive records of an exchange, if it is archived.
func (x *exchange) pack(response *step.Response, payload []byte) (any, error) {
	if x.c.cfg.Recorder == nil || x.past {
		return nil, nil
	}
	began := x.c.begun()
	defer x.c.took(StagePack, began)
	return x.c.packed(response, payload)
}

// packed returns the Recorder's records of an exchange.
func (c *Crawl) packed(response *step.Response, payload []byte) (packed any, err error) {
	defer pipeline.Catch(&err, "archive", response.Request.URL)
	if packed, err = c.cfg.Recorder.Pack(response, payload); err != nil {
		return nil, failed("archive", response.Request, err)
	}
	return packed, nil
}

// page runs the pipeline on a response. It also returns the exchanges to archive with the page.
func (x *exchange) page(ctx context.Context, response *step.Response, payload []byte) (*orbweaver.Page, []any, error) {
	page, beside, err := x.c.pipeline.Page(ctx, response, payload, x)
	if err != nil {
		page = nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.c.cfg.Recorder != nil && !x.past {
		x.more = append(x.more, beside...)
	}
	return page, x.more, err
}

// Rendering gives the page's turn back: the browser may keep the page waiting, for subresources and
// behind other pages.
func (x *exchange) Rendering() {
	if x.live != nil {
		x.endTurn()
	}
}

// Prepared reserves memory for a page until it is decided.
func (x *exchange) Prepared(ctx context.Context, page *orbweaver.Page) (err error) {
	x.free, err = x.live.budget(pages).take(ctx, weight(page))
	return err
}

// Acquire takes a CPU slot: on the live Web at most GOMAXPROCS pages are worked on at a time. Nobody who
// holds memory waits for a slot, so a page may wait for memory while it holds one.
func (x *exchange) Acquire() {
	if x.live != nil {
		x.live.slots <- struct{}{}
	}
}

// Release gives the CPU slot back.
func (x *exchange) Release() {
	if x.live != nil {
		<-x.live.slots
	}
}

// GetContext fetches a document that a page's data needs. It is not packed: the Completer returns the
// exchanges to archive.
func (x *exchange) GetContext(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	return x.ask(ctx, orbweaver.Request{URL: url, Accept: accept, Purpose: orbweaver.ForContext})
}

// Get fetches a subresource, from any number of goroutines. It ends the page's own turn first: no exchange
// waits for a turn while it holds one.
func (x *exchange) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	response, payload, err := x.ask(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	packed, err := x.pack(response, payload)
	if err == nil && packed != nil {
		x.mu.Lock()
		x.more, x.have = append(x.more, packed), append(x.have, url)
		x.mu.Unlock()
	}
	return response, payload, err
}

// ask makes a subresource request, and reads the whole payload.
func (x *exchange) ask(ctx context.Context, request orbweaver.Request) (response *step.Response, payload []byte, err error) {
	switch {
	case x.past:
		response, err = x.c.cfg.Again(ctx, orbweaver.Outcome{Request: request})
	case x.live == nil:
		response, err = x.c.cfg.Fetch.Fetch(ctx, request)
	default:
		x.endTurn()
		return x.live.get(ctx, request)
	}
	if err == nil {
		payload, err = pipeline.Payload(response, x.c.cfg.Limits.Body, nil)
	}
	return response, payload, err
}

// endTurn reports to the frontier, once, that the turn is done.
func (x *exchange) endTurn() {
	x.freed.Do(func() {
		x.unload() // it waits for others more than for a processor
		x.silent.Store(true)
		x.live.deliver(func() error {
			return x.live.done(x.turn, x.reply)
		})
	})
}

// decided releases what an exchange holds until its outcome is decided.
func (x *exchange) decided() {
	x.free()
	x.unload()
}

// unload ends the exchange's part in the load.
func (x *exchange) unload() {
	if x.loads.Swap(false) {
		x.c.cfg.Load.Add(-1)
	}
}

// readHead reads the first limit bytes of a body, and closes it.
func readHead(response *step.Response, limit int64) ([]byte, error) {
	defer response.Body.Close()
	return io.ReadAll(io.LimitReader(response.Body, limit))
}

// replyTo is what an exchange tells about its host.
func (c *Crawl) replyTo(response *step.Response, size int64, err error) step.Reply {
	return pipeline.ReplyTo(response, size, err, c.now())
}
