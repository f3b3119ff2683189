package crossref

import (
	"context"

	"orbweaver"
)

// maxTold bounds the verdicts that are learned; later ones change no layers.
const maxTold = 10_000

// relevant is the relevance from which on a page that a person looked at is of layer 0.
const relevant = 0.5

// Relearn takes a person's verdict on a page. A relevant page is of layer 0 from now on, beside the target items, with its terms and its
// labels, however like them it is; any other is not, and its labels count there no more. With the end of the round the outer layers
// follow, and what words near links are worth, which goes by the verdict instead of the page's similarity. SemXDM has no feedback
// of relevance.
func (f *Focus) Relearn(_ context.Context, o orbweaver.Outcome, relevance float64) (orbweaver.Lesson, error) {
	if _, again := f.told[o.Request.URL]; !again && len(f.told) == maxTold {
		return orbweaver.Lesson{}, nil
	}
	if f.told == nil {
		f.told = map[string]float64{}
	}
	f.told[o.Request.URL] = relevance
	f.regroup()
	return orbweaver.Lesson{}, nil
}

// Unlearn has a page belong to the layer of its similarity again.
func (f *Focus) Unlearn(_ context.Context, url string) (orbweaver.Lesson, error) {
	if _, ok := f.told[url]; ok {
		delete(f.told, url)
		f.regroup()
	}
	return orbweaver.Lesson{}, nil
}

// Untaught judges a page by layer 0 as it would be without verdicts.
func (f *Focus) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	taught, told := f.layers[0], f.told
	defer func() { f.layers[0], f.told, f.judged = taught, told, judged{} }()
	if len(told) > 0 {
		if f.untold == nil {
			f.told = nil
			without := f.layerWith(f.query, f.similar())
			f.untold, f.told = &without, told
		}
		f.layers[0], f.judged = *f.untold, judged{}
	}
	return f.Judge(ctx, p)
}

// regroup computes layer 0 again, by the labels and the layers of the last round.
func (f *Focus) regroup() {
	f.judged, f.untold = judged{}, nil
	for i := range f.known.items {
		if k := &f.known.items[i]; k.member == 0 {
			k.member = outside
		}
	}
	f.layers[0] = f.layerWith(f.query, f.innermost())
}

// tell puts what a person said of an item in place of its relevance to layer 0.
func (f *Focus) tell(k *kept) {
	if relevance, ok := f.told[k.url]; ok {
		k.standing[0] = float32(relevance)
	}
}
