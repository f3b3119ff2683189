package crossref

import "slices"

// Figures are the statistics of a round, as in the paper's figures 4 to 6.
type Figures struct {
	Round    int     `json:"round"`    // from 1
	Pages    int     `json:"pages"`    // learned from in this round
	Accepted int     `json:"accepted"` // of these pages
	CosL0    float64 `json:"cos_l0"`   // mean cosine of their terms to layer 0 at that time
	CosItem  float64 `json:"cos_item"` // mean cosine to the target item

	Items    int   `json:"items"`    // kept
	Layers   []int `json:"layers"`   // members of each layer after the round; the target item is one of layer 0
	Inferred int   `json:"inferred"` // labels of kept items that are not among their terms

	Terms     int `json:"terms"`     // number of terms that labels are learned from
	Labels    int `json:"labels"`    //
	Relations int `json:"relations"` // pairs of a label and a nearest broader label
	Alpha     int `json:"alpha"`     // rules of one term
	Beta      int `json:"beta"`      // labels with rules of several terms
}

// A tally accumulates the figures of the current round.
type tally struct {
	Pages, Accepted int
	cosL0, cosItem  float64 // sums
}

// maxRounds bounds the rounds whose figures are kept: the latest.
const maxRounds = 10_000

// Rounds returns the figures of completed rounds, the latest 10 000.
func (f *Focus) Rounds() []Figures { return slices.Clone(f.rounds) }

// note completes the tally of a round.
func (f *Focus) note(n, inferred int) {
	learned := f.model.Labels.Statistics()
	r := Figures{
		Round: n, Pages: f.round.Pages, Accepted: f.round.Accepted, Items: len(f.known.items), Inferred: inferred,
		Terms: learned.Terms, Labels: learned.Labels, Relations: learned.Nearest, Alpha: learned.AlphaRules, Beta: learned.BetaSets,
	}
	if r.Pages > 0 {
		r.CosL0, r.CosItem = f.round.cosL0/float64(r.Pages), f.round.cosItem/float64(r.Pages)
	}
	for _, l := range f.layers {
		r.Layers = append(r.Layers, l.members)
	}
	if len(f.rounds) == maxRounds {
		f.rounds = f.rounds[1:]
	}
	f.rounds, f.round = append(f.rounds, r), tally{}
}
