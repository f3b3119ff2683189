package offline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/starting"
	"orbweaver/weburl"
)

// Init writes a commented crawl file into a folder, with seeds and a contact if there are any, and prints the next steps. What it
// looks for are terms, each perhaps a list with commas, or without any a small ontology, which Init writes too.
func Init(a *job.Job, folder string, seeds, terms []string, contact string) error {
	t := starting.Topic{Terms: starting.Terms(terms), Contact: contact}
	if len(terms) > 0 && len(t.Terms) == 0 {
		return fmt.Errorf("--terms names no word: what is the crawl about? (%w)", orbweaver.ErrInput)
	}
	for _, seed := range seeds {
		url, err := weburl.Canonical(seed)
		if err != nil {
			return fmt.Errorf("--seed %q is no URL of a page, such as https://example.org/ (%w)", weburl.Redacted(seed), orbweaver.ErrInput)
		}
		if !slices.Contains(t.Seeds, url) {
			t.Seeds = append(t.Seeds, url)
		}
	}
	like := starting.Quick{Seeds: []string{"https://example.org/"}, Terms: []string{"any"}, Requests: 1, Contact: contact}
	if _, err := like.Load(a.Schema(), folder); err != nil { // as the crawl will say
		return err
	}
	if err := starting.WriteTopic(folder, t); err != nil {
		return err
	}
	if len(t.Terms) > 0 {
		initWords(a, folder, t)
		return nil
	}
	file, ontology := starting.TopicFile(folder), filepath.Join(folder, starting.TopicOntology)
	console.Say(a.Out, "%s   a crawl file; each of its keys has a comment", file)
	console.Say(a.Out, "%s    an ontology of ten lines: bicycles, until you write what you look for", ontology)
	console.Say(a.Out, "\nNext:")
	if fill := toFill(t); fill != "" {
		console.Say(a.Out, "  In %s: %s.", file, fill)
	}
	console.Say(a.Out, "  In %s: your topic and its words; in %s its name (target).", ontology, file)
	console.Say(a.Out, "  orbweaver ontology check %s                what the ontology lacks", ontology)
	console.Say(a.Out, "  orbweaver ontology show %s --target Bicycle   what counts, and how much", ontology)
	console.Say(a.Out, "  orbweaver judge %s URL                    how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
	return nil
}

// toFill says what of a crawl file its user must write; empty: nothing.
func toFill(t starting.Topic) string {
	var missing []string
	if len(t.Seeds) == 0 {
		missing = append(missing, "the pages to begin with (seeds)")
	}
	if t.Contact == "" {
		missing = append(missing, "who asks (contact)")
	}
	return strings.Join(missing, ", and ")
}

// initWords prints the next steps with a crawl file of words.
func initWords(a *job.Job, folder string, t starting.Topic) {
	file := starting.TopicFile(folder)
	console.Say(a.Out, "%s   a crawl file for %s; each of its keys has a comment", file, strings.Join(t.Terms, ", "))
	console.Say(a.Out, "\nNext:")
	if fill := toFill(t); fill != "" {
		console.Say(a.Out, "  In %s: %s.", file, fill)
	}
	console.Say(a.Out, "  orbweaver judge %s URL   how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
}
