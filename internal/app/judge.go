package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/frontier"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/contexts"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/gate"
	"orbweaver/internal/app/wire"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/weburl"
)

// JudgeOptions say how Judge works; the zero value is for people.
type JudgeOptions struct {
	JSON  bool // one JSON object, as docs/formats.md has it
	Force bool // ask for, and judge, what scope or robots.txt refuse too
}

// Judge fetches one page as the crawl of a crawl file would and prints what its focus thinks of it
// and of its links, by what the crawl of that file has learned where its folder lies there and it does not run, else
// as a crawl judges its first page; it says which. Nothing is written.
//
// Errors wrap ErrInput where the file is wrong, the address is none or the archive does not hold it;
// ErrScope or ErrRobots where the crawl would not ask for it; else what kept the page from being
// judged.
func (a *App) Judge(ctx context.Context, file, address string, opts JudgeOptions) error {
	url, problem := addressOf(address)
	stop := a.AfterAWhile("reading the ontology and indexing the archive ...")
	t, err := prepareTrial(ctx, file, a.Wire)
	stop()
	if err := errors.Join(problem, err); err != nil {
		if t != nil {
			err = errors.Join(err, t.web.Close())
		}
		return err
	}
	defer t.web.Close()
	for _, w := range t.warnings {
		console.Say(a.Err, "warning: %s", w)
	}
	t.force = opts.Force
	v := &verdict{URL: url}
	err = t.run(ctx, url, v)
	v.Error = orbweaver.FailureOf(err)
	if opts.JSON {
		return errors.Join(err, v.encode(a.Out))
	}
	a.printVerdict(v)
	return err
}

// addressOf makes a URL of what a user wrote, who may have left out the scheme: then it is http.
func addressOf(address string) (string, error) {
	url, err := weburl.Canonical(address)
	if err != nil && !strings.Contains(address, "://") && !strings.Contains(address, "@") { // mailto: has one
		if with, again := weburl.Canonical("http://" + strings.TrimSpace(address)); again == nil {
			return with, nil
		}
	}
	if errors.Is(err, weburl.ErrCredentials) {
		err = fmt.Errorf("%w: %s", err, crawlfile.NoCredentials)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w (%w)", orbweaver.ErrBadURL, err, orbweaver.ErrInput)
	}
	return url, nil
}

// A glance is a web as judge looks at it: one answer after another, no redirect followed.
type glance interface {
	// fetch asks for a URL once, and returns the answer and its payload as received; accept are the
	// media types asked for, empty: the usual ones. It asks neither scope nor robots.txt. Errors wrap
	// a Failure and name the URL.
	fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error)
	// robots reports whether robots.txt lets a URL be asked for, and the line that decided; known is
	// false where a link's host would have to be asked first, which a look at links is not worth.
	robots(ctx context.Context, url string, link bool) (allowed, known bool, line string)
	// near returns URLs of this web that look most like one that it does not have; at most 3.
	near(url string) []string
	Close() error
}

// A trial is what it takes to judge one page: a crawl without ledger and frontier.
type trial struct {
	web      glance
	scope    func(url string) (ok bool, rule string)
	pipeline *pipeline.Pipeline
	accept   *float64 // score from which the focus accepts, where the file says so
	hops     int      // redirects followed in a row, at most
	force    bool
	warnings []string
	learned  string // as of when pages are judged, where that makes a difference
}

// prepareTrial reads what a crawl file names. The output folder, and a truth that the focus does not
// see, are not looked at.
func prepareTrial(ctx context.Context, path string, wire wire.Wire) (*trial, error) {
	file, err := crawlfile.Load(path)
	if err != nil {
		return nil, err
	}
	if file.Focus.Oracle == nil {
		file.Truth = nil
	}
	c := &crawl{path: path, file: file, wire: wire}
	if err := errors.Join(c.prepareWeb(wire), c.prepareFocus(ctx, file.Focus)); err != nil {
		return nil, errors.Join(err, c.close())
	}
	err = c.look(ctx)
	if err == nil {
		err = reachSpotlight(c.focus, wire, file.AllowPrivate)
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	learned, err := c.recall(ctx)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	t := &trial{
		learned: learned,
		web:     c.glance(), scope: c.gate.Scope.Allows, hops: file.Limits.Redirects,
	}
	reader := page.NewReader(page.Options{MaxBody: file.Limits.Body})
	t.pipeline = &pipeline.Pipeline{
		Read: reader, Complete: contexts.CompleterOf(file, reader), Focus: c.focus, ListAll: !c.obeys(), MaxBody: file.Limits.Body,
	}
	if c.browser != nil {
		t.pipeline.Render = c.browser
	}
	if c.web != nil {
		t.warnings = c.web.Warnings()
	}
	if o := file.Focus.Ontology; o != nil {
		t.accept = o.Accept
	}
	return t, nil
}

// glance is the web of a crawl, to be looked at.
func (c *crawl) glance() glance {
	f := c.file
	if c.web != nil {
		return &archived{c.web, acceptedBy(f.Focus, answering(f.Documents, c.web)), c.gate, f.Limits.Body, c.close}
	}
	return &visit{
		answers: acceptedBy(f.Focus, answering(f.Documents, liveWeb{c.client})), locate: c.client.Locate, gate: c.gate,
		limit: f.Limits.Body, close: c.close, turns: frontier.New(turnsOf(f)), hops: map[string]int{}, lost: map[string]error{},
	}
}

// archived is an archive at a glance, with the documents that stand before it.
type archived struct {
	web     *archive.Web
	answers pipeline.Fetcher
	gate    *gate.Gate
	limit   int64 // bytes of a payload
	close   func() error
}

func (w *archived) Close() error { return w.close() }

func (w *archived) fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: w.answers, MaxBody: w.limit}
	response, payload, err := p.Ask(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	return response, payload, nil
}

