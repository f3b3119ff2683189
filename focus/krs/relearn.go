package krs

import (
	"context"
	"slices"

	"orbweaver"
	kb "orbweaver/kb/krs"
)

// A told page has a person's verdict.
type told struct {
	url      string
	relevant bool
	nouns    []kb.Mention
}

// maxTold bounds the pages with a verdict that are learned; later ones change nothing.
const maxTold = 512

// relevant is the relevance from which on a page counts as a document of the corpus.
const relevant = 0.5

// Relearn takes a page on which a person gave a verdict as a document of the corpus if it is relevant, and else of the background, if
// that is of rejected pages: in one that the KRS came with, pages on the verge of the topic made later judgements worse. Options.Learn
// does not matter; the KRS is compiled again. The likeness of pages met before stays counted as it was. The paper
// learns from its corpus alone.
func (f *Focus) Relearn(ctx context.Context, o orbweaver.Outcome, relevance float64) (orbweaver.Lesson, error) {
	found, err := f.findings(ctx, o.Page)
	if err != nil {
		return orbweaver.Lesson{}, err
	}
	again := f.untold(o.Request.URL)
	if len(found.mentions) > 0 && len(f.told) < maxTold {
		f.told = append(f.told, told{o.Request.URL, relevance >= relevant, nounsOf(found.mentions)})
		again = true
	}
	if again {
		f.recompile()
	}
	return orbweaver.Lesson{}, nil
}

// Unlearn takes a page out of the documents again.
func (f *Focus) Unlearn(_ context.Context, url string) (orbweaver.Lesson, error) {
	if f.untold(url) {
		f.recompile()
	}
	return orbweaver.Lesson{}, nil
}

// Untaught judges a page by the KRS without the pages that have a verdict.
func (f *Focus) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	if len(f.told) == 0 {
		return f.Judge(ctx, p)
	}
	now, edge := f.now, f.edge
	defer func() { f.now, f.edge = now, edge }()
	if f.untaught == nil {
		f.untaught = f.schema(nil)
	}
	if f.now = f.untaught; f.moves() {
		pages := edge.Pages
		f.edge = f.now.Boundary(f.met)
		f.edge.Pages = pages
	}
	return f.Judge(ctx, p)
}

// untold removes a page from those with a verdict. It reports whether it was there.
func (f *Focus) untold(url string) bool {
	n := len(f.told)
	f.told = slices.DeleteFunc(f.told, func(t told) bool { return t.url == url })
	return len(f.told) < n
}

// recompile makes pages be judged with the verdicts of now. What was met stays counted.
func (f *Focus) recompile() {
	met, pages := f.met, f.edge.Pages
	f.compile()
	f.met = met
	if f.moves() && met.Pages() > 0 {
		f.edge = f.now.Boundary(met)
		f.edge.Pages = pages // it moves with the same page as before
	}
}

// nounsOf returns the nouns of a page without its text.
func nounsOf(mentions []kb.Mention) []kb.Mention {
	page := slices.Clone(mentions[:min(len(mentions), maxNouns)])
	for i := range page {
		page[i].Words = ""
	}
	return page
}
