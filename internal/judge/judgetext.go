package judge

import (
	"slices"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
)

// A Verdict is the result of judging one page, with the steps to it in order. docs/reference/formats.md describes its JSON.
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

	Rendering *step.Rendering `json:"rendering,omitempty"` // what is done about the page's scripts, and why; nil: the crawl file does not say

	*Opinion
}

// An Opinion is the focus's judgement of the page and its links.
type Opinion struct {
	Score     float64            `json:"score"`
	Chance    float64            `json:"chance,omitempty"` // that the page is what the focus is for, by what the crawl has seen; 0: unknown
	Accepted  bool               `json:"accepted"`
	Threshold *float64           `json:"threshold,omitempty"` // minimum score of acceptance, from the crawl file or calibrated
	AsOf      string             `json:"as_of,omitempty"`     // description of the focus's state
	Class     string             `json:"class,omitempty"`
	Entities  []NamedEntity      `json:"entities,omitempty"`
	Topic     kind.Topic         `json:"topic,omitempty"` // of a focus with a KRS
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`
	Links     *LinkCount         `json:"links,omitempty"`
	Best      []RankedLink       `json:"best,omitempty"`
	Worst     []RankedLink       `json:"worst,omitempty"` // disjoint from Best
}

// A hop is a redirect.
type hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	To     string `json:"to"`
}

// A Refusal is the reason why a crawl would not request a URL.
type Refusal struct {
	URL  string            `json:"url"`
	By   orbweaver.Failure `json:"by"`   // ErrScope or ErrRobots
	Rule string            `json:"rule"` // as text
}

// A NamedEntity is an entity with the words that mention it.
type NamedEntity struct {
	Name   string  `json:"name"`
	Words  string  `json:"words"` // each with its count
	Weight float64 `json:"weight"`
}

// Last returns the URL at the end of the redirects.
func (v *Verdict) Last() string {
	if v.Final != "" {
		return v.Final
	}
	return v.URL
}

// describe sets the fields that do not depend on a focus.
func (v *Verdict) describe(p *orbweaver.Page) {
	v.Status, v.Type, v.Title, v.Lang = p.Status, p.MediaType, p.Title, p.Lang
	v.Words, v.Scripted = wordsIn(p.Text), p.Scripted
	v.Rendering, _ = p.Rendering.(*step.Rendering)
}

// Judged sets the Opinion from a judgement.
func (v *Verdict) Judged(j orbweaver.Judgement, threshold *float64, kinds kind.Registry) {
	if t := step.Threshold(j); t > 0 {
		threshold = &t
	}
	v.Opinion = &Opinion{Score: j.Score, Accepted: j.Accepted, Threshold: threshold, Class: j.Class, Reasons: j.Reasons}
	for _, r := range j.Reasons {
		if n, ok := kinds.Entity(r); ok && n.Words != "" {
			v.Entities = append(v.Entities, NamedEntity{n.Names[0], n.Words, r.Weight})
		}
	}
}

// Others returns the reasons that Entities does not show.
func (o *Opinion) Others() []orbweaver.Reason {
	return slices.DeleteFunc(slices.Clone(o.Reasons), func(r orbweaver.Reason) bool {
		return slices.ContainsFunc(o.Entities, func(e NamedEntity) bool { return r.Evidence == e.Name+": "+e.Words })
	})
}

// Ruled formats the rule of a reason and up to n characters of its evidence.
func Ruled(r orbweaver.Reason, n int) string {
	if r.Evidence == "" {
		return console.Visible(r.Rule, 60)
	}
	return console.Visible(r.Rule, 60) + ": " + console.Visible(r.Evidence, n)
}
