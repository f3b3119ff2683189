package eval

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"orbweaver/internal/order"
)

// Embedded templates of the findings; read-only.
var (
	//go:embed findings.html
	findingsPart string
	//go:embed findings.css
	findingsStyle string
)

const (
	openRows     = 25       // visible rows of a table; the rest unfolds
	ownRows      = 50       // visible rows of terms
	mostRows     = 2000     // rows of a table, at most
	mostReasons  = 60       // of a row
	mostPathText = 600      // letters
	mostNames    = 200      // letters of a name, label or IRI
	thin         = "\u202f" // between thousands
)

// findingsView is the data of findings.html.
type findingsView struct {
	Terms, Given, Found, Ask, Answered, Partial int
	Instances                                   string // of all classes together
	Saved                                       int
	Judged                                      bool // some term has a verdict
	ByLinks                                     bool // datasets are ranked by links
	Graph                                       *termGraph
	Vocabularies, Datasets                      unfolding[rankedView]
	Nodes                                       unfolding[termView]
	Rejected                                    unfolding[rejectedView]
	Endpoints                                   unfolding[endpointView]
	WhyNot                                      []share
	Documents                                   int // number of documents read
	Problems                                    unfolding[termView]
}

// unfolding is a long table: its first rows, those that unfold, and the number omitted.
type unfolding[T any] struct {
	Open, More []T
	Rest       int
}

// All is the number of rows, omitted ones included.
func (u unfolding[T]) All() int { return len(u.Open) + len(u.More) + u.Rest }

// unfold makes at most mostRows rows, of which the first open are visible. A single row is never hidden.
func unfold[R, T any](rows []R, open int, view func(int, *R) T) (u unfolding[T]) {
	for i := range rows {
		switch {
		case i < open || i == open && len(rows) == open+1:
			u.Open = append(u.Open, view(i, &rows[i]))
		case i < mostRows:
			u.More = append(u.More, view(i, &rows[i]))
		default:
			u.Rest++
		}
	}
	return u
}

type rankedView struct {
	Rank                     int
	Name, Title, URL, Score  string
	Bar                      float64
	Given, Classes, Datasets int
	Instances, Path          string
	Reasons                  []string
}

type termView struct {
	ID, IRI, URL, Label, Stage, How string
	Instances, Score, Path          string
	Reasons, Follows                []string
	Document, DocumentURL, Problem  string
}

type rejectedView struct {
	IRI, URL, Label, Score, Path string
	Reasons                      []string
}

type endpointView struct {
	Name, Title, URL, Address string
	Asked, Answered           int
	Silent                    bool // asked, and never answered
	Why                       string
	Questions                 []string
	Dialect, Spared, Millis   string
	Partial                   bool
	Instances                 string
}

// view shows findings; nil if there are none.
func (f *Findings) view() *findingsView {
	if f == nil {
		return nil
	}
	v := &findingsView{Terms: len(f.Nodes), Saved: f.Saved, ByLinks: f.ByLinks, Graph: f.draw(),
		Vocabularies: unfold(f.Vocabularies, openRows, viewRanked), Datasets: unfold(f.Datasets, openRows, viewRanked),
		Nodes: unfold(f.Nodes, ownRows, viewTerm), Rejected: unfold(f.Rejected, openRows, viewRejected),
		Endpoints: unfold(f.Endpoints, openRows, viewEndpoint), WhyNot: f.whyNot()}
	var bad []FoundTerm
	var instances int64
	for i := range f.Nodes {
		t := &f.Nodes[i]
		v.count(t)
		instances = summed(instances, t.Instances)
		if t.Problem != "" {
			bad = append(bad, *t)
		}
	}
	v.Instances = grouped(instances)
	v.Problems = unfold(bad, openRows, viewTerm)
	for i := range f.Endpoints {
		e := &f.Endpoints[i]
		v.Ask += min(1, e.Asked)
		v.Answered += min(1, e.Answered)
		if e.Partial {
			v.Partial++
		}
	}
	return v
}

func (v *findingsView) count(t *FoundTerm) {
	if t.Given {
		v.Given++
	}
	if t.Found {
		v.Found++
	}
	if t.Score != nil {
		v.Judged = true
	}
	if t.Document != "" && t.Problem == "" {
		v.Documents++
	}
}

func viewRanked(i int, r *RankedRow) rankedView {
	v := rankedView{Rank: i + 1, Name: printable(r.Name, mostNames), Title: printable(r.Title, mostNames), URL: webAddress(r.URL),
		Score: scored(r.Score), Bar: 100 * min(1, max(0, r.Score)), Given: r.Given, Classes: r.Classes, Datasets: r.Datasets,
		Instances: grouped(r.Instances), Path: printable(r.Path, mostPathText), Reasons: reasonsOf(r.Reasons)}
	if math.IsNaN(r.Score) {
		v.Bar = 0
	}
	if r.AtLeast {
		v.Instances = "≥" + thin + v.Instances
	}
	if r.Title == r.Name {
		v.Title = ""
	}
	return v
}

