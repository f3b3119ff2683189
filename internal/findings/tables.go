package findings

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver/kb/terms"
)

// Tables prints Tables 2 and 3 of the paper: the classes that each processed term led to, its instances by dataset,
// and the time that it took.
func Tables(w io.Writer, f Findings, o Options) error {
	rows := terms.Tables(f.Terms, f.Datasets, f.Spent)
	if o.Top > 0 {
		rows = rows[:min(o.Top, len(rows))]
	}
	if o.Format == JSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(rows)
	}
	var b strings.Builder
	b.WriteString("Related terms and instances\n")
	for _, r := range rows {
		relatedTerms(&b, r)
	}
	b.WriteString("\nProcessing time\n")
	fmt.Fprintf(&b, "  %12s %12s %9s  %s\n", "s, with what", "s, alone", "requests", "term")
	fmt.Fprintf(&b, "  %12s\n", "it led to")
	for _, r := range rows {
		if r.Spent == nil {
			fmt.Fprintf(&b, "  %12s %12s %9s  %s\n", "–", "–", "–", r.Term)
			continue
		}
		fmt.Fprintf(&b, "  %12s %12s %9d  %s\n", seconds(r.Seconds), seconds(r.Spent.Seconds), r.Spent.Documents+r.Spent.Queries, r.Term)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// relatedTerms writes a term of Table 2.
func relatedTerms(b *strings.Builder, r terms.Row) {
	fmt.Fprintf(b, "  %s, stage %d\n", r.Term, r.Stage)
	for _, one := range r.Related {
		fmt.Fprintf(b, "    %-16s %s\n", one.Kind, strings.Join(one.Classes, ", "))
	}
	if len(r.Datasets) == 0 {
		fmt.Fprintf(b, "    %-16s none\n", "instance")
		return
	}
	var held []string
	for _, d := range r.Datasets {
		held = append(held, fmt.Sprintf("%s %d", d.Dataset, d.N))
	}
	least := ""
	if r.AtLeast {
		least = "at least "
	}
	fmt.Fprintf(b, "    %-16s %s%d in %d datasets: %s\n", "instance", least, r.Instances, len(held), strings.Join(firstOf(held), ", "))
}

// seconds writes a duration.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
