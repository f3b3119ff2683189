package assembly

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"path"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/changes"
	"orbweaver/internal/recording"
	"orbweaver/internal/recrawl"
	"orbweaver/internal/step"
	"orbweaver/server"
	"orbweaver/weburl"
)

// A watch schedules the visits of a crawl's pages, keeps them in the ledger, and logs what changed. Its methods run on the decider goroutine.
type watch struct {
	c        *Crawl
	schedule *recrawl.Schedule
	pages    map[uint64]*watchedPage
	numbers  map[string]uint64 // of pages by URL
	perHost  *recrawl.Quota
	log      *changes.Log
	kept     watchState
	since    func(orbweaver.Outcome) *orbweaver.Version // of the archive; nil: there is none
	told     func(length int64)                         // called when the log has grown
	tries    map[uint64]int                             // of requests that were never answered
	shown    *server.Watch                              // the latest figures
	shownAt  time.Time
	still    bool // a copy with shown alone
}

// watchState is what is kept of the watch itself, under number 0.
type watchState struct {
	Since   int64     `json:"since"`          // outcomes before the first visit
	Changes int64     `json:"changes"`        // length of the log
	Round   time.Time `json:"round,omitzero"` // when the last round began
}

// A watchedPage is one that is visited.
type watchedPage struct {
	url   string
	score float64 // 0: it is not accepted
	list  bool    // a sitemap or a feed
	found float64 // pages found by its links
	yield float64 // of these, those that were accepted, weighted by score
	keptVisits
}

// least is what a page is worth at least that is visited for what it is, and for its links.
const (
	leastScore = 0.05
	leastList  = 0.1
)

// worth is what it is worth that a page is up to date: its score if it is accepted, and the share of accepted pages among those that its links
// led to, as if two more had been found of which a quarter was.
func (p *watchedPage) worth() float64 {
	var w float64
	if p.score > 0 {
		w = max(p.score, leastScore)
	}
	if p.yield > 0 || p.list {
		w += max((p.yield+0.5)/(p.found+2), leastList)
	}
	return min(w, 1)
}

// newWatch reads what the ledger knows of pages and of earlier visits.
func (c *Crawl) newWatch(turns *frontier.Frontier, archived *recording.Recorder) (*watch, error) {
	w := &watch{c: c, pages: map[uint64]*watchedPage{}, numbers: map[string]uint64{}, perHost: recrawl.NewQuota(c.File.Limits.PerHost), told: func(int64) {}, tries: map[uint64]int{}}
	if archived != nil {
		w.since = archived.Since
	}
	before, begun, err := w.readVisits()
	if err != nil {
		return nil, err
	}
	if !begun {
		w.kept.Since = c.Ledger.Progress().Requests
	}
	now := time.Now()
	if err := w.newSchedule(turns, now); err != nil {
		return nil, err
	}
	if err := w.readPages(before, now); err != nil {
		return nil, err
	}
	if begun {
		if err := w.readWaiting(); err != nil {
			return nil, err
		}
	}
	w.log, err = changes.Open(c.File.Output, w.kept.Changes)
	if err != nil {
		return nil, err
	}
	w.kept.Changes = w.log.Length()
	return w, nil
}

// newSchedule makes the schedule that the crawl file asks for.
func (w *watch) newSchedule(turns *frontier.Frontier, now time.Time) error {
	s := w.c.File.Schedule
	times, err := s.Times()
	if err != nil {
		return err
	}
	last := w.kept.Round
	if last.IsZero() {
		last = now
	}
	w.schedule = recrawl.New(recrawl.Options{
		Requests: s.Requests, Times: times, Explore: s.Explore, Least: s.Least, Seed: uint64(s.Seed),
		Delay: func(host string) time.Duration {
			a, _ := turns.Account(host)
			return a.Delay
		},
	}, last)
	return nil
}

// readVisits returns what is kept of visits, and whether there was a watch before.
func (w *watch) readVisits() (all map[uint64]keptVisits, begun bool, err error) {
	all = map[uint64]keptVisits{}
	for v, err := range w.c.Ledger.Visits() {
		if err != nil {
			return nil, false, err
		}
		var into any = new(keptVisits)
		if v.ID == 0 {
			into, begun = &w.kept, true
		}
		if err := json.Unmarshal(v.Kept, into); err != nil {
			return nil, false, fmt.Errorf("visits of request %d: %w: %w", v.ID, orbweaver.ErrDamaged, err)
		}
		if k, ok := into.(*keptVisits); ok {
			all[v.ID] = *k
		}
	}
	return all, begun, nil
}

// latest is the last outcome of a request, as far as a watch needs it.
type latest struct {
	url, parent string
	score       float64
	list, page  bool
	at          time.Time
}

