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
	Terms  []string `yaml:"terms" need:"yes" type:"list of words or phrases" doc:"What pages are to be about: any of these."`
	Mode   string   `yaml:"mode" default:"scored" oneof:"scored|paper" doc:"How pages are judged and links followed. scored: by how often a page names the terms, in its title, headings and text, against its length; links of seeds always, others by anchor, context and the score of their page. paper: a page that holds a term is relevant, and only the links of such pages are followed, in the order found (the baseline of Ehrig and Maedche 2003); a crawl whose seeds hold none ends after them."`
	Accept *float64 `yaml:"accept" min:"0" max:"1" doc:"For mode: scored, the score from which a page is accepted, 0.5 being that of a page as much about the terms as not. Left out: it is calibrated from the scores of the crawl's own pages (reasons.md)."`
}

// paper is the mode of the paper's keyword baseline.
const paper = "paper"

// Kind judges pages and links by terms.
type Kind struct{ kind.Base }

// Traits are those of keyword.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "keyword",
		Doc: "Pages about any of some terms: how much a page is about them decides, and with it what stands at links, which links go first.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Abilities are those of a focus that scores pages and links, and learns how rare terms are.
func (Kind) Abilities(any) kind.Abilities {
	return kind.Abilities{
		Blended: true, Shared: true, Learned: true,
		Mend: "No seed holds a term. Leave out focus.keyword.mode: paper, which follows links of pages with a term alone, or name seeds that are nearer to the topic.",
	}
}

// Line tells mode and terms.
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
