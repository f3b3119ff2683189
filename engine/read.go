package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A reading is all that can be known of a request without knowing the crawl.
type reading struct {
	status   int
	redirect string
	page     *orbweaver.Page
	size     int64
	at       time.Time
	record   orbweaver.Ref
	packed   any   // for the Recorder; nil: nothing to archive
	more     []any // the same of what the page's scripts asked for
	same     bool  // 304: what was known stands
	err      error

	reply    step.Reply // of the live Web
	accounts []step.Account
}

// A Renderer makes a page of what a document's scripts make of it, where that is worth while; page is
// what it is without. It is called from many goroutines.
type Renderer interface {
	Render(ctx context.Context, response *step.Response, payload []byte, page *orbweaver.Page, get Get) (*orbweaver.Page, error)
}

// A Completer reads of a page what other documents are needed for: its data, by the contexts that it
// names. What it returns beside goes into the archive with the page. It is called from many goroutines,
// as many as there are processors: whoever waits, for get or for somebody else, waits in away.
type Completer interface {
	Complete(ctx context.Context, page *orbweaver.Page, get Get, away Away) (beside []any, err error)
}

// Away runs a function that waits, while others work.
type Away func(wait func())

// Get fetches what a page asks for, when the turn of its host comes, and archives it. Body is closed,
// payload is what it held, content coding still on.
type Get func(ctx context.Context, url, accept string) (response *step.Response, payload []byte, err error)

// An exchange is one request on its way to be a reading.
type exchange struct {
	c      *Crawl
	live   *live       // nil: an archive answers
	turn   step.Turn   // of the live Web
	began  time.Time   // of the fetch, where there is a meter
	past   bool        // it was committed before a crash: nothing is archived
	reply  step.Reply  // of the live Web
	back   func()      // gives back the room of the body
	free   func()      // gives back that of the page
	freed  sync.Once   // of the page's turn, before the first errand
	silent atomic.Bool // the frontier was told already that the turn is done

	mu   sync.Mutex
	more []any // packed, of what scripts asked for
}

// read fetches a waiting request of an archive, reads its page and prepares it for the focus.
func (c *Crawl) read(ctx context.Context, id uint64) reading {
	waiting, err := c.cfg.Ledger.Waiting(id)
	if err != nil {
		return reading{err: err}
	}
	x := &exchange{c: c}
	return x.run(ctx, waiting.Request, c.cfg.Fetch.Fetch)
}

// run fetches and reads an answer. A panic on the way is a failure of this one request.
func (x *exchange) run(ctx context.Context, request orbweaver.Request, fetch func(context.Context, orbweaver.Request) (*step.Response, error)) (r reading) {
	defer func() {
		if p := recover(); p != nil {
			r.err = crashed("fetch", request.URL, p)
			if x.reply.Ended.IsZero() {
				x.reply = x.c.replyTo(nil, 0, r.err)
			}
		}
		r.reply = x.reply
	}()
	x.began, x.back, x.free = x.c.begun(), func() {}, func() {}
	response, err := fetch(ctx, request)
	if err != nil {
		x.reply = x.c.replyTo(nil, 0, err)
		return reading{err: err}
	}
	return x.digest(ctx, response)
}

// digest makes a reading of a response, and closes it.
func (x *exchange) digest(ctx context.Context, response *step.Response) reading {
	r := reading{status: response.Status, at: response.At, record: response.Record, redirect: response.Redirect}
	defer func() { x.back() }()
	payload, err := x.payload(ctx, response)
	r.size = int64(len(payload))
	if err != nil {
		r.err = failed("fetch", response.Request, err)
		return r
	}
	if r.packed, r.err = x.pack(response, payload); r.err != nil {
		return r
	}
	switch {
	case response.Status == http.StatusNotModified && response.Request.Since != nil:
		r.same = true
	case response.Status/100 == 2, answersQuery(response):
		if crash := guarded(func() { r.page, r.err = x.page(ctx, response, payload) }); crash != nil {
			r.page, r.err = nil, crashed("read", response.Request.URL, crash)
		}
		x.mu.Lock()
		r.more = x.more
		x.mu.Unlock()
	case response.Status/100 == 3 && r.redirect == "" && response.Header.Get("Location") != "":
		r.err = failed("fetch", response.Request, orbweaver.ErrBadTarget)
	case r.redirect == "":
		r.err = noPage(response)
	}
	return r
}

// noPage says that a response has a status of which no page is made.
func noPage(response *step.Response) error {
	return fmt.Errorf("fetch %s: %w %d", response.Request.URL, orbweaver.ErrStatus, response.Status)
}

