package link

import (
	"cmp"
	"math"

	"orbweaver/internal/order"
)

// Bounds of the work on one span.
const (
	maxScored   = 16   // candidates considered: the heaviest
	maxReported = 5    // candidates of a mention
	leastChance = 0.01 // least chance of being a mention; other spans are skipped
	window      = 25   // parts on either side of a span that count as near
)

// Options configure a Linker.
type Options struct {
	// Confidence, 0 to 1: the least similarity of a mention; the second candidate's share of it may be at most 1 −
	// Confidence².
	Confidence float64
	// Support is the least count of an entity; it must be 0 if the gazetteer has no counts.
	Support int
}

// A Linker finds mentions. It is not safe for concurrent use; make one per worker.
type Linker struct {
	gazetteer *Gazetteer
	options   Options
	matcher   *Matcher
	near      surroundings
	found     []scored
	back      names
}

// NewLinker returns a linker to the entities of a gazetteer.
func NewLinker(g *Gazetteer, o Options) *Linker {
	return &Linker{gazetteer: g, options: o, matcher: NewMatcher(g)}
}

// A scored is a span with its candidates, best first.
type scored struct {
	span   Span
	best   [maxReported]guess
	n      int
	chance float64 // of being a mention, without context
	back   bool
}

type guess struct {
	entity     uint32
	similarity float64
}

func (s *scored) second() float64 {
	if s.n < 2 || s.best[0].similarity == 0 {
		return 0
	}
	return s.best[1].similarity / s.best[0].similarity
}

// Link returns the mentions of a document in its order. They do not overlap: of two overlapping ones the longer wins
// if it is certain enough. The caller owns the result.
func (l *Linker) Link(doc Document) []Mention {
	spans := l.matcher.Match(doc)
	lang := l.gazetteer.lang(doc.Lang)
	l.found = l.found[:0]
	for _, s := range spans {
		if chance := l.chance(s, doc); chance >= leastChance {
			l.found = append(l.found, scored{span: s, chance: chance})
		}
	}
	l.near.reset(l.matcher.parts)
	for i := range l.found { // without context first: certain entities are context for the others
		f := &l.found[i]
		if l.score(f, lang, false); f.n > 0 && f.second() <= leads {
			l.near.mention(f.best[0].entity, f.best[0].similarity >= sure)
		}
	}
	l.near.settle()
	for i := range l.found {
		l.score(&l.found[i], lang, true)
	}
	chosen := l.refer(doc, l.choose(l.found))
	mentions := make([]Mention, 0, len(chosen))
	for _, f := range chosen {
		mentions = append(mentions, l.mention(f))
	}
	return mentions
}

const (
	leads = 0.5 // maximum share of the second candidate for an entity used as context
	sure  = 0.5 // minimum similarity without context for an entity used as context
)

// score scores the candidates of a span.
func (l *Linker) score(f *scored, lang uint32, context bool) {
	var all [maxScored]guess
	var weights [maxScored]float64
	n, sum := 0, 0.0
	for i := f.span.Label; n < maxScored; i++ {
		name := l.gazetteer.name(i)
		if name.lang() == 0 || lang == 0 || name.lang() == lang {
			weight := math.Exp(name.weight())
			sum += weight
			all[n].entity = name.entity
			weights[n] = math.Log(weight) + shapeCost(name.shapes(), f.span)
			n++
		}
		if name.last() {
			break
		}
	}
	total := 1 - f.chance // none of them
	for i := range n {
		s := weights[i] - math.Log(sum) + math.Log(f.chance)
		if context {
			s += l.context(all[i].entity, f.span)
		}
		all[i].similarity = math.Exp(s)
		total += all[i].similarity
	}
	for i := range n {
		all[i].similarity /= total
	}
	order.Stably(all[:n], func(a, b guess) int { return cmp.Compare(b.similarity, a.similarity) })
	f.n = copy(f.best[:], all[:n])
}

// Weights of the context features, fitted by logistic regression on held-out articles.
const (
	closeScale  = 0.107 // of the square root of the gains nearby
	wideScale   = 0.208 // of the square root of the gains in the document
	lengthScale = 0.405 // of the log number of parts: long documents contain more by chance
	againScale  = 0.549 // of the log number of the entity's possible mentions
	known       = 2.05
	againAlone  = 0.332 // the same for an entity without context
	unknown     = -0.182
	contextMost = 4.0
)

// context is the log likelihood ratio of a span's surroundings with and without the entity.
func (l *Linker) context(entity uint32, s Span) float64 {
	again := math.Log(float64(max(1, l.near.times(entity))))
	nearby, wide, has := l.near.gain(l.gazetteer, entity, s.from, s.to)
	if !has {
		return againAlone*again + unknown
	}
	tells := closeScale*math.Sqrt(nearby) + wideScale*math.Sqrt(wide) + againScale*again + known
	return min(max(tells-lengthScale*math.Log1p(float64(len(l.matcher.parts))), -contextMost), contextMost)
}

// choose returns the spans that are certain enough and do not overlap, in order.
func (l *Linker) choose(all []scored) []scored {
	most := 1 - l.options.Confidence*l.options.Confidence
	kept := all[:0]
	for _, f := range all {
		if f.n > 0 && f.best[0].similarity >= l.options.Confidence && f.second() <= most &&
			l.gazetteer.support(f.best[0].entity) >= l.options.Support {
			kept = append(kept, f)
		}
	}
	order.By(kept, func(a, b scored) int {
		return cmp.Or(cmp.Compare(length(b.span), length(a.span)),
			cmp.Compare(b.best[0].similarity, a.best[0].similarity), cmp.Compare(a.span.First, b.span.First))
	})
	l.back.reset(len(l.matcher.parts))
	chosen := kept[:0]
	for _, f := range kept {
		if l.back.free(f.span) {
			l.back.take(f.span)
			chosen = append(chosen, f)
		}
	}
	order.By(chosen, func(a, b scored) int { return cmp.Compare(a.span.First, b.span.First) })
	return chosen
}

func length(s Span) int32 { return s.to - s.from }

// mention converts a scored span for the caller.
func (l *Linker) mention(f scored) Mention {
	m := Mention{
		First: f.span.First, Last: f.span.Last,
		Support:    l.gazetteer.support(f.best[0].entity),
		Similarity: f.best[0].similarity,
		Second:     f.second(),
		Candidates: make([]Candidate, f.n),
		Back:       f.back,
	}
	for i, c := range f.best[:f.n] {
		m.Candidates[i] = Candidate{l.gazetteer.iri(c.entity), c.similarity}
	}
	m.IRI = m.Candidates[0].IRI
	return m
}
