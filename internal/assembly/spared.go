package assembly

import (
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/step"
)

// spared returns what the crawl's own archive did not store again, since other archives have it.
func (c *Crawl) spared() []step.Spared {
	if c.recorder != nil {
		return c.recorder.Spared()
	}
	return archive.SparedIn(crawlfolder.Archive(c.File.Output))
}