// answersQuery reports whether a response is what an endpoint says of a query, good or bad.
func answersQuery(response *step.Response) bool {
	return response.Request.Query != "" && response.Status/100 != 3
}

// payload reads a body as far as the limit allows, and notes what that told of the host.
func (x *exchange) payload(ctx context.Context, response *step.Response) ([]byte, error) {
	if x.live != nil {
		x.live.started(x.turn.ID, response.Started)
	}
	payload, err := readAll(response, x.c.cfg.Limits.Body, func() (err error) {
		x.back, err = x.live.room(bodies).take(ctx, x.c.cfg.Limits.Body)
		return err
	})
	x.c.took(StageFetch, x.began)
	if x.live != nil {
		x.reply = x.c.replyTo(response, int64(len(payload)), err)
		x.reply.Page = err == nil && response.Status/100 == 2
	}
	return payload, err
}

// readAll reads a body of at most limit bytes, 0 being none, and closes it. more is called, once, before
// the body takes more than smallBody. Of a body that is too large what was read is returned too.
func readAll(response *step.Response, limit int64, more func() error) ([]byte, error) {
	defer response.Body.Close()
	if limit <= 0 {
		limit = math.MaxInt64 - 1
	}
	body := io.LimitReader(response.Body, limit+1)
	payload := make([]byte, 0, expected(response.Header, limit))
	for {
		n, err := body.Read(payload[len(payload):cap(payload)])
		payload = payload[:len(payload)+n]
		switch {
		case int64(len(payload)) > limit:
			return payload, orbweaver.ErrTooLarge
		case err == io.EOF:
			return payload, nil
		case err != nil:
			return payload, err
		case len(payload) == cap(payload):
			if more != nil && 2*len(payload) > smallBody {
				if err := more(); err != nil {
					return payload, err
				}
				more = nil
			}
			payload = slices.Grow(payload, len(payload))
		}
	}
}

// expected is how much room a body is given at first: what its head says, and the byte in which its end
// is found; 512 where it says nothing that can be believed.
func expected(header http.Header, limit int64) int64 {
	n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 || n > min(limit, smallBody-1) {
		n = 511
	}
	return n + 1
}

// pack makes records of an exchange, where there is an archive to keep them.
func (x *exchange) pack(response *step.Response, payload []byte) (any, error) {
	if x.c.cfg.Recorder == nil || x.past {
		return nil, nil
	}
	began := x.c.begun()
	defer x.c.took(StagePack, began)
	return x.c.packed(response, payload)
}

// packed is what a Recorder makes of an exchange.
func (c *Crawl) packed(response *step.Response, payload []byte) (packed any, err error) {
	if crash := guarded(func() { packed, err = c.cfg.Recorder.Pack(response, payload) }); crash != nil {
		return nil, crashed("archive", response.Request.URL, crash)
	}
	if err != nil {
		return nil, failed("archive", response.Request, err)
	}
	return packed, nil
}

