package whatif

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/page"
)

// Learned is what a crawl has learned and was told.
type Learned struct {
	Snapshot  []byte               `json:"snapshot"`  // of the focus; empty: it learns nothing
	Decisions []orbweaver.Decision `json:"decisions"` // but for verdicts on pages
	Requests  int64                `json:"requests"`  // outcomes until then
	// Correct is what a person's verdicts change; nil: nothing.
	Correct func(*orbweaver.Page, *orbweaver.Judgement) `json:"-"`
}

// LearnedBy returns what a focus has learned by the decisions so far.
func LearnedBy(f orbweaver.Focus, decisions iter.Seq2[orbweaver.Decision, error], requests int64) (l Learned, err error) {
	l.Requests = requests
	for d, err := range decisions {
		if err != nil {
			return l, err
		}
		if d.Page == "" {
			l.Decisions = append(l.Decisions, d)
		}
	}
	if learner, ok := kind.Learner(f); ok {
		var b bytes.Buffer
		if err = learner.Snapshot(&b); err == nil {
			l.Snapshot = b.Bytes()
		}
	}
	return l, err
}

// Teach gives a focus what a crawl has learned. With files the decisions are in its files already.
func (l Learned) Teach(ctx context.Context, f orbweaver.Focus, files bool) error {
	if decider, ok := kind.Decider(f); ok && !files {
		for _, d := range l.Decisions {
			if _, err := decider.Decide(ctx, d); err != nil {
				return err
			}
		}
	}
	if learner, ok := kind.Learner(f); ok && len(l.Snapshot) > 0 {
		return learner.Restore(bytes.NewReader(l.Snapshot))
	}
	return nil
}

// A Side judges pages by one body of knowledge.
type Side struct {
	instance kind.Instance
	pipeline *pipeline.Pipeline
}

// Sides are a crawl as it is, and as an order has it.
type Sides struct{ Now, Then *Side }

// Close closes both.
func (s Sides) Close() error {
	var err error
	for _, one := range []*Side{s.Now, s.Then} {
		if one != nil {
			err = errors.Join(err, one.instance.Close())
		}
	}
	return err
}

// SidesOf makes both sides of an order. The error wraps orbweaver.ErrInput if the kind of focus cannot be tried, or the order not be
// carried out.
func SidesOf(ctx context.Context, c *assembly.Crawl, l Learned, o Order) (s Sides, err error) {
	if !kind.AbilitiesOf(c.File.Focus).Revised {
		return s, fmt.Errorf("%s: what would change cannot be said of a crawl with the %s focus: it can of ontology and keyword (%w)", c.File.Name(), c.File.Focus.Key(), orbweaver.ErrInput)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.Now, err = sideOf(ctx, c, c.File, l, c.File.Output, Order{}); err != nil {
		return s, err
	}
	file, folder := c.File, c.File.Output
	if o.Text != "" {
		if file, err = Read(c.File.Schema, c.File.Output, o.Text); err != nil {
			return s, err
		}
	}
	if o.Files {
		folder = ""
	}
	if !kind.AbilitiesOf(file.Focus).Revised {
		return s, fmt.Errorf("%s: the %s focus cannot be tried (%w)", c.File.Name(), file.Focus.Key(), orbweaver.ErrInput)
	}
	if file.Focus.Key() != c.File.Focus.Key() {
		return s, fmt.Errorf("%s: another kind of focus cannot be tried on what the crawl has learned (%w)", c.File.Name(), orbweaver.ErrInput)
	}
	s.Then, err = sideOf(ctx, c, file, l, folder, o)
	return s, err
}

// Read reads the text of an ordered crawl file.
func Read(schema crawlfile.Schema, folder, text string) (*crawlfile.Crawl, error) {
	file, err := schema.Read("the crawl file as it would be", folder, []byte(text))
	if err == nil {
		file.Output = folder
	}
	return file, err
}

// sideOf makes a side.
func sideOf(ctx context.Context, c *assembly.Crawl, file *crawlfile.Crawl, l Learned, folder string, o Order) (*Side, error) {
	env := *c.Env
	env.Console, env.File, env.Folder, env.Forget = nil, file, folder, o.Text != ""
	instance, err := kind.New(ctx, file.Focus, &env)
	if err != nil {
		return nil, err
	}
	if err = instance.Look(ctx, &env); err == nil {
		err = l.Teach(ctx, instance.Focus(), o.Files)
	}
	if err == nil && o.Decision != nil {
		decider, _ := kind.Decider(instance.Focus()) // whoever makes suggestions takes decisions
		_, err = decider.Decide(ctx, *o.Decision)
	}
	if err != nil {
		return nil, errors.Join(err, instance.Close())
	}
	reader := page.NewReader(services.Reading(file))
	can := kind.AbilitiesOf(file.Focus)
	return &Side{instance, &pipeline.Pipeline{
		Complete: contexts.CompleterOf(instance.Focus(), can.Data, can.Syntaxes, file.Limits.Redirects, reader),
		Focus:    instance.Focus(), ListAll: !c.Obeys(), Correct: l.Correct,
	}}, nil
}
