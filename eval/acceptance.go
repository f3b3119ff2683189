package eval

import (
	"cmp"
	"iter"

	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// BestPages is the cut-off of precision@k in Acceptance.
const BestPages = 50

// An Acceptance measures the verdicts of a crawl against a truth that is independent of its focus. Pages are
// those fetched; a ratio without a denominator is 0.
type Acceptance struct {
	Pages            int     `json:"pages"`
	Relevant         int     `json:"relevant"` // of the pages
	Accepted         int     `json:"accepted"`
	Right            int     `json:"right"`             // accepted and relevant
	Precision        float64 `json:"precision"`         // right / accepted
	Recall           float64 `json:"recall"`            // right / relevant
	F1               float64 `json:"f1"`                // 2PR/(P+R)
	Best             float64 `json:"precision_best_50"` // precision of the 50 pages of the highest scores, or of all if they are fewer
	AveragePrecision float64 `json:"average_precision"` // mean, over relevant pages, of the precision at their rank, by score
}

// MeasureAcceptance reads the lines of a crawl; the last line of a page counts. Pages of equal score rank in
// the order fetched. It keeps about 100 bytes per page.
func MeasureAcceptance(lines iter.Seq2[ledger.Line, error], truth Truth) (Acceptance, error) {
	last := map[[3]string]ledger.Line{}
	for line, err := range lines {
		if err != nil {
			return Acceptance{}, err
		}
		request := [3]string{line.URL, line.Accept, line.Query}
		if line.Digest == "" || line.Error != "" || line.Redirect != "" {
			delete(last, request)
			continue
		}
		last[request] = ledger.Line{N: line.N, URL: line.URL, Score: line.Score, Accepted: line.Accepted}
	}
	pages := make([]ledger.Line, 0, len(last))
	for _, line := range last { // sorted below
		pages = append(pages, line)
	}
	order.By(pages, func(a, b ledger.Line) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
	})
	return measureAcceptance(pages, truth), nil
}

// measureAcceptance measures pages sorted by falling score.
func measureAcceptance(pages []ledger.Line, truth Truth) Acceptance {
	a := Acceptance{Pages: len(pages)}
	for i, p := range pages {
		relevant := truth.Relevant(p.URL)
		if relevant {
			a.Relevant++
			a.AveragePrecision += float64(a.Relevant) / float64(i+1)
			if i < BestPages {
				a.Best++
			}
		}
		if p.Accepted {
			a.Accepted++
			if relevant {
				a.Right++
			}
		}
	}
	share := func(n float64, of int) float64 { return n / float64(max(1, of)) }
	a.Precision, a.Recall = share(float64(a.Right), a.Accepted), share(float64(a.Right), a.Relevant)
	a.Best, a.AveragePrecision = share(a.Best, min(BestPages, len(pages))), share(a.AveragePrecision, a.Relevant)
	if sum := a.Precision + a.Recall; sum > 0 {
		a.F1 = 2 * a.Precision * a.Recall / sum
	}
	return a
}
