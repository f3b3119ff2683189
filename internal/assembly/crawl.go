package assembly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/logging"
	"orbweaver/internal/services"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/internal/survey"
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
func FromFile(a *job.Job, path string) Source {
	return Source{path, func() (*crawlfile.Crawl, error) { return a.Schema().Load(path) }}
}

// Unmake removes the folder that a crawl made which could not begin, by what its user has to mend: in the
// folder it would be another crawl that the mended file asks for.
func (c *Crawl) Unmake(progress step.Progress, why error) error {
	if c.resumed || progress.Requests > 0 || !errors.Is(why, orbweaver.ErrInput) {
		return nil
	}
	return os.RemoveAll(c.File.Output)
}

// A Crawl is a crawl file with its parts.
type Crawl struct {
	Path     string
	File     *crawlfile.Crawl
	Wire     wire.Wire
	searched []string        // seeds that a search engine named in this session
	Web      *archive.Web    // nil: the live Web
	Client   *client.Client  // of the live Web
	Book     *endpoints.Book // what is known of its endpoints; nil: an archive is crawled
	Gate     *gate.Gate
	Focus    kind.Instance     // with what its kind adds to the crawl
	Env      *kind.Env         // where it is built
	survey   *survey.Survey    // nil without a truth
	Browser  *services.Browser // nil: nothing is rendered
	Ledger   *ledger.Ledger
	resumed  bool                   // the folder was there
	hosts    []step.Account         // of the live Web, when the session is over
	refused  []step.Refused         // links that were not followed, likewise
	stranded bool                   // the focus followed no link at all, and nothing waits
	gaps     []orbweaver.Suggestion // of the focus, likewise
	Links    *eval.LinkFigures      // how well their classes were predicted, likewise; nil: none was
	view     kind.View              // what was found beside pages, likewise
	running  bool                   // it goes on while it is told of: see standing
	Refresh  time.Duration          // 0: a crawl as usual
	Changes  *changes               // of a refresh
	Meter    *Meter                 // nil: nothing is measured

	decisions []orbweaver.Decision // to be taken up as in an earlier crawl

	Log    *logging.Log    // of this session
	Going  *going          // how it goes
	barren []starting.Fate // seeds that gave no page, when the session is over
	Before step.Progress   // of a crawl that was over before this session; else zero
}

// Close releases all but the ledger.
func (c *Crawl) Close() error {
	var errs []error
	if c.Client != nil {
		errs = append(errs, c.Client.Close())
	}
	if c.Browser != nil {
		errs = append(errs, c.Browser.Close())
	}
	if c.Gate != nil {
		errs = append(errs, c.Gate.Close())
	}
	if c.Focus != nil {
		errs = append(errs, c.Focus.Close())
	}
	return errors.Join(append(errs, services.CloseAll(c.Web))...)
}

// Greet says what was amiss with the archive, or would be with a guest of the live Web, and what
// cannot be refreshed.
func Greet(a *job.Job, c *Crawl, refresh time.Duration) error {
	if c.Web != nil {
		a.Warn(c.Web)
	} else {
		warnLive(a, c.File)
	}
	switch {
	case refresh == 0:
		return nil
	case c.Web != nil:
		return fmt.Errorf("%s: --refresh asks the live Web again, and web: names an archive (%w)", c.Path, orbweaver.ErrInput)
	case crawlfolder.IsFresh(c.File.Output):
		return fmt.Errorf("%s: --refresh: nothing was crawled yet (%w)", c.File.Output, orbweaver.ErrInput)
	}
	c.Refresh, c.Changes = refresh, &changes{}
	return nil
}

// Open takes possession of the crawl folder. The file as run is the first thing in a new one, so that
// a folder is known for what it is whenever the crawl is killed; in one that is there it is not
// touched before the ledger is ours.
func (c *Crawl) Open() (err error) {
	fresh := crawlfolder.IsFresh(c.File.Output)
	if fresh {
		if err := crawlfolder.Make(c.File); err != nil {
			return err
		}
	}
	if c.Ledger, err = ledger.OpenWithin(c.File.Output, c.File.Memory/2); err != nil {
		return err
	}
	if c.resumed = !fresh; !fresh {
		err = errors.Join(crawlfolder.Make(c.File), c.catchUp())
	}
	if err = errors.Join(err, c.Focus.Open(c.Env)); err != nil {
		return errors.Join(err, c.Ledger.Close())
	}
	return nil
}

