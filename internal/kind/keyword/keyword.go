// Package keyword is the kind of focus that judges pages and links by terms.
package keyword

import (
	"context"
	"fmt"
	"strings"

	"orbweaver/focus/baseline"
	"orbweaver/focus/keyword"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// A section judges by terms.
type section struct {
	Terms  []string `yaml:"terms" need:"yes" type:"list of words or phrases" doc:"The topic: pages are relevant to any of these."`
	Mode   string   `yaml:"mode" default:"scored" oneof:"scored|paper" doc:"How pages are judged and links followed. scored: a page by the frequency of the terms in its title, headings and text, relative to its length; links of seeds always, others by anchor text, context and the score of their page. paper: a page that contains a term is relevant, and only links of such pages are followed, in discovery order (the baseline of Ehrig and Maedche 2003); if no seed contains a term, the crawl ends after the seeds."`
	Accept *float64 `yaml:"accept" min:"0" max:"1" doc:"With mode: scored, the minimum score of an accepted page; 0.5 is the score of a page that is as much about the terms as not. Default: calibrated on the scores of the crawl's own pages (reasons.md)."`
}

// paper is the mode of the paper's keyword baseline.
const paper = "paper"

// Kind judges pages and links by terms.
type Kind struct{ kind.Base }

// Traits are those of keyword.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "keyword",
		Doc: "Pages about any of a list of terms, scored by how much they are about them; links are ranked by that score and by their text.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Abilities returns those of a focus that scores pages and links, and learns document frequencies of terms.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{
		Blended: true, Explored: s.(*section).Mode != paper, Paper: s.(*section).Mode == paper, Shared: true, Learned: true, Revised: true,
		Mend: "No seed holds a term. Leave out focus.keyword.mode: paper, which follows links of pages with a term alone, or name seeds that are nearer to the topic.",
	}
}

// Line names mode and terms.
func (Kind) Line(s any) string {
	return fmt.Sprintf("keyword: %s, %s", s.(*section).Mode, strings.Join(s.(*section).Terms, ", "))
}

// New makes the focus.
func (Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	f := s.(*section)
	if f.Mode == paper {
		return kind.Built(baseline.NewKeyword(f.Terms))
	}
	focus, err := keyword.New(f.Terms, keyword.Options{Accept: f.Accept})
	if err != nil {
		return nil, kind.Input(err)
	}
	return kind.Built(focus, nil)
}

// Simulate makes the section for a generated web.
func (Kind) Simulate(world kind.World, _, _ string) (any, error) {
	return &section{Terms: world.Terms(), Mode: paper}, nil
}
