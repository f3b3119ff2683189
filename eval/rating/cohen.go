package rating

import "math"

// A Pair is the agreement of two raters by Cohen's κ.
type Pair struct {
	Raters    [2]string  `json:"raters"`
	Agreement *Agreement `json:"agreement"`           // null: undefined
	Undefined string     `json:"undefined,omitempty"` // why it is
}

// Cohen computes the agreement of two raters from the counts of their answers: table[i][j] are the rows that the first answered with kind i
// and the second with kind j, of two kinds. Chance is by the answers of each (Cohen, Educational and Psychological Measurement 20, 1960).
// The interval is κ ± 1.96 standard errors (Fleiss, Cohen and Everitt, Psychological Bulletin 72, 1969), cut to −1 to 1; it has no width
// if both agree on all rows, and is meaningless then.
func Cohen(table [2][2]int) (Agreement, error) {
	a := Agreement{Raters: 2, Rows: table[0][0] + table[0][1] + table[1][0] + table[1][1]}
	if a.Rows == 0 {
		return a, errRows
	}
	var p [2][2]float64
	var first, second [2]float64 // shares of the kinds
	for i, row := range table {
		for j, n := range row {
			p[i][j] = float64(n) / float64(a.Rows)
			first[i] += p[i][j]
			second[j] += p[i][j]
		}
	}
	a.Observed = p[0][0] + p[1][1]
	a.Chance = first[0]*second[0] + first[1]*second[1]
	if a.Chance >= 1-1e-12 {
		return a, errChance
	}
	a.Kappa = (a.Observed - a.Chance) / (1 - a.Chance)
	variance := -square(a.Kappa - a.Chance*(1-a.Kappa))
	for i := range 2 {
		for j := range 2 {
			if i == j {
				variance += p[i][i] * square(1-(first[i]+second[i])*(1-a.Kappa))
			} else {
				variance += square(1-a.Kappa) * p[i][j] * square(second[i]+first[j])
			}
		}
	}
	half := quantile * root(variance/float64(a.Rows)) / (1 - a.Chance)
	a.Low, a.High = rounded(math.Max(-1, a.Kappa-half)), rounded(math.Min(1, a.Kappa+half))
	a.Observed, a.Chance, a.Kappa = rounded(a.Observed), rounded(a.Chance), rounded(a.Kappa)
	a.Words = Words(a.Kappa)
	return a, nil
}

// pair compares the answers of two raters on the rows that both answered.
func pair(x, y Rater) Pair {
	var table [2][2]int
	for row, a := range x.Answers {
		if b := y.Answers[row]; a != Unanswered && b != Unanswered {
			table[a-Relevant][b-Relevant]++
		}
	}
	p := Pair{Raters: [2]string{x.Name, y.Name}}
	agreement, err := Cohen(table)
	if err != nil {
		p.Undefined = err.Error()
		if err == errRows {
			p.Undefined = "no row was answered by both"
		}
		return p
	}
	p.Agreement = &agreement
	return p
}