// Prepare reads all that a crawl file names and writes nothing.
func Prepare(ctx context.Context, from Source, wire wire.Wire) (*Crawl, error) {
	file, err := from.Load()
	if err != nil {
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

// PrepareWeb opens the archive, or what the live Web is asked with, and the browser.
func (c *Crawl) PrepareWeb(wire wire.Wire) (err error) {
	var problem error
	if c.File.Web == nil {
		c.Book = endpoints.New()
		wire.Options.Query = func(r orbweaver.Request) (orbweaver.Request, string, []byte) { return c.Book.Put(r) }
		c.Client, err = services.NewClient(c.File, wire)
		err = errors.Join(err, checkLive(c.File, c.Path))
	} else {
		c.Web, err = services.OpenWeb(c.File.Web, c.File.Limits)
	}
	c.Browser, problem = services.NewBrowser(c.File)
	return errors.Join(err, problem)
}

// PrepareFocus prepares the focus, as the crawl in a folder began with it; empty: as the crawl file has it now.
func (c *Crawl) PrepareFocus(ctx context.Context, folder string) (err error) {
	c.Env = &kind.Env{
		Path: c.Path, File: c.File, Folder: folder, Wire: c.Wire, Client: c.Client, Web: c.Web, Book: c.Book,
		Fetch: c.fetcher, Get: c.document,
	}
	c.Focus, err = kind.New(ctx, c.File.Focus, c.Env)
	return err
}

// document asks the archive for a document, whole and decoded.
func (c *Crawl) document(ctx context.Context, url string) ([]byte, error) {
	lens := survey.NewLens(c.File.Schema, c.Web, c.File.Documents, c.File.Limits, nil)
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

// prepareDecisions reads what is to be decided as in an earlier crawl.
func (c *Crawl) prepareDecisions() (err error) {
	if c.File.Decisions == "" {
		return nil
	}
	if c.File.Web == nil {
		return fmt.Errorf("%s: decisions: they have their places in the crawl of an archive only: add web: {archive: PATH} (%w)", c.Path, orbweaver.ErrInput)
	}
	if c.Focus == nil { // what is wrong with it is told already
		return nil
	}
	if _, takes := kind.Decider(c.Focus.Focus()); !takes {
		return fmt.Errorf("%s: decisions: a focus of this kind (%s) takes none: only an ontology grows (%w)", c.Path, c.File.Focus.Key(), orbweaver.ErrInput)
	}
	c.decisions, err = readDecisions(c.File.Decisions)
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

// Obeys reports whether the crawl does what robots.txt files ask, and what pages ask of robots.
func (c *Crawl) Obeys() bool {
	return c.File.Politeness.Robots && (c.File.Web == nil || c.File.Web.Robots == "archived")
}

// Look makes the gate and, where the file has a truth, surveys the archive.
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
	if f.Truth != nil {
		if c.survey, err = survey.Web(ctx, c.Web, survey.NewLens(f.Schema, c.Web, f.Documents, f.Limits, nil, f.Focus), c.Gate, f.Truth, f.Seeds.URLs); err != nil {
			return err
		}
	}
	if c.survey != nil {
		c.Env.Guide = c.survey.Graph.Distances(c.survey.Truth)
	}
	return c.Focus.Look(ctx, c.Env)
}

// Conclude writes the report, and what was found beside pages, and sums up.
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

// facts are what a report tells beside the pages.
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
	facts.More = append(facts.More, c.Changes.facts()...)
	facts.More = append(facts.More, c.seedFacts()...)
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

// suggestions are those of the focus, if it has some.
func (c *Crawl) suggestions() []orbweaver.Suggestion {
	if c.Focus == nil {
		return nil
	}
	suggester, ok := kind.Suggester(c.Focus.Focus())
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
