package link

import "strings"

// shapeCost is what it costs a candidate, by its logarithm, that its label is written otherwise than
// what stands in the text. Shapes are those of all its spellings.
func shapeCost(shapes uint32, s Span) float64 {
	least := -20.0
	for label := shape(0); shapes != 0; label, shapes = label+1, shapes>>1 {
		if shapes&1 != 0 {
			least = max(least, writtenAs(label, s))
		}
	}
	return least
}

// otherWord is the cost of letters that without their capitals are those of another word.
const otherWord = -6

// writtenAs is the cost of one spelling.
func writtenAs(label shape, s Span) float64 {
	there := s.shape
	if label == there || label == caseless || there == caseless {
		return 0
	}
	switch label {
	case lower, initial: // the first may be written so everywhere
		if there == upper || there == mixed {
			return -1
		}
		return 0
	case proper:
		switch there {
		case lower:
			return -3
		case upper:
			return 0
		}
		return -1
	case upper:
		switch {
		case there == mixed && s.plural: // URLs
			return 0
		case there == lower || there == mixed:
			return otherWord // us is not US, GPs are no GPS
		}
		return -2
	}
	if there == lower { // mysql is not MySQL
		return otherWord
	}
	return -1
}

// chance is the probability that a span is a mention of some entity, before its surroundings are looked
// at.
func (l *Linker) chance(s Span, doc Document) float64 {
	chance := l.prior(s, doc)
	u := l.gazetteer.use(s.Label)
	var of, all float64
	switch {
	case s.start && s.shape == initial: // may be either
		of, all = u.lower.and(u.other)
	case s.shape == lower:
		of, all = u.lower.and(share{})
	default:
		of, all = u.other.and(share{})
	}
	return (min(of, all) + examples*chance) / (all + examples)
}

// examples is how many of them the prior is worth.
const examples = 3

// prior is the chance without examples, about as measured in an encyclopedia with titles for labels: a
// little above where capitals speak for a name, since it links a name once.
func (l *Linker) prior(s Span, doc Document) float64 {
	single := s.to-s.from == 1
	tag := ""
	if doc.Tags != nil {
		tag = doc.Tags[s.Last]
	}
	name := strings.HasPrefix(tag, "NNP")
	chance := 0.6
	switch {
	case l.gazetteer.name(s.Label).stop() && !name:
		chance = 0.005
	case !single && s.shape == lower:
		chance = 0.4
	case !single:
		chance = 0.85
	case s.shape == lower:
		chance = 0.13
	case s.shape == initial && s.start && !name:
		chance = 0.22
	case s.shape == initial && l.crowded(s):
		chance = 0.3
	case s.shape == caseless, s.shape == upper:
		chance = 0.3
	}
	if s.plural && s.shape != lower { // Jones is no Jone
		chance /= 3
	}
	if single && !noun(tag) {
		chance /= 10
	}
	return chance
}

// crowded reports whether a name stands right beside a span, so that both may be one that is not known.
func (l *Linker) crowded(s Span) bool {
	parts := l.matcher.parts
	if i := s.from - 1; i >= 0 && !parts[s.from].sentence && parts[i].shape == initial && !parts[i].sentence {
		return true
	}
	i := int(s.to)
	return i < len(parts) && !parts[i].sentence && parts[i].shape == initial
}

// noun reports whether a Penn tag may be that of a name of something.
func noun(tag string) bool {
	return tag == "" || strings.HasPrefix(tag, "NN") || tag == "FW" || tag == "CD"
}
