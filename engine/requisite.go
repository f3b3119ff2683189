package engine

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// Requisites are what accepted pages need to be shown. They are found when a page is read, wait from its batch on, are fetched once a crawl
// when their turns come, and are archived; nobody judges them.
type Requisites struct {
	RequisiteFinder
	Book   RequisiteBook
	Traps  Traps                 // of their URLs alone; nil: every URL may wait
	Bars   func(url string) bool // reports URLs that a person excluded
	Most   int                   // of one page
	Levels int                   // style sheets up to this level are read
	Page   int64                 // bytes of those of one page
	Total  int64                 // bytes of all; 0: no limit
	One    int64                 // bytes of one
}

// A RequisiteFinder finds what an answer needs to be shown: canonical URLs, each once, and how many more there are. It is called from many
// goroutines.
type RequisiteFinder interface {
	OfPage(*step.Response, []byte) (urls []string, left int)
	OfSheet(*step.Response, []byte) (urls []string, left int) // none of what is no style sheet
}

// A RequisiteBook is what a Ledger knows of requisites.
type RequisiteBook interface {
	Fate(url string) (fate step.Fate, known bool, err error)
	Spent(page uint64) (count int, bytes int64, err error)
	Requisite(n uint64) (step.Requisite, error) // one that waits
	Requisites() iter.Seq2[step.Requisite, error]
}

// RequisiteTurns schedules requests for requisites.
type RequisiteTurns interface {
	Require(n uint32, url string) bool
	Forgo(host string) []uint32
	Needs() int
	Unmet() []string
	Restrict(bool)
	OnlyNeeds() bool
}

// needs is what an answer needs to be shown.
type needs struct {
	urls []string
	left int
	have []string // what was archived when the page was rendered
}

// needsOf finds what a page needs.
func (x *exchange) needsOf(response *step.Response, payload []byte) (n needs) {
	if x.live == nil || x.past || x.c.cfg.Live.Requisites == nil {
		return needs{}
	}
	n.urls, n.left = x.c.cfg.Live.Requisites.OfPage(response, payload)
	return n
}

// require adds what an accepted page needs to its batch. A page with the bytes of an earlier one needs what that one does.
func (c *Crawl) require(o *orbweaver.Outcome, page uint64, n needs, batch *step.Batch) error {
	batch.Have = n.have
	repeats := o.Duplicate.URL != "" && !o.Duplicate.Near
	if o.Page == nil || !o.Actual.Accepted || o.Change == orbweaver.Unchanged || repeats {
		return nil
	}
	return c.need(batch, step.Requisite{Page: page, Level: 1}, n)
}

// need adds requisites to a batch, all like one of them, as far as the budgets go.
func (c *Crawl) need(batch *step.Batch, like step.Requisite, n needs) error {
	figures := &c.progress.Requisites
	figures.LeftOut += int64(n.left)
	if len(n.urls) == 0 {
		return nil
	}
	q := c.cfg.Live.Requisites
	count, bytes, err := q.Book.Spent(like.Page)
	if err != nil {
		return err
	}
	room := q.Most - count
	if bytes >= q.Page || q.Total > 0 && figures.Bytes >= q.Total {
		room = 0
	}
	for _, url := range n.urls {
		if slices.Contains(n.have, url) {
			continue
		}
		fresh, err := c.unmet(url)
		switch {
		case err != nil:
			return err
		case !fresh:
			continue
		case room <= 0:
			figures.LeftOut++
			continue
		}
		if !q.admits(url) {
			figures.Refused++
			continue
		}
		room--
		like.URL = url
		batch.Needs = append(batch.Needs, like)
	}
	return nil
}

// admits reports whether a new URL may be requested, but for robots.txt.
func (q *Requisites) admits(url string) bool {
	if q.Bars(url) {
		return false
	}
	if q.Traps == nil {
		return true
	}
	ok, _ := q.Traps.Admit(url)
	return ok
}

