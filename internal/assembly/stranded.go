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

// isStranded reports whether a crawl is over because its focus dropped all the links of what it began
// with: nothing waits, and no link was followed. A metadata crawl asks datasets, and needs no links; a walk
// may have its results without following one.
func (c *Crawl) isStranded(l *ledger.Ledger) (bool, error) {
	if c.running || kind.AbilitiesOf(c.File.Focus).Linkless || c.view.Results > 0 || l.Progress().Ended != engine.EndExhausted || droppedOf(l.Refused()) == 0 {
		return false, nil
	}
	for o, err := range l.Outcomes(0) {
		if v := o.Request.Via; err != nil || v != nil && v.Origin != orbweaver.FromSeed { // no address that a focus guesses
			return false, err
		}
	}
	return true, nil
}

// droppedOf is how many links the focus dropped.
func droppedOf(refused []step.Refused) int64 {
	for _, r := range refused {
		if r.Reason == step.RefusedDropped {
			return r.Links
		}
	}
	return 0
}

// strandedWords says that the focus followed no link, and what may be done; nothing where it did.
func (c *Crawl) strandedWords() []string {
	if !c.stranded {
		return nil
	}
	return []string{fmt.Sprintf("the crawl ended after its seeds: the focus followed none of their links and dropped %d. %s",
		droppedOf(c.refused), strandedMend(c.File.Focus))}
}

// strandedMend is what lets a focus follow links of seeds.
func strandedMend(f crawlfile.Focus) string {
	if mend := kind.AbilitiesOf(f).Mend; mend != "" {
		return mend
	}
	return "Look at their links by orbweaver judge, and name seeds that are nearer to the topic."
}

// maxCutSeeds is how many seeds are looked at for links that the focus dropped.
const maxCutSeeds = 100

// CutLinks are the links that a focus dropped: what they lead to was never seen, and so nothing beyond it.
type CutLinks struct {
	links int64
	seed  string // on which some of them stood; empty where none is known
}

// LookCut looks for links that the focus dropped, and for a seed among the pages they stood on.
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

// Sentence says what a URL that no page links to has to do with them.
func (c CutLinks) Sentence() string {
	switch {
	case c.links == 0:
		return ""
	case c.seed != "":
		return fmt.Sprintf(" The focus dropped links of the seed %s (%d links in all): a way may lead over what it dropped.", c.seed, c.links)
	}
	return fmt.Sprintf(" The focus dropped %d links: a way may lead over what it dropped.", c.links)
}
