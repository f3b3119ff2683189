package crossref

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"time"

	"orbweaver"
)

// lessonVersion is the first byte of a lesson: it changes with the format.
const lessonVersion = 1

// A nearLink is the words near a page's links to another.
type nearLink struct {
	to    key
	words vector
}

// LessonOf returns a page as Fold takes it: its text, from which its terms follow, the pages that it links to, and the words near these links by the present
// terms, which all workers share.
func (f *Focus) LessonOf(_ context.Context, o orbweaver.Outcome) ([]byte, error) {
	p := o.Page
	if p == nil || o.Request.Purpose != orbweaver.ForPage {
		return nil, nil
	}
	fetched, err := p.Fetched.UTC().MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("crossref focus: lesson: %w", err)
	}
	linked, _ := readNote(o.Request.Note)
	accepted := uint64(0)
	if o.Actual.Accepted {
		accepted = 1
	}
	e := encoder{b: []byte{lessonVersion}}
	for _, part := range [][]byte{[]byte(p.Text), []byte(p.Title), []byte(p.Lang), fetched} {
		e.bytes(part)
	}
	e.uint(accepted)
	e.vector(linked.context)
	e.targets(f, p)
	return e.b, nil
}

// targets writes the pages that a page links to, each once, with the words near the links.
func (e *encoder) targets(f *Focus, p *orbweaver.Page) {
	near := map[string]vector{}
	if f.opts.learns() && !f.opts.NoLinkText {
		for _, t := range f.findings(p).targets {
			near[p.Links[t.at].To] = f.words(t.context, maxContext)
		}
	}
	met := map[string]bool{}
	var all []string
	for i := range p.Links {
		if to := p.Links[i].To; !met[to] && len(all) < maxTargets {
			met[to] = true
			all = append(all, to)
		}
	}
	e.uint(uint64(len(all)))
	for _, to := range all {
		e.b = binary.LittleEndian.AppendUint64(e.b, uint64(keyOf(to)))
		e.vector(near[to])
	}
}

// Fold learns a page of a round that workers share. The words near its links count when the round ends, and all pages of it are known.
func (f *Focus) Fold(_ context.Context, url string, lesson []byte) error {
	if len(lesson) == 0 || lesson[0] != lessonVersion {
		return fmt.Errorf("crossref focus: lesson of %s: another version of the program made it: %w", url, orbweaver.ErrDamaged)
	}
	d := decoder{b: lesson[1:]}
	text, title, lang := string(d.bytes()), string(d.bytes()), string(d.bytes())
	var fetched time.Time
	err := fetched.UnmarshalBinary(d.bytes())
	accepted := d.uint() == 1
	k := kept{url: url, near: d.vector()}
	var near []nearLink
	for range d.count(9) {
		b := nearLink{key(d.fixed(8)), d.vector()}
		k.links = append(k.links, b.to)
		if len(b.words) > 0 {
			near = append(near, b)
		}
	}
	if err != nil || d.failed || len(d.b) > 0 {
		return fmt.Errorf("crossref focus: lesson of %s: %w", url, orbweaver.ErrDamaged)
	}
	f.judged, f.shared = judged{}, true
	learned, err := f.learn(f.reader.Read(text, title, lang), k, fetched, accepted)
	if learned {
		f.beside = append(f.beside, near...)
		f.weighAgain()
	}
	return err
}

// addFolded adds the words near links, of the lessons since the last round, to the pages that they lead to.
func (f *Focus) addFolded() {
	for _, b := range f.beside {
		if k := f.known.find(b.to); k != nil {
			k.near = k.near.plus(b.words).heaviest(maxContext)
		}
	}
	f.beside = nil
}

// folded returns the links to a page by the kept items, in their order: a ledger knows only those of its own worker's pages.
func (f *Focus) folded() func(url string) iter.Seq[string] {
	to := map[key][]int32{}
	for i := range f.query {
		to[keyOf(f.query[i].url)] = nil
	}
	for i := range f.known.items {
		to[keyOf(f.known.items[i].url)] = nil
	}
	for i := range f.known.items {
		for _, k := range f.known.items[i].links {
			if from, wanted := to[k]; wanted {
				to[k] = append(from, int32(i))
			}
		}
	}
	return func(url string) iter.Seq[string] {
		return func(yield func(string) bool) {
			for _, i := range to[keyOf(url)] {
				if !yield(f.known.items[i].url) {
					return
				}
			}
		}
	}
}

// linksMark begins the last part of a snapshot of rounds that workers share: the links of all items.
const linksMark = 'l'

func (f *Focus) linksInto(e *encoder, w io.Writer) error {
	e.b = append(e.b, linksMark)
	for i := range f.known.items {
		links := f.known.items[i].links
		e.uint(uint64(len(links)))
		for _, k := range links {
			e.b = binary.LittleEndian.AppendUint64(e.b, uint64(k))
		}
		if len(e.b) < flushed {
			continue
		}
		if err := e.flush(w); err != nil {
			return err
		}
	}
	return e.flush(w)
}

// links reads what linksInto wrote.
func (d *decoder) links(items []kept) {
	if d.b[0] != linksMark {
		d.failed, d.b = true, nil
		return
	}
	d.b = d.b[1:]
	for i := range items {
		n := d.count(8)
		items[i].links = slices.Grow([]key(nil), min(n, math.MaxInt16))
		for range n {
			items[i].links = append(items[i].links, key(d.fixed(8)))
		}
	}
}
