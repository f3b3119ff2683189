package eval

import (
	"cmp"
	"math"

	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// ReliabilityBins is the number of bins of predicted chances, each a tenth wide.
const ReliabilityBins = 10

// ChanceFigures say how good the predicted chances of links were. Each chance was predicted before its link was
// followed (prequential), and is compared with what the link led to: a page that was accepted when it was judged, or not.
type ChanceFigures struct {
	Links int // followed, to their end: a redirect counts once
	Led   int // to accepted pages

	Brier     float64 // mean squared difference of chance and outcome
	BaseBrier float64 // the same of the running base rate: (led + 1) / (links + 2) before each outcome
	AUCScore  float64 // of the raw predicted scores; 0 if undefined: Led is 0 or Links
	AUCChance float64 // of the chances; 0 if undefined
	ECE       float64 // expected calibration error: mean over links of |mean chance - share that led| of their bin
	Bins      [ReliabilityBins]ReliabilityBin
}

// A ReliabilityBin holds the links of similar chances.
type ReliabilityBin struct {
	Links, Led int
	Sum        float64 // of their chances
}

// Mean is the mean chance of the bin's links.
func (b ReliabilityBin) Mean() float64 { return b.Sum / float64(max(1, b.Links)) }

// Share is the share of the bin's links that led to accepted pages.
func (b ReliabilityBin) Share() float64 { return ratio(b.Led, b.Links) }

// Skill is the Brier skill against the running base rate: 1 is perfect, 0 no better than it, negative worse.
func (f *ChanceFigures) Skill() float64 { return 1 - f.Brier/f.BaseBrier }

// Ranked reports whether the areas under the curve are defined: some links led to accepted pages, and some did not.
func (f *ChanceFigures) Ranked() bool { return f.Led > 0 && f.Led < f.Links }

// A followedLink is a link with its predictions and what it led to: 12 bytes.
type followedLink struct {
	score, chance float32
	led           bool
}

// A ChanceTally collects the predictions of lines, 12 bytes each. The zero ChanceTally is empty.
type ChanceTally struct {
	links           []followedLink
	led             int
	squares, byBase float64
	bins            [ReliabilityBins]ReliabilityBin
}

// Add adds a line, if it is of a link with a predicted chance that was followed to its end. An accepted page, and it
// alone, has a chance of at least one half as of its judgement, whatever threshold holds now.
func (t *ChanceTally) Add(l *ledger.Line) {
	if l.Predicted == nil || l.Predicted.Chance == 0 || l.Redirect != "" && l.Error == "" && l.Chance == 0 {
		return
	}
	p, led, y := l.Predicted.Chance, l.Chance >= 0.5, 0.0
	base := float64(t.led+1) / float64(len(t.links)+2)
	b := &t.bins[min(ReliabilityBins-1, int(p*ReliabilityBins))]
	b.Links++
	b.Sum += p
	if led {
		y = 1
		b.Led++
		t.led++
	}
	t.squares += (p - y) * (p - y)
	t.byBase += (base - y) * (base - y)
	t.links = append(t.links, followedLink{float32(l.Predicted.Score), float32(p), led})
}

// Figures returns the figures; nil if no line had a chance.
func (t *ChanceTally) Figures() *ChanceFigures {
	if len(t.links) == 0 {
		return nil
	}
	n := float64(len(t.links))
	f := &ChanceFigures{Links: len(t.links), Led: t.led, Brier: t.squares / n, BaseBrier: t.byBase / n, Bins: t.bins}
	if f.Ranked() {
		f.AUCScore = t.auc(func(l followedLink) float32 { return l.score })
		f.AUCChance = t.auc(func(l followedLink) float32 { return l.chance })
	}
	for _, b := range f.Bins {
		f.ECE += float64(b.Links) / n * math.Abs(b.Mean()-b.Share())
	}
	return f
}

// auc is the area under the ROC curve of a ranking: the probability that a link that led to an accepted page ranks
// above one that did not; equal ones count half.
func (t *ChanceTally) auc(by func(followedLink) float32) float64 {
	order.By(t.links, func(a, b followedLink) int { return cmp.Compare(by(a), by(b)) })
	var below, above float64 // links that did not lead below the current one; pairs in order
	for i := 0; i < len(t.links); {
		var led, not float64
		for first := by(t.links[i]); i < len(t.links) && by(t.links[i]) == first; i++ {
			if t.links[i].led {
				led++
			} else {
				not++
			}
		}
		above += led * (below + not/2)
		below += not
	}
	return above / (float64(t.led) * below)
}
