package assembly

import (
	"orbweaver/engine"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/requisites"
	"orbweaver/weburl"
	"orbweaver/weburl/trap"
)

// requisites returns the engine's options for what accepted pages need to be shown; nil: it is not fetched. The scope does not hold for it, but for what a
// person excluded or removed.
func (c *Crawl) requisites() (*engine.Requisites, error) {
	s := c.File.Requisites
	if !s.Wanted() {
		return nil, nil
	}
	steering, err := crawlfolder.ReadSteering(c.File.Output)
	if err != nil {
		return nil, err
	}
	barred, err := weburl.CompileScope(nil, steering.Exclude, nil)
	if err != nil {
		return nil, err
	}
	q := &engine.Requisites{
		RequisiteFinder: requisites.Finder{Body: c.File.Limits.Body}, Book: c.Ledger, Bars: func(url string) bool {
			ok, _ := barred.Allows(url)
			return !ok
		},
		Most: requisites.Most, Levels: requisites.MaxLevel, Page: s.Page, Total: s.Total, One: min(s.One, c.File.Limits.Body),
	}
	if c.File.Traps == "on" {
		q.Traps = trap.New(trap.Options{})
	}
	return q, nil
}
