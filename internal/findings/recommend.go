package findings

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
	"orbweaver/kb/terms"
)

// Options configures Recommend.
type Options struct {
	Format string    // "text" or "json"
	Top    int       // length of each list; 0: unlimited
	Tables bool      // Tables instead of a recommendation
	Use    terms.Use // the user's own data; nil: none
	By     string    // terms.ByLinks, terms.ByInstances; empty: by links if datasets of the crawl's catalogues have any

	Own catalog.Dataset // to find links for, as far as it is described
}

// Formats of a recommendation.
const (
	Text = "text"
	JSON = "json"
)

// Recommend prints the vocabularies and datasets that a crawl recommends, with their reasons and the path
// that found each. The error wraps orbweaver.ErrInput if datasets cannot be ranked by links.
func Recommend(w io.Writer, f Findings, o Options) error {
	r := f.Ranked(o.Use, o.Own)
	switch {
	case o.By == terms.ByInstances && r.DatasetsBy == terms.ByLinks:
		r.Datasets, r.DatasetsBy, r.ByInstances = r.ByInstances, terms.ByInstances, nil
	case r.DatasetsBy != terms.ByLinks && (o.By == terms.ByLinks || o.Own.Name != ""):
		return fmt.Errorf("no catalogue of the crawl says which datasets link to which, or it is too large: datasets cannot be ranked by links (%w)", orbweaver.ErrInput)
	}
	if o.Top > 0 {
		r.Vocabularies = r.Vocabularies[:min(o.Top, len(r.Vocabularies))]
		r.Datasets = r.Datasets[:min(o.Top, len(r.Datasets))]
		r.ByInstances = r.ByInstances[:min(o.Top, len(r.ByInstances))]
	}
	if o.Format == JSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(r)
	}
	var b strings.Builder
	list(&b, "Vocabularies", r.Vocabularies)
	if r.DatasetsBy == terms.ByLinks {
		list(&b, fmt.Sprintf("Datasets, by what %d datasets of the catalogues link to (--rank instances: by their instances)", len(f.Catalogue)), r.Datasets)
	} else {
		list(&b, "Datasets", r.Datasets)
	}
	b.WriteString(silent(f.Datasets))
	b.WriteString(unknown(f.Terms, o.Use))
	_, err := io.WriteString(w, b.String())
	return err
}

// list writes a ranking.
func list(b *strings.Builder, title string, all []terms.Ranked) {
	fmt.Fprintf(b, "%s\n", title)
	if len(all) == 0 {
		b.WriteString("  none\n")
	}
	for i, one := range all {
		name := one.Name
		if one.Title != "" && one.Title != one.Name {
			name += "  " + one.Title
		}
		fmt.Fprintf(b, "%3d  %.3f  %s\n", i+1, one.Score, name)
		for _, reason := range firstOf(one.Reasons) {
			fmt.Fprintf(b, "            %s\n", reason)
		}
		if len(one.Path) > 0 {
			fmt.Fprintf(b, "            %s\n", InWords(one.Path))
		}
	}
	b.WriteString("\n")
}

// mostReasons bounds the reasons printed per entry.
const mostReasons = 5

// firstOf returns the first reasons.
func firstOf(reasons []string) []string {
	if len(reasons) <= mostReasons {
		return reasons
	}
	rest := fmt.Sprintf("and %d more", len(reasons)-mostReasons)
	return append(slices.Clone(reasons[:mostReasons]), rest)
}

// InWords returns a path on one line, in the notation of the paper: A -> property -> B.
func InWords(p terms.Path) string {
	if len(p) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(p[0].From)
	for _, s := range p {
		property := s.Property[len(terms.Namespace(s.Property)):]
		if s.Inverse {
			property = "^" + property
		}
		fmt.Fprintf(&b, " -> %s -> %s", property, s.To)
	}
	return b.String()
}

// silent returns the number of datasets without an answer, by failure.
func silent(all []terms.Dataset) string {
	n, why := map[string]int{}, []string{}
	for _, d := range all {
		if d.Reason != "" {
			if n[d.Reason] == 0 {
				why = append(why, d.Reason)
			}
			n[d.Reason]++
		}
	}
	if len(why) == 0 {
		return ""
	}
	order.By(why, func(a, b string) int {
		if n[a] != n[b] {
			return n[b] - n[a]
		}
		return strings.Compare(a, b)
	})
	for i, reason := range why {
		why[i] = fmt.Sprintf("%s %d", reason, n[reason])
	}
	return "Without an answer: " + strings.Join(why, ", ") + "\n"
}

// unknown lists classes of the user's data that the crawl does not know.
func unknown(all []terms.Term, use terms.Use) string {
	given := map[string]bool{}
	for _, t := range all {
		given[t.IRI] = t.Stage == 0
	}
	var missing []string
	for _, class := range use.Most(len(use)) {
		if !given[class] {
			missing = append(missing, fmt.Sprintf("%s (%d)", class, use[class]))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "The crawl was not about these classes of the data: " + strings.Join(firstOf(missing), ", ") + "\n"
}
