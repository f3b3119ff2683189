package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/focus/chance"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/internal/wall"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/weburl"
)

// ErrPageless means that a focus judges no pages.
var ErrPageless = errors.New("what it finds are no pages, so that there is none to judge: crawl to see what it finds")

// Of fetches one page as the crawl of a crawl file would, and returns the focus's judgement of the page and of its links.
// The focus knows what that crawl has learned, if its folder exists and no process runs it; else it judges the page as
// the first of a crawl: Opinion.AsOf says which. Nothing is written. With force it requests and judges what scope or
// robots.txt refuse, too.
//
// Errors wrap ErrInput if the file is wrong, the address is not a URL or the archive does not hold it, ErrScope or
// ErrRobots if the crawl would not request it, and else the failure of the page. The verdict stands beside the error of a
// page, as far as it came.
func Of(ctx context.Context, j *job.Job, file assembly.Source, address string, force bool) (*Verdict, error) {
	t, url, err := prepared(ctx, j, file, address, nil)
	if err != nil {
		return nil, err
	}
	t.Force = force
	v := &Verdict{URL: url}
	_, err = t.run(ctx, url, v)
	if v.Error = orbweaver.FailureOf(err); v.Error == orbweaver.ErrPrivate && len(v.Hops) == 0 { // a stranger's page led nowhere
		err = fmt.Errorf("%w: %s", err, starting.Fate{Seed: url, Why: v.Error, Detail: err.Error()}.Mend())
	}
	return v, errors.Join(err, t.Web.Close())
}

// prepared returns the judge run of a crawl file for an address as typed.
func prepared(ctx context.Context, j *job.Job, file assembly.Source, address string, known *Known) (*JudgeRun, string, error) {
	url, problem := AddressOf(address)
	stop := j.AfterAWhile("reading the ontology and indexing the archive ...")
	t, err := judgeRunOf(ctx, file, j.Wire, known)
	stop()
	if err := errors.Join(problem, err); err != nil {
		if t != nil {
			err = errors.Join(err, t.Web.Close())
		}
		return nil, url, err
	}
	for _, w := range t.warnings {
		console.Say(j.Err, "warning: %s", w)
	}
	t.kinds = j.KindsOrAll()
	return t, url, nil
}

// AddressOf returns the URL that a user typed. A missing scheme means http.
func AddressOf(address string) (string, error) {
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

// A PageSource serves a judge run: one response at a time, no redirect followed.
type PageSource interface {
	// Fetch requests a URL once, and returns the response and its payload as received. accept lists the
	// media types; empty means the usual ones. It checks neither scope nor robots.txt. Errors wrap a
	// Failure and name the URL.
	Fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error)
	// Robots reports whether robots.txt allows a URL, and the line that decided. known is false if url
	// is a link's target and the robots.txt of its host is not known: none is fetched for a link.
	Robots(ctx context.Context, url string, link bool) (allowed, known bool, line string)
	// Near returns the URLs of the source most similar to one that it lacks, at most 3.
	Near(url string) []string
	Close() error
}

// A JudgeRun judges one page: a crawl without ledger and frontier.
type JudgeRun struct {
	Web      PageSource
	Scope    func(url string) (ok bool, rule string)
	Pipeline *pipeline.Pipeline
	topic    func(context.Context, *orbweaver.Page) (kind.Topic, error) // nil: the focus has no topic detail
	accept   *float64                                                   // the acceptance threshold, if the file sets one
	Hops     int                                                        // maximum number of redirects in a row
	Force    bool
	kinds    kind.Registry // whose reasons name entities; nil: none do
	warnings []string
	limit    int64        // bytes of a payload
	wants    string       // media types to ask for; empty: the usual ones
	learned  string       // the state of the crawl that the focus knows; empty if it learns nothing
	evidence *chance.Both // of that crawl, for chances; nil: none
}

