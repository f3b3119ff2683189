package ontology

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/focus/accept"
	kb "orbweaver/kb/ontology"
)

// counts are what workers of a crawl learn together: sums over pages, by IRI and by word. What URLs alone are worth (package urlwords) and what is near
// entities (gaps) each worker learns by itself until the crawl is over: see Gather.
type counts struct {
	Pages   int64               `json:"pages"`
	DF      map[string]int64    `json:"df"`
	Accept  *accept.Calibration `json:"-"`
	Scores  []byte              `json:"accept,omitempty"` // Accept, encoded
	Telling *toldState          `json:"telling,omitempty"`

	words *words
}

func newCounts() *counts {
	return &counts{DF: map[string]int64{}, Accept: new(accept.Calibration), Telling: &toldState{Entities: map[string]told{}}, words: newWords()}
}

// counted returns all that the focus has counted.
func (f *Focus) counted() *counts {
	all := state{pages: f.idf.pages, df: f.idf.df, accept: f.accept, words: f.words, telling: f.telling}
	return all.counts(f.Ontology())
}

// counts returns all that a state counts of an ontology's entities, also of other workers.
func (s *state) counts(o *kb.Ontology) *counts {
	c := newCounts()
	c.Pages, c.Accept, c.words = s.pages, s.accept, s.words
	if told := s.telling.state(o); told != nil {
		c.Telling = told
	}
	for i, df := range s.df {
		if df > 0 {
			c.DF[o.Entity(i).IRI] = df
		}
	}
	return c
}

// plus adds counts, sign times.
func (c *counts) plus(more *counts, sign int64) *counts {
	sum := newCounts()
	sum.Pages = max(0, c.Pages+sign*more.Pages)
	maps.Copy(sum.DF, c.DF)
	for iri, n := range more.DF {
		if sum.DF[iri] = min(sum.Pages, sum.DF[iri]+sign*n); sum.DF[iri] <= 0 {
			delete(sum.DF, iri)
		}
	}
	if sum.Accept = c.Accept.Plus(more.Accept); sign < 0 {
		sum.Accept = c.Accept.Less(more.Accept)
	}
	sum.Telling = c.Telling.plus(more.Telling, sign)
	sum.words = c.words.plus(more.words, sign)
	return sum
}

// plus adds what entities told.
func (s *toldState) plus(more *toldState, sign int64) *toldState {
	sum := &toldState{Entities: maps.Clone(s.Entities)}
	sum.Pages, sum.Sum = added(s.Pages, more.Pages, s.Sum, more.Sum, sign)
	for iri, two := range more.Entities {
		one := sum.Entities[iri]
		_, rest := added(one.Pages, two.Pages, one.Rest, two.Rest, sign)
		if one.Pages, one.Sum = added(one.Pages, two.Pages, one.Sum, two.Sum, sign); one.Pages == 0 {
			delete(sum.Entities, iri)
			continue
		}
		one.Rest = rest
		sum.Entities[iri] = one
	}
	return sum
}

// plus adds words, those it lacks at the end.
func (ws *words) plus(more *words, sign int64) *words {
	sum := newWords()
	sum.pages, sum.sum = added(ws.pages, more.pages, ws.sum, more.sum, sign)
	for i := range ws.list {
		one := ws.list[i]
		if two := more.find([]byte(one.stem())); two != nil {
			one.pages, one.sum = added(one.pages, two.pages, one.sum, two.sum, sign)
			one.evidence = ""
		}
		one.pages, one.sum = min(one.pages, sum.pages), min(one.sum, sum.sum) // but for rounding they are
		if one.pages > 0 {
			sum.add(one)
		}
	}
	for i := range more.list {
		if one := more.list[i]; sign > 0 && ws.find([]byte(one.stem())) == nil && len(sum.list) < maxWords {
			sum.add(word{key: one.key, pages: one.pages, sum: one.sum})
		}
	}
	return sum
}

// added adds pages and the sum of their scores, each 0 to 1. What is taken off again may leave a little by rounding.
func added(pages, more int64, scores, others float64, sign int64) (int64, float64) {
	n := max(0, pages+sign*more)
	return n, min(float64(n), max(0, scores+float64(sign)*others))
}