// unmet reports whether a requisite is to be fetched: the archive does not have it, nothing was learned of it, and it does not wait.
func (c *Crawl) unmet(url string) (bool, error) {
	fate, known, err := c.cfg.Live.Requisites.Book.Fate(url)
	if err != nil || known && fate != step.RequisiteLeft {
		return false, err
	}
	request := orbweaver.Request{URL: url}
	if _, seen := c.cfg.Ledger.Seen(request); !seen {
		return true, nil
	}
	o, err := c.cfg.Ledger.Outcome(url)
	return err != nil || o.Record == (orbweaver.Ref{}) || o.Status/100 != 2, nil
}

// awaitRequisites gives the frontier the requisites of earlier sessions that wait.
func (l *live) awaitRequisites() error {
	q := l.c.cfg.Live.Requisites
	if q == nil {
		return nil
	}
	l.repeated = map[uint64]int{}
	l.meter = &meter{page: q.Page, total: q.Total, pages: map[uint64]*metering{}}
	for r, err := range q.Book.Requisites() {
		if err != nil {
			return err
		}
		l.hosts.Require(uint32(r.N), r.URL)
	}
	return nil
}

// putOff returns a requisite whose turn has come to the queue.
func (l *live) putOff(turn step.Turn) error {
	r, err := l.c.cfg.Live.Requisites.Book.Requisite(turn.Need)
	if err == nil {
		l.hosts.Done(turn.ID, step.Reply{})
		l.hosts.Require(uint32(r.N), r.URL)
	}
	return err
}

// onlyFetches reports whether nothing but requisites is in flight and can be, so that a round need not wait for it.
func (l *live) onlyFetches() bool {
	return l.fetching > 0 && l.c.inFlight == l.fetching && l.rounds() && l.hosts.OnlyNeeds()
}

// unmet reports whether requisites wait, or are being fetched.
func (l *live) unmet() bool { return l.fetching > 0 || l.hosts.Needs() > 0 }

// requisite starts the request for a requisite.
func (l *live) requisite(turn step.Turn) error {
	q := l.c.cfg.Live.Requisites
	r, err := q.Book.Requisite(turn.Need)
	if err != nil {
		return err
	}
	_, bytes, err := q.Book.Spent(r.Page)
	if err != nil {
		return err
	}
	if l.shutOut(turn, r.URL) {
		l.hosts.Require(uint32(r.N), r.URL)
		return nil
	}
	l.meter.open(r.Page, bytes, l.c.progress.Requisites.Bytes)
	fate, _, err := q.Book.Fate(r.URL)
	if err != nil {
		return err
	}
	if fate != step.RequisiteWaits { // a page was rendered with it meanwhile
	} else if !l.meter.left(r.Page) {
		fate = step.RequisiteLeft
	} else if l.c.cfg.Live.Robots != nil {
		if ok, _ := l.c.cfg.Live.Robots.Allows(r.URL); !ok {
			fate = step.RequisiteRefused
		}
	}
	if fate != step.RequisiteWaits {
		l.meter.close(r.Page)
		l.hosts.Done(turn.ID, step.Reply{})
		return l.c.endedAll([]step.Met{{Requisite: r, Fate: fate}})
	}
	l.fetching++
	l.begin(func() func() error { return l.obtain(turn, r) })
	return nil
}

// endedAll commits the end of requisites for which nothing was archived.
func (c *Crawl) endedAll(all []step.Met) error { return c.commit(step.Batch{Met: all}) }

// A fetched is what came of the request for a requisite.
type fetched struct {
	response *step.Response // nil: none came
	bytes    int64          // read
	packed   any            // for the Recorder; nil: nothing is archived
	needs    needs          // of a style sheet
	reply    step.Reply
	err      error
}

// obtain makes the request for a requisite.
func (l *live) obtain(turn step.Turn, r step.Requisite) func() error {
	got := l.exchange(turn, r)
	return func() error {
		l.fetching--
		l.meter.close(r.Page)
		if err := l.done(turn, got.reply); err != nil || l.ctx.Err() != nil {
			return err // what was interrupted waits for the next session
		}
		if l.onceMore(r, got) {
			l.hosts.Require(uint32(r.N), r.URL)
		} else if err := l.keep(turn.Host, r, got); err != nil {
			return err
		}
		return l.settle(turn.Host, 0, reading{err: got.err})
	}
}