func viewTerm(i int, t *FoundTerm) termView {
	v := termView{ID: termID(i), IRI: printable(t.IRI, mostNames), URL: webAddress(t.IRI), Label: printable(t.Label, mostNames),
		Stage: strconv.Itoa(t.Stage), How: howKnown(t), Instances: grouped(t.Instances), Path: printable(t.Path, mostPathText),
		Reasons: reasonsOf(t.Reasons), Follows: textsOf(t.Follows, mostPathText),
		Document: printable(t.Document, mostNames), DocumentURL: webAddress(t.Document), Problem: printable(t.Problem, mostNames)}
	if t.Score != nil {
		v.Score = scored(*t.Score)
	}
	return v
}

// termID is the fragment of a term's row, for links from the picture.
func termID(i int) string { return "term" + strconv.Itoa(i+1) }

// howKnown describes the origin of a term.
func howKnown(t *FoundTerm) string {
	how := "found"
	switch {
	case t.Given && t.Found:
		how = "given, and found"
	case t.Given:
		how = "given"
	}
	if !t.Processed {
		how += "; not followed"
	}
	return how
}

func viewRejected(_ int, t *RejectedTerm) rejectedView {
	return rejectedView{IRI: printable(t.IRI, mostNames), URL: webAddress(t.IRI), Label: printable(t.Label, mostNames),
		Score: scored(t.Score), Path: printable(t.Path, mostPathText), Reasons: reasonsOf(t.Reasons)}
}

func viewEndpoint(_ int, e *EndpointRow) endpointView {
	v := endpointView{Name: printable(e.Name, mostNames), Title: printable(e.Title, mostNames), URL: webAddress(e.URL),
		Address: printable(e.URL, mostNames), Asked: e.Asked, Answered: e.Answered, Silent: e.Asked > 0 && e.Answered == 0,
		Why: printable(e.Reason, mostNames), Dialect: printable(e.Dialect, 20), Partial: e.Partial,
		Spared: dashed(int64(e.Spared)), Millis: "–", Instances: dashed(e.Instances)}
	if e.Title == e.Name {
		v.Title = ""
	}
	if e.Millis > 0 && !math.IsInf(e.Millis, 0) {
		v.Millis = strconv.FormatFloat(e.Millis/1000, 'f', 2, 64) + " s"
	}
	for _, q := range e.Questions[:min(len(e.Questions), mostReasons)] {
		text := fmt.Sprintf("%s: %d of %d", q.Question, q.Answered, q.Asked)
		if why := strings.Trim(q.Reason+": "+q.Message, ": "); why != "" {
			text += " (" + why + ")"
		}
		v.Questions = append(v.Questions, printable(text, mostNames))
	}
	return v
}

// whyNot counts datasets without an answer by their reasons, the most frequent first.
func (f *Findings) whyNot() []share {
	t := tally{failures: map[string]int{}}
	for i := range f.Endpoints {
		if reason := f.Endpoints[i].Reason; reason != "" {
			if _, known := t.failures[reason]; !known && len(t.failures) >= maxFailures {
				reason = "other"
			}
			t.failures[reason]++
		}
	}
	return t.byFailure()
}

// reasonsOf are the first mostReasons reasons, made printable.
func reasonsOf(all []string) []string { return textsOf(all, mostNames) }

// textsOf is reasonsOf for texts of a given maximal length.
func textsOf(all []string, letters int) []string {
	var shown []string
	for _, text := range all[:min(len(all), mostReasons)] {
		shown = append(shown, printable(text, letters))
	}
	if n := len(all) - len(shown); n > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", n))
	}
	return shown
}

// webAddress is a URL that may be a link; empty if it is not http or https.
func webAddress(url string) string {
	if len(url) <= 2000 && (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) {
		return url
	}
	return ""
}

// summed adds untrusted counts and saturates on overflow.
func summed(a, b int64) int64 {
	if b = max(0, b); a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// scored writes a score with three decimals.
func scored(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// grouped formats a count with thin spaces between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteString(thin)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// dashed is grouped with a dash for none.
func dashed(n int64) string {
	if n == 0 {
		return "–"
	}
	return grouped(n)
}

// frequent are the n most frequent names, equals by name.
func frequent(counts map[string]int, n int) []string {
	names := make([]string, 0, len(counts))
	for name := range counts { // sorted below by a total order
		names = append(names, name)
	}
	order.By(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return names[:min(n, len(names))]
}
