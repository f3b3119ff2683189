package services

import (
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/page"
)

// Reading returns how the pages of a crawl are read.
func Reading(f *crawlfile.Crawl) page.Options {
	return page.Options{MaxBody: f.Limits.Body, MaxDump: kind.DumpOf(f), Unlisted: f.Lists == "text"}
}

// Rereading returns what reads a page again from an archive, as the crawl read it: without completing, preparing or judging it.
func Rereading(f *crawlfile.Crawl) *pipeline.Pipeline {
	reader := page.NewReader(Reading(f))
	return &pipeline.Pipeline{Read: reader, Render: pipeline.ArchivedIf(f.Render.Renders(), reader), MaxBody: f.Limits.Body}
}