// exchange makes the request for a requisite, within its budgets, and reads what a style sheet needs.
func (l *live) exchange(turn step.Turn, r step.Requisite) (got fetched) {
	q := l.c.cfg.Live.Requisites
	request := orbweaver.Request{URL: r.URL, Accept: "*/*", Purpose: step.ForRequisite}
	var payload []byte
	got.response, payload, got.err = l.ask(l.ctx, turn, request, func(response *step.Response) (payload []byte, err error) {
		if declared, err := strconv.ParseInt(response.Header.Get("Content-Length"), 10, 64); err == nil && declared > l.meter.take(r.Page, 0) {
			return nil, errors.Join(errBudget, response.Body.Close()) // the rest of the budget is for others
		}
		metered := &metered{ReadCloser: response.Body, meter: l.meter, page: r.Page, read: &got.bytes}
		response.Body = metered
		release := func() {}
		payload, err = pipeline.Payload(response, q.One, func() (err error) {
			release, err = l.budget(bodies).take(l.ctx, q.One)
			return err
		})
		defer release()
		if metered.over {
			return nil, errBudget
		}
		if err == nil && l.c.cfg.Recorder != nil {
			got.packed, err = l.c.packed(response, payload)
		}
		return payload, err
	})
	failure := got.err
	if errors.Is(failure, errBudget) { // that the host is not to blame for
		failure = nil
	}
	got.reply = l.c.replyTo(got.response, got.bytes, failure)
	if got.err == nil && got.response.Status/100 == 2 && r.Level <= q.Levels {
		got.needs.urls, got.needs.left = q.OfSheet(got.response, payload)
	}
	return got
}

// errBudget reports that the rest of a requisite is beyond a budget.
var errBudget = errors.New("beyond the budget of requisites")

// onceMore reports whether a requisite is asked for again: as a page is.
func (l *live) onceMore(r step.Requisite, got fetched) bool {
	again := reading{err: got.err, reply: got.reply}
	if got.err == nil && got.response.Status/100 >= 4 {
		again.status, again.err = got.response.Status, pipeline.NoPage(got.response)
	}
	switch {
	case again.err == nil:
	case l.network.down() && (missed(got.reply) || got.reply.Fault == step.FaultDocument):
		return true
	case !hopeful(again):
	case got.reply.Fault == step.FaultHost:
		return true
	case l.repeated[r.N] < l.c.cfg.Live.Retries:
		l.repeated[r.N]++
		return true
	}
	delete(l.repeated, r.N)
	return false
}

// keep archives a requisite, and commits what became of it with what it needs itself.
func (l *live) keep(host string, r step.Requisite, got fetched) error {
	c := l.c
	met := step.Met{Requisite: r, Fate: fateOf(got), Bytes: got.bytes}
	var batch step.Batch
	if got.packed != nil {
		_, err := c.cfg.Recorder.Append(got.packed)
		if err == nil {
			batch.Archive, err = c.cfg.Recorder.Mark()
		}
		if err != nil {
			return fmt.Errorf("archive %s: %w", r.URL, err)
		}
	}
	batch.Met = []step.Met{met}
	like := step.Requisite{Page: r.Page, Level: r.Level + 1}
	if to := movedTo(got); to != "" {
		like.Level, like.Hops = r.Level, r.Hops+1
		if like.Hops <= c.cfg.Limits.Redirects {
			got.needs.urls = []string{to}
		}
	}
	if err := c.need(&batch, like, got.needs); err != nil {
		return err
	}
	l.note(host)
	batch.Accounts = l.accounts()
	return c.commit(batch)
}

// movedTo returns where an answer leads; empty: nowhere.
func movedTo(got fetched) string {
	if got.err != nil || got.response.Status/100 != 3 {
		return ""
	}
	return got.response.Redirect
}

