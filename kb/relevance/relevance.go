// Package relevance scores how close a class of an ontology is to the classes T that a user named, taken
// together: whether it belongs to their domain. A judged expansion of T (docs/howto/metadata.md) applies it to
// superclasses, siblings and equivalents, most of which are too general or off the topic. The paper of the
// metadata crawl (CRAWLER-LD) has no such step: it follows only subclasses and equivalents.
//
// The inputs are descriptions of classes (Class), word frequencies of classes in general (Background), and T.
// The outputs are verdicts with a score from 0 to 1 and its reasons. There are four criteria, and the best of
// them determines the score:
//
//   - A subclass of a term has the term's score, and so on downwards.
//   - An equivalent of a class has that class's score.
//   - A superclass of a term is scored by its subclasses: enough of them must be in T or have a word of T that
//     the superclass lacks, or be joined to terms by properties. A class above little needs less, if the vocabulary
//     of a term declares it. Words of T in its comment and in the names of its neighbours add a little, its
//     own name does not count, and a class without superclasses needs more.
//   - Any other class is scored by a distinctive word in its name, one that is rarer among classes in general
//     than in T: r/(r+3p), where a share r of T and p of all classes have it. Words that a term's superclass
//     has count less: that LegalWork is a Work is no evidence for other works.
//
// A class that belongs by a word alone does not raise the scores of its subclasses or their equivalents.
// What a person said of a candidate (Answer) takes precedence; Question finds the one to ask about.
//
// Names are compared in one language, English if there is any. Candidates are judged together, until a fixed
// point.
//
// The model and its constants were chosen on sixteen domains; docs/howto/metadata.md has the figures. Nothing is
// random, and sums have a fixed order.
//
// This package is not part of the stable API.
package relevance

import "errors"

// ErrNoTerms is returned when T is empty.
var ErrNoTerms = errors.New("no terms to judge by")

// Accept is the lowest score of a class that belongs: one half, at which a word is more specific to T than
// not, and a class above a term has the required support.
const Accept = 0.5

// support is the evidence required of a class above a term, and the evidence besides its subclasses.
type support struct {
	need    float64 // required share of subclasses, at which the score is Accept
	text    float64 // maximum contribution of comment or neighbours' names
	general float64 // deduction for a class without a superclass
	narrow  float64 // contribution of a class above terms and hardly anything else
	fades   float64 // how many other classes below it reduce that to 1/e
	joined  float64 // contribution if properties join all subclasses to terms
}

// supports returns the values fitted on the domains of testdata; TestLeaveOneDomainOut refits them.
func supports() support {
	return support{need: 0.2, text: 0.2, general: 0.05, narrow: 0.25, fades: 6, joined: 1}
}
