package labels

import (
	"errors"
	"fmt"
	"math"
)

// A Hysteresis is a threshold with two sides: what is not there comes at Enter and what is there goes at
// Leave, so that nothing flutters between.
type Hysteresis struct {
	Enter float64 `json:"enter"`
	Leave float64 `json:"leave"`
}

// Parameters configure a model. Shares and probabilities are in 0..1.
//
// The thresholds Broader, Alpha and Beta are the paper's: whatever is in force satisfies them at every moment. To
// come into force it must be past them by Margin as well, and surely so by Confidence; with both 0 the model is that
// of the inequalities alone.
type Parameters struct {
	// Terms is how many terms of an item count, the heaviest: it bounds the pairs of an item.
	Terms int `json:"terms"`

	// A term becomes a label when it is held by Items items and by a share of Frequent.Enter at least, by
	// a share of Common.Enter at most, and when it is Prominence.Enter prominent. It ceases to be one below
	// half of Items (which takes a HalfLife), below Frequent.Leave, above Common.Leave or below
	// Prominence.Leave. Its prominence is the share of the items holding it in which it is among the Head
	// heaviest terms.
	Items      float64    `json:"items"`
	Frequent   Hysteresis `json:"frequent"`
	Common     Hysteresis `json:"common"`
	Prominence Hysteresis `json:"prominence"`
	Head       int        `json:"head"`

	// Support is how many items must hold two terms before one says anything of the other, and half of it
	// (which takes a HalfLife) when it says no more.
	Support float64 `json:"support"`

	Broader float64 `json:"broader"` // τ_h
	Alpha   float64 `json:"alpha"`   // α
	Beta    float64 `json:"beta"`    // β
	Margin  float64 `json:"margin"`

	// Confidence is by how many standard errors P(x|t) must be past its threshold to come into force: it does when
	// the lower bound of Wilson's interval for cf(x,t) of cf(t), which is as wide on either side, is at the
	// threshold. 0: sample size does not matter. With a HalfLife the counts are items of today.
	Confidence float64 `json:"confidence"`

	// Apart is by how much P(j|i), once it was Broader, must have fallen below that before i can be broader than j again; at
	// least Margin. Two terms that are all but one would else change places with every item.
	Apart float64 `json:"apart"`

	// So many terms of a label's Beta set together give the label: at least Together, and at least the share
	// TogetherShare of the set (δ).
	Together      int     `json:"together"`
	TogetherShare float64 `json:"togetherShare"`

	// HalfLife is after how many items an item counts half; 0: it counts forever.
	HalfLife float64 `json:"halfLife"`

	// Most terms and pairs that are kept. Beyond them the weakest of a few is forgotten for a new one: see
	// Model.Learn.
	MaxTerms int `json:"maxTerms"`
	MaxPairs int `json:"maxPairs"`
}

// Default returns the parameters of a model without options: the thresholds are those of the
// design, the rest was found on news.
func Default() Parameters {
	return Parameters{
		Terms: 25, Items: 5, Frequent: Hysteresis{0.001, 0.00075}, Common: Hysteresis{0.4, 0.5},
		Prominence: Hysteresis{0.3, 0.2}, Head: 10, Support: 6,
		Broader: 0.4, Alpha: 0.7, Beta: 0.5, Margin: 0.02, Confidence: 2, Apart: 0.1,
		Together: 2, TogetherShare: 0.1, MaxTerms: 500_000, MaxPairs: 4_000_000,
	}
}

// What Parameters may ask for at most.
const (
	mostTerms    = 200
	mostCapacity = 1 << 28
	leastLife    = 1
	leastShare   = 1e-6
	mostErrors   = 10
)

// Check says all that is wrong with parameters; the error wraps ErrParameters.
func (p Parameters) Check() error {
	var errs []error
	wrong := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrParameters}, args...)...))
		}
	}
	within := func(x, low, high float64) bool { return x >= low && x <= high } // false for NaN
	wrong(p.Terms >= 2 && p.Terms <= mostTerms, "terms %d, not 2 to %d", p.Terms, mostTerms)
	wrong(p.Head >= 1 && p.Head <= mostTerms, "head %d, not 1 to %d", p.Head, mostTerms)
	wrong(within(p.Items, 1, math.MaxInt32), "items %v, not 1 or more", p.Items)
	wrong(within(p.Support, 1, math.MaxInt32), "support %v, not 1 or more", p.Support)
	wrong(within(p.Frequent.Enter, p.Frequent.Leave, 1) && p.Frequent.Leave >= leastShare,
		"frequent %v, not %v ≤ leave ≤ enter ≤ 1", p.Frequent, leastShare)
	wrong(within(p.Common.Enter, leastShare, p.Common.Leave) && p.Common.Leave <= 1,
		"common %v, not %v ≤ enter ≤ leave ≤ 1", p.Common, leastShare)
	wrong(within(p.Prominence.Enter, p.Prominence.Leave, 1) && p.Prominence.Leave >= 0,
		"prominence %v, not 0 ≤ leave ≤ enter ≤ 1", p.Prominence)
	wrong(within(p.Beta, leastShare, p.Alpha) && p.Alpha < 1, "beta %v and alpha %v, not %v ≤ beta ≤ alpha < 1",
		p.Beta, p.Alpha, leastShare)
	wrong(within(p.Broader, leastShare, 1), "broader %v, not %v to 1", p.Broader, leastShare)
	wrong(within(p.Margin, 0, 1) && p.Margin <= p.Broader/2 && p.Alpha+p.Margin < 1 && p.Broader+p.Margin <= 1,
		"margin %v, not 0 to half of broader, nor leaving room above alpha and broader", p.Margin)
	wrong(within(p.Confidence, 0, mostErrors), "confidence %v, not 0 to %d", p.Confidence, mostErrors)
	wrong(within(p.Apart, 0, p.Broader/2), "apart %v, not 0 to half of broader", p.Apart)
	wrong(p.Together >= 1 && p.Together <= mostTerms, "together %d, not 1 to %d", p.Together, mostTerms)
	wrong(within(p.TogetherShare, 0, 1), "togetherShare %v, not 0 to 1", p.TogetherShare)
	wrong(p.HalfLife == 0 || within(p.HalfLife, leastLife, math.MaxInt32), "halfLife %v, not 0, nor %d or more",
		p.HalfLife, leastLife)
	wrong(p.MaxTerms >= 4*p.Terms && p.MaxTerms <= mostCapacity, "maxTerms %d, not four times terms to %d",
		p.MaxTerms, mostCapacity)
	wrong(p.MaxPairs >= p.Terms*p.Terms && p.MaxPairs <= mostCapacity, "maxPairs %d, not terms squared to %d",
		p.MaxPairs, mostCapacity)
	return errors.Join(errs...)
}

// together is δ for a Beta set of a size.
func (p *Parameters) together(set uint32) int {
	return max(p.Together, int(math.Ceil(p.TogetherShare*float64(set))))
}
