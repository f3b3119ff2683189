// Package terms defines the results of a metadata crawl (CRAWLER-LD): classes of vocabularies, the relations that led
// to each from the given terms, and datasets with their answers.
//
// A focus produces them; a person or a program reads them. Field names in JSON are those of terms.jsonl and
// datasets.jsonl.
//
// This package is not part of the stable API.
package terms

import "time"

// A Term is a class that was given to a crawl or found by it.
type Term struct {
	IRI       string   `json:"term"`
	Stage     int      `json:"stage"`               // 0: given; else the stage that found it, from 1
	Found     bool     `json:"found"`               // reached by a relation from another term
	Processed bool     `json:"processed"`           // the classes it leads to were requested
	Document  string   `json:"document,omitempty"`  // URL that its IRI dereferences to
	Problem   string   `json:"problem,omitempty"`   // why the document has no data, or why there is none
	Label     string   `json:"label,omitempty"`     // as found, in English where there is one
	Judged    *Verdict `json:"judged,omitempty"`    // with a judged expansion
	Instances int64    `json:"instances,omitempty"` // sum over all datasets
	Paths     []Path   `json:"paths,omitempty"`     // from a given term; by length, then by IRIs
	Deduced   []Fact   `json:"deduced,omitempty"`   // entailed subclass relations to given terms
}

// A Path leads from a given term to another, step by step.
type Path []Step

// A Step is a statement, in the direction in which it was followed.
type Step struct {
	From     string `json:"from"`
	Property string `json:"property"`          // IRI
	Inverse  bool   `json:"inverse,omitempty"` // the statement is To Property From
	To       string `json:"to"`
	Dataset  string `json:"dataset"` // name of the dataset that states it, or URL of the document
}

// A Verdict is the judgement whether a term belongs to the domain of the given ones.
type Verdict struct {
	Accepted bool     `json:"accepted"`
	Score    float64  `json:"score"` // 0..1
	Reasons  []Reason `json:"reasons,omitempty"`
}

// A Reason is a component of a verdict.
type Reason struct {
	Rule     string  `json:"rule"`
	Evidence string  `json:"evidence,omitempty"`
	Weight   float64 `json:"weight"`
}

// A Fact is entailed by other statements.
type Fact struct {
	Subject  string `json:"subject"`
	Property string `json:"property"`
	Object   string `json:"object"`
	Premises []Step `json:"premises"`
}

// A Dataset is what was learned about a dataset.
type Dataset struct {
	Name      string   `json:"dataset"`
	Title     string   `json:"title,omitempty"`
	Endpoint  string   `json:"endpoint,omitempty"`
	Dump      string   `json:"dump,omitempty"`
	Terms     []string `json:"terms,omitempty"`     // processed or found terms that it has statements about; sorted
	Instances []Count  `json:"instances,omitempty"` // by class
	Answers   []Answer `json:"answers,omitempty"`   // by kind of question
	Reason    string   `json:"reason,omitempty"`    // why it gave no answer, if it gave none
	Partial   bool     `json:"partial,omitempty"`   // it truncated an answer
	Spared    int      `json:"spared,omitempty"`    // questions about single terms that its VoID description made unnecessary
	Millis    float64  `json:"meanMs,omitempty"`    // mean response time, to the last byte
	Dialect   string   `json:"dialect,omitempty"`   // "1.1", "1.0"; empty: unknown
}

// A Count is the number of instances of a class in a dataset.
type Count struct {
	Class   string     `json:"class"`
	N       int64      `json:"instances"`
	How     string     `json:"how"`               // Counted, Paged or Declared
	AtLeast bool       `json:"atLeast,omitempty"` // the endpoint truncated the answer
	Of      *time.Time `json:"of,omitempty"`      // for Declared: the date of the description, if stated
}

// The ways of counting instances.
const (
	Counted  = "counted"  // by the endpoint
	Paged    = "paged"    // one by one
	Declared = "declared" // by the dataset's VoID description
)

// An Answer summarizes a dataset's answers to questions of one kind.
type Answer struct {
	Question string `json:"question"`         // "property", "instances", "describe" or the name of another processor
	Asked    int    `json:"asked"`            // number of queries
	Answered int    `json:"answered"`         // number of queries answered
	Reason   string `json:"reason,omitempty"` // why a query failed: a failure, as in pages.jsonl
	Message  string `json:"message,omitempty"`
}
