package crossref

import "slices"

// Figures describe a round: what the paper's figures 4 to 6 show.
type Figures struct {
	Round    int     `json:"round"`    // from 1
	Pages    int     `json:"pages"`    // learned from in this round
	Accepted int     `json:"accepted"` // of these
	CosL0    float64 `json:"cos_l0"`   // mean cosine of their terms to layer 0 as it was then
	CosItem  float64 `json:"cos_item"` // and to the item that is looked for

	Items    int   `json:"items"`    // kept
	Layers   []int `json:"layers"`   // members of each layer, after the round; the item is one of the first
	Inferred int   `json:"inferred"` // labels of kept items that are not a term of theirs

	Terms     int `json:"terms"`     // that labels are learned from
	Labels    int `json:"labels"`    //
	Relations int `json:"relations"` // pairs of a label and a nearest broader one
	Alpha     int `json:"alpha"`     // rules of one term
	Beta      int `json:"beta"`      // labels with rules of several terms
}

// A tally gathers the figures of the round under way.
type tally struct {
	Pages, Accepted int
	cosL0, cosItem  float64 // sums
}

// maxRounds is of how many rounds figures are kept, the latest.
const maxRounds = 10_000

// Rounds are the figures of the rounds that ended, the latest 10 000.
func (f *Focus) Rounds() []Figures { return slices.Clone(f.rounds) }

// note ends the tally of a round.
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