// moved returns the keys of words whose lift has changed by a step since they were last returned.
func (ws *words) moved() (stale []string) {
	mean := ws.mean()
	for i := range ws.list {
		ws.list[i].evidence = ""
		stale = ws.list[i].moved(mean, stale)
	}
	return stale
}

// Share writes the counts of this focus's own pages: of entities (idf), of anchors' words, of what entities tell, and the scores of pages.
func (f *Focus) Share(w io.Writer) error {
	own := f.counted()
	if f.others != nil {
		own = own.plus(f.others, -1)
	}
	b, err := own.encoded()
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("ontology focus: share: %w", err)
	}
	return nil
}

// encoded encodes counts: JSON on one line, and the words as in a snapshot.
func (c *counts) encoded() ([]byte, error) {
	c.Scores = c.Accept.Append(nil)
	b, err := json.Marshal(c)
	out := stateWriter{b: append(b, '\n')}
	out.words(c.words)
	return out.b, err
}

// decoded decodes counts; an error wraps orbweaver.ErrDamaged.
func decoded(b []byte) (*counts, error) {
	c := newCounts()
	damaged := func(what any) error {
		return fmt.Errorf("ontology focus: what another worker shares: %w: %v", orbweaver.ErrDamaged, what)
	}
	if len(b) > maxState {
		return nil, damaged("it is too long")
	}
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	if err := json.Unmarshal(line, c); err != nil {
		return nil, damaged(err)
	}
	var err error
	if c.Accept, err = accept.Read(c.Scores); err != nil {
		return nil, damaged(err)
	}
	in := stateReader{b: rest}
	c.words = in.words()
	if err := in.end(); err != nil {
		return nil, damaged(err)
	}
	if c.DF == nil {
		c.DF = map[string]int64{}
	}
	if c.Telling == nil || c.Telling.Entities == nil {
		c.Telling = newCounts().Telling
	}
	fine := c.Pages >= 0 && c.Telling.Pages >= 0 && 0 <= c.Telling.Sum && c.Telling.Sum <= float64(c.Telling.Pages)
	for _, n := range c.DF {
		fine = fine && 0 < n && n <= c.Pages
	}
	for _, one := range c.Telling.Entities {
		n := float64(one.Pages)
		fine = fine && 0 < one.Pages && one.Pages <= c.Telling.Pages && 0 <= one.Sum && one.Sum <= n && 0 <= one.Rest && one.Rest <= n
	}
	if !fine {
		return nil, damaged("counts that can't be")
	}
	return c, nil
}

// Take adds what other workers have counted. Entities that the ontology here lacks are left out. It returns the keys of words whose lift has changed.
func (f *Focus) Take(_ context.Context, shared map[string][]byte) (orbweaver.Lesson, error) {
	others := newCounts()
	for _, from := range slices.Sorted(maps.Keys(shared)) {
		one, err := decoded(shared[from])
		if err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("%s: %w", from, err)
		}
		others = others.plus(one, 1)
	}
	o := f.now.Load().ontology
	foreign := func(iri string) bool {
		_, ok := o.Find(iri)
		return !ok
	}
	maps.DeleteFunc(others.DF, func(iri string, _ int64) bool { return foreign(iri) })
	maps.DeleteFunc(others.Telling.Entities, func(iri string, _ told) bool { return foreign(iri) })
	all := f.counted()
	if f.others != nil {
		all = all.plus(f.others, -1)
	}
	all = all.plus(others, 1)
	if f.others = others; len(shared) == 0 {
		f.others = nil
	}
	return orbweaver.Lesson{Stale: f.recount(all)}, nil
}

// recount replaces what the focus has counted.
func (f *Focus) recount(all *counts) (stale []string) {
	o := f.now.Load().ontology
	f.idf.pages = all.Pages
	for i := range f.idf.df {
		f.idf.df[i] = all.DF[o.Entity(i).IRI]
	}
	clear(f.idf.valid)
	f.accept, f.words = all.Accept, all.words
	if f.telling != nil {
		f.telling.pages, f.telling.sum = all.Telling.Pages, all.Telling.Sum
		for i := range f.telling.list {
			f.telling.list[i] = all.Telling.Entities[o.Entity(i).IRI]
		}
		clear(f.telling.valid)
	}
	stale = f.words.moved()
	slices.Sort(stale)
	return stale
}
