// Package baseline provides the baselines of comparisons: best-first by similarity, breadth-first, random, and the oracle,
// which knows the ground truth.
package baseline

import (
	"context"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/focus/baseline"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// A bestFirstSection ranks links by the similarity of their page to the terms or, without terms, to the item of a
// comparison that draws items.
type bestFirstSection struct {
	Terms []string `yaml:"terms" need:"unless each" type:"list of words or phrases" doc:"Pages are compared with these terms. Optional in a comparison file with each, where pages are compared with the words of the item."`
	N     int      `yaml:"n" default:"1" min:"1" max:"1000000" doc:"Number of requests taken from the frontier at a time."`
}

// BestFirst follows the links of the pages most similar to given terms first.
type BestFirst struct{ kind.Base }

// Traits are those of best_first.
func (BestFirst) Traits() crawlfile.Traits {
	return crawlfile.Traits{Key: "best_first", Doc: "Follows the links of the pages most similar to the terms first."}
}

// Section is a new section.
func (BestFirst) Section() any { return new(bestFirstSection) }

// Abilities are those of a focus by terms or by an item.
func (BestFirst) Abilities(section any) kind.Abilities {
	return kind.Abilities{ByItem: len(section.(*bestFirstSection).Terms) == 0, Blended: true, Explored: true}
}

// Line names the terms.
func (BestFirst) Line(section any) string {
	s := section.(*bestFirstSection)
	return fmt.Sprintf("best_first: n = %d, %s", s.N, strings.Join(s.Terms, ", "))
}

// New makes the focus.
func (BestFirst) New(_ context.Context, section any, _ *kind.Env) (kind.Instance, error) {
	s := section.(*bestFirstSection)
	return kind.Built(baseline.NewBestFirst(s.Terms, s.N))
}

// ForItem builds the focus from the words of an item.
func (BestFirst) ForItem(section any, item *orbweaver.Page, _ bool) (orbweaver.Focus, error) {
	focus, err := baseline.NewBestFirstByItem(item, section.(*bestFirstSection).N)
	if err != nil {
		return nil, kind.Input(err)
	}
	return focus, nil
}

// LineByItem says that the focus uses the words of the item.
func (BestFirst) LineByItem(section any) string {
	return fmt.Sprintf("best_first: n = %d, by the item's words", section.(*bestFirstSection).N)
}

// Simulate makes the section for a generated web.
func (BestFirst) Simulate(world kind.World, _, _ string) (any, error) {
	return &bestFirstSection{Terms: world.Terms(), N: 1}, nil
}

// BreadthFirst follows every link in discovery order.
type BreadthFirst struct{ kind.Base }

// Traits are those of breadth_first.
func (BreadthFirst) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "breadth_first", Doc: "Follows every link in discovery order. Has no keys: write breadth_first: {}.", Always: "breadth-first",
	}
}

// Section is a new section, which has no keys.
func (BreadthFirst) Section() any { return new(struct{}) }

// Line is its key.
func (BreadthFirst) Line(any) string { return "breadth_first" }

// New makes the focus.
func (BreadthFirst) New(context.Context, any, *kind.Env) (kind.Instance, error) {
	return kind.Built(baseline.NewBreadthFirst(), nil)
}

// Simulate makes the section for a generated web.
func (BreadthFirst) Simulate(kind.World, string, string) (any, error) { return new(struct{}), nil }

// A randomSection selects links in random order.
type randomSection struct {
	Seed int64 `yaml:"seed" default:"1" doc:"Random seed: the same seed gives the same order."`
}

// Random follows every link in random order.
type Random struct{ kind.Base }

// Traits are those of random.
func (Random) Traits() crawlfile.Traits {
	return crawlfile.Traits{Key: "random", Doc: "Follows every link in random order, determined by a seed."}
}

// Section is a new section.
func (Random) Section() any { return new(randomSection) }

// Line names the seed.
func (Random) Line(section any) string {
	return fmt.Sprintf("random: seed %d", section.(*randomSection).Seed)
}

// New makes the focus.
func (Random) New(_ context.Context, section any, _ *kind.Env) (kind.Instance, error) {
	return kind.Built(baseline.NewRandom(uint64(section.(*randomSection).Seed)), nil)
}

// Simulate makes the section for a generated web.
func (Random) Simulate(kind.World, string, string) (any, error) { return &randomSection{Seed: 1}, nil }

// An oracleSection has no keys.
type oracleSection struct{}

// Oracle follows links to relevant pages first, then those nearest to one.
type Oracle struct{ kind.Base }

// Traits are those of oracle.
func (Oracle) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "oracle", Knowing: true, Always: "oracle",
		Doc: "Fetches relevant pages first, then those nearest to one: the upper bound for a crawler that knows the ground truth. Needs truth and an archived web. Has no keys: write oracle: {}.",
	}
}

// Section is a new section, which has no keys.
func (Oracle) Section() any { return new(oracleSection) }

// Check reports a crawl without ground truth, or of the live Web.
func (Oracle) Check(_ any, c *crawlfile.Check) {
	if c.Crawl == nil {
		return
	}
	if c.Crawl.Truth == nil && !c.GivenInFile("truth") {
		c.Problem("", "knows nothing without a truth", "add truth: {file: PATH, topics: [...]}")
	}
	if c.Crawl.Web == nil && !c.GivenInFile("web") {
		c.Problem("", "cannot know the live Web", "add web: {archive: [PATH]}")
	}
}

// Abilities returns those of a focus that needs the ground truth.
func (Oracle) Abilities(any) kind.Abilities { return kind.Abilities{Knowing: true} }

// Line is its key.
func (Oracle) Line(any) string { return "oracle" }

// New defers building the focus until the ground truth is known.
func (Oracle) New(context.Context, any, *kind.Env) (kind.Instance, error) { return new(oracle), nil }

// An oracle is built once the ground truth is known.
type oracle struct{ kind.Plain }

// Look makes the focus.
func (o *oracle) Look(_ context.Context, env *kind.Env) error {
	if env.Guide == nil {
		return fmt.Errorf("the oracle needs a truth: %w", orbweaver.ErrInput)
	}
	o.F = baseline.NewOracle(env.Guide)
	return nil
}
