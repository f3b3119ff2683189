package eval

import (
	_ "embed"
	"fmt"
	"strconv"
)

//go:embed links.html
var linksPart string // embedded; read-only

// linksView is the data of links.html.
type linksView struct {
	Embedded    bool
	Names       [4]string
	Classes     []classView
	Rates       []Fact
	Domains     []domainView
	MoreDomains int
	Rules       []ruleView
}

type classView struct {
	Class           string
	Precision, Mean string
	Present         string // precision, with what is absent counted as wrong
	Decided         int
	LinkCounts
}

type domainView struct {
	DomainLinks
	Domain  string // that of DomainLinks, fit to be shown
	Classes []classView
}

type ruleView struct {
	Class, Rule string
	LinkCounts
	Shares []classView // precision, recall and true recall; only their shares are shown
}

// view shows figures; nil if there are none.
func (f *LinkFigures) view() *linksView {
	if f == nil {
		return nil
	}
	v := &linksView{Embedded: f.Embedded, Names: LinkClasses(), MoreDomains: f.Domains - len(f.Top)}
	for i, name := range v.Names {
		c := viewShare(f.Precision[i])
		c.Class, c.LinkCounts, c.Present = name, f.All.Classes[i], f.Present[i].Percent()
		v.Classes = append(v.Classes, c)
	}
	v.Rates = []Fact{{"discovery rate", fmt.Sprintf("%s: %d documents of RDF by %d requests; mean of domains %s",
		f.Discovery.Percent(), f.All.RDF, f.All.Requests, f.Discovery.PercentMean())},
		{"of predicted ones", fmt.Sprintf("%s: %d documents of RDF, predicted R, by %d pages; mean of domains %s",
			f.Foreseen.Percent(), f.All.Classes[0].Right, f.All.Documents, f.Foreseen.PercentMean())}}
	for _, d := range f.Top {
		v.Domains = append(v.Domains, viewDomain(d))
	}
	for _, r := range f.Rules {
		v.Rules = append(v.Rules, ruleView{r.Class, printable(r.Rule, 100), r.LinkCounts,
			[]classView{viewShare(r.Precision), viewShare(r.Recall), viewShare(r.RecallTrue)}})
	}
	return v
}

func viewDomain(d DomainLinks) domainView {
	v := domainView{DomainLinks: d, Domain: printable(d.Domain, 200)}
	for _, c := range d.Classes {
		s := Share{Pooled: ratio(c.Right, c.decided()), Domains: min(c.decided(), 1)}
		v.Classes = append(v.Classes, classView{Precision: s.Percent(), Decided: c.decided(), LinkCounts: c})
	}
	return v
}

func viewShare(s Share) classView { return classView{Precision: s.Percent(), Mean: s.PercentMean()} }

// Percent formats the pooled share in percent with a decimal, or a dash if undefined.
func (s Share) Percent() string { return percentOf(s.Pooled, s.Domains) }

// PercentMean formats the mean likewise.
func (s Share) PercentMean() string { return percentOf(s.Mean, s.Domains) }

func percentOf(v float64, domains int) string {
	if domains == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*v, 'f', 1, 64) + " %"
}

// runLinks is the predictions of a run of a comparison.
type runLinks struct {
	Run                 string
	Discovery, Foreseen classView
	Classes             []classView
}

// linkRows are those of the runs that predicted.
func (c *Comparison) linkRows() []runLinks {
	var rows []runLinks
	for _, run := range c.Runs {
		if run.Links == nil {
			continue
		}
		row := runLinks{Run: run.Name, Discovery: viewShare(run.Links.Discovery), Foreseen: viewShare(run.Links.Foreseen)}
		for i, s := range run.Links.Precision {
			v := viewShare(s)
			v.LinkCounts = run.Links.All.Classes[i]
			v.Decided = v.decided()
			row.Classes = append(row.Classes, v)
		}
		rows = append(rows, row)
	}
	return rows
}
