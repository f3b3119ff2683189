package eval

import "slices"

// The JSON form of link figures. The order of fields is the order of keys, and a promise.
type (
	jsonLinks struct {
		Embedded  bool         `json:"embedded,omitempty"`
		Requests  int          `json:"requests"`
		Documents int          `json:"documents"`
		RDF       int          `json:"rdf"`
		Discovery *jsonShare   `json:"discovery_rate"`
		Foreseen  *jsonShare   `json:"discovery_rate_predicted"`
		Classes   []jsonClass  `json:"classes"`
		Rules     []jsonRule   `json:"rules"`
		Domains   int          `json:"domains"`
		Top       []jsonDomain `json:"by_domain"`
	}
	jsonShare struct {
		Pooled  float64 `json:"pooled"`
		Mean    float64 `json:"mean"`
		Domains int     `json:"domains"`
	}
	jsonCounts struct {
		Predicted int `json:"predicted"`
		Right     int `json:"right"`
		Open      int `json:"open"`
		Absent    int `json:"absent"`
	}
	jsonClass struct {
		Class string `json:"class"`
		jsonCounts
		Precision *jsonShare `json:"link_precision"`
		Present   *jsonShare `json:"link_precision_with_absent"`
	}
	jsonRule struct {
		Class string `json:"class"`
		Rule  string `json:"rule"`
		jsonCounts
		Precision  *jsonShare `json:"link_precision"`
		Recall     *jsonShare `json:"link_recall"`
		RecallTrue *jsonShare `json:"link_recall_true"`
	}
	jsonDomain struct {
		Domain    string            `json:"domain"`
		Requests  int               `json:"requests"`
		Documents int               `json:"documents"`
		RDF       int               `json:"rdf"`
		Classes   []jsonDomainClass `json:"classes"`
	}
	jsonDomainClass struct {
		Class string `json:"class"`
		jsonCounts
	}
)

// linkDefinitions says what the words of link figures mean.
const linkDefinitions = "a link is one that was followed, through redirects, to what answered in the end or failed, counted once; " +
	"link_precision: right / (predicted - open - absent); open: HTML of which it is not known yet whether it links to RDF; absent: not in the archive; " +
	"link_precision_with_absent: right / (predicted - open); " +
	"link_recall: rightly predicted by the rule / rightly predicted as the class by any; link_recall_true: rightly predicted by the rule / links truly of the class; " +
	"discovery_rate: documents of RDF / requests; discovery_rate_predicted: documents of RDF that were predicted R / pages; " +
	"pooled: all together; mean: over the pay-level domains that have a figure; null: nothing by nothing"

// predicts reports whether a run predicted classes of links.
func (c *Comparison) predicts() bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Links != nil })
}

// json is the figures' JSON form; nil where there are none.
func (f *LinkFigures) json() *jsonLinks {
	if f == nil {
		return nil
	}
	j := &jsonLinks{Embedded: f.Embedded, Requests: f.All.Requests, Documents: f.All.Documents, RDF: f.All.RDF,
		Discovery: f.Discovery.json(), Foreseen: f.Foreseen.json(),
		Rules: make([]jsonRule, 0, len(f.Rules)), Domains: f.Domains, Top: make([]jsonDomain, 0, len(f.Top))}
	names := LinkClasses()
	for i, c := range f.All.Classes {
		j.Classes = append(j.Classes, jsonClass{names[i], jsonCounts(c), f.Precision[i].json(), f.Present[i].json()})
	}
	for _, r := range f.Rules {
		j.Rules = append(j.Rules, jsonRule{r.Class, r.Rule, jsonCounts(r.LinkCounts), r.Precision.json(), r.Recall.json(), r.RecallTrue.json()})
	}
	for _, d := range f.Top {
		top := jsonDomain{Domain: d.Domain, Requests: d.Requests, Documents: d.Documents, RDF: d.RDF}
		for i, c := range d.Classes {
			top.Classes = append(top.Classes, jsonDomainClass{names[i], jsonCounts(c)})
		}
		j.Top = append(j.Top, top)
	}
	return j
}

// json is null for an undefined share.
func (s Share) json() *jsonShare {
	if s.Domains == 0 {
		return nil
	}
	return &jsonShare{rounded(s.Pooled), rounded(s.Mean), s.Domains}
}
