// Package chance turns the raw scores of a focus into chances: Links estimates the chance that a link leads to an
// accepted page, Pages the chance that a page is what its focus is for. Raw scores order links and pages of one focus;
// chances mean the same for every focus.
//
// Both estimates are functions of sums over bins of the score, and nothing else: the sums of several machines add up to
// the sums of all. Without a person's verdicts the evidence is the verdict of the focus itself: links are calibrated to
// acceptance, not to relevance.
//
// This package is not part of the stable API.
package chance

import (
	"encoding/binary"
	"fmt"
	"math"

	"orbweaver"
)

const (
	bins    = 128  // of log odds
	lowest  = -8.0 // log odds: of a score of 0.0003; many focuses have most of their links' scores below 0.1
	highest = 4.0  // log odds: of a score of 0.98
)

// odds returns the log odds of a score, from lowest to highest; those of a score that is no number are the lowest.
func odds(score float64) float64 {
	if !(score > 0) {
		return lowest
	}
	if score >= 1 {
		return highest
	}
	return min(highest, max(lowest, math.Log(score/(1-score))))
}

// logistic is the inverse of odds.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// bin returns the bin of log odds.
func bin(x float64) int {
	return min(bins-1, max(0, int((x-lowest)*bins/(highest-lowest))))
}

// middle returns the log odds at the middle of a bin.
func middle(i int) float64 { return lowest + (float64(i)+0.5)*(highest-lowest)/bins }

// A tally counts outcomes and those of them that were right.
type tally struct{ all, right int64 }

// tallies are outcomes by bin.
type tallies [bins]tally

// add counts one outcome, of a weight.
func (t *tallies) add(x float64, right bool, weight int64) {
	b := &t[bin(x)]
	if b.all += weight; right {
		b.right += weight
	}
}

// remove takes one of what was added as right or not, from the nearest bin that has it.
func (t *tallies) remove(x float64, right bool) {
	has := func(i int) bool {
		return i >= 0 && i < len(t) && (right && t[i].right > 0 || !right && t[i].all > t[i].right)
	}
	for far, at := 0, bin(x); far < len(t); far++ {
		for _, i := range [2]int{at - far, at + far} {
			if has(i) {
				if t[i].all--; right {
					t[i].right--
				}
				return
			}
		}
	}
}

// fade takes a quarter of all sums.
func (t *tallies) fade() {
	for i := range t {
		b := &t[i]
		b.all -= (b.all + 3) / 4
		b.right -= (b.right + 3) / 4
	}
}

// A weight is the sums of a bin or of a block of bins, in outcomes; x is the sum of their log odds, where it is needed.
type weight struct{ all, right, x float64 }

type weights [bins]weight

// weights returns the sums in outcomes of a weight.
func (t *tallies) weights(unit float64) (w weights) {
	for i, b := range t {
		w[i].all, w[i].right = float64(b.all)/unit, float64(b.right)/unit
	}
	return w
}

// merge adds the sums of others.
func (t *tallies) merge(other *tallies) {
	for i, o := range other {
		t[i].all += o.all
		t[i].right += o.right
	}
}

// total returns the sums over all bins.
func (t *tallies) total() (sum tally) {
	for _, b := range t {
		sum.all += b.all
		sum.right += b.right
	}
	return sum
}

// most bounds a count that is read, so that no sum of counts overflows.
const most = 1 << 48

// append appends the encoded bins that are not empty.
func (t *tallies) append(b []byte) []byte {
	filled := 0
	for _, bin := range t {
		if bin.all > 0 {
			filled++
		}
	}
	b = binary.AppendUvarint(b, uint64(filled))
	last := 0
	for i, bin := range t {
		if bin.all > 0 {
			b = binary.AppendUvarint(b, uint64(i-last))
			b = binary.AppendUvarint(b, uint64(bin.all))
			b = binary.AppendUvarint(b, uint64(bin.right))
			last = i
		}
	}
	return b
}

// A reader decodes what append encoded. After the first error all numbers are 0.
type reader struct {
	b   []byte
	bad bool
}

// count reads a number of at most most.
func (r *reader) count() int64 {
	n, size := binary.Uvarint(r.b)
	if r.bad = r.bad || size <= 0 || n > most; r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int64(n)
}

// tallies reads tallies.
func (r *reader) tallies(t *tallies) {
	at := int64(0)
	for i := r.count(); i > 0 && !r.bad; i-- {
		step, all, right := r.count(), r.count(), r.count()
		at += step
		first := t.total() == tally{}
		if r.bad = r.bad || at >= bins || !first && step == 0 || all == 0 || right > all; !r.bad {
			t[at] = tally{all, right}
		}
	}
}

// done reports whether all bytes were read, without an error.
func (r *reader) done() bool { return !r.bad && len(r.b) == 0 }

// version is the first byte of both encodings.
const version = 1

// damaged is the error of bytes that do not decode.
func damaged(of string) error {
	return fmt.Errorf("calibration of %s: %w", of, orbweaver.ErrDamaged)
}
