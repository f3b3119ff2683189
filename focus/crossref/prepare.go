package crossref

import (
	"context"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/text/item"
)

// maxTargets bounds the distinct targets of a page; links to others are left out.
const maxTargets = 5000

// findings is the result of Prepare: all that depends on the page alone.
type findings struct {
	draft   item.Draft
	targets []target
}

// A target is a page that is linked to, with the words of all links to it.
type target struct {
	at      int32 // its first link in Page.Links
	anchor  item.Draft
	context item.Draft
}

// Prepare extracts the words of a page and of its links.
func (f *Focus) Prepare(_ context.Context, p *orbweaver.Page) (any, error) { return f.prepare(p), nil }

func (f *Focus) prepare(p *orbweaver.Page) *findings {
	found := &findings{draft: f.reader.Read(p.Text, p.Title, p.Lang)}
	if p.NoFollow {
		return found
	}
	at := make(map[string]int32, len(p.Links))
	var words []wording
	for i := range p.Links {
		l := &p.Links[i]
		if !links.MayFollow(p, l) {
			continue
		}
		n, met := at[l.To]
		if !met {
			if len(words) == maxTargets {
				continue
			}
			n = int32(len(words))
			at[l.To] = n
			words = append(words, wording{at: int32(i)})
		}
		words[n].add(l)
	}
	found.targets = make([]target, len(words))
	for i := range words {
		found.targets[i] = f.target(&words[i], p.Lang)
	}
	return found
}

// maxWording bounds the bytes read of the links to one target.
const maxWording = 2000

// A wording collects the text of the links to one target.
type wording struct {
	at              int32
	anchor, context string
}

// add appends the text of a link: anchor and title, and the words around it.
func (w *wording) add(l *orbweaver.Link) {
	anchor := l.Anchor
	if l.Title != "" && l.Title != l.Anchor {
		anchor += "\n\n" + l.Title
	}
	if len(w.anchor)+len(anchor) <= maxWording && anchor != w.anchor {
		w.anchor = separate(w.anchor, anchor)
	}
	if len(w.context)+len(l.Context) <= maxWording {
		w.context = separate(w.context, l.Context)
	}
}

func separate(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

func (f *Focus) target(w *wording, lang string) target {
	t := target{at: w.at}
	if f.opts.NoLinkText {
		return t
	}
	t.anchor = f.reader.Read(w.anchor, "", lang)
	t.context = f.reader.Read(w.context, "", lang)
	return t
}

// findings returns the result of Prepare. A page that arrives without it is prepared now, and once.
func (f *Focus) findings(p *orbweaver.Page) *findings {
	if found, ok := p.Findings.(*findings); ok {
		return found
	}
	if f.redone.page != p {
		f.redone = redone{p, f.prepare(p)}
	}
	return f.redone.found
}

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}
