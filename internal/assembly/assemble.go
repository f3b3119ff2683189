package assembly

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"orbweaver/engine"
	"orbweaver/fetch/sparql"
	"orbweaver/frontier"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/discover"
	"orbweaver/internal/kind"
	"orbweaver/internal/machine"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/recording"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/step"
	"orbweaver/internal/wall"
	"orbweaver/page"
	"orbweaver/weburl/trap"
)

// An Assembly is a crawl with its parts wired together.
type Assembly struct {
	Cfg      engine.Config
	Turns    *frontier.Frontier
	save     func() error        // saves the knowledge about endpoints
	recorder *recording.Recorder // nil: the crawl keeps no archive
	old      *recording.Past
	watch    *watch
}

// Close saves the knowledge about endpoints, and closes the frontier and the archive.
func (s *Assembly) Close() error {
	err := errors.Join(s.old.Close(), s.Turns.Close())
	err = errors.Join(err, s.save()) // whatever could not be closed
	err = errors.Join(err, s.watch.Close())
	if s.recorder != nil {
		err = errors.Join(err, s.recorder.Close())
	}
	return err
}

// EndpointsFile is the file with the knowledge about SPARQL endpoints. It lies in the crawl folder, or in the dataset
// store of the focus.
const EndpointsFile = "endpoints.json"

// EndpointsPath returns the path of this file.
func EndpointsPath(file *crawlfile.Crawl) string {
	if store := kind.AbilitiesOf(file.Focus).Store; store != "" { // shared by all crawls with the same store
		return filepath.Join(store, EndpointsFile)
	}
	return filepath.Join(file.Output, EndpointsFile)
}

