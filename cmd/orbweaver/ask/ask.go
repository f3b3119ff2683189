// Package ask has the verb by which a person answers what a crawl asks, and the question at the end of a crawl.
//
// This package is not part of the stable API.
package ask

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
)

// A given is what flags say.
type given struct {
	yes, no, withdraw []string
	by, format        string
}

// Command returns the verb ask.
func Command(a *job.Job) *cobra.Command {
	var g given
	c := &cobra.Command{
		Use:   "ask DIR [--yes CLASS]... [--no CLASS]...",
		Short: "Answer the question of a metadata crawl",
		Long: `A metadata crawl with expand: judged asks one question at a time: whether a class that it rejected,
and what is below it, belongs to the topic. Of the classes above given terms it chooses the one that
promises most: the estimated chance of a yes times the share that it would add to the classes
accepted. orbweaver crawl asks at its end in a terminal, unless --quiet; ask shows the question, asks
in a terminal, and takes answers by flags.

A yes accepts the class and what is below it, a no rejects it, accepted or not. Any class that the
crawl has judged can be answered for: see rejected.jsonl and terms.jsonl. An answer replaces an
earlier one. A crawl that is over takes answers up when it is run again. DIR is a crawl folder; the
crawl may be running.`,
		Example: `  orbweaver crawl examples/quay.yaml
  orbweaver ask crawls/quay
  orbweaver ask crawls/quay --yes http://quay.example/terms#Facility
  orbweaver crawl examples/quay.yaml
  orbweaver ask crawls/quay --format json

  # as if nothing had been answered
  orbweaver ask crawls/quay --withdraw http://quay.example/terms#Facility`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s: want one crawl folder, have %d arguments: see %s --help (%w)", c.Name(), len(args), c.CommandPath(), orbweaver.ErrInput)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return g.run(c.Context(), a, args[0]) },
	}
	c.Flags().StringArrayVar(&g.yes, "yes", nil, "`IRI` of a class that belongs to the topic; may be repeated")
	c.Flags().StringArrayVar(&g.no, "no", nil, "`IRI` of a class that does not; may be repeated")
	c.Flags().StringArrayVar(&g.withdraw, "withdraw", nil, "`IRI` of a class whose answer is to count no more; may be repeated")
	c.Flags().StringVar(&g.by, "by", "", "`name` of who answers, for the record")
	c.Flags().StringVar(&g.format, "format", "text", "text or json")
	return c
}

// answers returns the answers of the flags, in the order withdrawn, yes, no.
func (g given) answers() (all []crawl.ClassAnswer, err error) {
	seen := map[string]bool{}
	for _, one := range []struct {
		classes        []string
		yes, withdrawn bool
	}{{g.withdraw, false, true}, {g.yes, true, false}, {g.no, false, false}} {
		for _, class := range one.classes {
			if seen[class] {
				return nil, fmt.Errorf("ask: there are two answers about %s (%w)", class, orbweaver.ErrInput)
			}
			seen[class] = true
			all = append(all, crawl.ClassAnswer{Class: class, Yes: one.yes, Withdrawn: one.withdrawn, By: g.by})
		}
	}
	return all, nil
}

func (g given) run(ctx context.Context, a *job.Job, dir string) error {
	if g.format != "text" && g.format != "json" {
		return fmt.Errorf("ask: --format is text or json, not %q (%w)", g.format, orbweaver.ErrInput)
	}
	answers, err := g.answers()
	if err != nil {
		return err
	}
	c, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	var asking crawl.Asking
	if len(answers) > 0 {
		asking, err = c.Answer(ctx, answers...)
	} else {
		asking, err = c.Asks(ctx)
	}
	switch {
	case err != nil:
		return err
	case g.format == "json":
		return console.WriteJSON(a.Out, asking)
	}
	show(a, dir, asking)
	if len(answers) > 0 || asking.Question == nil || !a.Person {
		return nil
	}
	answer, answered, err := put(ctx, a, asking.Question.Class)
	if err != nil || !answered {
		return err
	}
	answer.By = g.by
	if asking, err = c.Answer(ctx, answer); err == nil {
		show(a, dir, asking)
	}
	return err
}

// show tells a person what the crawl asks, what was answered, and what to do.
func show(a *job.Job, dir string, asking crawl.Asking) {
	for _, one := range asking.Answers {
		said := "no "
		if one.Yes {
			said = "yes"
		}
		console.Say(a.Out, "%s  %s", said, one.Class)
	}
	folder := console.Relative(dir)
	switch {
	case asking.Question != nil:
		console.Say(a.Out, "%s", findings.InQuestion(*asking.Question))
		if !a.Person {
			console.Say(a.Out, "Answer it: orbweaver ask %s --yes %s, or --no", folder, findings.ForShell(asking.Question.Class))
		}
	case !asking.Waits:
		console.Say(a.Out, "No question: no class that was rejected promises enough.")
	}
	if asking.Waits {
		console.Say(a.Out, "The search is not over; this goes on with it, and takes the answers up: orbweaver crawl %s", filepath.Join(folder, "crawl.yaml"))
	}
}

// Once asks a person the question of a crawl that has just ended, if it is a metadata crawl that has one and somebody can be asked. It reports whether
// an answer was given and committed.
func Once(ctx context.Context, a *job.Job, c *crawl.Crawl) (answered bool, err error) {
	if !a.Person || !slices.Contains(c.Knows(), crawl.KnowsRecommendations) {
		return false, nil
	}
	asking, err := c.Asks(ctx)
	if err != nil || asking.Question == nil {
		return false, err
	}
	console.Say(a.Out, "\nDoes %s belong to the topic?", console.Visible(asking.Question.Label, 60)) // the summary has the rest
	answer, answered, err := put(ctx, a, asking.Question.Class)
	if err != nil || !answered {
		return false, err
	}
	_, err = c.Answer(ctx, answer)
	return err == nil, err
}

// mostTyped bounds an answer, in bytes.
const mostTyped = 1000

// put reads an answer: yes, no, or nothing to skip the question. What is none of these is asked again, and skips the third time.
func put(ctx context.Context, a *job.Job, class string) (answer crawl.ClassAnswer, answered bool, err error) {
	if a.In == nil {
		return answer, false, nil
	}
	lines := bufio.NewReader(io.LimitReader(a.In, 3*mostTyped))
	for range 3 {
		fmt.Fprint(a.Out, "yes, no, or Enter to skip: ")
		typed := make(chan string, 1)
		go func() {
			line, _ := lines.ReadString('\n')
			typed <- line
		}()
		select {
		case <-ctx.Done():
			console.Say(a.Out, "")
			return answer, false, nil
		case line := <-typed:
			switch strings.ToLower(strings.TrimSpace(line)) {
			case "y", "yes":
				return crawl.ClassAnswer{Class: class, Yes: true}, true, nil
			case "n", "no":
				return crawl.ClassAnswer{Class: class}, true, nil
			case "":
				return answer, false, nil
			}
		}
	}
	return answer, false, nil
}
