package assembly

import (
	"time"

	"orbweaver/internal/recrawl"
)

// keptVisits is what is kept of a page's visits.
type keptVisits struct {
	Last    int64       `json:"last"` // seconds since 1970
	Tried   int64       `json:"tried,omitempty"`
	Failed  int         `json:"failed,omitempty"`
	Gone    int         `json:"gone,omitempty"`
	Past    [][]float64 `json:"past,omitempty"`  // intervals in days, oldest first: [d] no change, [d, 1] a change, [d, 1, a] a change of that age
	Score   float64     `json:"score,omitempty"` // of a page that is gone: what it had
	Worth   float64     `json:"worth,omitempty"` // likewise
	Text    string      `json:"text,omitempty"`  // digest of the main text
	ETag    string      `json:"etag,omitempty"`
	Changed string      `json:"modified,omitempty"` // as the server says
}

// record returns the visits as the schedule knows them.
func (k keptVisits) record() recrawl.Record {
	r := recrawl.Record{Last: time.Unix(k.Last, 0), Failed: k.Failed, Gone: k.Gone}
	if k.Tried > 0 {
		r.Tried = time.Unix(k.Tried, 0)
	}
	for _, p := range k.Past {
		i := recrawl.Interval{Age: -1}
		switch {
		case len(p) > 0 && p[0] > 0:
			i.Days = p[0]
		default:
			continue
		}
		i.Changed = len(p) > 1
		if len(p) > 2 && p[2] >= 0 && p[2] <= p[0] {
			i.Age = p[2]
		}
		r.History = append(r.History, i)
	}
	return r
}

// take sets what the schedule knows.
func (k *keptVisits) take(r recrawl.Record) {
	k.Last, k.Failed, k.Gone, k.Past, k.Tried = r.Last.Unix(), r.Failed, r.Gone, nil, 0
	if r.Tried.After(r.Last) {
		k.Tried = r.Tried.Unix()
	}
	for _, i := range r.History {
		p := []float64{rounded(i.Days)}
		if i.Changed {
			p = append(p, 1)
		}
		if i.Changed && i.Age >= 0 {
			p = append(p, min(rounded(i.Age), p[0]))
		}
		k.Past = append(k.Past, p)
	}
}

// rounded rounds days to some seconds.
func rounded(days float64) float64 { return max(float64(int64(days*10_000+0.5))/10_000, 0.0001) }
