package ontology

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/internal/order"
	"orbweaver/text"
	"orbweaver/weburl"
)

// A hit is an entity that a text names, with the number of occurrences. stress is the additional count for
// prominent positions.
type hit struct{ entity, count, stress int32 }

// findings is the result of Prepare: all that depends on the page alone.
type findings struct {
	by        *knowledge // the knowledge the page was read with
	words     int
	hits      []hit    // weighted entities, ascending
	evidence  []string // by hit: the words that name the entity; empty: none
	data      []string // by hit: the statements that name it; empty: none; nil: no hit has any
	satisfies bool     // the paper's satisfying page
	grouped
	lengths []int32 // with AnchorText, by position in Page.Links: words of the anchor and title
	stems   stems   // of the words in the anchors of each target's links, by target
	ends    []int32 // by target: the end of its stems; none with Unlearned
	near    surroundings
}

// A link of a page, and the links grouped by target, with the entities they name.
type (
	grouped = links.Groups[mentions]
	link    = links.Link[mentions]
)

// mentions is the entities that a piece of text names.
type mentions struct {
	hits     []hit
	evidence string
}

// Prepare matches the lexicon against the page's title and main text, and the texts at its links.
func (f *Focus) Prepare(_ context.Context, p *orbweaver.Page) (any, error) {
	return f.prepare(p), nil
}

func (f *Focus) prepare(p *orbweaver.Page) *findings {
	k := f.now.Load()
	m := k.lexicon.Matcher(p.Lang)
	defer m.Release()
	c := f.counters.get()
	defer f.counters.put(c)

	stemmer := f.stemmers.Get(p.Lang)
	defer f.stemmers.Put(p.Lang, stemmer)

	found := &findings{by: k}
	c.places = append(c.places[:0], c.read(m.Match(p.Text), p.Text)...) // its evidence about capitalization serves the title
	named := c.places
	found.words = m.Tokens()
	c.stress(c.read(m.MatchHeading(p.Title), p.Title), inTitle)
	found.words += m.Tokens()
	if listed := links.Listed(p); listed == 0 || f.opts.Measure != Presence {
		c.stress(leading(named), inLead)
	} else {
		found.words += listed
	}
	if found.hits = c.count(k, m); len(found.hits) > 0 {
		found.evidence = make([]string, len(found.hits))
	}
	for i, h := range found.hits {
		found.evidence[i] = c.evidence(k, m, h.entity)
	}
	c.wordings.Reset()
	c.spread(m, found.hits)
	if found.satisfies = k.satisfies(found.hits); found.satisfies {
		found.near = c.around.look(k, m, p, named)
	} else {
		found.near = c.around.lookFar(p)
	}
	found.near.names, found.near.most = c.around.names(p), k.most(found.hits)
	if !p.NoFollow {
		k.prepareLinks(found, p, m, c)
		if !f.opts.Paper.Unlearned {
			c.prepareStems(found, p, stemmer)
		}
	}
	f.readData(found, p)
	return found
}

// satisfies reports whether the targets are named: with Min all of them, else any.
func (k *knowledge) satisfies(hits []hit) bool {
	for _, t := range k.targets {
		_, named := slices.BinarySearchFunc(hits, t, func(h hit, t int32) int { return int(h.entity - t) })
		if named != (k.combine == Min) {
			return named
		}
	}
	return k.combine == Min
}

// most returns the entity with the greatest count times weight, the first among equals.
func (k *knowledge) most(hits []hit) (entity int32) {
	most := 0.0
	for _, h := range hits {
		if w := float64(h.count) * k.weights.page[h.entity]; w > most {
			entity, most = h.entity, w
		}
	}
	return entity
}

// prepareLinks evaluates the links that may be followed, and groups them by target.
func (k *knowledge) prepareLinks(found *findings, p *orbweaver.Page, m *text.Matcher, c *counter) {
	if len(p.Links) == 0 {
		return
	}
	found.Links = make([]link, 0, len(p.Links))
	places := make([]int32, 0, 2*len(p.Links))
	found.Targets, found.ends = places[:0:len(p.Links)], places[len(p.Links):len(p.Links)]
	if k.links == AnchorText {
		found.lengths = make([]int32, len(p.Links))
	}
	found.Read(p, &c.table, func(read *link, l *orbweaver.Link, again bool) {
		if k.links == PageScore {
			return
		}
		words := c.anchor(m, l)
		read.Anchor = c.extract(k, m)
		if k.links == AnchorText {
			found.lengths[read.At] = int32(words)
			return
		}
		if !again { // after the anchor, which provides evidence about capitalization
			path := weburl.PathWords(l.To)
			c.read(m.MatchAddress(path), path)
			read.Path = c.extract(k, m)
		}
		c.read(m.Match(l.Context), l.Context)
		read.Context = c.extract(k, m)
	})
}

// A counter counts entities in texts, with reusable buffers.
type counter struct {
	forms    []int32
	named    []naming
	wordings text.Wordings // of forms
	places   []text.Match  // in the page's text
	stressed []stressed
	b        []byte
	around   around
	words    text.Scanner
	table    links.Table
	kept     kept
}

// A naming is the number of times a form names an entity.
type naming struct{ entity, form, count int32 }

