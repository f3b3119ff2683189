// Package blend is the kind of focus that joins several: an expression over its parts says which pages are accepted.
package blend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	focus "orbweaver/focus/blend"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/rdf/syntax/embedded"
)

// A section joins focuses.
type section struct {
	Combine string `yaml:"combine" default:"all" type:"all, any, weighted or an expression" doc:"Which pages are accepted, and how links are ranked. all: pages that every judge accepts. any: pages that at least one accepts. weighted: pages whose mean of the judges' log odds, by weight, is above 0. An expression names each part, with and, or, not and parentheses: topic and (rdf or vocabulary), topic and not shop. Links are ranked by the chance that the expression holds of the page they lead to: a and b is a·b, a or b is a + b - a·b, not a is 1 - a, of chances that each part's links were measured to have in this crawl."`
	Parts   []part `yaml:"parts" need:"yes" type:"list of sections" doc:"The focuses that are joined, 2 to 16 of them."`
}

// A part is a focus with its place in the blend.
type part struct {
	Name   string          `yaml:"name" need:"yes" doc:"Name of the part, in combine, in reasons and reports: letters, digits, _ and -."`
	Weight float64         `yaml:"weight" default:"1" type:"number above 0" doc:"With combine: weighted, what the part counts for."`
	Role   string          `yaml:"role" default:"judge" oneof:"judge|guide" doc:"judge: the part judges pages and ranks links. guide: it ranks links and accepts no page; where combine names it, it is false of every page."`
	Ask    string          `yaml:"ask" default:"always" oneof:"always|near-threshold" doc:"Of an external judge: which pages it is asked about. always: all. near-threshold: those of which the other parts leave the verdict open, with a chance between 0.2 and 0.8."`
	Focus  crawlfile.Focus `as:"inline"`
}

// Kind joins focuses of other kinds.
type Kind struct {
	kind.Base
	Others kind.Registry // that may be parts
}

// Traits are those of blend.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "blend",
		Doc: "Several focuses in one crawl: an expression over their verdicts says which pages are accepted, and links are ranked by the chance that it will hold.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Check checks the parts by their kinds, and the expression over them.
func (Kind) Check(s any, c *crawlfile.Check) {
	b := s.(*section)
	for i, p := range b.Parts {
		key := c.Item("parts", i)
		c.Focus(key, p.Focus)
		if of := kind.Of(p.Focus); of != nil && !kind.AbilitiesOf(p.Focus).Blended {
			c.Problem(key+"."+p.Focus.Key(), "cannot be part of a blend: it ranks no pages by what they are about", "take ontology, keyword, linked_data, krs, crossref, best_first or external")
		}
	}
	for _, p := range focus.Check(b.options(nil)) {
		if !c.Troubled(p.Key) { // a key that is missing, or of the wrong type, is reported already
			c.Problem(p.Key, p.Msg, "")
		}
	}
}

// Begins reports whether a part generates its own first requests.
func (Kind) Begins(s any) bool {
	for _, p := range s.(*section).Parts {
		if of := kind.Of(p.Focus); of != nil && of.Begins(p.Focus.Section()) {
			return true
		}
	}
	return false
}

// options returns the options of the focus; without focuses, those that can be checked.
func (s *section) options(focuses []orbweaver.Focus) focus.Options {
	opts := focus.Options{Combine: s.Combine}
	for i, p := range s.Parts {
		one := focus.Part{Name: p.Name, Weight: p.Weight, Guide: p.Role == "guide", Unsure: p.Ask != "always"}
		if focuses != nil {
			one.Focus = focuses[i]
		}
		opts.Parts = append(opts.Parts, one)
	}
	return opts
}

// Parts returns the focuses that are joined.
func (Kind) Parts(s any) (parts []crawlfile.Focus) {
	for _, p := range s.(*section).Parts {
		parts = append(parts, p.Focus)
	}
	return parts
}

// Abilities are those of the parts together.
func (Kind) Abilities(s any) (all kind.Abilities) {
	all.Shared, all.Revised = true, true
	everySyntax := false
	var leads []func(*orbweaver.Page) []string
	for _, p := range s.(*section).Parts {
		a := kind.AbilitiesOf(p.Focus)
		all.Paper = all.Paper || a.Paper
		if all.Uncompared == "" {
			all.Uncompared = a.Uncompared
		}
		if all.Forms == "" {
			all.Forms = a.Forms
		}
		all.Alone = cmp.Or(all.Alone, a.Alone, a.AloneIn)
		all.Shared, all.Explored = all.Shared && a.Shared, all.Explored || a.Explored
		all.Revised = all.Revised && a.Revised
		all.Learned, all.ByItem, all.Starts = true, all.ByItem || a.ByItem, all.Starts || a.Starts
		if a.Data {
			all.Data, everySyntax = true, everySyntax || a.Syntaxes == nil
			all.Syntaxes = append(all.Syntaxes, a.Syntaxes...)
		}
		all.Dumps = all.Dumps || a.Dumps
		if a.Leads != nil {
			leads = append(leads, a.Leads)
		}
		all.Mend = strings.TrimSpace(all.Mend + " " + a.Mend)
	}
	if everySyntax {
		all.Syntaxes = []embedded.Syntax(nil)
	}
	if len(leads) > 0 {
		all.Leads = func(p *orbweaver.Page) (urls []string) {
			for _, of := range leads {
				urls = append(urls, of(p)...)
			}
			return urls
		}
	}
	return all
}

