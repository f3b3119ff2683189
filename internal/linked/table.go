package linked

import (
	"orbweaver/eval"
)

// Triples by how they were found.
type (
	Triples       = eval.DataFigures
	TriplesDomain = eval.DataDomain
	TriplesWay    = eval.DataWay
)

// A Share is a ratio over all domains together, and its unweighted mean over the domains that have one.
type Share struct {
	Pooled  float64 `json:"pooled"` // 0..1
	Mean    float64 `json:"mean"`   // 0..1
	Domains int     `json:"domains"`
}

// shareOf returns a share; nil for one that is undefined.
func shareOf(s eval.Share) *Share {
	if s.Domains == 0 {
		return nil
	}
	return &Share{s.Pooled, s.Mean, s.Domains}
}

// Counts count links of a predicted class.
type Counts struct {
	Predicted int `json:"predicted"`
	Right     int `json:"right"`  // of them, truly of the class
	Open      int `json:"open"`   // of them, to HTML of which it is not known yet whether it links to RDF
	Absent    int `json:"absent"` // of them, to what the archive lacks
}

// Decided is the number of predictions whose truth is known.
func (c Counts) Decided() int { return c.Predicted - c.Open - c.Absent }

// Links are tables I and II of the paper.
type Links struct {
	Embedded  bool     `json:"embedded"` // HTML with embedded data is HR, whatever its links
	Requests  int      `json:"requests"` // without repetitions
	Documents int      `json:"documents"`
	RDF       int      `json:"rdf"`
	Discovery *Share   `json:"discovery_rate"`           // documents of RDF / requests; null: no requests
	Foreseen  *Share   `json:"discovery_rate_predicted"` // documents of RDF that were predicted R / documents
	Classes   []Class  `json:"classes"`                  // Table I: R, HR, H, N
	Rules     []Rule   `json:"rules"`                    // Table II: of R and HR, by class, the most frequent first
	Domains   int      `json:"domains"`
	Top       []Domain `json:"by_domain"` // at most 30, those with most requests
}

// A Class is the links that were predicted to be of a class.
type Class struct {
	Class string `json:"class"`
	Counts
	Actual    [4]int `json:"actual"` // of those whose truth is known, by true class: R, HR, H, N
	Truly     int    `json:"truly"`  // links truly of the class, whatever was predicted
	Precision *Share `json:"precision,omitempty"`
	Present   *Share `json:"precision_with_absent,omitempty"` // right / (predicted - open): what is absent counts as wrong
	Recall    *Share `json:"recall,omitempty"`                // right / truly
}

// A Rule is the links that a rule predicted.
type Rule struct {
	Class string `json:"class"`
	Rule  string `json:"rule"`
	Counts
	Precision  *Share `json:"precision,omitempty"`
	Recall     *Share `json:"recall,omitempty"`      // rightly predicted by the rule / rightly predicted as its class by any
	RecallTrue *Share `json:"recall_true,omitempty"` // rightly predicted by the rule / links truly of its class
}

// A Domain is a pay-level domain.
type Domain struct {
	Domain    string   `json:"domain"`
	Requests  int      `json:"requests"`
	Documents int      `json:"documents"`
	RDF       int      `json:"rdf"`
	Classes   []Counts `json:"classes"` // predicted R, HR, H, N
}

// A Host is the requests to a host, and the links that led there.
type Host struct {
	Host      string    `json:"host"`
	Domain    string    `json:"domain"` // pay-level
	Requests  int       `json:"requests"`
	Documents int       `json:"documents"`
	RDF       int       `json:"rdf"`
	Classes   []Counts  `json:"classes"`             // predicted R, HR, H, N
	Actual    [4][4]int `json:"actual"`              // by predicted and by true class
	Truly     [4]int    `json:"truly"`               // by true class
	Precision *float64  `json:"precision,omitempty"` // of links predicted R; none: none is decided
}

func linksOf(f *eval.LinkFigures) *Links {
	l := &Links{
		Embedded: f.Embedded, Requests: f.All.Requests, Documents: f.All.Documents, RDF: f.All.RDF,
		Discovery: shareOf(f.Discovery), Foreseen: shareOf(f.Foreseen), Rules: []Rule{}, Domains: f.Domains, Top: []Domain{},
	}
	for i, name := range eval.LinkClasses() {
		c := Class{Class: name, Counts: Counts(f.All.Classes[i]), Actual: f.Actual[i], Precision: shareOf(f.Precision[i]), Present: shareOf(f.Present[i]), Recall: shareOf(f.Recall[i])}
		for _, row := range f.Actual {
			c.Truly += row[i]
		}
		l.Classes = append(l.Classes, c)
	}
	for _, r := range f.Rules {
		l.Rules = append(l.Rules, Rule{r.Class, r.Rule, Counts(r.LinkCounts), shareOf(r.Precision), shareOf(r.Recall), shareOf(r.RecallTrue)})
	}
	for _, d := range f.Top {
		l.Top = append(l.Top, Domain{d.Domain, d.Requests, d.Documents, d.RDF, countsOf(d.Classes)})
	}
	return l
}

func hostOf(h eval.HostLinks) Host {
	host := Host{Host: h.Host, Domain: h.Domain, Requests: h.Requests, Documents: h.Documents, RDF: h.RDF, Classes: countsOf(h.Classes), Actual: h.Actual, Truly: h.Truly}
	if c := host.Classes[0]; c.Decided() > 0 {
		p := float64(c.Right) / float64(c.Decided())
		host.Precision = &p
	}
	return host
}

func countsOf(classes [4]eval.LinkCounts) []Counts {
	counts := make([]Counts, 0, len(classes))
	for _, c := range classes {
		counts = append(counts, Counts(c))
	}
	return counts
}
