// Package relevance says how close a class of an ontology is to the classes a user named, T, taken as a
// whole: whether it belongs to the domain that they are about. A judged expansion of T (docs/metadata.md)
// asks it of superclasses, siblings and equivalents, most of which are too general or about something else.
// The paper of the metadata crawl (CRAWLER-LD) has no such step: it follows subclasses and equivalents alone.
//
// In go descriptions of classes (Class), what words are frequent among classes at large (Background) and T;
// out come verdicts with a score from 0 to 1 and its reasons. Two things are evidence:
//
//   - Text. A word of a candidate's name counts by how much rarer it is among classes at large than in T:
//     r/(r+3p), where a share r of T and p of all classes have it; rare words count more. Words of a class's
//     superclass count less, since they are there by inheritance: that LegalWork is a Work says nothing of
//     other works. Comments, and the names of subclasses and equivalents, are compared with those of T and
//     with the names in T, in the same way.
//   - Relations. A subclass is as close as its superclass, nearly; an equivalent as what it is equivalent
//     to, and one of a term belongs whatever it is called. A superclass of a term is taken by another rule, above all by how many of its subclasses are in T
//     or have a word of T that their superclass has not.
//
// Both are added up as log-odds (logistic regression). Candidates are judged together, again and again a few
// times, so that a sibling gains by a superclass that turned out to belong.
//
// The weights were found on sixteen domains, and their form chosen by what each domain had when it was left
// out; docs/metadata.md has the figures. Nothing is random, and sums are in a fixed order.
package relevance

import (
	"errors"
	"math"
)

// ErrNoTerms says that there is nothing to be close to.
var ErrNoTerms = errors.New("no terms to judge by")

// Accept is the least score of a class that belongs. Missing half of a domain is worse for an expansion than
// one wrong class in six.
const Accept = 0.3

// The parts of the evidence. What is 1 or 0 says whether the next is known at all.
const (
	always  = iota // of what is above no term
	named          // share of its name that is T's
	told           // of its comment
	nearby         // of its neighbours' names
	root           // it is below nothing, or below what everything is below
	hasUp          // a superclass is known
	up             // score of the best superclass
	hasSame        // an equivalent is known
	same           // score of the best equivalent
	above          // it is above a term: what follows is in place of what came before hasSame
	kin            // root of the share of its subclasses that are T's or like it
	aboveNamed
	aboveTold
	aboveNearby
	parts
)

// evidence is what speaks for a class, by part, each from 0 to 1.
type evidence [parts]float64

// weights returns how much a part adds to the log-odds. They are what the
// domains of testdata say, rounded; TestLeaveOneDomainOut finds them again.
func weights() evidence {
	return evidence{
		always: -3.3, named: 4.2, told: 5.5, nearby: 0.3, root: 2.2, hasUp: -0.3, up: 5.3, hasSame: -2.8, same: 5.2,
		above: -3.3, kin: 5.4, aboveNamed: 1.4, aboveTold: 2.8, aboveNearby: 3.4,
	}
}

// score is the probability that a class belongs.
func (e *evidence) score(w *evidence) float64 {
	sum := 0.0
	for i := range e {
		sum += e[i] * w[i]
	}
	return 1 / (1 + math.Exp(-sum))
}