// stressed is a match of a form with an additional count.
type stressed struct{ form, more int32 }

// counters is a pool of counters.
type counters struct{ pool sync.Pool }

func (cs *counters) get() *counter {
	if c, ok := cs.pool.Get().(*counter); ok {
		return c
	}
	return &counter{}
}

// put returns a counter to the pool; what it kept belongs to the page.
func (cs *counters) put(c *counter) {
	c.kept = kept{}
	cs.pool.Put(c)
}

// read adds the matches in a text to those to be counted, and returns them.
func (c *counter) read(matches []text.Match, s string) []text.Match {
	for _, match := range matches {
		c.forms = append(c.forms, match.Form)
		c.wordings.Add(match.Form, s[match.Start:match.End])
	}
	return matches
}

// leading returns the matches in the lead of a text.
func leading(matches []text.Match) []text.Match {
	n := slices.IndexFunc(matches, func(m text.Match) bool { return m.Start >= leadBytes })
	if n < 0 {
		return matches
	}
	return matches[:n]
}

// stress adds an additional count to matches.
func (c *counter) stress(matches []text.Match, more int32) {
	for _, match := range matches {
		c.stressed = append(c.stressed, stressed{match.Form, more})
	}
}

// spread adds the additional counts to the hits of the entities named.
func (c *counter) spread(m *text.Matcher, hits []hit) {
	for _, s := range c.stressed {
		for _, entity := range m.IDs(s.form) {
			if i, ok := slices.BinarySearchFunc(hits, entity, func(h hit, e int32) int { return int(h.entity - e) }); ok {
				hits[i].stress += s.more
			}
		}
	}
	c.stressed = c.stressed[:0]
}

// count converts the matches read so far to hits, entities ascending. An ambiguous form counts for every
// entity it names.
func (c *counter) count(k *knowledge, m *text.Matcher) []hit {
	c.named = c.named[:0]
	slices.Sort(c.forms)
	for i := 0; i < len(c.forms); {
		form, first := c.forms[i], i
		for i < len(c.forms) && c.forms[i] == form {
			i++
		}
		for _, entity := range m.IDs(form) {
			if k.weights.page[entity] > 0 {
				c.named = append(c.named, naming{entity, form, int32(i - first)})
			}
		}
	}
	c.forms = c.forms[:0]
	c.wordings.Settle()
	order.By(c.named, func(a, b naming) int {
		return cmp.Or(cmp.Compare(a.entity, b.entity), cmp.Compare(b.count, a.count), cmp.Compare(a.form, b.form))
	})
	return c.sum()
}

// sum adds up the counts of an entity's forms.
func (c *counter) sum() []hit {
	if len(c.named) == 0 {
		return nil
	}
	hits := c.kept.hits(len(c.named))
	for _, n := range c.named {
		if last := len(hits) - 1; last >= 0 && hits[last].entity == n.entity {
			hits[last].count += n.count
		} else {
			hits = append(hits, hit{entity: n.entity, count: n.count})
		}
	}
	return c.kept.keep(hits)
}

// maxForms bounds the forms named in an entity's evidence: the most frequent.
const maxForms = 5

// evidence describes the words that name an entity in the text last counted, in their most frequent written
// form, and the labels they match: "Airplane: planes ×3 (plane), jet ×1".
func (c *counter) evidence(k *knowledge, m *text.Matcher, entity int32) string {
	i, _ := slices.BinarySearchFunc(c.named, entity, func(n naming, e int32) int { return int(n.entity - e) })
	b := append(append(c.b[:0], k.ontology.Entity(int(entity)).Name...), ": "...)
	for j := i; j < len(c.named) && c.named[j].entity == entity; j++ {
		if j > i {
			b = append(b, ", "...)
		}
		if j == i+maxForms {
			b = append(b, "…"...)
			break
		}
		b = c.wording(b, m, c.named[j], int(c.named[j].count))
	}
	c.b = b
	return c.kept.text(b)
}

// wording appends the words of a form for an entity.
func (c *counter) wording(b []byte, m *text.Matcher, n naming, times int) []byte {
	return text.AppendWording(b, c.wordings.Most(n.form), times, m.Label(n.form, n.entity))
}

// anchor reads the visible text of a link, and its title if that differs, and returns the number of words.
func (c *counter) anchor(m *text.Matcher, l *orbweaver.Link) (words int) {
	c.read(m.Match(l.Anchor), l.Anchor)
	words = m.Tokens()
	if l.Title != "" && l.Title != l.Anchor {
		c.read(m.Match(l.Title), l.Title)
		words += m.Tokens()
	}
	return words
}

// extract returns the entities in the texts read.
func (c *counter) extract(k *knowledge, m *text.Matcher) mentions {
	if len(c.forms) == 0 {
		return mentions{}
	}
	defer c.wordings.Reset()
	hits := c.count(k, m)
	if len(hits) == 0 {
		return mentions{}
	}
	b := c.b[:0]
	for i, n := range c.named {
		if i > 0 && n.form == c.named[i-1].form {
			continue
		}
		if i == maxForms {
			b = append(b, ", …"...)
			break
		}
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = c.wording(b, m, n, 0)
	}
	c.b = b
	return mentions{hits, c.kept.text(b)}
}