// page reads a page, has it rendered where that is asked for, and prepares it.
func (x *exchange) page(ctx context.Context, response *step.Response, payload []byte) (page *orbweaver.Page, err error) {
	read := func() error {
		began := x.c.begun()
		page, err = x.c.cfg.Read.Read(ctx, response, payload)
		x.c.took(StageRead, began)
		switch {
		case err != nil:
			return failed("read", response.Request, err)
		case response.Status/100 != 2: // a Reader that made a page of it all the same
			return noPage(response)
		}
		return nil
	}
	complete := func() error { return x.complete(ctx, page) }
	prepare := func() error { return x.prepare(ctx, page) }
	if x.c.cfg.Render == nil || response.Request.Query != "" { // rows have no scripts
		err = x.atDesk(read, complete, prepare)
	} else {
		err = x.atDesk(read)
		if err == nil {
			page, err = x.render(ctx, response, payload, page)
		}
		if err == nil {
			err = x.atDesk(complete, prepare)
		}
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}

// render gives the page's turn back first: the browser may keep it waiting, for its own errands and
// behind other pages'.
func (x *exchange) render(ctx context.Context, response *step.Response, payload []byte, page *orbweaver.Page) (*orbweaver.Page, error) {
	if x.live != nil {
		x.release()
	}
	rendered, err := x.c.cfg.Render.Render(ctx, response, payload, page, x.get)
	if err != nil {
		return nil, failed("read", response.Request, err)
	}
	rendered.Rendered = rendered != page
	return rendered, nil
}

// complete reads what other documents are needed for. Nothing of that is packed: the Completer returns
// what is to be kept.
func (x *exchange) complete(ctx context.Context, page *orbweaver.Page) error {
	if x.c.cfg.Complete == nil {
		if page.Pending {
			page.Body = nil // nobody reads it
		}
		return nil
	}
	began := x.c.begun()
	defer x.c.took(StageData, began)
	get := func(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
		return x.ask(ctx, orbweaver.Request{URL: url, Accept: accept, Purpose: orbweaver.ForContext})
	}
	beside, err := x.c.cfg.Complete.Complete(ctx, page, get, x.away)
	if err != nil {
		return failed("read", page.Request, err)
	}
	if x.c.cfg.Recorder != nil && !x.past {
		x.mu.Lock()
		x.more = append(x.more, beside...)
		x.mu.Unlock()
	}
	return nil
}

// away gives the desk to another while somebody waits.
func (x *exchange) away(wait func()) {
	if x.live != nil {
		<-x.live.desks
		defer func() { x.live.desks <- struct{}{} }()
	}
	wait()
}

// prepare has the focus prepare a page, and takes room for it until it is decided.
func (x *exchange) prepare(ctx context.Context, page *orbweaver.Page) (err error) {
	began := x.c.begun()
	if x.c.focus.preparer != nil {
		page.Findings, err = x.c.focus.preparer.Prepare(ctx, page)
		x.c.took(StagePrepare, began)
	}
	if err != nil {
		return failed("prepare", page.Request, err)
	}
	x.free, err = x.live.room(pages).take(ctx, weight(page))
	return err
}

// atDesk does work that takes a processor: of the live Web no more pages are worked on at a time than
// there are processors. Whoever has room waits for no desk, so that one may wait for room at a desk.
func (x *exchange) atDesk(work ...func() error) error {
	if x.live != nil {
		x.live.desks <- struct{}{}
		defer func() { <-x.live.desks }()
	}
	for _, do := range work {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// get is a Get, and may be called from many goroutines. It gives the page's own turn back first: nobody waits for a turn while holding one.
func (x *exchange) get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	response, payload, err := x.ask(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	packed, err := x.pack(response, payload)
	if err == nil && packed != nil {
		x.mu.Lock()
		x.more = append(x.more, packed)
		x.mu.Unlock()
	}
	return response, payload, err
}

// ask makes a request for what a page needs, and reads the whole answer.
func (x *exchange) ask(ctx context.Context, request orbweaver.Request) (response *step.Response, payload []byte, err error) {
	switch {
	case x.past:
		response, err = x.c.cfg.Again(ctx, orbweaver.Outcome{Request: request})
	case x.live == nil:
		response, err = x.c.cfg.Fetch.Fetch(ctx, request)
	default:
		x.release()
		return x.live.get(ctx, request)
	}
	if err == nil {
		payload, err = readAll(response, x.c.cfg.Limits.Body, nil)
	}
	return response, payload, err
}

// release tells the frontier, once, that the turn is done.
func (x *exchange) release() {
	x.freed.Do(func() {
		x.silent.Store(true)
		x.live.tell(func() error {
			x.live.done(x.turn, x.reply)
			return nil
		})
	})
}

// readHead reads at most limit bytes of a body, whatever follows, and closes it.
func readHead(response *step.Response, limit int64) ([]byte, error) {
	defer response.Body.Close()
	return io.ReadAll(io.LimitReader(response.Body, limit))
}

// replyTo is what an answer, or its failure, told of the host.
func (c *Crawl) replyTo(response *step.Response, size int64, err error) step.Reply {
	return ReplyTo(response, size, err, c.now())
}

// ReplyTo is what an exchange that ended told of its host, by the answer, so many bytes long, or by why
// there is none.
func ReplyTo(response *step.Response, size int64, err error, ended time.Time) step.Reply {
	r := step.Reply{Ended: ended, Bytes: size}
	r.Started = r.Ended // of a failure that does not say: at the latest
	var told interface{ Started() time.Time }
	switch {
	case response != nil:
		r.Started = response.Started
	case errors.As(err, &told):
		r.Started = told.Started()
	}
	switch {
	case err != nil:
		r.Failure = orbweaver.FailureOf(err)
		r.Trouble = passing(r.Failure) || r.Failure == orbweaver.ErrTLS
	case response.Status/100 >= 4:
		r.Failure = orbweaver.ErrStatus
		r.Trouble = overloaded(response.Status)
		r.RetryAfter = retryAfter(response, r.Ended)
	}
	return r
}

// passing reports whether a failure may be over soon.
func passing(f orbweaver.Failure) bool {
	switch f {
	case orbweaver.ErrConnect, orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrLookup:
		return true
	}
	return false
}

// overloaded reports whether a status says that the host has too much to do.
func overloaded(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
