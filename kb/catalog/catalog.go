// Package catalog reads catalogues of datasets: responses of CKAN's action API, DCAT, VoID and SPARQL service
// descriptions in any syntax of RDF, the LOD cloud's JSON, and lists written by hand in YAML. It merges the entries
// of several catalogues for the same dataset into one Dataset.
//
// The package reads bytes and returns datasets; it fetches nothing. Real catalogues are full of mistakes: an
// invalid entry, or part of one, becomes a problem that names the entry, and the rest is read. Bytes, counts
// and depths are bounded.
//
// This package is not part of the stable API.
package catalog

import (
	"errors"
	"fmt"
	"time"
)

// The reasons why a catalogue is unreadable.
var (
	ErrUnknown  = errors.New("no catalogue that can be read") // by its bytes, its media type or its name
	ErrPage     = errors.New("a page of HTML, no catalogue")
	ErrTooLarge = errors.New("too large")               // beyond Limits.Bytes, unpacked
	ErrRefused  = errors.New("CKAN refused")            // the server answered with an error
	ErrEndless  = errors.New("does not come to an end") // repeated pages, pages without new packages, or too many pages
)

// A Dataset is the merged description of one dataset. Lists are without duplicates; those of URLs are in canonical
// form (weburl.Canonical) and in the catalogue's order.
type Dataset struct {
	Name        string      `json:"name"` // short, of letters, digits, ".", "_" and "-"; unique after Merge
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"` // the first 2000 bytes
	Aliases     []string    `json:"aliases,omitempty"`     // other names, sorted
	Same        []string    `json:"same,omitempty"`        // IRIs that denote it, including those of owl:sameAs; sorted
	Homepage    string      `json:"homepage,omitempty"`
	Endpoints   []string    `json:"endpoints,omitempty"` // of SPARQL, without default-graph-uri
	Graphs      []string    `json:"graphs,omitempty"`    // IRIs of the default graph to request from its endpoints; none: the endpoint's own
	Dumps       []Dump      `json:"dumps,omitempty"`
	Void        []string    `json:"void,omitempty"`     // documents that describe it
	Examples    []string    `json:"examples,omitempty"` // resources of it
	Vocabulary  []string    `json:"vocabularies,omitempty"`
	Spaces      []string    `json:"uriSpaces,omitempty"`      // prefixes of its resources' IRIs
	Keywords    []string    `json:"keywords,omitempty"`       // sorted
	Domain      string      `json:"domain,omitempty"`         // of the LOD cloud: publications, geography and so on
	Links       []string    `json:"links,omitempty"`          // names of datasets that it links to, as the catalogue has them; sorted
	SPARQL      []string    `json:"sparqlVersions,omitempty"` // versions it declares to support: "1.0", "1.1"
	Triples     int64       `json:"triples,omitempty"`        // 0: not stated
	Entities    int64       `json:"entities,omitempty"`
	Classes     []Partition `json:"classes,omitempty"`
	Properties  []Partition `json:"properties,omitempty"`
	// Complete reports that Properties lists all properties, because their triples add up to the dataset's.
	// Otherwise the list is a hint and may lack properties.
	Complete bool      `json:"propertiesComplete,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
	Sources  []string  `json:"sources"`          // names of the catalogues that have it; sorted
	ByHand   bool      `json:"byHand,omitempty"` // listed in a hand-written list: its name has precedence
}

// A Dump is a file with the data, or a part of it.
type Dump struct {
	URL       string `json:"url"`                 // canonical; of a list in YAML it may be a path
	MediaType string `json:"mediaType,omitempty"` // of the RDF, unpacked; empty: unknown
	ETag      string `json:"etag,omitempty"`      // of an existing copy
}

// A Partition holds a dataset's counts for one class or property.
type Partition struct {
	IRI      string `json:"iri"`
	Triples  int64  `json:"triples,omitempty"`  // 0: not stated
	Entities int64  `json:"entities,omitempty"` // 0: not stated
}

// A Kind is the format of a catalogue.
type Kind string

// The kinds.
const (
	CKAN     Kind = "ckan"      // an answer of CKAN's action API
	LODCloud Kind = "lod-cloud" // JSON, datasets by identifier
	RDF      Kind = "rdf"       // DCAT, VoID or a service description
	List     Kind = "list"      // YAML
)

// A Catalogue is the content of one document.
type Catalogue struct {
	Kind     Kind
	Datasets []Dataset // in the document's order, unmerged: see Merge
	Problems []error   // with the catalogue's and the entry's name, in order; no more than Limits.Problems
	Dropped  int       // number of dropped problems
	Page     Page      // of CKAN only
}

// Options configure the reading of a catalogue.
type Options struct {
	Name      string // of the file, or its URL: used in problems and Dataset.Sources, and a hint to its format
	MediaType string // as its server declares; may be empty
	Base      string // absolute IRI that relative ones of RDF are resolved against; empty: Name, if it is one
	Limits    Limits
}

// Limits bound the content read of one document. Zero and negative values select the defaults in parentheses.
type Limits struct {
	Bytes      int64 // unpacked (64 MB)
	Datasets   int   // (100 000)
	Entries    int   // of each list of a dataset: endpoints, dumps, keywords and so on (1000)
	Partitions int   // of a dataset by class, and as many by property (10 000)
	Statements int   // of RDF, those about datasets (1 000 000)
	Problems   int   // (1000)
}

func (l Limits) filled() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 64 << 20
	}
	l.Datasets = orElse(l.Datasets, 100_000)
	l.Entries = orElse(l.Entries, 1000)
	l.Partitions = orElse(l.Partitions, 10_000)
	l.Statements = orElse(l.Statements, 1_000_000)
	l.Problems = orElse(l.Problems, 1000)
	return l
}

func orElse(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// A reading is a catalogue being read.
type reading struct {
	name      string
	limits    Limits
	catalogue Catalogue
	full      bool // there are more datasets than are read; reported once
}

func newReading(kind Kind, o Options) *reading {
	r := &reading{name: o.Name, limits: o.Limits.filled(), catalogue: Catalogue{Kind: kind}}
	if r.name == "" {
		r.name = "catalogue"
	}
	return r
}

// problem records a problem of an entry; an empty entry means the whole catalogue.
func (r *reading) problem(entry, format string, args ...any) {
	if len(r.catalogue.Problems) >= r.limits.Problems {
		r.catalogue.Dropped++
		return
	}
	where := r.name
	if entry != "" {
		where += ": " + clipped(entry, 200)
	}
	r.catalogue.Problems = append(r.catalogue.Problems, fmt.Errorf("%s: %w", where, fmt.Errorf(format, args...)))
}

// fits reports whether another dataset fits.
func (r *reading) fits() bool {
	if len(r.catalogue.Datasets) < r.limits.Datasets {
		return true
	}
	if !r.full {
		r.full = true
		r.problem("", "more than %d datasets: the others are left out", r.limits.Datasets)
	}
	return false
}
