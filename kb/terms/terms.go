// Package terms defines the results of a metadata crawl (CRAWLER-LD): classes of vocabularies, the relations that led
// to each from the given terms, and datasets with their answers.
//
// A focus produces them; a person or a program reads them. Field names in JSON are those of terms.jsonl and
// datasets.jsonl.
//
// This package is not part of the stable API.
package terms

import "time"

// A Term is a class that a crawl was given or came to.
type Term struct {
	IRI       string   `json:"term"`
	Stage     int      `json:"stage"`               // 0: given; else the stage that found it, from 1
	Found     bool     `json:"found"`               // reached by a relation from another term
	Processed bool     `json:"processed"`           // what it leads to was asked for
	Document  string   `json:"document,omitempty"`  // URL that its IRI dereferences to
	Problem   string   `json:"problem,omitempty"`   // why there is no data in that document, or none
	Label     string   `json:"label,omitempty"`     // as found, in English where there is one
	Judged    *Verdict `json:"judged,omitempty"`    // of a judged expansion
	Instances int64    `json:"instances,omitempty"` // in all datasets together, each counted for itself
	Paths     []Path   `json:"paths,omitempty"`     // from a term given to this one; by length, then in order of IRIs
	Deduced   []Fact   `json:"deduced,omitempty"`   // that it is a subclass of a term given, by what was found
}

// A Path leads from a term given to another, step by step.
type Path []Step

// A Step is one statement, in the direction in which it was followed.
type Step struct {
	From     string `json:"from"`
	Property string `json:"property"`          // IRI
	Inverse  bool   `json:"inverse,omitempty"` // the statement is To Property From
	To       string `json:"to"`
	Dataset  string `json:"dataset"` // name of the dataset that states it, or URL of the document
}

// A Verdict says whether a term belongs to those given.
type Verdict struct {
	Accepted bool     `json:"accepted"`
	Score    float64  `json:"score"` // 0..1
	Reasons  []Reason `json:"reasons,omitempty"`
}

// A Reason is one ground of a verdict.
type Reason struct {
	Rule     string  `json:"rule"`
	Evidence string  `json:"evidence,omitempty"`
	Weight   float64 `json:"weight"`
}

// A Fact follows from others.
type Fact struct {
	Subject  string `json:"subject"`
	Property string `json:"property"`
	Object   string `json:"object"`
	Premises []Step `json:"premises"`
}

// A Dataset is what was learned of one dataset.
type Dataset struct {
	Name      string   `json:"dataset"`
	Title     string   `json:"title,omitempty"`
	Endpoint  string   `json:"endpoint,omitempty"`
	Dump      string   `json:"dump,omitempty"`
	Terms     []string `json:"terms,omitempty"`     // it states something of, of those processed or found; sorted
	Instances []Count  `json:"instances,omitempty"` // by class
	Answers   []Answer `json:"answers,omitempty"`   // by kind of question
	Reason    string   `json:"reason,omitempty"`    // why it answered nothing, where it did not
	Partial   bool     `json:"partial,omitempty"`   // it left a part of an answer out
	Spared    int      `json:"spared,omitempty"`    // questions about one term that its VoID description made needless
	Millis    float64  `json:"meanMs,omitempty"`    // of an answer, to its last byte
	Dialect   string   `json:"dialect,omitempty"`   // "1.1", "1.0"; empty: not seen
}

// A Count is how many instances of a class a dataset has.
type Count struct {
	Class   string     `json:"class"`
	N       int64      `json:"instances"`
	How     string     `json:"how"`               // Counted, Paged or Declared
	AtLeast bool       `json:"atLeast,omitempty"` // the endpoint left some out
	Of      *time.Time `json:"of,omitempty"`      // of Declared: the date of the description, where it has one
}

// How instances were counted.
const (
	Counted  = "counted"  // by the endpoint
	Paged    = "paged"    // one by one
	Declared = "declared" // by the dataset's VoID description
)

// An Answer is what a dataset said to questions of one kind.
type Answer struct {
	Question string `json:"question"`         // "property", "instances", "describe" or the name of another processor
	Asked    int    `json:"asked"`            // queries
	Answered int    `json:"answered"`         // of them
	Reason   string `json:"reason,omitempty"` // why one was not answered: a failure, as in pages.jsonl
	Message  string `json:"message,omitempty"`
}
