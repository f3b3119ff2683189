package assembly

import (
	"path/filepath"

	"orbweaver/ledger"
)

// resumeBrowser tells the browser what earlier sessions did about pages' scripts.
func (c *Crawl) resumeBrowser() error {
	if c.Browser == nil || c.File.Render.When != "auto" {
		return nil
	}
	for line, err := range ledger.Lines(filepath.Join(c.File.Output, ledger.JournalFile)) {
		if err != nil {
			return err
		}
		c.Browser.Resume(&line)
	}
	return nil
}
