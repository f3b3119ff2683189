package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"orbweaver/rdf/sparql/syntax"
)

// Whatever nests or chains has an end, and says so.
func TestLimits(t *testing.T) {
	nest := func(open, within, shut string) string {
		return "ASK { " + strings.Repeat(open, 5000) + within + strings.Repeat(shut, 5000) + " }"
	}
	chain := func(before, link, after string) string {
		return before + strings.Repeat(link, 20_000) + after
	}
	for _, tc := range []struct {
		name, text string
		want       error
	}{
		{"groups", nest("{", "", "}"), syntax.ErrDepth},
		{"sub-queries", nest("{ SELECT * ", "{}", "}"), syntax.ErrDepth},
		{"parentheses", "ASK { FILTER " + strings.Repeat("(", 5000), syntax.ErrDepth},
		{"denials", "ASK { FILTER(" + strings.Repeat("!", 5000), syntax.ErrDepth},
		{"functions", "ASK { FILTER " + strings.Repeat("STR(", 5000), syntax.ErrDepth},
		{"EXISTS", nest("FILTER EXISTS {", "", "}"), syntax.ErrDepth},
		{"paths", "ASK { ?s " + strings.Repeat("(", 5000), syntax.ErrDepth},
		{"lists", "ASK { ?s ?p " + strings.Repeat("(", 5000), syntax.ErrDepth},
		{"triple terms", "ASK { ?s ?p " + strings.Repeat("<<( ?s ?p ", 5000), syntax.ErrDepth},
		{"triple terms that end", "ASK { ?s ?p " + strings.Repeat("<<( ?s ?p ", 65) + "1" + strings.Repeat(" )>>", 65) + " }", syntax.ErrDepth},
		{"triple terms of an expression", "ASK { FILTER(" + strings.Repeat("<<( ?s ?p ", 5000), syntax.ErrDepth},
		{"triple terms of VALUES", "ASK { VALUES ?x { " + strings.Repeat("<<( <u:s> <u:p> ", 5000), syntax.ErrDepth},
		{"reified triples", "ASK { " + strings.Repeat("<< ", 5000), syntax.ErrDepth},
		{"annotations", "ASK { ?s ?p 1 " + strings.Repeat("{| ?p 1 ", 5000), syntax.ErrDepth},
		{"reifiers", "ASK { ?s ?p 1 " + strings.Repeat("~", 160_000) + "}", syntax.ErrSize},
		{"brackets", "ASK { " + strings.Repeat("[ ?p ", 5000), syntax.ErrDepth},
		{"sums", chain("ASK { FILTER(1", "+1", ") }"), syntax.ErrDepth},
		{"products", chain("ASK { FILTER(1", "*1", ") }"), syntax.ErrDepth},
		{"optionals", chain("ASK {", "OPTIONAL {}", "}"), syntax.ErrDepth},
		{"unions", chain("ASK { {}", "UNION {}", "}"), syntax.ErrDepth},
		{"groups side by side", chain("ASK {", "{}", "}"), syntax.ErrDepth},
		{"bytes", "ASK { #" + strings.Repeat("a", syntax.DefaultMaxBytes) + "\n}", syntax.ErrSize},
		{"triples", chain("ASK { ?s ?p 1", strings.Repeat(",1", 8), "}"), syntax.ErrSize},
		{"members", chain("ASK { ?s ?p (", "1 1 1 1 ", ") }"), syntax.ErrSize},
		{"variables", "ASK {" + manyVariables() + "}", syntax.ErrSize},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := syntax.ParseQuery(tc.text, syntax.Options{}); !errors.Is(err, tc.want) {
				t.Errorf("error %v, want %v", err, tc.want)
			}
		})
	}
}

// What has no depth has no limit but size.
func TestWide(t *testing.T) {
	for _, text := range []string{
		"ASK { FILTER(?a" + strings.Repeat(" || ?a", 20_000) + ") }",
		"ASK { FILTER(?a IN (1" + strings.Repeat(",1", 20_000) + ")) }",
		"ASK { VALUES ?a { " + strings.Repeat("1 ", 20_000) + "} }",
		"ASK { ?s <u:p>" + strings.Repeat("/<u:p>", 20_000) + " ?o }",
		"ASK { ?s ?p (" + strings.Repeat("1 ", 20_000) + ") }",
	} {
		q, err := syntax.ParseQuery(text, syntax.Options{})
		if err != nil {
			t.Errorf("%v in %.30s", err, text)
			continue
		}
		checkRoundTrip(t, q, false)
	}
}

func manyVariables() string {
	var b strings.Builder
	for i := range 11_000 {
		b.WriteString("?v" + strings.Repeat("a", i%20) + string(rune('a'+i%26)) + string(rune(0x4E00+i)) + " ?p ?o . ")
	}
	return b.String()
}

// BenchmarkHostile reads texts made to be slow: bytes per second must not fall with length.
func BenchmarkHostile(b *testing.B) {
	for _, tc := range []struct{ name, before, unit string }{
		{"words in a run", "ASK { FILTER(true", "-true"},
		{"less", "ASK { ", "FILTER(?a<1) "},
		{"labels", "ASK { ", "_:b1 ?p [] ."},
		{"comments", "ASK { ", "#\n"},
		{"escapes", `ASK { ?s ?p "`, `\u0041`},
		{"prefixes", "", "PREFIX a: <u:>\n"},
	} {
		for _, size := range []struct {
			name  string
			bytes int
		}{{"100kB", 100_000}, {"1MB", 1_000_000}} {
			b.Run(tc.name+"/"+size.name, func(b *testing.B) {
				text := tc.before + strings.Repeat(tc.unit, size.bytes/len(tc.unit))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := syntax.ParseQuery(text, syntax.Options{}); err == nil {
						b.Fatal("no error")
					}
				}
			})
		}
	}
}

// typical is a query as people write them.
const typical = `PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX bsbm: <http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

SELECT DISTINCT ?product ?label (AVG(?rating) AS ?mean)
WHERE {
  ?product rdfs:label ?label ;
    a bsbm:Product ;
    bsbm:productFeature bsbm:Feature1, bsbm:Feature2 ;
    bsbm:productPropertyNumeric1 ?p1 .
  FILTER (?p1 > 10 && lang(?label) = "en")
  OPTIONAL {
    ?review bsbm:reviewFor/bsbm:sameAs* ?product ; bsbm:rating ?rating .
    FILTER NOT EXISTS { ?review bsbm:withdrawn "true"^^xsd:boolean }
  }
}
GROUP BY ?product ?label
HAVING (COUNT(?review) > 3)
ORDER BY DESC(?mean) ?label
LIMIT 10
`

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.ParseQuery(typical, syntax.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkString(b *testing.B) {
	q, err := syntax.ParseQuery(typical, syntax.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if q.String() == "" {
			b.Fatal("nothing")
		}
	}
}
