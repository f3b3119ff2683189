package offline

import (
	"path/filepath"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/starting"
)

// Init writes a commented crawl file and a small ontology into a folder, and prints the next steps.
func Init(a *job.Job, folder string) error {
	if err := starting.WriteTopic(folder); err != nil {
		return err
	}
	file, ontology := filepath.Join(folder, starting.TopicFile), filepath.Join(folder, starting.TopicOntology)
	console.Say(a.Out, "%s   a crawl file; each of its keys has a comment", file)
	console.Say(a.Out, "%s    an ontology of ten lines: bicycles, until you write what you look for", ontology)
	console.Say(a.Out, "\nNext:")
	console.Say(a.Out, "  1. In %s: the pages to begin with (seeds), and who asks (contact).", file)
	console.Say(a.Out, "  2. In %s: your topic and its words; in %s its name (target).", ontology, file)
	console.Say(a.Out, "  orbweaver ontology check %s                what the ontology lacks", ontology)
	console.Say(a.Out, "  orbweaver ontology show %s --target Bicycle   what counts, and how much", ontology)
	console.Say(a.Out, "  orbweaver judge %s URL                    how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
	return nil
}
