package assembly

import (
	"fmt"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// isStranded reports whether a crawl ended because its focus dropped all links of the seeds: the frontier is empty and
// no link was followed. A metadata crawl is never stranded, because it queries datasets, nor is a walk with results.
func (c *Crawl) isStranded(l *ledger.Ledger) (bool, error) {
	if c.running || kind.AbilitiesOf(c.File.Focus).Linkless || c.view.Results > 0 || !engine.Exhausted(l.Progress().Ended) || droppedOf(l.Refused()) == 0 {
		return false, nil
	}
	for o, err := range l.Outcomes(0) {
		if v := o.Request.Via; err != nil || v != nil && v.Origin != orbweaver.FromSeed { // a guessed URL has no Via
			return false, err
		}
	}
	return true, nil
}

// droppedOf returns the number of links that the focus dropped.
func droppedOf(refused []step.Refused) int64 {
	for _, r := range refused {
		if r.Reason == step.RefusedDropped {
			return r.Links
		}
	}
	return 0
}

// strandedWords returns a warning with a remedy if the crawl is stranded.
func (c *Crawl) strandedWords() []string {
	if !c.stranded {
		return nil
	}
	return []string{fmt.Sprintf("the crawl ended after its seeds: the focus followed none of their links and dropped %d. %s",
		droppedOf(c.refused), strandedMend(c.File.Focus))}
}

// strandedMend returns the advice that lets a focus follow links of seeds.
func strandedMend(f crawlfile.Focus) string {
	if mend := kind.AbilitiesOf(f).Mend; mend != "" {
		return mend
	}
	return "Look at their links by orbweaver judge, and name seeds that are nearer to the topic."
}

// maxCutSeeds is the maximum number of seeds that LookCut checks.
const maxCutSeeds = 100

// CutLinks summarizes the links that a focus dropped. The crawl never saw their targets, nor pages beyond them.
type CutLinks struct {
	links int64
	seed  string // a seed with such a link; empty if none is known
}

// LookCut counts the links that the focus dropped, and finds a seed that has one.
func LookCut(l *ledger.Ledger, seeds []string) CutLinks {
	cut := CutLinks{links: droppedOf(l.Refused())}
	for _, seed := range seeds[:min(len(seeds), maxCutSeeds)] {
		if _, ok := l.RefusalOn(step.RefusedDropped, seed); ok {
			cut.seed = seed
			break
		}
	}
	return cut
}

// Sentence says that dropped links may be the reason why no fetched page links to a URL. It is empty if there are none.
func (c CutLinks) Sentence() string {
	switch {
	case c.links == 0:
		return ""
	case c.seed != "":
		return fmt.Sprintf(" The focus dropped links of the seed %s (%d links in all): a way may lead over what it dropped.", c.seed, c.links)
	}
	return fmt.Sprintf(" The focus dropped %d links: a way may lead over what it dropped.", c.links)
}