// robots asks the gate, which scope has let pass before.
func (w *archived) robots(_ context.Context, url string, _ bool) (allowed, known bool, line string) {
	allowed, line = w.gate.Admits(url)
	return allowed, true, line
}

func (w *archived) near(url string) []string {
	list := newNearest(url)
	for entry := range w.web.All() {
		list.offer(entry.URL)
	}
	return list.best(maxNear)
}

// run fetches a URL, follows its redirects and judges what stands at their end. The verdict holds
// what came of it as far as it came.
func (t *trial) run(ctx context.Context, url string, v *verdict) error {
	response, payload, err := t.answer(ctx, url, v)
	if err != nil {
		return err
	}
	p, _, err := t.pipeline.Page(ctx, response, payload, pipeline.Direct(t.get))
	if p == nil {
		return err
	}
	v.describe(p)
	if err != nil { // it could not be prepared
		return err
	}
	return t.judge(ctx, p, v)
}

// answer fetches a URL, follows its redirects and returns what stands at their end, which is a page.
func (t *trial) answer(ctx context.Context, url string, v *verdict) (*step.Response, []byte, error) {
	response, payload, err := t.reach(ctx, url, v)
	switch {
	case err != nil:
		return nil, nil, err
	case response.Status/100 == 3 && response.Header.Get("Location") != "":
		return nil, nil, fmt.Errorf("fetch %s: %w", v.last(), orbweaver.ErrBadTarget)
	case response.Status/100 != 2:
		return nil, nil, fmt.Errorf("fetch %s: %w %d", v.last(), orbweaver.ErrStatus, response.Status)
	}
	return response, payload, nil
}

// get fetches what a page's scripts ask for.
func (t *trial) get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	if allowed, _, line := t.web.robots(ctx, url, false); !allowed {
		return nil, nil, fmt.Errorf("fetch %s: %w: %s", url, orbweaver.ErrRobots, line)
	}
	return t.web.fetch(ctx, url, accept)
}

// reach asks until an answer is no redirect.
func (t *trial) reach(ctx context.Context, url string, v *verdict) (*step.Response, []byte, error) {
	var hops []string
	for {
		if err := t.admit(ctx, url, v); err != nil {
			return nil, nil, err
		}
		response, payload, err := t.web.fetch(ctx, url, "")
		if err != nil {
			return nil, nil, t.absent(url, v, err)
		}
		v.Status = response.Status
		if response.Redirect == "" {
			response.Request.Redirects = hops
			return response, payload, nil
		}
		hops = append(hops, url)
		v.Hops = append(v.Hops, hop{url, response.Status, response.Redirect})
		url = response.Redirect
		v.Final = url
		if len(hops) > t.hops || slices.Contains(hops, url) {
			return nil, nil, fmt.Errorf("follow %s: %w", hops[len(hops)-1], orbweaver.ErrRedirects)
		}
	}
}

// admit asks whether the crawl would ask for a URL. What refuses it is noted, and an error unless the
// user insists.
func (t *trial) admit(ctx context.Context, url string, v *verdict) error {
	refused := t.refuses(ctx, url, false)
	if refused == nil {
		return nil
	}
	v.Refused = append(v.Refused, *refused)
	if t.force {
		return nil
	}
	return fmt.Errorf("%s: %w: %s; --force asks for it all the same", url, refused.By, refused.Rule)
}

// refuses returns what keeps a URL from being asked for; nil when nothing is known to.
func (t *trial) refuses(ctx context.Context, url string, link bool) *refusal {
	if ok, rule := t.scope(url); !ok {
		if rule == "" {
			rule = "no pattern of scope covers it"
		} else {
			rule = "scope excludes " + rule
		}
		return &refusal{url, orbweaver.ErrScope, rule}
	}
	if allowed, known, line := t.web.robots(ctx, url, link); known && !allowed {
		return &refusal{url, orbweaver.ErrRobots, line}
	}
	return nil
}

// absent makes the user's error of an address that the archive does not hold, and names the nearest.
// The target of a redirect is not the user's.
func (t *trial) absent(url string, v *verdict, err error) error {
	if !errors.Is(err, orbweaver.ErrAbsent) || len(v.Hops) > 0 {
		return err
	}
	if v.Nearest = t.web.near(url); len(v.Nearest) == 0 {
		return fmt.Errorf("%s: %w from the archive, which has nothing like it (%w)", url, orbweaver.ErrAbsent, orbweaver.ErrInput)
	}
	return fmt.Errorf("%s: %w from the archive; nearest: %s (%w)",
		url, orbweaver.ErrAbsent, strings.Join(v.Nearest, ", "), orbweaver.ErrInput)
}

// judge asks the focus. One that crashes on a page fails this page, as in a crawl.
func (t *trial) judge(ctx context.Context, p *orbweaver.Page, v *verdict) (err error) {
	defer pipeline.Catch(&err, "judge", p.URL)
	j, err := t.pipeline.Judge(ctx, p)
	if err != nil {
		return err
	}
	plan, err := t.pipeline.Plan(ctx, p, j)
	if err != nil {
		return err
	}
	v.judged(j, t.accept)
	v.opinion.AsOf = t.learned
	if k, ok := t.pipeline.Focus.(*krsFocus); ok {
		if v.opinion.Topic, err = k.view(ctx, p); err != nil {
			return fmt.Errorf("judge %s: %w", p.URL, err)
		}
	}
	v.rank(t.offersOf(ctx, p, plan))
	return nil
}

// wordsIn counts the words of a text.
func wordsIn(s string) (n int) {
	var words text.Scanner
	for words.Reset(s); words.Next(); {
		n++
	}
	return n
}
