package compare

import (
	"fmt"

	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// printLikeness prints how similar the fetched pages of each run are to the items, if that was measured.
func printLikeness(a *job.Job, result *eval.Comparison) {
	rounds := result.Rounds()
	if rounds == nil {
		return
	}
	head := fmt.Sprintf("\n%-20s", "like the item")
	for _, threshold := range eval.CosineThresholds() {
		head += fmt.Sprintf("%16s", fmt.Sprintf("above %g, %%", threshold))
	}
	console.Say(a.Out, "%s%18s", head, "mean cosine")
	for i, r := range rounds {
		row := fmt.Sprintf("%-20s", result.Runs[i].Name)
		for _, f := range []eval.StretchFigure{eval.AboveFirst, eval.AboveSecond} {
			row += fmt.Sprintf("%16s", likenessWords(r.Whole.Figures[f], 100, 2))
		}
		console.Say(a.Out, "%s%18s", row, likenessWords(r.Whole.Figures[eval.CosItem], 1, 4))
	}
}

// likenessWords formats a mean, times a factor, with half its 95 % interval.
func likenessWords(e eval.Estimate, times float64, decimals int) string {
	switch e.N {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.*f", decimals, times*e.Mean)
	}
	return fmt.Sprintf("%.*f±%.*f", decimals, times*e.Mean, decimals, times*e.Half)
}
