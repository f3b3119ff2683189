package offline

import (
	"fmt"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/starting"
)

// Init writes a commented crawl file into a folder, with seeds if there are any, and prints the next steps. What it looks
// for are terms, each perhaps a list with commas, or without any a small ontology, which Init writes too.
func Init(a *job.Job, folder string, seeds, terms []string) error {
	t := starting.Topic{Terms: starting.Terms(terms)}
	if len(terms) > 0 && len(t.Terms) == 0 {
		return fmt.Errorf("--terms names no word: what is the crawl about? (%w)", orbweaver.ErrInput)
	}
	if len(seeds) > 0 {
		var err error
		if t.Seeds, err = crawlfile.ReadSeeds("--seed", strings.NewReader(strings.Join(seeds, "\n"))); err != nil {
			return err
		}
	}
	if err := starting.WriteTopic(folder, t); err != nil {
		return err
	}
	if len(t.Terms) > 0 {
		initWords(a, folder, t)
		return nil
	}
	file, ontology := filepath.Join(folder, starting.TopicFile), filepath.Join(folder, starting.TopicOntology)
	console.Say(a.Out, "%s   a crawl file; each of its keys has a comment", file)
	console.Say(a.Out, "%s    an ontology of ten lines: bicycles, until you write what you look for", ontology)
	console.Say(a.Out, "\nNext:")
	console.Say(a.Out, "  1. In %s: %s.", file, toFill(t))
	console.Say(a.Out, "  2. In %s: your topic and its words; in %s its name (target).", ontology, file)
	console.Say(a.Out, "  orbweaver ontology check %s                what the ontology lacks", ontology)
	console.Say(a.Out, "  orbweaver ontology show %s --target Bicycle   what counts, and how much", ontology)
	console.Say(a.Out, "  orbweaver judge %s URL                    how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
	return nil
}

// toFill says what of a crawl file its user must write.
func toFill(t starting.Topic) string {
	if len(t.Seeds) > 0 {
		return "who asks (contact)"
	}
	return "the pages to begin with (seeds), and who asks (contact)"
}

// initWords prints the next steps with a crawl file of words.
func initWords(a *job.Job, folder string, t starting.Topic) {
	file := filepath.Join(folder, starting.TopicFile)
	console.Say(a.Out, "%s   a crawl file for %s; each of its keys has a comment", file, strings.Join(t.Terms, ", "))
	console.Say(a.Out, "\nNext:")
	console.Say(a.Out, "  In %s: %s.", file, toFill(t))
	console.Say(a.Out, "  orbweaver judge %s URL   how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
}