// readPages fills the schedule with the pages of the crawl that are worth a visit.
func (w *watch) readPages(before map[uint64]keptVisits, now time.Time) error {
	all := map[uint64]latest{}
	var order []uint64
	threshold := w.c.Ledger.Progress().Threshold
	for o, err := range w.c.Ledger.Outcomes(0) {
		if err != nil {
			return err
		}
		id, known := w.c.Ledger.Seen(o.Request)
		if !known || !visitable(o.Request) {
			continue
		}
		l := latest{url: o.Request.URL, parent: o.Request.Parent, at: o.At, page: o.Page != nil, list: isList(o)}
		if step.AcceptedFrom(o.Actual, threshold) {
			l.score = o.Actual.Score
		}
		if _, again := all[id]; !again {
			order = append(order, id)
			if o.N > w.kept.Since { // it was found by a watch
				w.schedule.Spent(o.At, now)
			}
		}
		all[id] = l
	}
	for _, id := range order {
		l := all[id]
		w.pages[id] = &watchedPage{url: l.url, score: l.score, list: l.list, keptVisits: keptVisits{Last: l.at.Unix()}}
		w.numbers[l.url] = id
		if l.page {
			w.perHost.Count(weburl.Host(l.url))
		}
	}
	for _, id := range order {
		w.credit(all[id].parent, all[id].score)
	}
	for _, id := range order {
		p := w.pages[id]
		if k, ok := before[id]; ok {
			p.keptVisits = k
		}
		switch {
		case p.Gone > 0:
			p.score = p.Score
		case !all[id].page:
			continue
		}
		if p.worth() > 0 {
			w.put(id, p, now)
		}
	}
	return nil
}

// credit counts a page for the one whose link led to it.
func (w *watch) credit(parent string, score float64) *watchedPage {
	p := w.pages[w.numbers[parent]]
	if p == nil {
		return nil
	}
	p.found++
	p.yield += score
	return p
}

// put schedules a page.
func (w *watch) put(id uint64, p *watchedPage, now time.Time) {
	host := weburl.Host(p.url)
	w.schedule.Put(recrawl.Page{ID: id, Host: host, Group: groupOf(host, p), Worth: p.worth(), Record: p.record()}, now)
}

// groupOf names the pages whose rates of change are taken to be alike: those of one directory of a host with one kind of file name.
func groupOf(host string, p *watchedPage) string {
	if p.list {
		return host + " lists"
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(p.url, host), "?")
	directory, _, _ := strings.Cut(strings.Trim(strings.TrimPrefix(p.url, host), "/"), "/")
	if strings.Contains(directory, "?") || rest != "" {
		directory += "?"
	}
	return host + " " + directory + " " + path.Ext(p.url)
}

// visitable reports whether a request can be made again by itself.
func visitable(r orbweaver.Request) bool {
	return r.Query == "" && r.State == "" && (strings.HasPrefix(r.URL, "http://") || strings.HasPrefix(r.URL, "https://")) && !strings.Contains(r.URL, "//list.invalid/")
}

// isList reports whether an outcome is a sitemap or a feed.
func isList(o orbweaver.Outcome) bool {
	if o.Request.Purpose == orbweaver.ForSitemap {
		return true
	}
	if o.Page == nil {
		return false
	}
	switch o.Page.MediaType {
	case "application/rss+xml", "application/atom+xml", "application/feed+json":
		return true
	}
	return false
}

// readWaiting offers the requests that wait because the watch found them.
func (w *watch) readWaiting() error {
	for waiting, err := range w.c.Ledger.AllWaiting() {
		if err != nil {
			return err
		}
		if waiting.Parent != "" {
			if o, err := w.c.Ledger.Outcome(waiting.Parent); err != nil || o.N <= w.kept.Since {
				continue
			}
		}
		w.perHost.Bound(waiting.ID, weburl.Host(waiting.URL))
		w.schedule.Offer(waiting.ID, waiting.Score, waiting.Ahead)
	}
	return nil
}

// Due implements engine.Watcher.
func (w *watch) Due(now time.Time, most int) (due []engine.Visit, err error) {
	for _, id := range w.schedule.Due(now, most) {
		v := engine.Visit{ID: id, Fresh: !w.schedule.Has(id)}
		if v.Fresh && !w.perHost.Take(id) {
			w.schedule.Dropped(id)
			continue
		}
		if !v.Fresh {
			if v.Before, err = w.c.Ledger.Outcome(w.pages[id].url); err != nil || orbweaver.FailureOf(v.Before.Err) == orbweaver.ErrRemoved {
				w.schedule.Dropped(id)
				w.schedule.Remove(id)
				continue
			}
		}
		due = append(due, v)
	}
	return due, nil
}

// Next implements engine.Watcher.
func (w *watch) Next(now time.Time) time.Time { return w.schedule.Next(now) }