// fateOf tells what became of a requisite.
func fateOf(got fetched) step.Fate {
	var failure orbweaver.Failure
	if got.err != nil {
		failure = orbweaver.FailureOf(got.err)
	}
	switch {
	case errors.Is(got.err, errBudget), failure == orbweaver.ErrTooLarge:
		return step.RequisiteLeft
	case failure == orbweaver.ErrPrivate, failure == orbweaver.ErrBadURL:
		return step.RequisiteRefused
	case got.err != nil, got.response.Status/100 >= 4, got.response.Status/100 == 3 && got.response.Redirect == "":
		return step.RequisiteFailed
	}
	return step.RequisiteFetched
}

// forfeit gives up what waits at a host that is down.
func (l *live) forfeit(host string) error {
	account, _ := l.hosts.Account(host)
	fate := step.RequisiteFailed
	if account.Down == orbweaver.ErrPrivate || account.Down == orbweaver.ErrBadURL {
		fate = step.RequisiteRefused
	}
	var all []step.Met
	for _, n := range l.hosts.Forgo(host) {
		r, err := l.c.cfg.Live.Requisites.Book.Requisite(uint64(n))
		if err != nil {
			return err
		}
		all = append(all, step.Met{Requisite: r, Fate: fate})
	}
	if len(all) == 0 {
		return nil
	}
	return l.c.endedAll(all)
}

// forfeitAll gives up what waits at hosts that are down; false if there is none.
func (l *live) forfeitAll() (some bool, err error) {
	if l.c.cfg.Live.Requisites == nil {
		return false, nil
	}
	for _, host := range l.hosts.Unmet() {
		if err := l.forfeit(host); err != nil {
			return true, err
		}
		some = true
	}
	return some, nil
}

// drain decides what comes next when a limit lets no page be requested, no requisite can be now, and none is in flight: wait until one can, or
// none is left.
func (l *live) drain(next time.Duration) (wait time.Duration, err error) {
	alive, probe, _ := l.hosts.Prospect(l.c.cfg.Live.Patience)
	switch {
	case alive:
		return max(next, 1), nil
	case !probe.IsZero():
		return max(probe.Sub(l.c.now()), 1), nil
	}
	_, err = l.forfeitAll()
	return 0, err
}

// A meter counts the bytes of requisites while they are read, so that no budget is exceeded whatever is in flight at once.
type meter struct {
	page, total int64 // budgets; total 0: none

	mu    sync.Mutex
	pages map[uint64]*metering // with requests in flight
	all   int64
}

// metering is what the requisites of a page have had.
type metering struct {
	bytes  int64
	flying int
}

// open begins a request for a page, of which bytes were read so far, and all in all.
func (m *meter) open(page uint64, bytes, all int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.pages) == 0 {
		m.all = all
	}
	p := m.pages[page]
	if p == nil {
		p = &metering{bytes: bytes}
		m.pages[page] = p
	}
	p.flying++
}

// close ends a request of a page.
func (m *meter) close(page uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.pages[page]; p != nil {
		if p.flying--; p.flying == 0 {
			delete(m.pages, page)
		}
	}
}

// left reports whether the budgets have anything for a page.
func (m *meter) left(page uint64) bool { return m.take(page, 0) > 0 }

// take takes up to n bytes of the budgets of a page, and returns how many more there are.
func (m *meter) take(page uint64, n int64) (left int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.pages[page]
	if p == nil {
		return 0
	}
	p.bytes += n
	m.all += n
	left = m.page - p.bytes
	if m.total > 0 {
		left = min(left, m.total-m.all)
	}
	return left
}

// A metered body ends where a budget does.
type metered struct {
	io.ReadCloser
	meter *meter
	page  uint64
	read  *int64
	over  bool // there is more, and no budget
}

// Read reads what the budgets have left.
func (r *metered) Read(b []byte) (int, error) {
	left := r.meter.take(r.page, 0)
	if left <= 0 {
		var one [1]byte
		n, err := r.ReadCloser.Read(one[:])
		if n == 0 {
			return 0, err
		}
		r.over = true
		return 0, errBudget
	}
	n, err := r.ReadCloser.Read(b[:min(int64(len(b)), left)])
	r.meter.take(r.page, int64(n))
	*r.read += int64(n)
	return n, err
}
