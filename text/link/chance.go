package link

import "strings"

// shapeCost is the log cost of a candidate whose label's capitals differ from the text's. Shapes are those of all its
// spellings.
func shapeCost(shapes uint32, s Span) float64 {
	least := -20.0
	for label := shape(0); shapes != 0; label, shapes = label+1, shapes>>1 {
		if shapes&1 != 0 {
			least = max(least, writtenAs(label, s))
		}
	}
	return least
}

// otherWord is the cost of letters that form another word without their capitals.
const otherWord = -6

// writtenAs is the cost of one spelling.
func writtenAs(label shape, s Span) float64 {
	there := s.shape
	if label == there || label == caseless || there == caseless {
		return 0
	}
	switch label {
	case lower, initial: // the first letter may be a capital anywhere
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

// chance is the prior probability that a span is a mention of some entity, regardless of context.
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

// examples is the prior's weight in examples (pseudo-count).
const examples = 3

// prior is the chance without examples, roughly as measured in an encyclopedia with titles as labels; slightly higher
// where capitals indicate a name, since an encyclopedia links a name once.
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

// crowded reports whether a name adjoins a span, so that both may be one unknown name.
func (l *Linker) crowded(s Span) bool {
	parts := l.matcher.parts
	if i := s.from - 1; i >= 0 && !parts[s.from].sentence && parts[i].shape == initial && !parts[i].sentence {
		return true
	}
	i := int(s.to)
	return i < len(parts) && !parts[i].sentence && parts[i].shape == initial
}

// noun reports whether a Penn tag may belong to the name of something.
func noun(tag string) bool {
	return tag == "" || strings.HasPrefix(tag, "NN") || tag == "FW" || tag == "CD"
}
