package ontology

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/text"
	"orbweaver/weburl"
)

// A hit is an entity that a text names, and how often.
// stress is how much more some of these count for where they stand.
type hit struct{ entity, count, stress int32 }

// findings is what Prepare learned of a page: all that depends on the page alone.
type findings struct {
	by        *knowledge // what the page was read by
	words     int
	hits      []hit    // entities of some weight, ascending
	evidence  []string // by hit
	satisfies bool     // the paper's satisfying page
	grouped
	stems stems   // of the words in the anchors of each target's links, target by target
	ends  []int32 // by target: where its stems end
	near  surroundings
}

// grouped are a page's links by target, as far as the lexicon has something to say of them.
type (
	grouped = links.Groups[said]
	link    = links.Link[said]
)

// said is what a piece of text says of entities.
type said struct {
	hits     []hit
	evidence string
}

// Prepare matches the lexicon against the page's title and main text, and against what stands at
// its links.
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
	c.places = append(c.places[:0], c.read(m.Match(p.Text), p.Text)...) // its evidence about capitals serves the title
	named := c.places
	found.words = m.Tokens()
	c.stress(c.read(m.MatchHeading(p.Title), p.Title), inTitle)
	found.words += m.Tokens()
	c.stress(leading(named), inLead)
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
		c.prepareStems(found, p, stemmer)
	}
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

// most returns the entity that is named most, each time by its weight; of equals the first.
func (k *knowledge) most(hits []hit) (entity int32) {
	most := 0.0
	for _, h := range hits {
		if w := float64(h.count) * k.weights.page[h.entity]; w > most {
			entity, most = h.entity, w
		}
	}
	return entity
}

// prepareLinks reads the links that may be followed, and groups them by their target.
func (k *knowledge) prepareLinks(found *findings, p *orbweaver.Page, m *text.Matcher, c *counter) {
	if len(p.Links) == 0 {
		return
	}
	found.Links = make([]link, 0, len(p.Links))
	places := make([]int32, 0, 2*len(p.Links))
	found.Targets, found.ends = places[:0:len(p.Links)], places[len(p.Links):len(p.Links)]
	found.Read(p, &c.table, func(read *link, l *orbweaver.Link, again bool) {
		c.anchor(m, l)
		read.Anchor = c.say(k, m)
		if !again { // after the anchor, which may show which capitals matter
			path := weburl.PathWords(l.To)
			c.read(m.MatchAddress(path), path)
			read.Path = c.say(k, m)
		}
		c.read(m.Match(l.Context), l.Context)
		read.Context = c.say(k, m)
	})
}

// A counter counts entities in texts, with buffers that are used again.
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

// A naming is an entity named by a form, so many times.
type naming struct{ entity, form, count int32 }

// stressed is a match of a form that counts more.
type stressed struct{ form, more int32 }

// counters keeps the counters of all workers.
type counters struct{ pool sync.Pool }

func (cs *counters) get() *counter {
	if c, ok := cs.pool.Get().(*counter); ok {
		return c
	}
	return &counter{}
}

// put takes a counter back; what it kept belongs to the page.
func (cs *counters) put(c *counter) {
	c.kept = kept{}
	cs.pool.Put(c)
}

// read adds the matches in a text to those waiting to be counted, and returns them.
func (c *counter) read(matches []text.Match, s string) []text.Match {
	for _, match := range matches {
		c.forms = append(c.forms, match.Form)
		c.wordings.Add(match.Form, s[match.Start:match.End])
	}
	return matches
}

// leading are the matches in the lead of a text, of those in it.
func leading(matches []text.Match) []text.Match {
	n := slices.IndexFunc(matches, func(m text.Match) bool { return m.Start >= leadBytes })
	if n < 0 {
		return matches
	}
	return matches[:n]
}

// stress notes that matches count so much more.
func (c *counter) stress(matches []text.Match, more int32) {
	for _, match := range matches {
		c.stressed = append(c.stressed, stressed{match.Form, more})
	}
}

// spread adds what was noted to the hits of the entities that were named.
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

// count turns the matches read so far into hits, entities ascending. An ambiguous form counts for
// every entity it names.
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
	slices.SortFunc(c.named, func(a, b naming) int {
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

// maxForms is how many of an entity's forms its evidence names, the most frequent first.
const maxForms = 5

// evidence says by what words an entity was named in the text last counted, as they stand there most often, and
// which of its labels they are: "Airplane: planes ×3 (plane), jet ×1".
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

// anchor reads what a link shows: its text, and its title if that is another.
func (c *counter) anchor(m *text.Matcher, l *orbweaver.Link) {
	c.read(m.Match(l.Anchor), l.Anchor)
	if l.Title != "" && l.Title != l.Anchor {
		c.read(m.Match(l.Title), l.Title)
	}
}

// say reports the entities of the texts read.
func (c *counter) say(k *knowledge, m *text.Matcher) said {
	if len(c.forms) == 0 {
		return said{}
	}
	defer c.wordings.Reset()
	hits := c.count(k, m)
	if len(hits) == 0 {
		return said{}
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
	return said{hits, c.kept.text(b)}
}