// Since implements engine.Watcher: the validators of the last answer, else those in the archive.
func (w *watch) Since(v engine.Visit) *orbweaver.Version {
	p := w.pages[v.ID]
	switch {
	case v.Before.Page == nil:
		return nil
	case p != nil && (p.ETag != "" || p.Changed != ""):
		return &orbweaver.Version{ETag: p.ETag, LastModified: p.Changed}
	case w.since == nil:
		return nil
	}
	return w.since(v.Before)
}

// Same implements engine.Watcher: the main text is that of before.
func (w *watch) Same(s engine.Sight) bool {
	digest := textDigest(s.Outcome.Page.Text)
	if p := w.pages[s.ID]; p != nil && p.Text != "" {
		return p.Text == digest
	}
	if s.Old == nil {
		return false
	}
	old := s.Old()
	return old != nil && textDigest(old.Text) == digest
}

// textDigest tells texts apart that differ in more than white space.
func textDigest(text string) string {
	h := fnv.New128a()
	for word := range strings.FieldsSeq(text) {
		h.Write([]byte(word))
		h.Write([]byte{' '})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Found implements engine.Watcher.
func (w *watch) Found(waiting []step.Waiting, byHand bool) {
	for _, next := range waiting {
		if !byHand && !w.perHost.Bound(next.ID, weburl.Host(next.URL)) {
			continue
		}
		w.schedule.Offer(next.ID, next.Score, next.Ahead || byHand)
	}
}

// Saw implements engine.Watcher.
func (w *watch) Saw(s engine.Sight) ([]step.Visit, error) {
	if s.Fresh {
		w.perHost.Over(s.ID)
	}
	if s.Outcome == nil {
		w.schedule.Dropped(s.ID)
		return nil, nil
	}
	at := s.Outcome.At
	if at.IsZero() {
		at = time.Now()
	}
	var visits []step.Visit
	var err error
	if s.Fresh {
		visits, err = w.sawNew(s, at)
	} else {
		visits, err = w.sawAgain(s, at)
	}
	if err != nil {
		return nil, err
	}
	w.hint(s, at)
	w.kept.Round = w.schedule.Round()
	if length := w.log.Length(); length != w.kept.Changes {
		w.kept.Changes = length
		w.told(length)
	}
	state, err := json.Marshal(w.kept)
	return append(visits, step.Visit{Kept: state}), err
}

// triesOfNew is how often a session requests a new page again that gave no answer.
const triesOfNew = 3

// sawNew takes the outcome of a request that was never made.
func (w *watch) sawNew(s engine.Sight, at time.Time) ([]step.Visit, error) {
	w.schedule.Made(s.ID, at)
	o := s.Outcome
	if o.Change == orbweaver.Failed { // it goes on waiting
		if w.tries[s.ID]++; w.tries[s.ID] <= triesOfNew {
			w.schedule.Offer(s.ID, o.Predicted.Score/2, false)
		}
		return nil, nil
	}
	p := &watchedPage{url: o.Request.URL, list: isList(*o), keptVisits: keptVisits{Last: at.Unix()}}
	w.pages[s.ID], w.numbers[p.url] = p, s.ID
	if o.Page == nil {
		return nil, nil
	}
	w.perHost.Count(weburl.Host(p.url))
	if o.Actual.Accepted {
		p.score = o.Actual.Score
	}
	if from := w.credit(o.Request.Parent, p.score); from != nil && w.schedule.Has(w.numbers[from.url]) {
		w.schedule.SetWorth(w.numbers[from.url], from.worth())
	} else if from != nil && from.worth() > 0 && from.Gone == 0 {
		w.put(w.numbers[from.url], from, at)
	}
	p.version(s, o.Page)
	if p.worth() == 0 {
		return nil, nil
	}
	w.put(s.ID, p, at)
	if o.Actual.Accepted && s.Outcome.Duplicate.URL == "" {
		if err := w.note(s, at, changes.New, nil); err != nil {
			return nil, err
		}
	}
	return w.keep(s.ID, p)
}

// version keeps what the next request of a page is conditional on, and its text.
func (p *watchedPage) version(s engine.Sight, page *orbweaver.Page) {
	const longest = 1024
	p.ETag, p.Changed = "", ""
	if len(s.Version.ETag) <= longest && len(s.Version.LastModified) <= longest {
		p.ETag, p.Changed = s.Version.ETag, s.Version.LastModified
	}
	p.Text = textDigest(page.Text)
}

// sawAgain takes what a visit found.
func (w *watch) sawAgain(s engine.Sight, at time.Time) ([]step.Visit, error) {
	p, o, before := w.pages[s.ID], s.Outcome, s.Before
	v := recrawl.Visit{At: at, Result: recrawl.Same}
	v.Modified, _ = http.ParseTime(s.Version.LastModified) // zero if it is none
	wasGone := before.Page == nil
	var err error
	switch o.Change {
	case orbweaver.Failed:
		v.Result = recrawl.Failed
	case orbweaver.Gone:
		if v.Result = recrawl.Gone; !wasGone {
			p.Score, p.Worth = p.score, p.worth()
			err = w.note(s, at, changes.Gone, nil)
		}
	case orbweaver.Moved:
		v.Result = recrawl.Left
		err = w.note(s, at, changes.Moved, nil)
	case orbweaver.Changed:
		v.Result, err = w.changed(s, at, p)
	}
	if err != nil {
		return nil, err
	}
	if page := seenPage(s); page != nil {
		p.version(s, page)
	}
	record, known := w.schedule.Visited(s.ID, v)
	if !known || v.Result == recrawl.Left {
		return []step.Visit{{ID: s.ID}}, nil
	}
	p.take(record)
	if wasGone && v.Result != recrawl.Gone && v.Result != recrawl.Failed {
		p.Score, p.Worth = 0, 0
	}
	w.schedule.SetWorth(s.ID, p.worth())
	return w.keep(s.ID, p)
}

// seenPage is the page that a visit brought; nil: the server said that it is as before, or it brought none.
func seenPage(s engine.Sight) *orbweaver.Page {
	if s.Outcome.Status == http.StatusNotModified || s.Outcome.Change == orbweaver.Failed {
		return nil
	}
	return s.Outcome.Page
}

// changed takes a page whose text or links are others. Of a page that is not accepted the links count, too.
func (w *watch) changed(s engine.Sight, at time.Time, p *watchedPage) (recrawl.Result, error) {
	o, before := s.Outcome, s.Before
	accepted := step.AcceptedFrom(before.Actual, w.c.Ledger.Progress().Threshold)
	p.score = 0
	if o.Actual.Accepted {
		p.score = o.Actual.Score
	}
	if before.Page == nil {
		return recrawl.Changed, w.note(s, at, changes.Back, nil)
	}
	if same := w.Same(s); same && accepted == o.Actual.Accepted {
		if accepted {
			return recrawl.Same, nil
		}
		return recrawl.Changed, nil
	}
	if !accepted && !o.Actual.Accepted {
		return recrawl.Changed, nil
	}
	var old *orbweaver.Page
	if s.Old != nil {
		old = s.Old()
	}
	return recrawl.Changed, w.note(s, at, changes.Changed, old)
}

// note logs a change of a page that is accepted or was; old is its version before, if there is one.
func (w *watch) note(s engine.Sight, at time.Time, kind changes.Kind, old *orbweaver.Page) error {
	o, p := s.Outcome, w.pages[s.ID]
	c := changes.Change{ID: changeID(o.Request.URL, kind, s.Before.N), Time: at.UTC().Truncate(time.Second), URL: o.Request.URL, Kind: kind, To: o.Redirect}
	threshold := w.c.Ledger.Progress().Threshold
	switch {
	case s.Before.Page != nil:
		c.Before = &changes.Verdict{Accepted: step.AcceptedFrom(s.Before.Actual, threshold), Score: s.Before.Actual.Score}
		c.Title = s.Before.Page.Title
	case kind == changes.Back && p.Score > 0:
		c.Before = &changes.Verdict{Accepted: true, Score: p.Score}
	}
	if o.Page != nil {
		c.After = &changes.Verdict{Accepted: o.Actual.Accepted, Score: o.Actual.Score}
		c.Title = o.Page.Title
	}
	if (c.Before == nil || !c.Before.Accepted) && (c.After == nil || !c.After.Accepted) {
		return nil
	}
	if old != nil && o.Page != nil {
		c.Diff, c.Cut = changes.Diff(old.Text, o.Page.Text)
	}
	_, err := w.log.Append(c)
	return err
}

// changeID identifies a change: the version of the page before tells it from others of the same URL.
func changeID(url string, kind changes.Kind, before int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", kind, before, url))
	return hex.EncodeToString(sum[:12])
}

// keep returns what the ledger keeps of a page.
func (w *watch) keep(id uint64, p *watchedPage) ([]step.Visit, error) {
	kept, err := json.Marshal(p.keptVisits)
	return []step.Visit{{ID: id, Kept: kept}}, err
}

// hint passes on what a sitemap or a feed says of its pages.
func (w *watch) hint(s engine.Sight, at time.Time) {
	if page := seenPage(s); page != nil {
		for _, link := range page.Links {
			if id, known := w.numbers[link.To]; known && link.Modified > 0 {
				w.schedule.Hint(id, time.Unix(link.Modified, 0), at)
			}
		}
	}
}

// Close closes the log, and writes the feed anew.
func (w *watch) Close() error {
	if w == nil {
		return nil
	}
	err := w.log.Close()
	return errors.Join(err, changes.WriteFeed(w.c.File.Output, w.c.File.Name())) // of what is in the log
}
