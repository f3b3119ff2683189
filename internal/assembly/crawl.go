package assembly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/access"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/delivery"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/logging"
	"orbweaver/internal/machine"
	"orbweaver/internal/manners"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/recording"
	"orbweaver/internal/requisites"
	"orbweaver/internal/services"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/internal/survey"
	"orbweaver/internal/takedown"
	"orbweaver/internal/urllist"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/weburl"
)

// SnapshotEvery is the number of outcomes between two snapshots of a focus. A resumed crawl replays at most that many.
const SnapshotEvery = 256

// A Source is the origin of a crawl file.
type Source struct {
	Path string                           // as the user wrote it
	Load func() (*crawlfile.Crawl, error) // may be called twice
}

// FromFile returns the Source of a crawl file on disk.
func FromFile(j *job.Job, path string) Source {
	return Source{path, func() (*crawlfile.Crawl, error) { return j.Schema().Load(path) }}
}

// Unmake removes the crawl folder if this session created it and failed on bad input before its first request.
// Otherwise the corrected crawl file would differ from the one in the folder and be refused.
func (c *Crawl) Unmake(progress step.Progress, why error) error {
	if c.resumed || progress.Requests > 0 || !errors.Is(why, orbweaver.ErrInput) {
		return nil
	}
	return os.RemoveAll(c.File.Output)
}

// A Crawl is a crawl file with its parts.
type Crawl struct {
	Path        string
	File        *crawlfile.Crawl
	Wire        wire.Wire
	searched    []string       // seeds that a search engine found in this session
	Web         *archive.Web   // nil: the live Web
	given       *sitemap.Web   // sitemaps of the archive; nil: none
	lists       *urllist.Lists // of URLs; nil: none
	Client      *client.Client // HTTP client; nil if an archive is crawled
	Access      *access.Access // what hosts are sent beside a request; nil: nothing
	Known       *archive.Known // what other archives have; nil: nothing
	recorder    *recording.Recorder
	Book        *endpoints.Book // knowledge about SPARQL endpoints; nil if an archive is crawled
	Gate        *gate.Gate
	sources     *weburl.Scope     // excludes what is a source of links
	Focus       kind.Instance     // the focus with the hooks of its kind
	Env         *kind.Env         // what the focus is built from
	survey      *survey.Survey    // nil without a truth
	Browser     *services.Browser // nil: pages are not rendered
	Ledger      *ledger.Ledger
	others      []*manners.Member // the crawl as others of its network know it: one for each frontier
	Forget      bool              // PrepareFocus makes a focus that leaves out what was learned of things that its input lacks
	Resting     bool              // no session runs: the archive is read, and opened for writing only if that must be
	resumed     bool              // the folder existed
	mended      string            // what Open mended; empty: nothing
	running     bool              // set in the copy that Standing returns
	Gathers     bool              // others run the crawl, of whom the folder is gathered
	Refresh     time.Duration     // minimum age of pages to refresh; 0: no refresh
	Changes     *changed          // found by a refresh
	Watching    bool              // the session is a watch
	watch       *watch            // of such a session
	Meter       *Meter            // nil: no metrics
	Sinks       *delivery.Run     // nil: there are none
	targets     []delivery.Target // opened, and not taken over by Sinks
	undelivered error             // what Sinks lack
	Left        *ongoing.Meter    // what is left to accept; nil: the session visits pages again, finds none, or is one of several workers

	// Set by Remember, after the session or in a standing copy.
	hosts    []step.Account         // of the live Web
	refused  []step.Refused         // links not followed
	stranded bool                   // the focus followed no link and the frontier is empty
	gaps     []orbweaver.Suggestion // suggestions of the focus
	Links    *eval.LinkFigures      // precision of link classes; nil if the focus predicts none
	view     kind.View              // results other than pages
	barren   []starting.Fate        // seeds that gave no page
	waiting  int64                  // requests

	decisions []orbweaver.Decision // to be replayed from an earlier crawl

	outage step.Outage   // of this machine's network; zero: it is up
	Log    *logging.Log  // of this session
	Going  *going        // progress of this session
	Before step.Progress // of a crawl that had ended before this session; otherwise zero
}

// floods is how many HTTP/2 connections were closed because of frames that no request asked for.
func (c *Crawl) floods() int64 {
	if c.Client == nil {
		return 0
	}
	return c.Client.Floods()
}

