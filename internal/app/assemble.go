package app

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"orbweaver/engine"
	"orbweaver/fetch/sparql"
	"orbweaver/frontier"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/endpoints"
	"orbweaver/page"
	"orbweaver/weburl/trap"
)

// An assembly is a crawl whose parts are joined.
type assembly struct {
	cfg      engine.Config
	turns    *frontier.Frontier
	save     func() error // what was learned of endpoints
	recorder *recorder    // nil: nothing is archived
	old      *past
}

// close ends what assemble began: the archive.
func (s *assembly) close() error {
	err := errors.Join(s.old.Close(), s.turns.Close(), s.save())
	if s.recorder != nil {
		err = errors.Join(err, s.recorder.Close())
	}
	return err
}

// endpointsFile is what became known of SPARQL endpoints, within the crawl folder, or that of datasets.
const endpointsFile = "endpoints.json"

// knowEndpoints reads what earlier sessions learned of endpoints, and returns what saves it with what this
// one learns.
func (c *crawl) knowEndpoints() (save func() error, err error) {
	if c.book == nil {
		return func() error { return nil }, nil
	}
	path := filepath.Join(c.file.Output, endpointsFile)
	if store := c.focus.Store(); store != "" { // every crawl that asks the same endpoints may know
		path = filepath.Join(store, endpointsFile)
	}
	if c.book, err = endpoints.Load(path); err != nil {
		return nil, err
	}
	return func() error {
		if len(c.book.All()) == 0 {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return c.book.Save(path)
	}, nil
}

// assemble joins the parts of a crawl whose ledger is open.
func (c *crawl) assemble() (*assembly, error) {
	save, err := c.knowEndpoints()
	if err != nil {
		return nil, err
	}
	turns, err := c.hostsSoFar()
	if err != nil {
		return nil, err
	}
	recorder, err := openRecorder(c.file, c.ledger.Archive())
	if err != nil {
		return nil, err
	}
	c.gate.Want(c.file.Sitemaps, c.file.Seeds.URLs)
	s := &assembly{cfg: c.config(turns), turns: turns, save: save, recorder: recorder}
	s.old = &past{recorder: recorder, folder: crawlfolder.Archive(c.file.Output)}
	s.cfg.Sync, s.cfg.Flush = c.ledger.Sync, c.ledger.Flush
	if recorder != nil {
		s.cfg.Recorder, s.cfg.Ledger = recorder, book{c.ledger, recorder}
		c.ledger.Before(recorder.Flush, recorder.Sync)
		c.gate.Record(recorder.keep)
	}
	c.gate.Spill(c.file.Output)
	if c.web == nil {
		s.cfg.Live, s.cfg.Again = c.live(turns, recorder), s.old.again
		if recorder == nil {
			s.cfg.NoReplay, s.cfg.Snapshot = true, SnapshotEvery/4
		}
	}
	return s, nil
}

// hostsSoFar is a frontier that knows what hosts were asked in earlier sessions.
func (c *crawl) hostsSoFar() (*frontier.Frontier, error) {
	rules := turnsOf(c.file)
	rules.Resumed = c.resumed
	rules.Memory, rules.Spill = c.file.Memory/2, c.spill
	turns := frontier.New(rules)
	for account, err := range c.ledger.Accounts() {
		if err != nil {
			return nil, err
		}
		turns.Restore(account)
	}
	return turns, nil
}

// spill opens the scratch file of what waits beyond the memory it may take. It has no name that an earlier
// session, or a later one, could meet.
func (c *crawl) spill() (frontier.Spill, error) {
	file, err := os.CreateTemp(c.file.Output, "waiting-*.tmp")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // where a file in use cannot be removed, it stays
	return file, nil
}

// config assembles a crawl over its ledger; without a recorder.
func (c *crawl) config(turns *frontier.Frontier) engine.Config {
	l := c.file.Limits
	reader := page.NewReader(page.Options{MaxBody: l.Body, Simhash: c.file.Duplicates == "on"})
	cfg := engine.Config{
		Focus: c.focus.Focus(), Read: endpoints.Reader{Pages: reader, Book: c.book, Limits: sparql.Limits{Bytes: l.Body}}, Complete: contexts.CompleterOf(kind.AbilitiesOf(c.file.Focus).Data, l.Redirects, reader),
		Ledger: c.ledger, Frontier: turns, Scope: c.gate.Admits, Sitemaps: c.gate.Sitemaps, Seeds: c.file.Seeds.URLs,
		InScope: c.gate.InScope,
		Limits:  engineLimits(l), Decisions: c.decisions, ListAll: !c.obeys(),
		Workers: c.file.Workers, Snapshot: SnapshotEvery,
	}
	if c.browser != nil {
		cfg.Render = c.browser
	}
	if c.file.Traps == "on" {
		cfg.Traps = trap.New(trap.Options{})
	}
	if c.file.Duplicates == "on" {
		cfg.Duplicates = c.ledger
	}
	usual := LiveWorkers
	if c.web != nil {
		usual = runtime.GOMAXPROCS(0)
	}
	cfg.Fetch = c.fetcher()
	if cfg.Workers == 0 {
		cfg.Workers = usual
	}
	return cfg
}

// fetcher answers what the crawl asks for: documents from files, datasets on this machine, the archive or the
// live Web.
func (c *crawl) fetcher() pipeline.Fetcher {
	var web pipeline.Fetcher = c.web
	if c.web == nil {
		web = endpoints.Watching{Fetcher: liveWeb{c.client}, Book: c.book}
	}
	return c.focus.Web(acceptedBy(c.file.Focus, answering(c.file.Documents, web)))
}
