package linkeddata

import (
	"errors"
	"fmt"

	"orbweaver"
)

// Beyond is what a crawl has beyond the paper, each by itself; the zero value is the paper's crawler.
type Beyond struct {
	PatternRecord bool // links whose pattern failed go last: see record.go
	Described     bool // a term's URL is not requested where the document of its namespace defines it
	WellKnown     bool // /.well-known/void of each host is requested
	Stated        bool // what data sets and sitemaps state of a URL has precedence over its form: see stated.go
	Harvest       bool // endpoints, catalogues and archives are followed to the data that they have: see harvest.go
	LinkHeaders   bool // links of HTTP headers are followed; the paper has hrefs and triples
	Frames        bool // sources of frames are followed
	Rerank        bool // what waits is ranked anew when S_HR grows; the paper ranks links when they are extracted
	Linked        bool // S_HR also gains later pages that link to known RDF; the paper adds the page by whose link RDF arrived
	LearnTerms    bool // words of links that led to RDF give the class R: see terms.go
	Graded        bool // among links of class R, what is stated, extensions and types go before words: see gradeOf
	Directories   bool // directories in which RDF was found go before other pages, descriptions of hosts by the share of hosts that have them: see places.go
	Plausible     bool // what looks like no file extension is none; in the paper, step 4, an unknown one makes the link N
}

// everything is Orbweaver's own crawler by default: all but LearnTerms.
func everything() Beyond {
	return Beyond{
		PatternRecord: true, Described: true, WellKnown: true, Stated: true, Harvest: true, LinkHeaders: true, Frames: true, Rerank: true,
		Linked: true, Graded: true, Directories: true, Plausible: true,
	}
}

// A Readings is how a crawl reads what the paper leaves open; the zero value is the default.
type Readings struct {
	Vocabularies Vocabularies
	RDFLinks     RDFLinks
	Match        Match
}

// Vocabularies are what is requested of the predicates and classes of triples. The paper extracts "URIs from
// triples" and does not say whether these are among them.
type Vocabularies uint8

// The readings of predicates and classes.
const (
	VocabularyDocuments Vocabularies = iota // the document of each namespace, once; no evidence of HR
	VocabularyTerms                         // each predicate and class, as any other IRI of a triple
	VocabularyNone                          // nothing
)

// ParseVocabularies returns the reading of a name used in crawl files.
func ParseVocabularies(name string) (Vocabularies, bool) {
	switch name {
	case "documents":
		return VocabularyDocuments, true
	case "terms":
		return VocabularyTerms, true
	case "off":
		return VocabularyNone, true
	}
	return VocabularyDocuments, false
}

// RDFLinks are the links that step 2 calls RDF links, "extracted from an RDF document", where the rest of the
// paper says "from triples".
type RDFLinks uint8

// The readings of RDF links.
const (
	OfTriples   RDFLinks = iota // IRIs of triples, also of those embedded in HTML
	OfDocuments                 // IRIs of RDF documents; those embedded in HTML are HTML links
)

// ParseRDFLinks returns the reading of a name used in crawl files.
func ParseRDFLinks(name string) (RDFLinks, bool) {
	switch name {
	case "triples":
		return OfTriples, true
	case "documents":
		return OfDocuments, true
	}
	return OfTriples, false
}

// A Match is when a property of a link "contains" a term or a content type.
type Match uint8

// The readings of containing.
const (
	MatchWords   Match = iota // as whole words
	MatchLetters              // as a part of the text, such as n3 in n300
)

// ParseMatch returns the reading of a name used in crawl files.
func ParseMatch(name string) (Match, bool) {
	switch name {
	case "words":
		return MatchWords, true
	case "letters":
		return MatchLetters, true
	}
	return MatchWords, false
}

// check reports unknown readings, and what contradicts the rest of the options.
func (o *Options) check() (problems []error) {
	r := o.Readings
	if r.Vocabularies > VocabularyNone || r.RDFLinks > OfDocuments || r.Match > MatchLetters {
		problems = append(problems, fmt.Errorf("unknown reading %v: %w", r, orbweaver.ErrInput))
	}
	if o.Beyond.Rerank {
		return problems
	}
	learns := ""
	switch {
	case o.Method == DomainRanking:
		learns = "method: pld"
	case o.Hosts != HostsFound:
		learns = "hosts: greedy and hosts: bandit"
	case o.Classifier != Rules:
		learns = "classifier: online"
	default:
		return problems
	}
	return append(problems, fmt.Errorf("rerank: %s: ranks change as the crawl learns: leave out rerank: false: %w", learns, orbweaver.ErrInput))
}

// join returns the problems of options as one error; nil: there are none.
func join(problems []error, o *Options) error { return errors.Join(append(problems, o.check()...)...) }
