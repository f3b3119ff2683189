package app

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"orbweaver/eval"
	"orbweaver/focus/crossref"
)

// maxRoundsFile bounds what is read of rounds.json, in bytes: of 10 000 rounds it has some 5 MB.
const maxRoundsFile = 64 << 20

// roundFacts are the figures of a cross-reference crawl's rounds, and nil of any other: what the focus has, or,
// where it cannot be made again, what the folder has.
func (c *crawl) roundFacts() []eval.RoundFacts {
	if c.file.Focus.Crossref == nil {
		return nil
	}
	var rounds []crossref.Figures
	if focus, ok := c.focus.(*crossref.Focus); ok {
		rounds = focus.Rounds()
	} else {
		rounds = keptRounds(filepath.Join(c.file.Output, roundsFile))
	}
	facts := make([]eval.RoundFacts, len(rounds))
	for i, r := range rounds {
		facts[i] = eval.RoundFacts{
			Round: r.Round, Pages: r.Pages, Accepted: r.Accepted, CosItem: r.CosItem, CosL0: r.CosL0,
			Items: r.Items, Layers: r.Layers, Inferred: r.Inferred,
			Terms: r.Terms, Labels: r.Labels, Relations: r.Relations, Alpha: r.Alpha, Beta: r.Beta,
		}
	}
	return facts
}

// keptRounds reads rounds.json; nil where it is missing or damaged: a report without it is still one.
func keptRounds(path string) (rounds []crossref.Figures) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if json.NewDecoder(io.LimitReader(file, maxRoundsFile)).Decode(&rounds) != nil {
		return nil
	}
	return rounds
}
