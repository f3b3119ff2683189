package step

import (
	"net/http"
	"slices"

	"orbweaver"
)

// Threshold returns the score from which pages were accepted at the time of a judgement, above 0 and at
// most 1; 0 if the verdict does not follow from the score.
func Threshold(j orbweaver.Judgement) float64 {
	for i := len(j.Reasons) - 1; i >= 0; i-- {
		if j.Reasons[i].Rule == orbweaver.RuleThreshold {
			return j.Reasons[i].Weight
		}
	}
	return 0
}

// ThresholdOf returns the score from which pages were accepted when the outcome's page was judged; 0 if
// the page was not judged itself, or not now.
func ThresholdOf(o orbweaver.Outcome) float64 {
	if o.Page == nil || o.Redirect != "" || o.Duplicate.URL != "" || o.Status == http.StatusNotModified {
		return 0
	}
	return Threshold(o.Actual)
}

// AcceptedFrom returns the verdict of a judgement under another threshold, such as that of the crawl's end; 0 leaves
// the verdict as it is.
func AcceptedFrom(j orbweaver.Judgement, threshold float64) bool {
	if threshold <= 0 {
		return j.Accepted
	}
	return j.Score >= threshold && !NoIndex(j)
}

// NoIndex reports whether the page asks not to be indexed. Such a page is not accepted, whatever its
// score.
func NoIndex(j orbweaver.Judgement) bool {
	return slices.ContainsFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == orbweaver.RuleNoIndex })
}

// Merge merges a proposal into the waiting one. The result keeps the waiting proposal's keys, which
// identify it.
func Merge(m orbweaver.Merged, waiting, again orbweaver.Proposal) orbweaver.Proposal {
	if m.Note == nil {
		return waiting
	}
	keys := waiting.Keys
	if m.Follow {
		waiting = again
	}
	waiting.Score, waiting.Note, waiting.Keys = m.Score, m.Note, keys
	return waiting
}
