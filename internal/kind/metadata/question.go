package metadata

import (
	"fmt"

	"orbweaver"
	"orbweaver/kb/relevance"
)

// Question returns the question of a judged expansion; nil: there is none.
func (c *instance) Question() *relevance.Question {
	if c.focus == nil {
		return nil
	}
	return c.focus.Question()
}

// Answers returns what was answered, by class.
func (c *instance) Answers() map[string]bool {
	if c.focus == nil {
		return nil
	}
	return c.focus.Answers()
}

// Waits reports whether the search is not over, so that a session takes answers up.
func (c *instance) Waits() bool {
	return c.focus != nil && !c.focus.Over()
}

// Answering returns the decision that an answer about a class is.
func (c *instance) Answering(class string, yes bool) (d orbweaver.Decision, err error) {
	switch {
	case c.section.Expand != "judged":
		return d, fmt.Errorf("only a crawl with expand: judged asks about classes (%w)", orbweaver.ErrInput)
	case c.focus == nil || !c.focus.Considered(class):
		return d, fmt.Errorf("%s is no class that the crawl has judged: rejected.jsonl and terms.jsonl have those (%w)", class, orbweaver.ErrInput)
	}
	return orbweaver.Decision{ID: class, Entity: class, As: orbweaver.AsTopic, Accepted: yes}, nil
}
