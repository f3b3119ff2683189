package ontology

import (
	"cmp"
	"math"
	"strings"
	"unicode"

	"orbweaver"
	focus "orbweaver/focus/ontology"
	"orbweaver/internal/order"
	"orbweaver/kb/offer"
	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// The limits of suggestions.
const (
	maxSuggestions = 200
	maxBytes       = 64  // of a name
	maxWords       = 4   // of a name
	together       = 3   // items in which an offer and an entity occur together, at least
	sameShare      = 0.5 // of the items of a phrase, with which a word within it says nothing of its own
)

// A receiver is the ontology that lacks something.
type receiver struct {
	ontology *kb.Ontology
	weight   func(entity int) float64 // what an entity counts for the targets; nil: each 1
	decided  func(id string) bool     // whether a suggestion was decided; nil: none was
}

// suggestions returns what a source has and the ontology lacks, at most 200 suggestions, best first by Score. Left out
// are names that the ontology has, as pages are matched with it, IRIs that it has or states to be the same, and what was
// decided before under any ID that the name or its IRI has.
//
// Entity is the nearest that is known, by the first of these that finds one: what the source states to be broader
// (As subclass) or the same (As entry); an entity whose entry ends the name ("guitar" in "bass guitar": As subclass of a
// class); the entity that the name occurs with, most surely for the targets (As entry); an entity whose entry is within
// the name. It is empty if none does.
//
// Score is that of the source, if it has a topic, weighted by half with that of Entity. Else it is the root of the
// log-likelihood ratio of name and entity occurring together (Dunning 1993), times the weight of the entity for the
// targets; On and Off are then the shares of the items with the entity that have the name, and of the others.
// The error is that of reading the pages of the source.
func (r receiver) suggestions(src *offer.Source) ([]orbweaver.Suggestion, error) {
	p := r.placer(src)
	defer p.matcher.Release()
	if err := p.count(); err != nil {
		return nil, err
	}
	var all []orbweaver.Suggestion
	for i := range src.Offers {
		if s, ok := p.suggestion(i); ok {
			all = append(all, s)
		} else if s, ok := p.broader(i); ok {
			all = append(all, s)
		}
	}
	order.Stably(all, func(a, b orbweaver.Suggestion) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return distinct(all), nil
}

// A placer finds the places of offers in the ontology.
type placer struct {
	receiver
	src     *offer.Source
	lexicon *text.Lexicon
	matcher *text.Matcher
	known   []int32          // by offer: the entity that it names; -1: none
	anchors []int            // offers that name a weighted entity
	pages   *pages           // nil: the source has none
	same    map[string]int32 // entities by IRIs that the ontology states to be the same
}

func (r receiver) placer(src *offer.Source) *placer {
	if r.weight == nil {
		r.weight = func(int) float64 { return 1 }
	}
	if r.decided == nil {
		r.decided = func(string) bool { return false }
	}
	p := &placer{receiver: r, src: src, lexicon: focus.Lexicon(r.ontology), same: map[string]int32{}}
	p.matcher = p.lexicon.Matcher("")
	for _, set := range r.ontology.Equals() {
		for _, iri := range set {
			if i, ok := r.ontology.Find(iri); ok {
				for _, other := range set {
					p.same[other] = int32(i)
				}
				break
			}
		}
	}
	p.known = make([]int32, len(src.Offers))
	for i := range src.Offers {
		o := &src.Offers[i]
		if p.known[i] = p.named(offer.Ref{Text: o.Text, IRI: o.IRI}); p.known[i] >= 0 && p.weight(int(p.known[i])) > 0 {
			p.anchors = append(p.anchors, i)
		}
	}
	return p
}

// named returns the entity that a reference names as a whole, the one of greatest weight; -1: none.
func (p *placer) named(ref offer.Ref) int32 {
	if i, ok := p.ontology.Find(ref.IRI); ok {
		return int32(i)
	}
	if i, ok := p.same[ref.IRI]; ok {
		return i
	}
	p.matcher.Forget()
	for _, m := range p.matcher.MatchHeading(ref.Text) {
		if m.Start == 0 && m.End == len(ref.Text) {
			return p.heaviest(m.Form)
		}
	}
	return -1
}

// heaviest returns the entity of greatest weight that a form names, the first among equals.
func (p *placer) heaviest(form int32) int32 {
	ids := p.matcher.IDs(form)
	best := ids[0]
	for _, id := range ids[1:] {
		if p.weight(int(id)) > p.weight(int(best)) {
			best = id
		}
	}
	return best
}

// suggestion returns the suggestion of an offer; false if there is none.
func (p *placer) suggestion(i int) (s orbweaver.Suggestion, ok bool) {
	o := &p.src.Offers[i]
	if o.Anchor || p.known[i] >= 0 || !sayable(o.Text) {
		return s, false
	}
	s = orbweaver.Suggestion{
		ID: focus.WordID(o.Text, o.Lang), Kind: orbweaver.SuggestWord, Text: o.Text,
		Count: o.Count, Error: o.Error, On: o.On, Off: o.Off, Examples: o.Examples,
	}
	if p.decided(s.ID) || p.decided(focus.WordID(text.Key(o.Text), o.Lang)) {
		return s, false
	}
	if o.IRI != "" {
		s.ID, s.Kind, s.IRI = focus.EntityID(o.IRI), orbweaver.SuggestEntity, o.IRI
		if p.decided(s.ID) {
			return s, false
		}
	}
	if p.pages != nil {
		s.Count, s.Examples = int64(p.pages.own[i]), p.pages.examples[i]
	}
	near, worth, on, off := p.beside(i)
	entity := p.place(o, &s, near)
	if s.Score = worth; o.Score > 0 {
		s.Score = o.Score / 2
		if entity >= 0 {
			s.Score += o.Score / 2 * min(1, p.weight(int(entity)))
		}
	} else {
		s.On, s.Off = on, off
	}
	if entity >= 0 {
		s.Entity = p.ontology.Entity(int(entity)).IRI
	}
	return s, o.Score > 0 || worth > 0 || entity >= 0
}

// broader returns the suggestion that a known class is directly below the nearest class that the source states to be broader; false if the
// ontology has one of them above the other, or the source states nothing of it. Score is the weight of the heavier class for the targets, times the score of the
// source, if that is above 1.
func (p *placer) broader(i int) (s orbweaver.Suggestion, ok bool) {
	o := &p.src.Offers[i]
	at := p.known[i]
	if at < 0 || !p.isClass(at) {
		return s, false
	}
	for _, ref := range o.Above {
		above := p.named(ref)
		if above < 0 || above == at || !p.isClass(above) {
			continue
		}
		narrow, broad := p.ontology.Entity(int(at)), p.ontology.Entity(int(above))
		s = orbweaver.Suggestion{
			ID: focus.BroaderID(narrow.IRI, broad.IRI), Kind: orbweaver.SuggestBroader, Text: narrow.Name + " – " + broad.Name, Entity: narrow.IRI, Other: broad.IRI,
			As: orbweaver.AsBroader, Count: o.Count, Error: o.Error, Examples: o.Examples,
		}
		joined := p.ontology.IsAbove(int(above), int(at)) || p.ontology.IsAbove(int(at), int(above))
		if joined || p.decided(s.ID) {
			return s, false
		}
		s.Score = max(p.weight(int(at)), p.weight(int(above))) * max(1, o.Score)
		return s, s.Score > 0
	}
	return s, false
}

// place sets what an offer would become, and returns the entity beside it; near is the one that it occurs with. Both are
// -1 for none.
func (p *placer) place(o *offer.Offer, s *orbweaver.Suggestion, near int32) int32 {
	below := orbweaver.AsSubclass
	if o.IRI != "" && !o.Class {
		below = orbweaver.AsInstance
	}
	for _, ref := range o.Above {
		if e := p.named(ref); e >= 0 && p.isClass(e) {
			s.As = below
			return e
		}
	}
	s.As = orbweaver.AsEntry
	for _, ref := range o.Same {
		if e := p.named(ref); e >= 0 {
			return e
		}
	}
	within, ends := p.within(o.Text)
	switch {
	case ends && p.isClass(within):
		s.As = below
		return within
	case near >= 0 && o.IRI != "" && p.isClass(near):
		s.As = below
		return near
	case near >= 0:
		return near
	case within < 0 && o.IRI != "":
		s.As = below // an entity of its own, wherever it belongs
	}
	return within
}

func (p *placer) isClass(entity int32) bool {
	return p.ontology.Entity(int(entity)).Kind == kb.Class
}

// within returns the entity of the last entry within a name, -1 for none, and whether that ends it.
func (p *placer) within(name string) (entity int32, ends bool) {
	p.matcher.Forget()
	matches := p.matcher.MatchHeading(name)
	if len(matches) == 0 {
		return -1, false
	}
	last := matches[len(matches)-1]
	return p.heaviest(last.Form), last.End == len(name)
}

// beside returns the entity that an offer occurs with most surely, times its weight, with the shares of its items, and of
// the others, that have the offer; -1 if it occurs with none more often than by chance.
func (p *placer) beside(i int) (entity int32, worth, on, off float64) {
	entity = -1
	for e, c := range p.cooccurring(i) {
		if c.both < together {
			continue
		}
		if g := math.Sqrt(offer.Likelihood(c.both, c.own, c.with, c.all)) * p.weight(int(e)); g > worth {
			entity, worth, on = e, g, c.both/c.with
			if off = 0; c.all > c.with {
				off = max(0, c.own-c.both) / (c.all - c.with)
			}
		}
	}
	return entity, worth, on, off
}

// sayable reports whether a name can be a lexical entry: a few words of plain text, with two letters.
func sayable(name string) bool {
	letters := 0
	for _, r := range name {
		switch {
		case unicode.IsControl(r):
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 1 && len(name) <= maxBytes && len(strings.Fields(name)) <= maxWords
}

// distinct returns the best suggestions, each ID and each name once, except words that in most of their items are part
// of one longer name: of "hip", "hop" and "hip hop" only the last.
func distinct(all []orbweaver.Suggestion) []orbweaver.Suggestion {
	longer := map[string]int64{} // by part, in lower case: the greatest count of a name that contains it
	for _, s := range all {
		if s.Kind == orbweaver.SuggestBroader {
			continue
		}
		words := strings.Fields(text.Key(s.Text))
		for from := range words {
			for to := from + 1; to <= len(words); to++ {
				if to-from < len(words) {
					part := strings.Join(words[from:to], " ")
					longer[part] = max(longer[part], s.Count)
				}
			}
		}
	}
	kept, seen := []orbweaver.Suggestion{}, map[string]bool{}
	for _, s := range all {
		if s.Kind == orbweaver.SuggestBroader { // no name of its own
			if len(kept) < maxSuggestions && !seen[s.ID] {
				seen[s.ID] = true
				kept = append(kept, s)
			}
			continue
		}
		word := focus.WordID(s.Text, "")
		part := s.IRI == "" && float64(longer[text.Key(s.Text)]) > sameShare*float64(s.Count)
		if len(kept) == maxSuggestions || seen[s.ID] || seen[word] || part {
			continue
		}
		seen[s.ID], seen[word] = true, true
		kept = append(kept, s)
	}
	return kept
}