// knowEndpoints reads the knowledge of earlier sessions about endpoints. save writes it back, extended by this session.
func (c *Crawl) knowEndpoints() (save func() error, err error) {
	if c.Book == nil {
		return func() error { return nil }, nil
	}
	path := EndpointsPath(c.File)
	if c.Book, err = endpoints.Load(path); err != nil {
		return nil, err
	}
	return func() error {
		if len(c.Book.All()) == 0 {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return c.Book.Save(path)
	}, nil
}

// Assemble wires the parts of a crawl together. The ledger must be open.
func (c *Crawl) Assemble() (*Assembly, error) {
	save, err := c.knowEndpoints()
	if err != nil {
		return nil, err
	}
	load := &step.Load{}
	turns, err := c.hostsSoFar(load)
	if err != nil {
		return nil, err
	}
	var own *recording.Recorder
	if !c.Resting {
		if own, err = recording.Open(c.File, c.Ledger.Archive(), load); err != nil {
			return nil, err
		}
		own.Know(c.Known)
		c.recorder = own
	}
	c.Gate.Give(c.given.Of)
	c.Gate.Want(c.File.Sitemaps, c.File.Seeds.URLs)
	c.Gate.List(c.lists.Documents())
	found, err := DiscoverOf(c.File.Discover, c.File.Focus)
	if err != nil {
		return nil, err
	}
	s := &Assembly{Cfg: c.Config(turns), Turns: turns, save: save, recorder: own}
	if s.Cfg.Enough, err = c.enoughOf(turns); err != nil {
		return nil, err
	}
	if err := c.Browser.Resume(c.File.Output); err != nil {
		return nil, err
	}
	s.old = &recording.Past{Recorder: own, Folder: crawlfolder.Archive(c.File.Output), Chooses: c.File.Render.When == "auto"}
	if c.Resting && recording.Kept(c.File) && crawlfolder.Workers(c.File.Output) > 0 {
		s.old.Gathered = true
	} else if c.Resting && recording.Kept(c.File) {
		s.old.Open = func() (*recording.Recorder, error) { return recording.Open(c.File, c.Ledger.Archive(), load) }
	}
	if found != nil {
		s.Cfg.Discover, s.Cfg.Complete = found, discover.Completer{Others: s.Cfg.Complete}
	}
	s.Cfg.Sync, s.Cfg.Flush, s.Cfg.Stage, s.Cfg.Load = c.Ledger.Sync, c.Ledger.Flush, c.Ledger, load
	if own != nil {
		s.Cfg.Recorder, s.Cfg.Ledger = own, recording.Book{Ledger: c.Ledger, Recorder: own}
		c.Ledger.Before(own.Flush, own.Sync)
		c.Gate.Record(own.Keep)
	}
	c.Gate.Spill(c.File.Output)
	if c.Web == nil {
		s.Cfg.Live, s.Cfg.Again = c.live(turns, own), s.old.Again
		if s.Cfg.Live.Requisites, err = c.requisites(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if c.Watching {
			if err := c.beginWatch(s, own); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
		if !recording.Kept(c.File) {
			s.Cfg.NoReplay, s.Cfg.Snapshot = true, SnapshotEvery/4
		}
	}
	return s, nil
}

// beginWatch makes a session a watch. What fails is visited again later, and the watch outlasts any outage.
func (c *Crawl) beginWatch(s *Assembly, own *recording.Recorder) (err error) {
	if c.watch, err = c.newWatch(s.Turns, own); err != nil {
		return err
	}
	s.watch = c.watch
	live := s.Cfg.Live
	live.Watch, live.Retries, live.Outage = c.watch, 0, 0
	flush, sync := func() error { return nil }, c.watch.log.Sync
	if own != nil {
		flush, sync = own.Flush, func() error {
			if err := own.Sync(); err != nil {
				return err
			}
			return c.watch.log.Sync()
		}
	}
	c.Ledger.Before(flush, sync)
	return nil
}

// hostsSoFar returns a frontier with the host accounts of earlier sessions.
func (c *Crawl) hostsSoFar(load *step.Load) (*frontier.Frontier, error) {
	rules := TurnsOf(c.File)
	rules.Resumed, rules.Idle = c.resumed, load.Idle
	if c.Watching { // how many pages a host may give limits new ones alone
		rules.HostPages = 0
	}
	rules.Memory, rules.Spill = c.File.Memory/2, c.spill
	turns := c.NewTurns(rules)
	for account, err := range c.Ledger.Accounts() {
		if err != nil {
			return nil, err
		}
		turns.Restore(account)
	}
	return turns, nil
}

// spill opens a scratch file for the frontier entries that exceed the memory budget. The file is unlinked at once, so
// that it neither outlives the session nor conflicts with another one.
func (c *Crawl) spill() (frontier.Spill, error) {
	file, err := os.CreateTemp(c.File.Output, "waiting-*.tmp")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // best effort: some systems cannot remove an open file
	return file, nil
}

// workers returns how many requests are worked on at once: of the live Web as many as the process may have connections, and a
// warning if these are fewer than wanted.
func (c *Crawl) workers() (n int, warning string) {
	if c.Web != nil {
		return cmp.Or(c.File.Workers, runtime.GOMAXPROCS(0)), ""
	}
	return machine.Connections(cmp.Or(c.File.Workers, services.LiveWorkers))
}

// Config returns the engine configuration of a crawl, without a recorder.
func (c *Crawl) Config(turns *frontier.Frontier) engine.Config {
	l := c.File.Limits
	reading := services.Reading(c.File)
	reading.Simhash = c.File.Duplicates == "on"
	reader := page.NewReader(reading)
	cfg := engine.Config{
		Focus: c.Focus.Focus(), Read: endpoints.Reader{Pages: reader, Book: c.Book, Limits: sparql.Limits{Bytes: l.Body}}, Complete: contexts.CompleterOf(c.Focus.Focus(), kind.AbilitiesOf(c.File.Focus).Data, kind.AbilitiesOf(c.File.Focus).Syntaxes, l.Redirects, reader),
		Ledger: c.Ledger, Frontier: turns, Scope: c.Gate.Admits, Sitemaps: c.Gate.Sitemaps, Seeds: c.File.Seeds.URLs,
		InScope: c.Gate.InScope,
		Explore: ExploreOf(c.File.Explore), Failing: c.File.Failing == last,
		Limits: EngineLimits(l, kind.DumpOf(c.File)), Decisions: c.decisions, ListAll: !c.Obeys(),
		Snapshot: SnapshotEvery,
	}
	if len(c.File.Sources) > 0 {
		cfg.Source = func(url string) (string, bool) {
			other, pattern := c.sources.Allows(url) // compiled as what a scope excludes
			return pattern, !other
		}
	}
	if !kind.AbilitiesOf(c.File.Focus).Paper {
		cfg.Check, cfg.StandIns = wall.Telling(c.tellWall), new(wall.Templates)
	}
	if c.Browser != nil {
		cfg.Render = c.Browser
	}
	if c.File.Traps == "on" {
		cfg.Traps = trap.New(trap.Options{})
	}
	if c.File.Duplicates == "on" {
		cfg.Duplicates = c.Ledger
	}
	cfg.Fetch = c.fetcher()
	cfg.Workers, _ = c.workers()
	if c.Web == nil && c.File.Workers == 0 {
		cfg.MostWorkers, _ = machine.Connections(services.MostWorkers)
	}
	return cfg
}

// tellWall logs the first answer of its kind of a host that is not the page.
func (c *Crawl) tellWall(host string, a wall.Answer) {
	if c.Log != nil {
		c.Log.Warn("answers that are not the page", "host", host, "kind", string(a.Kind), "vendor", cmp.Or(a.Vendor, "unknown"))
	}
}

// fetcher returns the source of responses: local documents and datasets first, then the archive or the live Web.
func (c *Crawl) fetcher() pipeline.Fetcher {
	web := c.given.Fetching(c.Web)
	if c.Web == nil {
		web = endpoints.Watching{Fetcher: services.LiveWeb{Client: c.Client}, Book: c.Book}
	}
	return c.Focus.Web(services.AcceptedBy(c.File.Focus, services.Answering(c.File.Documents, sitemap.Listing(c.lists, web))))
}

// ExploreOf converts the share of requests drawn at random in a crawl file to that of the engine.
func ExploreOf(e crawlfile.Explore) engine.Explore {
	return engine.Explore{Share: e.Part(), Seed: e.Seed}
}

// EngineLimits converts the limits of a crawl file to engine limits; dump is that of data in bulk, 0: none.
func EngineLimits(l crawlfile.Limits, dump int64) engine.Limits {
	return engine.Limits{
		Requests: l.Requests, Pages: l.Pages, Bytes: l.Bytes, Time: l.Time,
		Depth: l.Depth, Redirects: l.Redirects, Body: l.Body, Dump: dump,
	}
}
