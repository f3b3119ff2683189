package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/logging"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/weburl"
)

// SnapshotEvery is how many outcomes lie between two snapshots of a focus: what a resume learns
// again at most.
const SnapshotEvery = 256

// A Source is where the crawl file of a crawl is.
type Source struct {
	Path string                           // as its user names it
	Load func() (*crawlfile.Crawl, error) // may be called twice
}

// FromFile is a crawl file.
func (a *App) FromFile(path string) Source {
	return Source{path, func() (*crawlfile.Crawl, error) { return a.Schema().Load(path) }}
}

// Crawl runs the crawl of a crawl file, or goes on with it, until it is over or ctx ends it. Then it
// prints what came of it and where the report is. Errors that wrap ErrInput, ErrForeign or ErrBusy
// left everything as it was.
func (a *App) Crawl(ctx context.Context, file string) error {
	sum, err := a.Run(ctx, a.FromFile(file), 0)
	return a.printed(sum, err)
}

// Refresh asks the accepted pages of a crawl of the live Web again that are older than an age, and
// tells what is new, changed and gone.
func (a *App) Refresh(ctx context.Context, file string, age time.Duration) error {
	sum, err := a.Run(ctx, a.FromFile(file), age)
	return a.printed(sum, err)
}

// printed prints a summary, where there is one, and passes the error on.
func (a *App) printed(s *Summary, err error) error {
	if s != nil {
		PrintSummary(a.Out, a.Columns(), s)
		for _, w := range s.Warnings {
			console.Say(a.Err, "warning: %s", w)
		}
	}
	return err
}

// Run runs one session of a crawl, until it is over or ctx ends it, and sums up what came of it; of a refresh, when accepted
// pages are older than an age above 0. There is a summary beside the errors of a crawl that was interrupted, and of one that
// fetched nothing.
func (a *App) Run(ctx context.Context, from Source, refresh time.Duration) (*Summary, error) {
	a, log := a.logged()
	defer log.Close()
	m, err := a.measure(ctx)
	if err != nil {
		return nil, err
	}
	defer m.close()
	stop := a.AfterAWhile("reading what the crawl begins with, and indexing the archive ...")
	c, err := a.prepareSession(ctx, from, refresh > 0)
	stop()
	if err != nil {
		return nil, err
	}
	c.meter, c.log = m, log
	defer c.close()
	if err := a.greet(c, refresh); err != nil {
		return nil, err
	}
	c.env.Console, c.env.Yes = &a.Console, a.Yes
	if err := c.focus.Settle(ctx, c.env); err != nil {
		return nil, owned(ctx, c.file.Output, err)
	}
	if err := c.open(); err != nil {
		return nil, owned(ctx, c.file.Output, err)
	}
	c.beginLog()
	a.tellOver(c)
	progress, err := a.sit(ctx, c)
	err = errors.Join(err, c.remember(c.ledger))
	c.endLog(progress)
	if err != nil {
		err = errors.Join(err, c.ledger.Close())
		return nil, errors.Join(err, c.unmake(progress, err))
	}
	// The folder is ours until the report is written: nobody else writes one meanwhile.
	s, err := c.conclude(progress)
	if err = errors.Join(err, c.ledger.Close()); err != nil {
		return nil, err
	}
	if progress.Ended == "" {
		return s, fmt.Errorf("%s: %w; the same command goes on", c.file.Output, console.ErrInterrupted)
	}
	return s, c.fetchedNothing(progress)
}

// unmake removes the folder that a crawl made which could not begin, by what its user has to mend: in the
// folder it would be another crawl that the mended file asks for.
func (c *crawl) unmake(progress step.Progress, why error) error {
	if c.resumed || progress.Requests > 0 || !errors.Is(why, orbweaver.ErrInput) {
		return nil
	}
	return os.RemoveAll(c.file.Output)
}

