package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/focus/ontology"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
)

// A Verdict is what judge tells of one page, in the order in which it came about. Its JSON is
// described in docs/formats.md.
type Verdict struct {
	URL     string            `json:"url"`
	Hops    []hop             `json:"hops,omitempty"`
	Final   string            `json:"final,omitempty"` // where the hops led; empty without any
	Refused []Refusal         `json:"refused,omitempty"`
	Error   orbweaver.Failure `json:"error,omitempty"` // why there is no judgement
	Nearest []string          `json:"nearest,omitempty"`

	Status   int    `json:"status,omitempty"`
	Type     string `json:"type,omitempty"`
	Title    string `json:"title,omitempty"`
	Lang     string `json:"lang,omitempty"`
	Words    int    `json:"words"` // of the main text
	Scripted bool   `json:"scripted,omitempty"`

	*Opinion
}

// An Opinion is what the focus thinks.
type Opinion struct {
	Score     float64            `json:"score"`
	Accepted  bool               `json:"accepted"`
	Threshold *float64           `json:"threshold,omitempty"` // score from which it accepts: of the crawl file, or calibrated
	AsOf      string             `json:"as_of,omitempty"`     // what the focus had learned, in words
	Class     string             `json:"class,omitempty"`
	Entities  []NamedEntity      `json:"entities,omitempty"`
	Topic     kind.Topic         `json:"topic,omitempty"` // of a focus by a KRS
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`
	Links     *LinkCount         `json:"links,omitempty"`
	Best      []RankedLink       `json:"best,omitempty"`
	Worst     []RankedLink       `json:"worst,omitempty"` // of those that are not among the best
}

// A hop is a redirect.
type hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	To     string `json:"to"`
}

// A Refusal is why a crawl would not ask for a URL.
type Refusal struct {
	URL  string            `json:"url"`
	By   orbweaver.Failure `json:"by"`   // ErrScope or ErrRobots
	Rule string            `json:"rule"` // for people
}

// A NamedEntity is an entity with the words that named it.
type NamedEntity struct {
	Name   string  `json:"name"`
	Words  string  `json:"words"` // each with its count
	Weight float64 `json:"weight"`
}

// Last is the URL that redirects led to.
func (v *Verdict) Last() string {
	if v.Final != "" {
		return v.Final
	}
	return v.URL
}

// describe takes what can be said of a page without a focus.
func (v *Verdict) describe(p *orbweaver.Page) {
	v.Status, v.Type, v.Title, v.Lang = p.Status, p.MediaType, p.Title, p.Lang
	v.Words, v.Scripted = wordsIn(p.Text), p.Scripted
}

// Judged takes a judgement.
func (v *Verdict) Judged(j orbweaver.Judgement, threshold *float64) {
	if t := step.Threshold(j); t > 0 {
		threshold = &t
	}
	v.Opinion = &Opinion{Score: j.Score, Accepted: j.Accepted, Threshold: threshold, Class: j.Class, Reasons: j.Reasons}
	for _, r := range j.Reasons {
		if e, ok := EntityOf(r); ok {
			v.Entities = append(v.Entities, e)
		}
	}
}

// EntityOf reads the evidence of an entity: its name, a colon, its words.
func EntityOf(r orbweaver.Reason) (NamedEntity, bool) {
	name, words, found := strings.Cut(r.Evidence, ": ")
	return NamedEntity{name, words, r.Weight}, found && r.Rule == ontology.RuleEntity
}

// encode writes the verdict as JSON.
func (v *Verdict) encode(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// PrintVerdict writes a verdict for people. What there is not is left out.
func PrintVerdict(a *job.Job, v *Verdict) {
	if v.Status == 0 {
		return // nothing was asked, or nothing answered: the error says it all
	}
	console.Say(a.Out, "%s", v.URL)
	for _, h := range v.Hops {
		console.Say(a.Out, "  → %s (%d)", h.To, h.Status)
	}
	for _, r := range v.Refused {
		if v.Error == r.By {
			continue // the error names the rule
		}
		console.Say(a.Out, "  the crawl would not ask for %s: %s: %s", r.URL, r.By, console.Visible(r.Rule, 200))
	}
	Fact(a, "status", strconv.Itoa(v.Status), v.Status != 0)
	Fact(a, "media type", console.Visible(v.Type, 80), v.Type != "")
	Fact(a, "title", console.Visible(v.Title, a.Columns()-14), v.Title != "")
	Fact(a, "language", console.Visible(v.Lang, 20), v.Lang != "")
	Fact(a, "words", fmt.Sprintf("%d of main text", v.Words), v.Type != "" && !v.Scripted)
	Fact(a, "words", fmt.Sprintf("%d of main text: no text without JavaScript", v.Words), v.Scripted)
	if v.Opinion != nil {
		printOpinion(a, v.Opinion)
	}
}

// Fact prints a name and its value.
func Fact(a *job.Job, name, value string, there bool) { console.Fact(a.Out, name, value, there) }

// printOpinion writes score, reasons and links.
func printOpinion(a *job.Job, o *Opinion) {
	word := "not accepted"
	if o.Accepted {
		word = "accepted"
	}
	if o.Threshold != nil {
		word += fmt.Sprintf(" (from %s on)", Weight(*o.Threshold))
	}
	Fact(a, "score", fmt.Sprintf("%.3f, %s", o.Score, word), true)
	Fact(a, "as of", o.AsOf, o.AsOf != "")
	Fact(a, "class", console.Visible(o.Class, 80), o.Class != "")
	if o.Topic != nil {
		o.Topic.Print(a.Out)
	}
	printReasons(a, o)
	n := o.Links
	console.Say(a.Out, "\nLinks: %d, to %d targets; a crawl would follow %d.", n.All, n.Targets, n.Follow)
	console.Say(a.Out, "  dropped by the focus %d, out of scope %d, forbidden by robots.txt %d, nofollow %d, to itself %d",
		n.Dropped, n.Scope, n.Robots, n.NoFollow, n.Itself)
	printLinks(a, "The best links:", o.Best)
	printLinks(a, "The worst links, the worst first:", o.Worst)
}

// printReasons writes entities with their words, then all other reasons.
func printReasons(a *job.Job, o *Opinion) {
	if len(o.Reasons) == 0 {
		console.Say(a.Out, "\nNothing on the page speaks for it.")
		return
	}
	if len(o.Entities) > 0 {
		console.Say(a.Out, "\nEntities, and the words that named them:")
	}
	for _, e := range o.Entities {
		console.Say(a.Out, "  %-9s %s  %s", Weight(e.Weight), console.Padded(console.Visible(e.Name, 60), 24), console.Visible(e.Words, 400))
	}
	if len(o.Entities) < len(o.Reasons) {
		console.Say(a.Out, "\nReasons:")
	}
	for _, r := range o.Reasons {
		if _, shown := EntityOf(r); !shown {
			console.Say(a.Out, "  %-9s %s", Weight(r.Weight), Ruled(r, 400))
		}
	}
}

// printLinks writes links with what made their scores.
func printLinks(a *job.Job, title string, links []RankedLink) {
	if len(links) == 0 {
		return
	}
	console.Say(a.Out, "\n%s", title)
	for i, l := range links {
		anchor := console.Visible(l.Anchor, a.Columns()-13)
		if anchor == "" {
			anchor = "(no text)"
		}
		console.Say(a.Out, "%3d. %.3f  %s", i+1, l.Score, anchor)
		console.Say(a.Out, "            %s", l.URL)
		switch {
		case l.Dropped:
			console.Say(a.Out, "            dropped by the focus")
		case l.Refused != nil:
			console.Say(a.Out, "            not asked for: %s: %s", l.Refused.By, console.Visible(l.Refused.Rule, 200))
		}
		for _, r := range l.Reasons {
			console.Say(a.Out, "            %s (%s)", Ruled(r, 200), Weight(r.Weight))
		}
	}
}

// Ruled writes the rule of a reason, and up to n characters of its evidence where it has some.
func Ruled(r orbweaver.Reason, n int) string {
	if r.Evidence == "" {
		return console.Visible(r.Rule, 60)
	}
	return console.Visible(r.Rule, 60) + ": " + console.Visible(r.Evidence, n)
}

// Weight writes a weight with three significant digits.
func Weight(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