// Close releases all resources except the ledger.
func (c *Crawl) Close() error {
	var errs []error
	c.Left.Close()
	errs = append(errs, c.closeSinks())
	if c.Client != nil {
		errs = append(errs, c.Client.Close())
	}
	errs = append(errs, c.Access.Close())
	if c.Browser != nil {
		errs = append(errs, c.Browser.Close())
	}
	if c.Gate != nil {
		errs = append(errs, c.Gate.Close())
	}
	c.lists.Close()
	for _, member := range c.others {
		member.Close()
	}
	if c.Focus != nil {
		errs = append(errs, c.Focus.Close())
	}
	return errors.Join(append(errs, services.CloseAll(c.Web))...)
}

// Greet prints warnings about the archive or about politeness on the live Web, and fails if a refresh is impossible.
func Greet(j *job.Job, c *Crawl, refresh time.Duration) error {
	if c.Web != nil {
		j.Warn(c.Web)
	} else {
		warnLive(j, c.File, c.Path)
		if _, warning := c.workers(); warning != "" {
			console.Say(j.Err, "warning: %s", warning)
		}
	}
	if warning := machine.Disk(c.File.Output); warning != "" {
		console.Say(j.Err, "warning: %s", warning)
	}
	if err := machine.Check(); err != nil {
		return err
	}
	switch {
	case c.Watching && !c.File.Schedule.On():
		return fmt.Errorf("%s: the crawl file has no schedule: write schedule: 1000, say, for at most 1000 requests a day (%w)", c.Path, orbweaver.ErrInput)
	case c.Watching && crawlfolder.IsFresh(c.File.Output):
		return fmt.Errorf("%s: there is no crawl to watch yet (%w)", c.File.Output, orbweaver.ErrInput)
	case refresh == 0:
		return nil
	case c.Web != nil:
		return fmt.Errorf("%s: --refresh needs the live Web, but web: names an archive (%w)", c.Path, orbweaver.ErrInput)
	case crawlfolder.IsFresh(c.File.Output):
		return fmt.Errorf("%s: --refresh: there is no crawl yet (%w)", c.File.Output, orbweaver.ErrInput)
	}
	if err := archive.Whole(crawlfolder.Archive(c.File.Output)); err != nil { // pages are compared with what they were
		return fmt.Errorf("%s: pages are visited again with the whole archive: %w", c.File.Output, err)
	}
	c.Refresh, c.Changes = refresh, &changed{}
	return nil
}

// Open opens the crawl folder and locks it. In a new folder it writes crawl.yaml first, so that the folder identifies
// its crawl even if the process is killed. In an existing folder it changes nothing before it holds the ledger's lock.
func (c *Crawl) Open() (err error) {
	fresh := crawlfolder.IsFresh(c.File.Output)
	if fresh {
		if err := crawlfolder.Make(c.File); err != nil {
			return err
		}
	}
	open := func(folder string) (*ledger.Ledger, error) { return ledger.OpenWithin(folder, c.File.Memory/2) }
	if c.Resting {
		open = ledger.OpenForLooks
	} else if err := takedown.Finish(context.Background(), c.File.Output); err != nil {
		return err
	}
	if c.Ledger, err = open(c.File.Output); err != nil {
		return err
	}
	if c.resumed = !fresh; !fresh && !c.Resting {
		if err = crawlfolder.Make(c.File); err == nil {
			err = c.catchUp()
		}
	}
	if !c.Resting {
		if err == nil {
			err = c.proof()
		}
		c.Access.Keep()
	}
	if err == nil {
		err = c.Focus.Open(c.Env)
	}
	if err != nil {
		return errors.Join(err, c.Ledger.Close())
	}
	return nil
}

// proof keeps the crawl file in the ledger, and mends a damaged pages.jsonl.
func (c *Crawl) proof() error {
	text, err := os.ReadFile(filepath.Join(c.File.Output, crawlfolder.RunFile))
	if err == nil {
		err = c.Ledger.KeepFile(text)
	}
	if err != nil {
		return err
	}
	rewritten, err := c.Ledger.Proof(c.File.Output)
	if rewritten {
		c.mended = fmt.Sprintf("%s was damaged, and is written again from the ledger", filepath.Join(c.File.Output, ledger.JournalFile))
	}
	return err
}

// Clock returns a warning if the machine's clock cannot be right, or is behind the last answer of a crawl of the live Web.
func (c *Crawl) Clock() string {
	var last time.Time
	if c.Web == nil {
		for o, err := range c.Ledger.Outcomes(c.Ledger.Progress().Requests - 1) {
			if err == nil {
				last = o.At
			}
		}
	}
	return machine.Clock(time.Now(), last)
}

// Mended returns what Open had to mend in the folder; empty: nothing.
func (c *Crawl) Mended() string { return c.mended }

