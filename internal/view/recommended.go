package view

import (
	"io"

	"orbweaver/internal/console"
	"orbweaver/internal/vocabulary"
)

// RecommendedOntology prints what was written of a recommended vocabulary.
func RecommendedOntology(w io.Writer, r *vocabulary.Recommended, file, run string) {
	n := r.Removed
	console.Say(w, "Vocabulary   %s", console.Visible(r.Vocabulary, 200))
	for _, url := range r.Documents {
		console.Say(w, "Document     %s", console.Visible(url, 200))
	}
	console.Say(w, "Statements   %d in %s", r.Statements, file)
	console.Say(w, "Left out     %d of provenance, %d annotations, %d of data, %d imports", n.Provenance, n.Annotations, n.Data, n.Imports)
	console.Say(w, "Target       %s: it covers %d of the %d classes that the crawl found there", console.Visible(r.Target, 200), len(r.Covers), r.Of)
	console.Say(w, "\n%s:\n%s", run, r.CrawlFile)
	console.Say(w, "Next:")
	console.Say(w, "  orbweaver crawl %s", run)
	console.Say(w, "  orbweaver ontology show %s --target '%s'", file, console.Visible(r.Target, 200))
}
