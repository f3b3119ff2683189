package crossref

import (
	"fmt"
	"slices"
	"strings"

	"orbweaver/internal/crawlfile"
)

// paper is the mode that is the paper's crawler, and the rules that are its inequalities.
const paper = "paper"

// maxMore is the maximum number of further items.
const maxMore = 100

// checkItem reports an item that is missing, or is there twice.
func (f *section) checkItem(c *crawlfile.Check) {
	switch {
	case f.Entity != "" && f.Item != "":
		c.Problem("entity", "there is an item, too", "remove one of the two; further items are named in items")
	case f.Entity == "" && f.Item == "" && !c.GivenInFile("each") && !c.Troubled("item") && !c.Troubled("entity"):
		c.Problem("item", "is missing", "path or URL, or entity with entity_in")
	case f.Entity != "" && f.EntityIn == "" && !c.Troubled("entity_in"):
		c.Problem("entity_in", "is missing", "the RDF file or crawl folder that describes the entity")
	case f.Entity == "" && f.EntityIn != "":
		c.Problem("entity_in", "there is no entity to look for in it", "name it in entity")
	}
	if f.Entity != "" {
		c.Spell(&f.Entity, "entity", "", true)
	}
	if len(f.Items) > 0 && f.Item == "" && f.Entity == "" {
		c.Problem("items", "there is no item that these could be added to", "name the first in item")
	}
	if len(f.Items) > maxMore {
		c.Problem("items", fmt.Sprintf("%d of them", len(f.Items)), fmt.Sprintf("at most %d", maxMore))
	}
}

// checkPaper reports keys that contradict mode: paper, and sets the others: rounds of one size (4.2.2), relevance to L0
// above θ (3.5), and a frontier ordered by equation 3 alone. Sizes and thresholds are the user's.
func (f *section) checkPaper(c *crawlfile.Check) {
	set := func(key string, value *string, allowed ...string) {
		if c.Given(key) && !slices.Contains(allowed, *value) {
			c.Problem(key, *value+" contradicts mode: paper", "write "+strings.Join(allowed, " or ")+", or remove the key or mode: paper")
			return
		}
		if !c.Given(key) {
			*value = allowed[0]
		}
	}
	set("rounds", &f.Rounds, "fixed")
	set("theta_of", &f.ThetaOf, "layer")
	set("order", &f.Order, "relevance", "layers", "belonging")
	set("inlinks", &f.Inlinks, "best")
	set("rules", &f.Rules, paper)
	left := []string{"link_text", "feedback", "extra_label"}
	for i, part := range f.Without {
		if !slices.Contains(left, part) {
			c.Problem(c.Item("without", i), part+" contradicts mode: paper, which has it", "remove it or mode: paper")
		}
	}
	f.Without = left
	if f.Model == "" && !c.Troubled("model") {
		c.Problem("model", "is missing: with mode: paper the model is learned beforehand (section 4.2.1)", "orbweaver lab labels train --rules paper --stream FOLDER -o MODEL")
	}
}