// A crawl is a crawl file with its parts.
type crawl struct {
	path     string
	file     *crawlfile.Crawl
	wire     wire.Wire
	searched []string        // seeds that a search engine named in this session
	web      *archive.Web    // nil: the live Web
	client   *client.Client  // of the live Web
	book     *endpoints.Book // what is known of its endpoints; nil: an archive is crawled
	gate     *gate.Gate
	focus    kind.Instance // with what its kind adds to the crawl
	env      *kind.Env     // where it is built
	survey   *survey       // nil without a truth
	browser  *browser      // nil: nothing is rendered
	ledger   *ledger.Ledger
	resumed  bool                   // the folder was there
	hosts    []step.Account         // of the live Web, when the session is over
	refused  []step.Refused         // links that were not followed, likewise
	stranded bool                   // the focus followed no link at all, and nothing waits
	gaps     []orbweaver.Suggestion // of the focus, likewise
	links    *eval.LinkFigures      // how well their classes were predicted, likewise; nil: none was
	view     kind.View              // what was found beside pages, likewise
	running  bool                   // it goes on while it is told of: see standing
	refresh  time.Duration          // 0: a crawl as usual
	changes  *changes               // of a refresh
	meter    *meter                 // nil: nothing is measured

	decisions []orbweaver.Decision // to be taken up as in an earlier crawl

	log    *logging.Log    // of this session
	going  *going          // how it goes
	barren []starting.Fate // seeds that gave no page, when the session is over
	before step.Progress   // of a crawl that was over before this session; else zero
}

// close releases all but the ledger.
func (c *crawl) close() error {
	var errs []error
	if c.client != nil {
		errs = append(errs, c.client.Close())
	}
	if c.browser != nil {
		errs = append(errs, c.browser.Close())
	}
	if c.gate != nil {
		errs = append(errs, c.gate.Close())
	}
	if c.focus != nil {
		errs = append(errs, c.focus.Close())
	}
	return errors.Join(append(errs, closeAll(c.web))...)
}

// greet says what was amiss with the archive, or would be with a guest of the live Web, and what
// cannot be refreshed.
func (a *App) greet(c *crawl, refresh time.Duration) error {
	if c.web != nil {
		a.warn(c.web)
	} else {
		a.warnLive(c.file)
	}
	switch {
	case refresh == 0:
		return nil
	case c.web != nil:
		return fmt.Errorf("%s: --refresh asks the live Web again, and web: names an archive (%w)", c.path, orbweaver.ErrInput)
	case crawlfolder.IsFresh(c.file.Output):
		return fmt.Errorf("%s: --refresh: nothing was crawled yet (%w)", c.file.Output, orbweaver.ErrInput)
	}
	c.refresh, c.changes = refresh, &changes{}
	return nil
}

// warn tells what was amiss with an archive and did not stop it from being read.
func (a *App) warn(web *archive.Web) {
	for _, w := range web.Warnings() {
		console.Say(a.Err, "warning: %s", w)
	}
}

// open takes possession of the crawl folder. The file as run is the first thing in a new one, so that
// a folder is known for what it is whenever the crawl is killed; in one that is there it is not
// touched before the ledger is ours.
func (c *crawl) open() (err error) {
	fresh := crawlfolder.IsFresh(c.file.Output)
	if fresh {
		if err := crawlfolder.Make(c.file); err != nil {
			return err
		}
	}
	if c.ledger, err = ledger.OpenWithin(c.file.Output, c.file.Memory/2); err != nil {
		return err
	}
	if c.resumed = !fresh; !fresh {
		err = errors.Join(crawlfolder.Make(c.file), c.catchUp())
	}
	if err = errors.Join(err, c.focus.Open(c.env)); err != nil {
		return errors.Join(err, c.ledger.Close())
	}
	return nil
}

