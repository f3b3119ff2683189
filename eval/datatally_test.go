package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// datum is a line of a page with data.
func datum(url, found string, counts ...rdf.Count) ledger.Line {
	return ledger.Line{URL: url, Status: 200, Found: found, Data: counts, Predicted: &ledger.Predicted{Class: "HR"}}
}

func inHTML(syntax string, triples int64) rdf.Count {
	return rdf.Count{In: syntax, Triples: triples}
}

// someData are pages of two domains.
func someData() []ledger.Line {
	return []ledger.Line{
		{URL: "http://a.test/none", Status: 200},
		datum("http://a.test/", ledger.BySeed, inHTML("jsonld", 3), inHTML("rdfa", 4)),
		datum("http://www.a.test/page", ledger.ByLink, inHTML("jsonld", 5)),
		datum("http://b.co.uk/void.ttl", ledger.ByWellKnown, inHTML(rdf.InDocument, 10)),
		datum("http://data.b.co.uk/all.zip", ledger.ByDump, rdf.Count{In: rdf.InArchive, Documents: 7, Triples: 100}),
	}
}

func figured(lines ...ledger.Line) *DataFigures {
	var t DataTally
	for _, l := range lines {
		t.Add(&l)
	}
	return t.Figures()
}

// told is the figures as text: ways, then domains.
func told(f *DataFigures) string {
	if f == nil {
		return "nothing"
	}
	var b strings.Builder
	ways := func(name string, d DataDomain) {
		fmt.Fprintf(&b, "%s %d %d:", name, d.Documents, d.Triples)
		for _, w := range d.Ways {
			fmt.Fprintf(&b, " %s%s-%s %d %d", w.Found, w.Class, w.In, w.Documents, w.Triples)
		}
		b.WriteString("\n")
	}
	ways("all", f.DataDomain)
	for _, d := range f.Top {
		ways(d.Domain, d)
	}
	if f.Others != nil {
		ways("others", *f.Others)
	}
	return b.String()
}

// TestDataTally: statements by way and domain; of several lines of a page the last with an answer counts.
func TestDataTally(t *testing.T) {
	const b = "b.co.uk 8 110: dump-archive 7 100 well-known-document 1 10\n"
	for name, tc := range map[string]struct {
		more []ledger.Line
		want string
	}{
		"all ways": {nil, "all 10 122: dump-archive 7 100 well-known-document 1 10 linkHR-jsonld 1 5 seed-rdfa 1 4 seed-jsonld 1 3\n" + b +
			"a.test 2 12: linkHR-jsonld 1 5 seed-rdfa 1 4 seed-jsonld 1 3\n"},
		"read again": {[]ledger.Line{datum("http://a.test/", ledger.BySeed, inHTML("rdfa", 1))},
			"all 10 116: dump-archive 7 100 well-known-document 1 10 linkHR-jsonld 1 5 seed-rdfa 1 1\n" + b + "a.test 2 6: linkHR-jsonld 1 5 seed-rdfa 1 1\n"},
		"without data now, gone, and silent": {[]ledger.Line{
			{URL: "http://a.test/", Status: 200}, {URL: "http://www.a.test/page", Status: 410, Error: orbweaver.ErrStatus},
			{URL: "http://b.co.uk/void.ttl", Error: orbweaver.ErrTimeout}},
			"all 8 110: dump-archive 7 100 well-known-document 1 10\n" + b},
	} {
		if got := told(figured(append(someData(), tc.more...)...)); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tc.want)
		}
	}
	if f := figured(someData()[0]); f != nil {
		t.Errorf("no page has data: %+v", f)
	}
}

// TestManyDataDomains: those beyond the shown ones are one, and those beyond the counted ones cost nothing.
func TestManyDataDomains(t *testing.T) {
	var tally DataTally
	const n = maxDataDomains + 50
	for i := range n {
		l := datum(fmt.Sprintf("http://d%d.test/", i), ledger.ByIRI, inHTML(rdf.InDocument, int64(n-i)))
		tally.Add(&l)
	}
	f := tally.Figures()
	if len(f.Top) != shownDataDomains || f.Top[0].Domain != "d0.test" || f.Documents != n || f.Triples != n*(n+1)/2 {
		t.Errorf("%d shown, %+v first, %d documents, %d triples", len(f.Top), f.Top[0], f.Documents, f.Triples)
	}
	if f.Domains != maxDataDomains+1 || len(tally.domains) > maxDataDomains+1 || f.Others.Documents != n-shownDataDomains || len(f.Others.Ways) != 1 {
		t.Errorf("%d domains, %+v", f.Domains, f.Others)
	}
	if rows := f.Rows(); rows[len(rows)-1].Domain != fmt.Sprintf("%d others", f.Domains-shownDataDomains) {
		t.Errorf("%+v", rows[len(rows)-1])
	}
}

// TestDataInReport: the report has the tables, with names of domains and syntaxes escaped; without data it has none.
func TestDataInReport(t *testing.T) {
	lines := append(someData(), datum("http://c.test/", "<b>", inHTML("<i>", 1)))
	report := crawlReport(t, CrawlFacts{}, lines)
	for _, want := range []string{"Triples by how they were found", "stated to be a dump", "link of a page, predicted HR", "JSON-LD in HTML", "<bdi>b.co.uk</bdi>"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(report, "<td class=\"name\"><i>") || strings.Contains(crawlReport(t, CrawlFacts{}, lines[:1]), "Triples by how") {
		t.Error("not escaped, or told without data")
	}
	if text, err := json.Marshal(figured(lines...)); err != nil || !strings.Contains(string(text), `{"found":"dump","in":"archive","documents":7,"triples":100}`) {
		t.Errorf("%v %s", err, text)
	}
}

// TestFeaturesAreNoRules: what a classifier learned besides rules is not among the rules, nor takes the place of one.
func TestFeaturesAreNoRules(t *testing.T) {
	var features []string
	for i := range 2 * maxRules {
		features = append(features, fmt.Sprint("feature", i))
	}
	line := ledger.Line{URL: "http://a.test/x.ttl", Status: 200, Class: "R", Predicted: &ledger.Predicted{Class: "R", Rules: slices.Concat(features, []string{"extension", "hope"})}}
	f := measured(t, LinkOptions{Features: slices.Concat(features, []string{"hope"})}, &web{}, line)
	if len(f.Rules) != 1 || f.Rules[0].Rule != "extension" || f.Rules[0].Right != 1 {
		t.Errorf("%+v", f.Rules)
	}
}
