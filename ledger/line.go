package ledger

import (
	"cmp"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
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
	Score     float64            `json:"score,omitempty"`
	Accepted  bool               `json:"accepted,omitempty"`
	Threshold float64            `json:"threshold,omitempty"` // acceptance threshold at the time of the verdict
	Class     string             `json:"class,omitempty"`
	NoIndex   bool               `json:"noindex,omitempty"`
	Parts     []step.PartOf      `json:"parts,omitempty"` // of a blend
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`
}

// Predicted is the judgement of a link before its target was fetched.
type Predicted struct {
	Score float64  `json:"score"`
	Class string   `json:"class,omitempty"`
	Rules []string `json:"rules,omitempty"` // that led to the class, each once, heaviest first
}

// MaxReasons bounds the reasons of a line, and the rules of a prediction; those of the largest weight stay.
const MaxReasons = 10

// LineOf returns the line of an outcome.
func LineOf(o orbweaver.Outcome) Line {
	l := Line{
		N: o.N, URL: o.Request.URL, Accept: o.Request.Accept, Query: o.Request.Query,
		Status: o.Status, Error: orbweaver.FailureOf(o.Err), Redirect: o.Redirect,
		Depth: o.Request.Depth, Parent: o.Request.Parent,
		Predicted: predictedOf(o.Predicted),
		Score:     o.Actual.Score, Accepted: o.Actual.Accepted, Threshold: step.ThresholdOf(o), Class: o.Actual.Class,
		NoIndex: step.NoIndex(o.Actual), Parts: step.PartsOf(o.Actual),
		Reasons: heaviest(o.Actual.Reasons, MaxReasons),
	}
	if p := o.Page; p != nil {
		l.Type, l.Digest, l.Bytes = p.MediaType, p.Digest, p.Size
		l.Title, l.Snippet = titleOf(p), o.Snippet
	}
	return l
}

// predictedOf returns the prediction of a link, with rules only if they led to a class.
func predictedOf(j orbweaver.Judgement) *Predicted {
	p := &Predicted{Score: j.Score, Class: j.Class}
	if p.Class == "" {
		return p
	}
	for _, r := range heaviest(j.Reasons, len(j.Reasons)) {
		if len(p.Rules) < MaxReasons && !slices.Contains(p.Rules, r.Rule) {
			p.Rules = append(p.Rules, r.Rule)
		}
	}
	return p
}

// heaviest returns the n reasons of largest weight, heaviest first; equal weights keep their order.
func heaviest(reasons []orbweaver.Reason, n int) []orbweaver.Reason {
	sorted := slices.Clone(reasons)
	slices.SortStableFunc(sorted, func(a, b orbweaver.Reason) int {
		return cmp.Compare(b.Weight, a.Weight)
	})
	return sorted[:min(n, len(sorted))]
}
