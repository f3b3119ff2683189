package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"orbweaver/eval"
	focus "orbweaver/focus/external"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// An instance is the focus of one crawl with the connection to its judge.
type instance struct {
	kind.Plain
	section *section
	focus   *focus.Focus
	asker   *asker
}

// Reach connects the focus with its judge; private may permit private addresses.
func (in *instance) Reach(via wire.Wire, private crawlfile.Private) error {
	if in.section.URL != "" {
		in.asker.via = newService(in.section, via, private)
	}
	return in.recall("")
}

// recall opens the answers of an earlier crawl; own is the crawl folder of this one, empty if there is none.
func (in *instance) recall(own string) error {
	dir := in.section.Answers
	if dir == "" {
		return nil
	}
	from := filepath.Join(dir, answersFolder)
	if part, err := filepath.Rel(filepath.Dir(filepath.Dir(own)), own); own != "" && err == nil && !begun(dir) {
		if of := filepath.Join(dir, part); begun(of) { // own is the folder of a part of a blend, as is this
			from = filepath.Join(of, answersFolder)
		}
	}
	if own != "" && from == filepath.Join(own, answersFolder) {
		return kind.Input(fmt.Errorf("focus.external.answers: %s is this crawl's own folder, whose answers are used anyway: leave the key out", dir))
	}
	earlier, err := readStore(from)
	if errors.Is(err, fs.ErrNotExist) && begun(own) {
		return nil // this crawl began with them, and has a copy of those that it used
	}
	if err != nil {
		return kind.Input(fmt.Errorf("focus.external.answers: %w", err))
	}
	in.asker.earlier = earlier
	return nil
}

// Settle sees that there are answers where the crawl file says so, before there is a folder.
func (in *instance) Settle(_ context.Context, env *kind.Env) error {
	return in.recall(env.Folder)
}

// Open records answers in the crawl folder.
func (in *instance) Open(env *kind.Env) (err error) {
	if in.section.URL != "" {
		in.asker.via = newService(in.section, env.Wire, env.File.AllowPrivate)
	}
	in.asker.own, err = openStore(filepath.Join(env.File.Output, answersFolder))
	return err
}

// View says what the judge was asked and which pages have no answer.
func (in *instance) View(*kind.Env, *ledger.Ledger, bool) (kind.View, error) {
	t := in.focus.Tally()
	return kind.View{Warnings: warnings(t), Facts: func(facts *eval.CrawlFacts) {
		facts.More = append(facts.More, factsOf(t)...)
	}}, nil
}

// warnings say how many pages the judge failed.
func warnings(t focus.Tally) (all []string) {
	if n := t.Without + t.Alone; n > 0 {
		all = append(all, fmt.Sprintf("%d of %d pages have no answer of the judge: it was asked about %d of them, and left alone for %d as it failed too often; the first is %s: %s",
			n, t.Answered+t.Without+t.NotAsked, t.Without, t.Alone, t.FirstURL, t.First))
	}
	return all
}

// factsOf returns lines for a report.
func factsOf(t focus.Tally) []eval.Fact {
	facts := []eval.Fact{
		{Name: "pages the judge answered", Value: fmt.Sprint(t.Answered)},
		{Name: "pages without an answer", Value: fmt.Sprintf("%d, and %d about which the judge was not asked", t.Without, t.NotAsked)},
		{Name: "time of the judge", Value: t.Took.Round(time.Millisecond).String()},
	}
	if t.Cost > 0 {
		facts = append(facts, eval.Fact{Name: "cost of the judge", Value: fmt.Sprintf("%.6g", t.Cost)})
	}
	return facts
}

// AcceptFrom is the threshold of the crawl file.
func (in *instance) AcceptFrom() *float64 { return in.section.Accept }

// Close ends the judge and closes the records.
func (in *instance) Close() error { return in.asker.close() }