// Line names the expression and the parts.
func (Kind) Line(s any) string {
	return line(s.(*section), kind.Line)
}

// line describes a blend, its parts by describe.
func line(b *section, describe func(crawlfile.Focus) string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "blend: %s", b.Combine)
	for _, p := range b.Parts {
		fmt.Fprintf(&w, "; %s", p.Name)
		if p.Role == "guide" {
			w.WriteString(", a guide")
		}
		if p.Weight != 1 {
			fmt.Fprintf(&w, ", weight %v", p.Weight)
		}
		fmt.Fprintf(&w, ": %s", describe(p.Focus))
	}
	return w.String()
}

// Facts are those of the parts.
func (Kind) Facts(s any, facts *eval.CrawlFacts) {
	for _, p := range s.(*section).Parts {
		kind.Of(p.Focus).Facts(p.Focus.Section(), facts)
	}
}

// Names is what a part's reason names.
func (k Kind) Names(r orbweaver.Reason) kind.Named {
	_, rule, ok := strings.Cut(r.Rule, "/")
	if !ok {
		return kind.Named{}
	}
	r.Rule = rule
	for _, other := range k.Others {
		if n := other.Names(r); len(n.Names) > 0 || n.Entity {
			return n
		}
	}
	return kind.Named{}
}

// Next are the commands that the parts suggest, each once.
func (Kind) Next(s any, folder string) (all []string) {
	seen := map[string]bool{}
	for _, p := range s.(*section).Parts {
		for _, one := range kind.Of(p.Focus).Next(p.Focus.Section(), folder) {
			if !seen[one] {
				seen[one] = true
				all = append(all, one)
			}
		}
	}
	return all
}

// Kept joins what the parts kept.
func (Kind) Kept(s any, folder string) kind.View {
	b := s.(*section)
	views := make([]kind.View, len(b.Parts))
	for i, p := range b.Parts {
		views[i] = kind.Of(p.Focus).Kept(p.Focus.Section(), folderOf(folder, p.Name))
	}
	return b.joined(views)
}

// New prepares the parts.
func (Kind) New(ctx context.Context, s any, env *kind.Env) (kind.Instance, error) {
	in := &instance{section: s.(*section)}
	var problems []error
	for _, p := range in.section.Parts {
		own := new(kind.Env)
		in.envs = append(in.envs, own)
		in.update(env, len(in.envs)-1)
		one, err := kind.New(ctx, p.Focus, own)
		if err != nil {
			problems = append(problems, fmt.Errorf("focus.blend: part %s: %w", p.Name, err))
			continue
		}
		in.parts = append(in.parts, one)
	}
	err := errors.Join(problems...)
	if err == nil {
		err = in.build()
	}
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// ForItem builds a blend of which some parts are by an item.
func (Kind) ForItem(s any, item *orbweaver.Page, start bool) (orbweaver.Focus, error) {
	b := s.(*section)
	var focuses []orbweaver.Focus
	for _, p := range b.Parts {
		of := kind.Of(p.Focus)
		var f orbweaver.Focus
		var err error
		if by, ok := of.(kind.ByItem); ok && kind.AbilitiesOf(p.Focus).ByItem {
			f, err = by.ForItem(p.Focus.Section(), item, start)
		} else {
			var in kind.Instance
			if in, err = of.New(context.Background(), p.Focus.Section(), &kind.Env{}); err == nil {
				f = in.Focus()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("focus.blend: part %s: %w", p.Name, err)
		}
		focuses = append(focuses, f)
	}
	return focus.New(b.options(focuses))
}

// LineByItem is Line for such a blend.
func (Kind) LineByItem(s any) string {
	return line(s.(*section), func(f crawlfile.Focus) string {
		if by, ok := kind.Of(f).(kind.ByItem); ok && kind.AbilitiesOf(f).ByItem {
			return by.LineByItem(f.Section())
		}
		return kind.Line(f)
	})
}