// judgeRunOf reads a crawl file and the files that it names, except the output folder and a truth that the focus does not
// see. known is what the focus knows; nil: what the crawl of the file has learned, if no process runs it.
func judgeRunOf(ctx context.Context, from assembly.Source, wire wire.Wire, known *Known) (*JudgeRun, error) {
	path := from.Path
	file, err := from.Load()
	if err != nil {
		return nil, err
	}
	if kind.AbilitiesOf(file.Focus).Pageless {
		return nil, fmt.Errorf("focus: %s: %w (%w)", file.Focus.Key(), ErrPageless, orbweaver.ErrInput)
	}
	if !kind.AbilitiesOf(file.Focus).Knowing {
		file.Truth = nil
	}
	c := &assembly.Crawl{Path: path, File: file, Wire: wire}
	folder := ""
	if known != nil {
		folder, c.Forget = known.Folder, known.Forget
	}
	err = c.PrepareWeb(wire)
	if err == nil {
		err = c.PrepareFocus(ctx, folder)
	}
	if err == nil {
		err = c.Look(ctx)
	}
	if err == nil {
		err = c.Focus.Reach(wire, file.AllowPrivate)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	var learned string
	var evidence *chance.Both
	if known != nil {
		learned, err = known.AsOf, known.Teach(ctx, c.Focus.Focus())
	} else {
		learned, evidence, err = recall(ctx, c)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	t := &JudgeRun{
		learned: learned, evidence: evidence, limit: file.Limits.Body,
		Web: Source(c), Scope: c.Gate.Scope.Allows, Hops: file.Limits.Redirects,
		topic: c.Focus.Topic, accept: c.Focus.AcceptFrom(),
	}
	reader := page.NewReader(services.Reading(file))
	t.Pipeline = &pipeline.Pipeline{
		Read: reader, Complete: contexts.CompleterOf(c.Focus.Focus(), kind.AbilitiesOf(file.Focus).Data, kind.AbilitiesOf(file.Focus).Syntaxes, file.Limits.Redirects, reader), Focus: c.Focus.Focus(), ListAll: !c.Obeys(), MaxBody: max(file.Limits.Body, kind.DumpOf(file)),
	}
	if !kind.AbilitiesOf(file.Focus).Paper {
		t.Pipeline.Check = wall.Check
	}
	if c.Browser != nil {
		t.Pipeline.Render = c.Browser
	}
	if c.Web != nil {
		t.warnings = c.Web.Warnings()
	}
	return t, nil
}

// Source returns the web of a crawl as a PageSource.
func Source(c *assembly.Crawl) PageSource {
	f := c.File
	if c.Web != nil {
		return &archiveSource{c.Web, services.AcceptedBy(f.Focus, services.Answering(f.Documents, c.Web)), c.Gate, f.Limits.Body, c.Close}
	}
	return &liveSource{
		answers: services.AcceptedBy(f.Focus, services.Answering(f.Documents, services.LiveWeb{Client: c.Client})), locate: c.Client.Locate, gate: c.Gate,
		limit: f.Limits.Body, close: c.Close, turns: c.NewTurns(assembly.TurnsOf(f)), hops: map[string]int{}, lost: map[string]error{},
	}
}

// An archiveSource serves the documents of the crawl file and then an archive.
type archiveSource struct {
	web     *archive.Web
	answers pipeline.Fetcher
	gate    *gate.Gate
	limit   int64 // bytes of a payload
	close   func() error
}

func (w *archiveSource) Close() error { return w.close() }

func (w *archiveSource) Fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: w.answers, MaxBody: w.limit}
	response, payload, err := p.Ask(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	return response, payload, nil
}

// Robots asks the gate. url is in scope.
func (w *archiveSource) Robots(_ context.Context, url string, _ bool) (allowed, known bool, line string) {
	allowed, line = w.gate.Admits(url)
	return allowed, true, line
}

func (w *archiveSource) Near(url string) []string {
	list := NewNearest(url)
	for entry := range w.web.All() {
		list.Offer(entry.URL)
	}
	return list.Best(MaxNear)
}

// run fetches a URL, follows its redirects and judges the page at their end, which it returns. On an error the verdict
// holds the steps before it.
func (t *JudgeRun) run(ctx context.Context, url string, v *Verdict) (*orbweaver.Page, error) {
	response, payload, err := t.Answer(ctx, url, v)
	if err != nil {
		return nil, err
	}
	p, _, err := t.Pipeline.Page(ctx, response, payload, pipeline.Direct(t.Get))
	if p == nil {
		return nil, err
	}
	v.describe(p)
	if err != nil { // preparation failed; the page is still described
		return p, err
	}
	return p, t.judge(ctx, p, v)
}

// Answer fetches a URL, follows its redirects and returns the 2xx response at their end.
func (t *JudgeRun) Answer(ctx context.Context, url string, v *Verdict) (*step.Response, []byte, error) {
	response, payload, err := t.reach(ctx, url, v)
	switch {
	case err != nil:
		return nil, nil, err
	case response.Status/100 == 3 && response.Header.Get("Location") != "":
		return nil, nil, fmt.Errorf("fetch %s: %w", v.Last(), orbweaver.ErrBadTarget)
	case response.Status/100 != 2:
		return nil, nil, fmt.Errorf("fetch %s: %w %d", v.Last(), orbweaver.ErrStatus, response.Status)
	}
	return response, payload, nil
}

// Get fetches a subresource, if robots.txt allows it.
func (t *JudgeRun) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	if allowed, _, line := t.Web.Robots(ctx, url, false); !allowed {
		return nil, nil, fmt.Errorf("fetch %s: %w: %s", url, orbweaver.ErrRobots, line)
	}
	return t.Web.Fetch(ctx, url, accept)
}

