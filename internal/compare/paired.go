package compare

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
)

// JoinJob configures Join.
type JoinJob struct {
	Folders  []string // output folders of comparisons
	Output   string   // folder for the results
	Baseline string   // name of a run
	Seed     uint64   // of the bootstrap
}

// Join compares the runs of several comparisons over all their topics and items, and writes paired.csv, paired.json and
// report.html. The error wraps orbweaver.ErrInput if a folder holds no comparison.
func Join(a *job.Job, j JoinJob) error {
	if err := crawlfolder.CheckResults(j.Output); err != nil {
		return err
	}
	joined, err := eval.Join(filepath.Base(j.Output), j.Folders, eval.Pairing{Baseline: j.Baseline, Seed: j.Seed})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(j.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w (%w)", err, orbweaver.ErrInput)
	}
	if err := writeResult(j.Output, "paired.csv", joined.Paired.WriteCSV); err != nil {
		return err
	}
	if err := writeResult(j.Output, "paired.json", joined.WriteJSON); err != nil {
		return err
	}
	if err := writeResult(j.Output, "report.html", joined.WriteReport); err != nil {
		return err
	}
	table := joined.Paired.Table
	console.Say(a.Out, "%s: %d runs over %d units of %d comparisons", joined.Name, len(table.Runs), len(table.Units), len(joined.Sources))
	for _, note := range joined.Notes {
		console.Say(a.Out, "  %s", note)
	}
	heads := measureHeads(a)
	for _, run := range table.Runs {
		row := fmt.Sprintf("%-20s", run.Name)
		for m := range heads {
			row += fmt.Sprintf("%20s", eval.MeanWords(run.Values[m]))
		}
		console.Say(a.Out, "%s", row)
	}
	printPaired(a, joined.Paired)
	console.Say(a.Out, "\n%s has report.html, paired.csv and paired.json.", console.Relative(j.Output))
	return nil
}

// writeResult writes a file of results, whole or not at all.
func writeResult(folder, name string, write func(io.Writer) error) error {
	if err := atomicfile.Write(filepath.Join(folder, name), 0o666, write); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// measureHeads prints the heads of a table of measures and returns them.
func measureHeads(a *job.Job) []string {
	heads := []string{"AP", "P at 50", "harvest", "recall", "requests/page", "hours/page", "AP by score", "P at 50, score"}
	line := fmt.Sprintf("\n%-20s", "per relevant page")
	for _, head := range heads {
		line += fmt.Sprintf("%20s", head)
	}
	console.Say(a.Out, "%s", line)
	return heads
}

// printMeasures prints the measures of all runs.
func printMeasures(a *job.Job, result *eval.Comparison) {
	measureHeads(a)
	for i := range result.Runs {
		row := fmt.Sprintf("%-20s", result.Runs[i].Name)
		for _, m := range eval.Measures() {
			row += fmt.Sprintf("%20s", eval.MeanWords(result.Runs[i].Measured(m)))
		}
		console.Say(a.Out, "%s", row)
	}
}

// printPaired prints the differences to the baseline, measure by measure.
func printPaired(a *job.Job, p *eval.Paired) {
	const row = "%-26s%14s%26s%14s%10s%10s"
	last := ""
	for _, r := range p.Rows {
		if r.Measure != last {
			console.Say(a.Out, "\n%s, minus %s", r.Measure, p.Table.Baseline)
			console.Say(a.Out, row, "", "difference", "95 % interval", "above:below", "p", "p, Holm")
			last = r.Measure
		}
		holm := "–"
		if !math.IsNaN(r.Holm) {
			holm = fmt.Sprintf("%.4f", r.Holm)
		}
		console.Say(a.Out, row, r.Run, eval.SignedWords(r.Difference), eval.SignedWords(r.Low)+" … "+eval.SignedWords(r.High),
			fmt.Sprintf("%d:%d", r.Above, r.Below), fmt.Sprintf("%.4f", r.Test.P), holm)
	}
}