// prepare reads all that a crawl file names and writes nothing.
func prepare(ctx context.Context, from Source, wire wire.Wire) (*crawl, error) {
	file, err := from.Load()
	if err != nil {
		return nil, err
	}
	c := &crawl{path: from.Path, file: file, wire: wire, log: logging.New(io.Discard, logging.Options{})}
	problems := []error{crawlfolder.Check(file), c.prepareWeb(wire), c.prepareFocus(ctx, file.Output), c.prepareDecisions()}
	if err := errors.Join(problems...); err != nil {
		return nil, errors.Join(err, checkTruth(file.Truth), c.close())
	}
	if err := c.look(ctx); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// prepareWeb opens the archive, or what the live Web is asked with, and the browser.
func (c *crawl) prepareWeb(wire wire.Wire) (err error) {
	var problem error
	if c.file.Web == nil {
		c.book = endpoints.New()
		wire.Options.Query = func(r orbweaver.Request) (orbweaver.Request, string, []byte) { return c.book.Put(r) }
		c.client, err = newClient(c.file, wire)
		err = errors.Join(err, checkLive(c.file, c.path))
	} else {
		c.web, err = openWeb(c.file.Web, c.file.Limits)
	}
	c.browser, problem = newBrowser(c.file)
	return errors.Join(err, problem)
}

// prepareFocus prepares the focus, as the crawl in a folder began with it; empty: as the crawl file has it now.
func (c *crawl) prepareFocus(ctx context.Context, folder string) (err error) {
	c.env = &kind.Env{
		Path: c.path, File: c.file, Folder: folder, Wire: c.wire, Client: c.client, Web: c.web, Book: c.book,
		Fetch: c.fetcher, Get: c.document,
	}
	c.focus, err = kind.New(ctx, c.file.Focus, c.env)
	return err
}

// document asks the archive for a document, whole and decoded.
func (c *crawl) document(ctx context.Context, url string) ([]byte, error) {
	lens := newLens(c.file.Schema, c.web, c.file.Documents, c.file.Limits, nil)
	response, payload, err := lens.get(ctx, url, "")
	if err == nil && response.Status/100 != 2 {
		err = fmt.Errorf("%s answered %d (%w)", url, response.Status, orbweaver.ErrInput)
	}
	if errors.Is(err, orbweaver.ErrAbsent) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if err == nil {
		payload, err = page.Decode(response.Header, payload, c.file.Limits.Body)
	}
	return payload, err
}

// prepareDecisions reads what is to be decided as in an earlier crawl.
func (c *crawl) prepareDecisions() (err error) {
	if c.file.Decisions == "" {
		return nil
	}
	if c.file.Web == nil {
		return fmt.Errorf("%s: decisions: they have their places in the crawl of an archive only: add web: {archive: PATH} (%w)", c.path, orbweaver.ErrInput)
	}
	if c.focus == nil { // what is wrong with it is told already
		return nil
	}
	if _, takes := kind.Decider(c.focus.Focus()); !takes {
		return fmt.Errorf("%s: decisions: a focus of this kind (%s) takes none: only an ontology grows (%w)", c.path, c.file.Focus.Key(), orbweaver.ErrInput)
	}
	c.decisions, err = readDecisions(c.file.Decisions)
	return err
}

// checkTruth finds what is wrong with a truth file, for a crawl that is not to be: else the survey
// does.
func checkTruth(truth *crawlfile.Truth) error {
	if truth == nil || truth.File == "" {
		return nil
	}
	_, err := eval.LoadTopics(truth.File, truth.Topics, weburl.Canonical)
	return err
}

// closeAll closes a web if there is one.
func closeAll(web *archive.Web) error {
	if web == nil {
		return nil
	}
	return web.Close()
}

// obeys reports whether the crawl does what robots.txt files ask, and what pages ask of robots.
func (c *crawl) obeys() bool {
	return c.file.Politeness.Robots && (c.file.Web == nil || c.file.Web.Robots == "archived")
}

// look makes the gate and, where the file has a truth, surveys the archive.
func (c *crawl) look(ctx context.Context) (err error) {
	f := c.file
	if c.gate, err = gate.New(f.Scope, c.web, f.Web != nil && c.obeys(), f.Politeness.UserAgent); err != nil {
		return err
	}
	if f.Truth != nil {
		if c.survey, err = surveyWeb(ctx, c.web, newLens(f.Schema, c.web, f.Documents, f.Limits, nil, f.Focus), c.gate, f.Truth, f.Seeds.URLs); err != nil {
			return err
		}
	}
	if c.survey != nil {
		c.env.Guide = c.survey.graph.Distances(c.survey.truth)
	}
	return c.focus.Look(ctx, c.env)
}

// sit runs one session of a crawl whose ledger is open, progress shown.
func (a *App) sit(ctx context.Context, c *crawl) (step.Progress, error) {
	before := c.ledger.Progress()
	begun, err := c.begun()
	if err == nil {
		err = errors.Join(c.focus.Begin(c.env, begun), a.searchSeeds(ctx, c, begun))
	}
	if err != nil {
		return before, err
	}
	parts, err := c.assemble()
	if err != nil {
		return before, err
	}
	line := a.startProgress(c, before)
	failures := map[orbweaver.Failure]int64{}
	parts.cfg.Fetch = c.going.watching(parts.cfg.Fetch)
	var session *engine.Crawl
	parts.cfg.Observe = func(o orbweaver.Outcome, p step.Progress) {
		if o.Err != nil {
			failures[orbweaver.FailureOf(o.Err)]++
		}
		line.Tell(c.going.snapshot(o, p, parts.turns))
		c.log.Outcome(o)
		c.changes.note(o)
		c.book.Observe(o)
		c.focus.Observe(o)
		c.meter.observe(o)
		if a.watch != nil {
			a.watch(c.ledger, session, p)
		}
	}
	c.meter.attach(&parts.cfg)
	session = engine.New(parts.cfg, before)
	hangUp := a.listen(c, session, parts.turns, failures)
	c.meter.begin(c, session, parts.turns, failures)
	progress, err := session.Run(ctx)
	c.meter.end()
	line.Close()
	if n := session.NotReplayed(); n > 0 {
		console.Say(a.Err, "warning: what the last %d pages before the crash taught is forgotten: the crawl keeps no archive to read them again from", n)
	}
	return progress, errors.Join(err, hangUp(), c.focus.End(ctx, c.env, c.ledger, err), parts.close())
}

// conclude writes the report, and what was found beside pages, and sums up.
func (c *crawl) conclude(progress step.Progress) (*Summary, error) {
	sum := c.newSummary()
	if err := c.writeReport(progress, sum); err != nil {
		return nil, err
	}
	if c.view.Keep != nil {
		if err := c.view.Keep(c.file.Output); err != nil {
			return nil, err
		}
	}
	return c.summaryOf(progress, sum), nil
}

// facts are what a report tells beside the pages.
func (c *crawl) facts(progress step.Progress) eval.CrawlFacts {
	f := c.file
	facts := eval.CrawlFacts{
		Name: f.Name(), Focus: kind.Line(f.Focus), Seeds: f.Seeds.URLs, Ended: progress.Ended,
	}
	facts.SeedOf = c.seedOf()
	kind.Of(f.Focus).Facts(f.Focus.Section(), &facts)
	limit := func(name string, n int64) {
		if n > 0 {
			facts.Limits = append(facts.Limits, eval.Fact{Name: name, Value: fmt.Sprint(n)})
		}
	}
	limit("pages", f.Limits.Pages)
	limit("requests", f.Limits.Requests)
	limit("depth", int64(f.Limits.Depth))
	limit("bytes", f.Limits.Bytes)
	limit("pages of one host", f.Limits.PerHost)
	if f.Limits.Time > 0 {
		facts.Limits = append(facts.Limits, eval.Fact{Name: "time", Value: f.Limits.Time.String()})
	}
	facts.Folder, facts.Hosts, facts.Suggestions = console.Relative(f.Output), c.hosts, c.gaps
	facts.More = append(facts.More, eval.Fact{Name: "web", Value: describeWeb(f.Web)},
		eval.Fact{Name: "time spent", Value: progress.Active.Round(time.Millisecond).String()})
	facts.More = append(facts.More, c.changes.facts()...)
	facts.More = append(facts.More, c.seedFacts()...)
	for _, w := range slices.Concat(c.strandedWords(), c.view.Warnings) {
		facts.More = append(facts.More, eval.Fact{Name: "warning", Value: w})
	}
	facts.Refused, facts.Rounds = eval.RefusedFacts(c.refused), c.view.Rounds
	if c.view.Facts != nil && !c.running {
		c.view.Facts(&facts)
	}
	if c.web != nil {
		for _, w := range c.web.Warnings() {
			facts.More = append(facts.More, eval.Fact{Name: "warning", Value: w})
		}
	}
	if s := c.survey; s != nil {
		facts.Truth, facts.TruthName, facts.Reachable = s.truth, s.name, s.reachable
	}
	return facts
}

// suggestions are those of the focus, if it has some.
func (c *crawl) suggestions() []orbweaver.Suggestion {
	if c.focus == nil {
		return nil
	}
	suggester, ok := kind.Suggester(c.focus.Focus())
	if !ok {
		return nil
	}
	list, err := suggester.Suggestions(context.Background())
	if err != nil {
		return nil // a report without them is still one
	}
	return list
}

// describeWeb names a web on one line.
func describeWeb(web *crawlfile.Web) string {
	if web == nil {
		return "live"
	}
	return fmt.Sprint(web.Archive)
}

// seedOf tells where seeds come from, where they come from more than the crawl file; else nil. What a search engine named is
// among the crawl file's in the session in which it was asked, and not later.
func (c *crawl) seedOf() func(url string) string {
	var from string
	var drawn []string
	if c.focus != nil {
		from, drawn = c.focus.Drawn()
	}
	if len(drawn) == 0 && c.file.Seeds.Search == nil {
		return nil
	}
	return func(url string) string {
		switch {
		case slices.Contains(drawn, url):
			return from
		case slices.Contains(c.searched, url), c.file.Seeds.Search != nil && !slices.Contains(c.file.Seeds.URLs, url):
			return "the search engine"
		}
		return "the crawl file"
	}
}