// reach follows redirects to the first response that is not one.
func (t *JudgeRun) reach(ctx context.Context, url string, v *Verdict) (*step.Response, []byte, error) {
	var hops []string
	for {
		if err := t.admit(ctx, url, v); err != nil {
			return nil, nil, err
		}
		response, payload, err := t.Web.Fetch(ctx, url, t.wants)
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
		if len(hops) > t.Hops || slices.Contains(hops, url) {
			return nil, nil, fmt.Errorf("follow %s: %w", hops[len(hops)-1], orbweaver.ErrRedirects)
		}
	}
}

// admit checks that the crawl would request a URL. A refusal is noted in the verdict; without --force it
// is an error.
func (t *JudgeRun) admit(ctx context.Context, url string, v *Verdict) error {
	refused := t.refuses(ctx, url, false)
	if refused == nil {
		return nil
	}
	v.Refused = append(v.Refused, *refused)
	if t.Force {
		return nil
	}
	return fmt.Errorf("%s: %w: %s; --force requests it anyway", url, refused.By, refused.Rule)
}

// refuses returns the rule that keeps a URL from being requested; nil if none is known.
func (t *JudgeRun) refuses(ctx context.Context, url string, link bool) *Refusal {
	if ok, rule := t.Scope(url); !ok {
		if rule == "" {
			rule = "no pattern of scope covers it"
		} else {
			rule = "scope excludes " + rule
		}
		return &Refusal{url, orbweaver.ErrScope, rule}
	}
	if allowed, known, line := t.Web.Robots(ctx, url, link); known && !allowed {
		return &Refusal{url, orbweaver.ErrRobots, line}
	}
	return nil
}

// absent turns the error of an address that the archive does not hold into an ErrInput that names the
// most similar URLs, unless a redirect led to the address.
func (t *JudgeRun) absent(url string, v *Verdict, err error) error {
	if !errors.Is(err, orbweaver.ErrAbsent) || len(v.Hops) > 0 {
		return err
	}
	if v.Nearest = t.Web.Near(url); len(v.Nearest) == 0 {
		return fmt.Errorf("%s: %w from the archive, which has no similar URL (%w)", url, orbweaver.ErrAbsent, orbweaver.ErrInput)
	}
	return fmt.Errorf("%s: %w from the archive; nearest: %s (%w)",
		url, orbweaver.ErrAbsent, strings.Join(v.Nearest, ", "), orbweaver.ErrInput)
}

// judge asks the focus for its judgement and plan. A panic fails the page, as in a crawl.
func (t *JudgeRun) judge(ctx context.Context, p *orbweaver.Page, v *Verdict) (err error) {
	defer pipeline.Catch(&err, "judge", p.URL)
	j, err := t.Pipeline.Judge(ctx, p)
	if err != nil {
		return err
	}
	plan, err := t.Pipeline.Plan(ctx, p, j)
	if err != nil {
		return err
	}
	v.Judged(j, t.accept, t.kinds)
	v.Opinion.AsOf = t.learned
	if t.evidence != nil {
		v.Opinion.Chance = t.evidence.Pages.Chance(j)
	}
	if t.topic != nil {
		if v.Opinion.Topic, err = t.topic(ctx, p); err != nil {
			return fmt.Errorf("judge %s: %w", p.URL, err)
		}
	}
	v.Rank(t.offersOf(ctx, p, plan))
	if t.evidence != nil {
		t.estimate(v.Best)
		t.estimate(v.Worst)
	}
	return nil
}

// estimate sets the chances of links.
func (t *JudgeRun) estimate(links []RankedLink) {
	for i := range links {
		links[i].Chance = t.evidence.Links.Chance(links[i].Score)
	}
}

// wordsIn counts the words of a text.
func wordsIn(s string) (n int) {
	var words text.Scanner
	for words.Reset(s); words.Next(); {
		n++
	}
	return n
}