// Prepare reads a crawl file and everything that it names. It writes nothing.
func Prepare(ctx context.Context, from Source, wire wire.Wire) (*Crawl, error) {
	file, err := from.Load()
	if err != nil {
		return nil, err
	}
	if err := settle(file); err != nil {
		return nil, err
	}
	c := &Crawl{Path: from.Path, File: file, Wire: wire, Log: logging.New(io.Discard, logging.Options{})}
	problems := []error{crawlfolder.Check(file), c.PrepareWeb(wire), c.PrepareFocus(ctx, file.Output), c.prepareDecisions()}
	if err := errors.Join(problems...); err != nil {
		return nil, errors.Join(err, checkTruth(file.Truth), c.Close())
	}
	if err := c.Look(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// PrepareWeb opens the archive, or creates the client of the live Web, and starts the browser.
func (c *Crawl) PrepareWeb(wire wire.Wire) (err error) {
	var problem error
	if c.File.Web == nil {
		c.Book = endpoints.New()
		if c.Access, err = services.OpenAccess(c.Path, c.File, c.File.Output); err != nil {
			return err
		}
		wire.Options.Access = c.Access
		wire.Options.Query = func(r orbweaver.Request) (orbweaver.Request, string, []byte) { return c.Book.Put(r) }
		c.Client, err = services.NewClient(c.File, wire)
		err = errors.Join(err, checkLive(c.File, c.Path))
	} else {
		if c.Web, err = services.OpenWeb(c.File.Web, max(c.File.Limits.Body, kind.DumpOf(c.File))); err == nil {
			c.given = sitemap.New(c.Web, c.File.Web.Sitemap, nil)
		}
	}
	c.Browser, problem = services.NewBrowser(c.File)
	if err = errors.Join(err, problem); err == nil {
		c.lists, err = c.File.Listed().Open()
	}
	return err
}

// PrepareFocus creates the focus with the state saved in folder. If folder is empty, the crawl file alone counts.
func (c *Crawl) PrepareFocus(ctx context.Context, folder string) (err error) {
	c.Env = &kind.Env{
		Path: c.Path, File: c.File, Folder: folder, Forget: c.Forget, Wire: c.Wire, Client: c.Client, Web: c.Web, Book: c.Book,
		Fetch: c.fetcher, Get: c.document,
	}
	c.Focus, err = kind.New(ctx, c.File.Focus, c.Env)
	return err
}

// document returns a document of the archive, complete and decoded.
func (c *Crawl) document(ctx context.Context, url string) ([]byte, error) {
	lens := survey.NewLens(c.File.Schema, c.Web, nil, c.File.Documents, c.File.Limits, nil)
	response, payload, err := lens.Get(ctx, url, "")
	if err == nil && response.Status/100 != 2 {
		err = fmt.Errorf("%s answered %d (%w)", url, response.Status, orbweaver.ErrInput)
	}
	if errors.Is(err, orbweaver.ErrAbsent) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if err == nil {
		payload, err = page.Decode(response.Header, payload, c.File.Limits.Body)
	}
	return payload, err
}

// prepareDecisions reads the decisions to replay from an earlier crawl.
func (c *Crawl) prepareDecisions() (err error) {
	if c.File.Decisions == "" {
		return nil
	}
	if c.File.Web == nil {
		return fmt.Errorf("%s: decisions can be replayed only in the crawl of an archive: add web: {archive: PATH} (%w)", c.Path, orbweaver.ErrInput)
	}
	if c.Focus == nil { // PrepareFocus has reported its problems
		return nil
	}
	if c.decisions, err = readDecisions(c.File.Decisions); err != nil {
		return err
	}
	_, takes := kind.Decider(c.Focus.Focus())
	_, asks := c.Focus.(kind.Questioner) // whose focus is built later
	other := func(d orbweaver.Decision) bool { return d.Page == "" && (!asks || d.As != orbweaver.AsTopic) }
	if !takes && slices.ContainsFunc(c.decisions, other) {
		return fmt.Errorf("%s: decisions: the %s focus takes verdicts on pages only; the ontology focus takes suggestions and removals, too (%w)", c.Path, c.File.Focus.Key(), orbweaver.ErrInput)
	}
	return nil
}

// checkTruth reports the problems of a truth file when Prepare fails for other reasons. In a valid crawl the survey
// finds them.
func checkTruth(truth *crawlfile.Truth) error {
	if truth == nil || truth.File == "" {
		return nil
	}
	_, err := eval.LoadTopics(truth.File, truth.Topics, weburl.Canonical)
	return err
}

// Obeys reports whether the crawl obeys robots.txt files and the robots directives of pages.
func (c *Crawl) Obeys() bool {
	return c.File.Politeness.Robots && (c.File.Web == nil || c.File.Web.Robots == "archived")
}

// Look creates the gate and, if the crawl file has a truth, surveys the archive.
func (c *Crawl) Look(ctx context.Context) (err error) {
	f := c.File
	steering, err := crawlfolder.ReadSteering(f.Output)
	if err != nil {
		return err
	}
	scope := f.Scope
	scope.Exclude = slices.Concat(scope.Exclude, steering.Exclude)
	if c.Gate, err = gate.New(scope, c.Web, f.Web != nil && c.Obeys(), f.Politeness.UserAgent); err != nil {
		return err
	}
	if c.sources, err = weburl.CompileScope(nil, f.Sources, nil); err != nil {
		return fmt.Errorf("sources: %w (%w)", err, orbweaver.ErrInput)
	}
	if f.Truth != nil {
		lens := survey.NewLens(f.Schema, c.Web, c.given, f.Documents, f.Limits, nil, f.Focus)
		lens.List(c.lists)
		if c.survey, err = survey.Web(ctx, c.Web, lens, c.Gate, f.Truth, f.Seeds.URLs); err != nil {
			return err
		}
	}
	if c.survey != nil {
		c.Env.Guide = c.survey.Graph.Distances(c.survey.Truth)
	}
	return c.Focus.Look(ctx, c.Env)
}

// Conclude writes the report and the results other than pages, and returns the summary.
func (c *Crawl) Conclude(progress step.Progress) (*Summary, error) {
	sum := c.newSummary()
	if err := c.writeReport(progress, sum); err != nil {
		return nil, err
	}
	if c.view.Keep != nil {
		if err := c.view.Keep(c.File.Output); err != nil {
			return nil, err
		}
	}
	return c.summaryOf(progress, sum), nil
}

// facts returns the facts of a report other than pages.
func (c *Crawl) facts(progress step.Progress) eval.CrawlFacts {
	f := c.File
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
	facts.More = append(facts.More, sitemap.Facts(c.given, c.lists)...)
	facts.More = append(facts.More, c.Changes.facts()...)
	facts.More = append(facts.More, c.watch.facts()...)
	facts.More = append(facts.More, c.sinkFacts()...)
	if text := requisites.Text(progress.Requisites); text != "" {
		facts.More = append(facts.More, eval.Fact{Name: "requisites", Value: text})
	}
	facts.More = append(facts.More, c.seedFacts()...)
	facts.More = append(facts.More, recording.SparedFacts(c.spared())...)
	for _, w := range slices.Concat(c.strandedWords(), c.view.Warnings) {
		facts.More = append(facts.More, eval.Fact{Name: "warning", Value: w})
	}
	facts.Refused, facts.Rounds = eval.RefusedFacts(c.refused), c.view.Rounds
	if c.view.Facts != nil && !c.running {
		c.view.Facts(&facts)
	}
	if c.Web != nil {
		for _, w := range c.Web.Warnings() {
			facts.More = append(facts.More, eval.Fact{Name: "warning", Value: w})
		}
	}
	if s := c.survey; s != nil {
		facts.Truth, facts.TruthName, facts.Reachable = s.Truth, s.Name, s.Reachable
	}
	return facts
}

// Suggestions returns the suggestions of the focus, without examples that were removed from the crawl; makes is false if it makes none.
func (c *Crawl) Suggestions(ctx context.Context) (list []orbweaver.Suggestion, makes bool, err error) {
	if c.Focus == nil {
		return nil, false, nil
	}
	suggester, makes := kind.Suggester(c.Focus.Focus())
	if !makes {
		return nil, false, nil
	}
	removed, err := takedown.Matcher(c.File.Output)
	if err == nil {
		list, err = suggester.Suggestions(ctx)
	}
	for i := range list {
		list[i].Examples = slices.DeleteFunc(slices.Clone(list[i].Examples), removed)
	}
	return list, true, err
}

// suggestions returns the suggestions of the focus; nil if there are none or they cannot be computed: the report does without them.
func (c *Crawl) suggestions() []orbweaver.Suggestion {
	list, _, err := c.Suggestions(context.Background())
	if err != nil {
		return nil
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

// seedOf returns a function that names the origin of a seed, or nil if all seeds are from the crawl file. Seeds from a
// search engine are among c.File.Seeds.URLs only in the session that queried it.
func (c *Crawl) seedOf() func(url string) string {
	var from string
	var drawn []string
	if c.Focus != nil {
		from, drawn = c.Focus.Drawn()
	}
	if len(drawn) == 0 && c.File.Seeds.Search == nil {
		return nil
	}
	return func(url string) string {
		switch {
		case slices.Contains(drawn, url):
			return from
		case slices.Contains(c.searched, url), c.File.Seeds.Search != nil && !slices.Contains(c.File.Seeds.URLs, url):
			return "the search engine"
		}
		return "the crawl file"
	}
}
