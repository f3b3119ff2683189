// Package relevance scores how close a class of an ontology is to the classes T that a user named, taken together:
// whether it belongs to their domain. A judged expansion of T (docs/metadata.md) applies it to superclasses, siblings
// and equivalents, most of which are too general or about something else. The paper of the metadata crawl
// (CRAWLER-LD) has no such step: it follows subclasses and equivalents alone.
//
// In go descriptions of classes (Class), what words are frequent among classes at large (Background) and T; out come
// verdicts with a score from 0 to 1 and its reasons. There are four ways to belong, and the best of them is the
// score:
//
//   - What is below a term belongs as the term does, and so on downwards.
//   - What is equivalent to something belongs as that does.
//   - What is above a term belongs by its subclasses, if enough of them are in T or have a word of T that
//     their superclass has not. What its comment and the names of its neighbours share with T helps a
//     little, its own name does not, and what is below nothing needs more.
//   - Anything else belongs by a distinctive word in its name: one that is rarer among classes at large than
//     in T, r/(r+3p), where a share r of T and p of all classes have it. Words that a term's superclass has
//     count less: that LegalWork is a Work says nothing of other works.
//
// What belongs by a word alone takes nothing along: neither its subclasses nor their equivalents are closer by it.
// Names are compared in one language, English where there is any. Candidates are judged together, until nothing
// changes.
//
// The form and its constants were chosen on sixteen domains; docs/metadata.md has the figures. Nothing is random, and
// sums are in a fixed order.
//
// This package is not part of the stable API.
package relevance

import "errors"

// ErrNoTerms says that there is nothing to be close to.
var ErrNoTerms = errors.New("no terms to judge by")

// Accept is the least score of a class that belongs: a word is then T's rather than anybody's, and a class
// above a term has the support that it needs.
const Accept = 0.5

// support is what a class above a term needs, and what it has besides its subclasses.
type support struct {
	need    float64 // share of subclasses; what has just that scores Accept
	text    float64 // what a comment or neighbours' names add that are T's altogether
	general float64 // what is taken from a class below nothing
}

// supports returns what the domains of testdata say; TestLeaveOneDomainOut chooses again.
func supports() support { return support{need: 0.2, text: 0.2, general: 0.05} }
