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

// findings is the result of Prepare: all that depends on the page alone.
type findings struct {
	foreign  bool // the page is in another language
	mentions []kb.Mention
	grouped
	hits []hit // of all links
}

// A hit is a noun by its position, with its first written form.
type hit struct {
	noun  int32
	words string
}

// A link of a page, and the links grouped by target, with the KRS's nouns at them.
type (
	grouped = links.Groups[span]
	link    = links.Link[span]
)

// span is a range of hits.
type span struct{ from, to int32 }

// Prepare annotates the page and finds the KRS's nouns at its links.
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

// findings returns the result of Prepare. A page that arrives without it is prepared now, and once.
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

// prepareLinks evaluates the links that may be followed, and groups them by target.
func (f *Focus) prepareLinks(found *findings, p *orbweaver.Page) {
	var m *text.Matcher
	if f.lexicon != nil {
		m = f.lexicon.Matcher(p.Lang)
		defer m.Release()
		if f.lexicon.Careful() {
			m.Match(p.Text) // provides evidence about capitalization
		}
	}
	found.Links = make([]link, 0, len(p.Links))
	found.Read(p, new(links.Table), func(read *link, l *orbweaver.Link, again bool) {
		read.Anchor = found.name((*text.Matcher).Match, m, l.Anchor, l.Title)
		if !again { // after the anchor, which provides evidence about capitalization
			read.Path = found.name((*text.Matcher).MatchAddress, m, weburl.PathWords(l.To))
		}
		read.Context = found.name((*text.Matcher).Match, m, l.Context)
	})
}

// name finds the nouns in texts, each once. A text equal to the first is skipped.
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
