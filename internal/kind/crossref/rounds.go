package crossref

import (
	"encoding/json"
	"io"
	"os"

	"orbweaver/eval"
	focus "orbweaver/focus/crossref"
)

// maxRoundsFile bounds what is read of rounds.json, in bytes: of 10 000 rounds it has some 5 MB.
const maxRoundsFile = 64 << 20

// roundFacts are the figures of rounds, for a report.
func roundFacts(rounds []focus.Figures) []eval.RoundFacts {
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

// keptRounds reads rounds.json; nil if it is missing or damaged, because reports work without it.
func keptRounds(path string) (rounds []focus.Figures) {
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
