package ledger

import (
	"cmp"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// A Line is one line of pages.jsonl: an outcome as users see it. The order of its fields is the order of the JSON
// keys, and a promise; empty fields are left out. It holds no wall-clock time, so that the same crawl writes the same
// bytes.
type Line struct {
	N         int64              `json:"n"`
	URL       string             `json:"url"`
	Accept    string             `json:"accept,omitempty"`
	Query     string             `json:"query,omitempty"`
	Status    int                `json:"status,omitempty"`
	Error     orbweaver.Failure  `json:"error,omitempty"`
	Redirect  string             `json:"redirect,omitempty"`
	Type      string             `json:"type,omitempty"`
	Title     string             `json:"title,omitempty"`
	Snippet   string             `json:"snippet,omitempty"`
	Digest    string             `json:"digest,omitempty"`
	Bytes     int64              `json:"bytes,omitempty"`
	Depth     int                `json:"depth,omitempty"`
	Parent    string             `json:"parent,omitempty"`
	Predicted *Predicted         `json:"predicted,omitempty"`
	Explored  bool               `json:"explored,omitempty"` // drawn at random, not by its rank
	Score     float64            `json:"score,omitempty"`
	Accepted  bool               `json:"accepted,omitempty"`
	Chance    float64            `json:"chance,omitempty"`    // that the page is what the focus is for, as of its judgement; 4 digits
	Threshold float64            `json:"threshold,omitempty"` // acceptance threshold at the time of the verdict
	Class     string             `json:"class,omitempty"`
	NoIndex   bool               `json:"noindex,omitempty"`
	Parts     []step.PartOf      `json:"parts,omitempty"` // of a blend
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`

	Data  []rdf.Count `json:"data,omitempty"`  // statements of the page, as they were counted
	Found string      `json:"found,omitempty"` // how a page with Data was found: see Ways

	Rendered  bool            `json:"rendered,omitempty"`  // the page is what its scripts made of it
	Rendering *step.Rendering `json:"rendering,omitempty"` // what was decided about the page's scripts, where the crawl says so

	Flaws map[string]int `json:"flaws,omitempty"` // what was mended or left out of the page, by kind

	Lang string `json:"-"` // language of the page; known of lines from the ledger alone
}

// Predicted is the judgement of a link before its target was fetched.
type Predicted struct {
	Score  float64  `json:"score"`
	Chance float64  `json:"chance,omitempty"` // that the link leads to an accepted page, as of before it was followed; 4 digits
	Class  string   `json:"class,omitempty"`
	Rules  []string `json:"rules,omitempty"` // that led to the class, each once, heaviest first
}

// MaxReasons bounds the reasons of a line, and the rules of a prediction; those of the largest weight stay.
const MaxReasons = 10

// LineOf returns the line of an outcome.
func LineOf(o orbweaver.Outcome) Line {
	l := Line{
		N: o.N, URL: o.Request.URL, Accept: o.Request.Accept, Query: o.Request.Query,
		Status: o.Status, Error: orbweaver.FailureOf(o.Err), Redirect: o.Redirect,
		Depth: o.Request.Depth, Parent: o.Request.Parent,
		Predicted: predictedOf(o.Predicted), Explored: o.Explored,
		Score: o.Actual.Score, Accepted: o.Actual.Accepted, Chance: fourDigits(o.Actual.Chance), Threshold: step.ThresholdOf(o), Class: o.Actual.Class,
		NoIndex: step.NoIndex(o.Actual), Parts: step.PartsOf(o.Actual),
		Reasons: heaviest(o.Actual.Reasons, MaxReasons),
	}
	if p := o.Page; p != nil {
		l.Type, l.Digest, l.Bytes = p.MediaType, p.Digest, p.Size
		l.Title, l.Snippet, l.Lang = titleOf(p), o.Snippet, p.Lang
		if l.Data = p.Data; len(p.Data) > 0 {
			l.Found = foundBy(o)
		}
		l.Rendered, l.Flaws = p.Rendered, p.Flaws
		l.Rendering, _ = p.Rendering.(*step.Rendering)
	}
	return l
}

// ruleDiscover is the rule of what a crawl discovered beside links by rank: see internal/discover.
const ruleDiscover = "discover"

// predictedOf returns the prediction of a link, with rules only if they led to a class, or the request was discovered.
func predictedOf(j orbweaver.Judgement) *Predicted {
	p := &Predicted{Score: j.Score, Chance: fourDigits(j.Chance), Class: j.Class}
	if p.Class == "" && !slices.ContainsFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == ruleDiscover }) {
		return p
	}
	for _, r := range heaviest(j.Reasons, len(j.Reasons)) {
		if len(p.Rules) < MaxReasons && !slices.Contains(p.Rules, r.Rule) {
			p.Rules = append(p.Rules, r.Rule)
		}
	}
	return p
}

// fourDigits rounds a chance to four significant digits, which tell small chances apart; the highest is 0.9999.
func fourDigits(p float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'g', 4, 64), 64)
	return min(rounded, 0.9999)
}

// heaviest returns the n reasons of largest weight, heaviest first; equal weights keep their order.
func heaviest(reasons []orbweaver.Reason, n int) []orbweaver.Reason {
	sorted := slices.Clone(reasons)
	order.Stably(sorted, func(a, b orbweaver.Reason) int {
		return cmp.Compare(b.Weight, a.Weight)
	})
	return sorted[:min(n, len(sorted))]
}
