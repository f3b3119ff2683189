package krs

import (
	"context"
	"slices"

	"orbweaver"
	"orbweaver/focus/links"
	kb "orbweaver/kb/krs"
	"orbweaver/text"
	"orbweaver/weburl"
)

// findings is what Prepare learned of a page: all that depends on the page alone.
type findings struct {
	foreign  bool // it is in another language
	mentions []kb.Mention
	grouped
	hits []hit // of all links
}

// A hit is a noun by its position, and the words as which it stands there first.
type hit struct {
	noun  int32
	words string
}

// grouped are a page's links by target, with the nouns of the KRS at them.
type (
	grouped = links.Groups[span]
	link    = links.Link[span]
)

// span is a part of the hits.
type span struct{ from, to int32 }

// Prepare has the page annotated, and finds the nouns of the KRS at its links.
func (f *Focus) Prepare(ctx context.Context, p *orbweaver.Page) (any, error) {
	return f.prepare(ctx, p)
}

func (f *Focus) prepare(ctx context.Context, p *orbweaver.Page) (*findings, error) {
	found := &findings{foreign: f.lang != "" && p.Lang != "" && p.Lang != f.lang}
	if !found.foreign {
		d, err := f.opts.Annotator.Annotate(ctx, p)
		if err != nil {
			return nil, err
		}
		found.mentions = f.opts.Snapshot.Mentions(d.Nouns)
	}
	if !p.NoFollow && len(p.Links) > 0 {
		f.prepareLinks(found, p)
	}
	return found, nil
}

// findings returns what Prepare found. A page that comes without is prepared now, and once.
func (f *Focus) findings(ctx context.Context, p *orbweaver.Page) (*findings, error) {
	if found, ok := p.Findings.(*findings); ok {
		return found, nil
	}
	if f.redone.page != p {
		found, err := f.prepare(ctx, p)
		if err != nil {
			return nil, err
		}
		f.redone = redone{p, found}
	}
	return f.redone.found, nil
}

// prepareLinks reads the links that may be followed, and groups them by their target.
func (f *Focus) prepareLinks(found *findings, p *orbweaver.Page) {
	var m *text.Matcher
	if f.lexicon != nil {
		m = f.lexicon.Matcher(p.Lang)
		defer m.Release()
		if f.lexicon.Careful() {
			m.Match(p.Text) // for its evidence about capitals
		}
	}
	found.Links = make([]link, 0, len(p.Links))
	found.Read(p, new(links.Table), func(read *link, l *orbweaver.Link, again bool) {
		read.Anchor = found.name((*text.Matcher).Match, m, l.Anchor, l.Title)
		if !again { // after the anchor, which may show which capitals matter
			read.Path = found.name((*text.Matcher).MatchAddress, m, weburl.PathWords(l.To))
		}
		read.Context = found.name((*text.Matcher).Match, m, l.Context)
	})
}

// name finds the nouns in texts, each once. One that repeats the first is not read.
func (found *findings) name(match func(*text.Matcher, string) []text.Match, m *text.Matcher, texts ...string) span {
	from := int32(len(found.hits))
	if m == nil {
		return span{from, from}
	}
	for i, s := range texts {
		if s == "" || i > 0 && s == texts[0] {
			continue
		}
		for _, at := range match(m, s) {
			for _, id := range m.IDs(at.Form) {
				if !slices.ContainsFunc(found.hits[from:], func(h hit) bool { return h.noun == id }) {
					found.hits = append(found.hits, hit{id, s[at.Start:at.End]})
				}
			}
		}
	}
	return span{from, int32(len(found.hits))}
}
