package rating

import (
	"errors"
	"fmt"
	"math"
)

// An Agreement is the agreement of raters by Fleiss' κ.
type Agreement struct {
	Raters   int     `json:"raters"`
	Rows     int     `json:"rows"`     // answered by all raters
	Observed float64 `json:"observed"` // share of pairs of answers to a row that are the same
	Chance   float64 `json:"chance"`   // the share expected by chance
	Kappa    float64 `json:"kappa"`    // (Observed − Chance) / (1 − Chance): 1 is complete agreement, 0 that of chance
	Low      float64 `json:"low"`      // limits of the 95 % interval
	High     float64 `json:"high"`
	Words    string  `json:"words"` // as in Table 14
}

// String writes κ with its interval and words: 0.43 (95 %: 0.20 to 0.66): moderate agreement.
func (a *Agreement) String() string {
	return fmt.Sprintf("%.2f (95 %%: %.2f to %.2f): %s", a.Kappa, a.Low, a.High, a.Words)
}

// Reasons for an undefined κ.
var (
	errRaters = errors.New("agreement wants two raters who answered")
	errRows   = errors.New("no row was answered by all raters")
	errChance = errors.New("all answers are the same: chance alone would agree as well")
)

// quantile is that of the normal distribution for 95 %.
const quantile = 1.959964

// Fleiss computes the agreement of raters by equation 9. A row counts the answers of each kind; all rows have
// equally many answers and kinds. The interval is κ ± 1.96 standard errors, obtained by linearization over the
// rows, which is valid for any κ (Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008);
// the variance of Fleiss is valid only for κ = 0. The interval is −1 to 1 for one row, and has no width if all
// raters agree: it is meaningless then.
func Fleiss(rows [][]int) (Agreement, error) {
	if len(rows) == 0 {
		return Agreement{}, errRows
	}
	a := Agreement{Rows: len(rows)}
	for _, n := range rows[0] {
		a.Raters += n
	}
	if a.Raters < 2 {
		return a, errRaters
	}
	shares, err := kinds(rows, a.Raters)
	if err != nil {
		return a, err
	}
	agreed := make([]float64, len(rows))
	for i, row := range rows {
		agreed[i] = pairs(row)
		a.Observed += agreed[i] / float64(len(rows))
	}
	for _, p := range shares {
		a.Chance += p * p
	}
	if a.Chance >= 1-1e-12 {
		return a, errChance
	}
	a.Kappa = (a.Observed - a.Chance) / (1 - a.Chance)
	half := quantile * a.deviation(rows, agreed, shares)
	a.Low, a.High = rounded(max(-1, a.Kappa-half)), rounded(min(1, a.Kappa+half))
	a.Observed, a.Chance, a.Kappa = rounded(a.Observed), rounded(a.Chance), rounded(a.Kappa)
	a.Words = Words(a.Kappa)
	return a, nil
}

// rounded rounds to six decimals: smaller differences are floating-point noise.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// kinds are the shares of the kinds in all answers.
func kinds(rows [][]int, raters int) ([]float64, error) {
	shares := make([]float64, len(rows[0]))
	for i, row := range rows {
		sum := 0
		for k, n := range row {
			if k < len(shares) {
				shares[k] += float64(n) / float64(raters*len(rows))
			}
			sum += n
		}
		if sum != raters || len(row) != len(shares) {
			return nil, fmt.Errorf("row %d has %d answers of %d kinds, not %d of %d", i+1, sum, len(row), raters, len(shares))
		}
	}
	return shares, nil
}

// pairs is the share of pairs of answers to a row that are the same.
func pairs(row []int) float64 {
	same, all := 0, 0
	for _, n := range row {
		same += n * (n - 1)
		all += n
	}
	return float64(same) / float64(all*(all-1))
}

// deviation is the standard error of κ.
func (a *Agreement) deviation(rows [][]int, agreed, shares []float64) float64 {
	n := float64(len(rows))
	if n < 2 {
		return math.Inf(1)
	}
	sum := 0.0
	for i, row := range rows {
		chance := 0.0
		for k, count := range row {
			chance += shares[k] * float64(count) / float64(a.Raters)
		}
		own := (agreed[i]-a.Chance)/(1-a.Chance) - 2*(1-a.Kappa)*(chance-a.Chance)/(1-a.Chance)
		sum += (own - a.Kappa) * (own - a.Kappa)
	}
	return math.Sqrt(sum / (n * (n - 1)))
}

// Words are the words of Table 14 for a κ. The table has gaps between its ranges: κ is rounded to two decimals,
// and one that is not below 0 is slight.
func Words(kappa float64) string {
	rounded := math.Round(100*kappa) / 100
	switch {
	case kappa < 0:
		return "poor agreement"
	case rounded <= 0.20:
		return "slight agreement"
	case rounded <= 0.40:
		return "fair agreement"
	case rounded <= 0.60:
		return "moderate agreement"
	case rounded <= 0.80:
		return "substantial agreement"
	}
	return "almost perfect agreement"
}
