package metadata

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"orbweaver"
)

// readDescriptions reads what the documents that describe datasets say.
func (f *Focus) readDescriptions(orbweaver.Known) error { return nil }

// unspared is what a processor still has to ask a dataset about.
func (f *Focus) unspared(_ Asker, _ int, stage []string) []string { return stage }

// ranked are the datasets in the order in which they are asked: those first whose vocabularies have more
// of the terms given, by what is known of them.
func (f *Focus) ranked() []int {
	places := make([]int, len(f.opts.Datasets))
	score := make([]int, len(places))
	for i := range places {
		places[i] = i
		for _, v := range f.state.Datasets[i].Facts.Vocabulary {
			for _, t := range f.opts.Terms {
				if strings.HasPrefix(t, v) {
					score[i]++
				}
			}
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return places
}

// digest is of what a state belongs to: the terms and datasets given.
func (f *Focus) digest() string {
	h := sha256.New()
	for _, t := range f.opts.Terms {
		h.Write([]byte(t + "\n"))
	}
	for _, d := range f.opts.Datasets {
		h.Write([]byte(d.Name + "\t" + d.Endpoint + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
