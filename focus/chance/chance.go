// Package chance turns the raw scores of a focus into chances: Links estimates the chance that a link leads to an
// accepted page, Pages the chance that a page is what its focus is for. Raw scores order links and pages of one focus;
// chances mean the same for every focus.
//
// Both estimates are functions of sums over bins of the score, and nothing else: the same outcomes in any order give the
// same estimate, and the sums of several machines add up to the sums of all. Without a person's verdicts the evidence is
// the verdict of the focus itself: links are calibrated to acceptance, not to relevance.
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
	bins   = 128 // of log odds
	widest = 8.0 // log odds of the outermost bins: scores of 0.0003 and of 0.9997
)

// odds returns the log odds of a score, within ±widest; those of a score that is no number are the lowest.
func odds(score float64) float64 {
	if !(score > 0) {
		return -widest
	}
	if score >= 1 {
		return widest
	}
	return min(widest, max(-widest, math.Log(score/(1-score))))
}

// logistic is the inverse of odds.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// bin returns the bin of log odds.
func bin(x float64) int {
	return min(bins-1, max(0, int((x+widest)*bins/(2*widest))))
}

// middle returns the log odds at the middle of a bin.
func middle(i int) float64 { return (float64(i)+0.5)*(2*widest)/bins - widest }

// A tally counts outcomes and those of them that were right.
type tally struct{ all, right int64 }

// tallies are outcomes by bin.
type tallies [bins]tally

// add counts one outcome.
func (t *tallies) add(x float64, right bool) {
	b := &t[bin(x)]
	if b.all++; right {
		b.right++
	}
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

// read decodes tallies and returns the rest of the bytes; false if they are damaged.
func (t *tallies) read(b []byte) (rest []byte, ok bool) {
	good := true
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > most {
			good = false
			return 0
		}
		b = b[size:]
		return n
	}
	at, filled := uint64(0), next()
	for i := uint64(0); good && i < filled; i++ {
		step, all, right := next(), next(), next()
		at += step
		if !good || at >= bins || i > 0 && step == 0 || all == 0 || right > all {
			return nil, false
		}
		t[at] = tally{all: int64(all), right: int64(right)}
	}
	return b, good
}

// version is the first byte of both encodings.
const version = 1

// damaged is the error of bytes that do not decode.
func damaged(of string) error {
	return fmt.Errorf("calibration of %s: %w", of, orbweaver.ErrDamaged)
}
