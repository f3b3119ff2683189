package labels

import (
	"errors"
	"fmt"
	"math"
)

// A Hysteresis is a threshold with two values: a condition starts at Enter and ends at Leave, so that it does
// not oscillate.
type Hysteresis struct {
	Enter float64 `json:"enter"`
	Leave float64 `json:"leave"`
}

// Parameters configure a model. Shares and probabilities are in 0..1.
//
// The thresholds Broader, Alpha and Beta are the paper's: everything in force satisfies them at every moment.
// To come into force, a value must exceed them by Margin and with Confidence; with both 0 the model follows
// from the inequalities alone.
type Parameters struct {
	// Terms is the number of an item's heaviest terms that count: it bounds the pairs of an item.
	Terms int `json:"terms"`

	// A term becomes a label when at least Items items and a share of at least Frequent.Enter have it, at
	// most a share of Common.Enter has it, and its prominence is at least Prominence.Enter. It ceases to be
	// one below half of Items (possible with a HalfLife only), below Frequent.Leave, above Common.Leave or
	// below Prominence.Leave. Its prominence is the share of its items in which it is among the Head heaviest
	// terms.
	Items      float64    `json:"items"`
	Frequent   Hysteresis `json:"frequent"`
	Common     Hysteresis `json:"common"`
	Prominence Hysteresis `json:"prominence"`
	Head       int        `json:"head"`

	// Support is the number of items that must have two terms before one is evidence for the other. Below
	// half of it (possible with a HalfLife only) the evidence ends.
	Support float64 `json:"support"`

	Broader float64 `json:"broader"` // τ_h
	Alpha   float64 `json:"alpha"`   // α
	Beta    float64 `json:"beta"`    // β
	Margin  float64 `json:"margin"`

	// Confidence is the number of standard errors by which P(x|t) must exceed its threshold to come into
	// force: the lower bound of Wilson's interval for cf(x,t) of cf(t), symmetric, must reach the threshold.
	// 0 ignores sample size. With a HalfLife the counts are in units of current items.
	Confidence float64 `json:"confidence"`

	// Apart is the amount by which P(j|i), once it reached Broader, must have fallen below that before i can
	// again be broader than j; at least Margin. It prevents two nearly equivalent terms from changing places
	// with every item.
	Apart float64 `json:"apart"`

	// A number of terms of a label's Beta set together imply the label: at least Together, and at least the
	// share TogetherShare of the set (δ).
	Together      int     `json:"together"`
	TogetherShare float64 `json:"togetherShare"`

	// HalfLife is the number of items after which an item counts half; 0: it counts forever.
	HalfLife float64 `json:"halfLife"`

	// MaxTerms and MaxPairs bound the terms and pairs stored. Beyond them the weakest of a few candidates is
	// evicted: see Model.Learn.
	MaxTerms int `json:"maxTerms"`
	MaxPairs int `json:"maxPairs"`
}

// Default returns the default parameters. All but the thresholds were tuned on news.
func Default() Parameters {
	return Parameters{
		Terms: 25, Items: 5, Frequent: Hysteresis{0.001, 0.00075}, Common: Hysteresis{0.4, 0.5},
		Prominence: Hysteresis{0.3, 0.2}, Head: 10, Support: 6,
		Broader: 0.4, Alpha: 0.7, Beta: 0.5, Margin: 0.02, Confidence: 2, Apart: 0.1,
		Together: 2, TogetherShare: 0.1, MaxTerms: 500_000, MaxPairs: 4_000_000,
	}
}

// The upper bounds of Parameters.
const (
	mostTerms    = 200
	mostCapacity = 1 << 28
	leastLife    = 1
	leastShare   = 1e-6
	mostErrors   = 10
)

// Check reports every problem of the parameters; the error wraps ErrParameters.
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

// together returns δ for a Beta set of a size.
func (p *Parameters) together(set uint32) int {
	return max(p.Together, int(math.Ceil(p.TogetherShare*float64(set))))
}
