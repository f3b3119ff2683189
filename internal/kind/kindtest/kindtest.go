// Package kindtest is a kind of focus for tests: it shows what a kind is, in one package, and that nothing else has to
// know of it. CONTRIBUTING.md walks through it. It is in no list of kinds but those of tests.
package kindtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// A section looks for pages that name things.
type section struct {
	Things map[string]string `yaml:"things" need:"yes" type:"map of name to IRI" doc:"What is looked for: words as they stand in pages, and what they mean."`
	Least  int               `yaml:"least" default:"2" min:"1" max:"1000" doc:"How often a page names things, together, to be accepted."`
}

// names are those of the things, in one fixed order.
func (s *section) names() []string { return slices.Sorted(maps.Keys(s.Things)) }

// Kind looks for pages that name things.
type Kind struct{ kind.Base }

// Traits are those of sightings.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{Key: "sightings", Doc: "Pages that name any of some things, and how often."}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Check spells out the IRIs of things, and finds those that are none.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	for _, name := range f.names() {
		iri := f.Things[name]
		c.Spell(&iri, "things."+name, "", true)
		f.Things[name] = iri
	}
}

// Abilities are those of a focus that scores pages and links.
func (Kind) Abilities(any) kind.Abilities { return kind.Abilities{Blended: true, Explored: true} }

// Line tells the things.
func (Kind) Line(s any) string { return "sightings: " + strings.Join(s.(*section).names(), ", ") }

// Facts are the things, as what is looked for.
func (Kind) Facts(s any, facts *eval.CrawlFacts) {
	for _, name := range s.(*section).names() {
		facts.Target = append(facts.Target, s.(*section).Things[name])
	}
}

// Names is the thing of a reason.
func (Kind) Names(r orbweaver.Reason) kind.Named {
	name, iri, found := strings.Cut(strings.TrimSuffix(r.Evidence, ">"), " <")
	if r.Rule != ruleSighting || !found {
		return kind.Named{}
	}
	return kind.Named{Names: []string{name}, IRI: iri, Entity: true}
}

// Kept reads what an earlier session left.
func (Kind) Kept(_ any, folder string) kind.View {
	seen, err := readSeen(folder)
	if err != nil {
		return kind.View{}
	}
	return kind.View{Facts: seen.facts}
}

// Next is a question about the things.
func (Kind) Next(s any, folder string) []string {
	return []string{fmt.Sprintf("orbweaver search %s --entity '%s'   the pages that name it", folder, s.(*section).names()[0])}
}

// New makes the focus.
func (Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	f := newFocus(*s.(*section))
	return &instance{Plain: kind.Plain{F: f}, focus: f}, nil
}
