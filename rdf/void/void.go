// Package void counts the triples of a dataset and describes it in the Vocabulary of Interlinked Datasets
// (VoID, W3C Interest Group Note of 3 March 2011): the number of triples and documents, the properties,
// classes and vocabularies, and the same for each part.
//
// Memory is bounded. Distinct terms are counted by 64-bit hashes, exactly up to a limit and by a sample
// beyond it; the description marks estimates. The same triples in the same order give the same description.
package void

import (
	"github.com/cespare/xxhash/v2"

	"orbweaver/rdf"
)

// Limits bound what Statistics keep. Values of zero or less select the defaults.
type Limits struct {
	Terms int // distinct subjects counted exactly, and as many objects and instances; 1 Mi
	Names int // properties counted, and as many classes; 65 536
	Parts int // parts counted by name; 10 000
	Told  int // most used properties, classes and vocabularies that a description lists; 100
}

// maxNameBytes bounds the total length of the counted names.
const maxNameBytes = 8 << 20

func (l Limits) filled() Limits {
	for _, v := range []struct {
		limit    *int
		standard int
	}{{&l.Terms, 1 << 20}, {&l.Names, 1 << 16}, {&l.Parts, 10_000}, {&l.Told, 100}} {
		if *v.limit <= 0 {
			*v.limit = v.standard
		}
	}
	return l
}

// Statistics are the counts of a dataset. They are not safe for concurrent use.
type Statistics struct {
	limits    Limits
	triples   int64
	documents int64
	subjects  *distinct
	objects   *distinct
	used      *distinct // properties and classes of a part, by propertiesOf and classesOf
	instances *distinct // of classes, by index in classes

	properties *tally
	classes    *tally

	parts   []part
	numbers map[string]int // of parts, by name, from 1
	current int            // number of the current part; 0: none
}

// A part is a named subset of the dataset.
type part struct {
	name      string
	triples   int64
	documents int64
}

// New returns empty statistics.
func New(limits Limits) *Statistics {
	limits = limits.filled()
	return &Statistics{
		limits: limits, numbers: map[string]int{},
		subjects: newDistinct(limits.Terms), objects: newDistinct(limits.Terms),
		used: newDistinct(limits.Terms), instances: newDistinct(limits.Terms),
		properties: newTally(limits.Names), classes: newTally(limits.Names),
	}
}

// propertiesOf returns the group of a part's properties.
func propertiesOf(part int) int { return 2 * part }

// classesOf returns the group of a part's classes.
func classesOf(part int) int { return 2*part + 1 }

// Document begins a document and names its part: both apply to all triples added until the next call. Parts
// beyond the limit count only towards the whole dataset.
func (s *Statistics) Document(name string) {
	s.documents++
	n, known := s.numbers[name]
	if !known && len(s.parts) < s.limits.Parts {
		s.parts = append(s.parts, part{name: name})
		n = len(s.parts)
		s.numbers[name] = n
	}
	if s.current = n; n > 0 {
		s.parts[n-1].documents++
	}
}

// Triples returns the number of triples added.
func (s *Statistics) Triples() int64 { return s.triples }

// Documents returns the number of documents begun.
func (s *Statistics) Documents() int64 { return s.documents }

// rdfType is the predicate whose objects are classes.
const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// Add counts a triple. A repeated triple counts again; its terms do not.
func (s *Statistics) Add(t rdf.Triple) {
	s.triples++
	subject, property, object := hash(&t.S), hash(&t.P), hash(&t.O)
	s.subjects.add(0, subject)
	s.objects.add(0, object)
	known := s.properties.add(t.P.Value) >= 0
	class := -1
	if t.P.Value == rdfType && t.O.Kind == rdf.IRI {
		if class = s.classes.add(t.O.Value); class >= 0 {
			s.instances.addIn(class, subject)
		}
	}
	if s.current == 0 {
		return
	}
	s.parts[s.current-1].triples++
	if known {
		s.used.addIn(propertiesOf(s.current), property)
	}
	if class >= 0 {
		s.used.addIn(classesOf(s.current), object)
	}
}

// hash returns the hash of a term, including kind, datatype and language.
func hash(t *rdf.Term) uint64 {
	if t.Kind != rdf.Literal {
		return mix(xxhash.Sum64String(t.Value) + uint64(t.Kind))
	}
	var d xxhash.Digest
	d.Reset()
	for _, s := range [...]string{t.Value, "\x00", t.Datatype, "\x00", t.Lang, t.Dir.String()} {
		_, _ = d.WriteString(s) // never fails
	}
	return d.Sum64()
}
