package nautilod

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func parse(tb testing.TB, text string, opts Options) *Query {
	tb.Helper()
	q, err := Parse(text, opts)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return q
}

// TestParse checks expressions and their printed forms.
func TestParse(t *testing.T) {
	own := Options{Prefixes: map[string]string{"ex": "http://x/", "dbp": "http://dbpedia.org/resource/", "mo": "http://mine/"}}
	for _, tc := range []struct{ name, text, want string }{
		{"an IRI", "<http://x/p>", "<http://x/p>"},
		{"a URN", "<urn:isbn:1>", "<urn:isbn:1>"},
		{"a well-known prefix", "<rdfs:subClassOf>", "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"},
		{"a prefix with a hyphen", "<dbpedia-owl:Song>", "<http://dbpedia.org/ontology/Song>"},
		{"a prefix of one's own", "<ex:p>", "<http://x/p>"},
		{"one's own goes before", "<mo:p>", "<http://mine/p>"},
		{"any predicate", "_/< _ >", "_/_"},
		{"any, inverted", "^_", "^_"},
		{"inverse before and behind", "^<ex:p>/<ex:p>^-1/(<ex:p>)^-1/^(<ex:p>)", "^<http://x/p>/^<http://x/p>/^<http://x/p>/^<http://x/p>"},
		{"/ before |", "<ex:a>|<ex:b>/<ex:c>", "<http://x/a>|<http://x/b>/<http://x/c>"},
		{"a group", "(<ex:a>|<ex:b>)/<ex:c>", "(<http://x/a>|<http://x/b>)/<http://x/c>"},
		{"groups that change nothing", "((<ex:a>)/(<ex:b>/<ex:c>))|(<ex:d>|<ex:e>)", "<http://x/a>/<http://x/b>/<http://x/c>|<http://x/d>|<http://x/e>"},
		{"operators", "<ex:a>*/<ex:b>+/<ex:c>?/(<ex:d>/<ex:e>)*", "<http://x/a>*/<http://x/b>+/<http://x/c>?/(<http://x/d>/<http://x/e>)*"},
		{"operators in a row", "<ex:a>*?<2-3>", "<http://x/a>*?<2-3>"},
		{"ranges", "<ex:a><0-1>/(<ex:b>|_)<2-100>", "<http://x/a>?/(<http://x/b>|_)<2-100>"},
		{"a start", "<ex:A> <ex:p>", "<http://x/A> <http://x/p>"},
		{"two starts", "<ex:A><ex:B> _", "<http://x/A> <http://x/B> _"},
		{"a start and an inverse", "<ex:A> ^<ex:p>", "<http://x/A> ^<http://x/p>"},
		{"a start and an action", "<ex:A> ACT[save]/_", "<http://x/A> ACT[save]/_"},
		{"the paper's example", "swget < dbp:Rome > (< owl:sameAs >)* -saveGraph\n-domains {dbpedia.org,rdf.freebase.com, data.nytimes.com}",
			"<http://dbpedia.org/resource/Rome> <http://www.w3.org/2002/07/owl#sameAs>* -saveGraph -domains {dbpedia.org,rdf.freebase.com,data.nytimes.com}"},
		{"the paper's template", "<dbo:Song> -p <rdfs:subClassOf> <2-2>", "<http://dbpedia.org/ontology/Song> -p <http://www.w3.org/2000/01/rdf-schema#subClassOf> <2-2>"},
		{"the template without a range", "-p _", "-p _ <1-1>"},
		{"a test", "<ex:a>[ASK {?ctx a foaf:Person}]/_", "<http://x/a>[ASK WHERE { ?ctx <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Person> . }]/_"},
		{"a test to begin with", "[ASK {}]*/_", "[ASK WHERE { }]*/_"},
		{"a test of a start", "<ex:A> ([ASK {}]/_)", "<http://x/A> ([ASK WHERE { }]/_)"},
		{"a repeated test", "_[ASK {}]*", "(_[ASK WHERE { }])*"},
		{"a test repeated alone", "_/[ASK {}]*", "_/[ASK WHERE { }]*"},
		{"an action", "_/ACT [ save ]", "_/ACT[save]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := parse(t, tc.text, own)
			if q.String() != tc.want {
				t.Errorf("%s\nis read as %s\nnot        %s", tc.text, q, tc.want)
			}
			if again := parse(t, q.String(), Options{}); !reflect.DeepEqual(q, again) {
				t.Errorf("%s is read back as %s", q, again)
			}
		})
	}
}

// TestParseParts checks the parts of a query outside its path.
func TestParseParts(t *testing.T) {
	q := parse(t, "<http://a/> <http://b/> -p <http://p/> <2-3> -domains {x.org}", Options{})
	want := &Query{
		From: []string{"http://a/", "http://b/"}, Command: true, Domains: []string{"x.org"},
		Path: &Repeat{Path: &Step{Predicate: "http://p/", Direction: Both}, Min: 2, Max: 3},
	}
	if !reflect.DeepEqual(q, want) {
		t.Errorf("%+v, not %+v", q, want)
	}
}

// TestBrackets: SPARQL brackets within a test do not end it.
func TestBrackets(t *testing.T) {
	for _, test := range []string{
		`ASK {[] <http://p/> [ <http://q/> "]" ]}`,
		`ASK {?s ?p ']\']'}`,
		`ASK {?s ?p """]"]"""}`,
		`ASK {<http://x/[> ?p 1}`,
		"ASK { # a comment with ]\n ?s ?p 1}",
		`ASK {?s ?p ?o FILTER(?o < 3 && ?o > 1)}`,
	} {
		q, err := Parse("_["+test+"]/_", Options{})
		if err != nil {
			t.Errorf("%s: %v", test, err)
			continue
		}
		if s, ok := q.Path.(*Sequence); !ok || len(s.Parts) != 3 {
			t.Errorf("%s: %s", test, q)
		}
	}
}

// TestErrors: each error has its position and cause.
func TestErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "1:1: the expression ends, where a predicate, a group, a test or an action should be"},
		{"<http://p/>/", "1:13: the expression ends, where a predicate"},
		{"<http://p/>|\n  )", "2:3: a predicate, a group, a test or an action should be here"},
		{"(<http://p/>", "1:13: the expression ends, where an operator, / or |, or ) for the group of column 1"},
		{"<http://p/>)", "1:12: an operator, / or | should be here"},
		{"é", `1:1: "é" means nothing here`},
		{"_/foaf:knows", `1:3: "foaf" means nothing here: IRIs and prefixed names stand in <>`},
		{"<http://p/", "1:1: no > for this <"},
		{"_/<p>", "1:3: <p>: neither an IRI nor prefix:name"},
		{"<nope:p>", `1:1: <nope:p>: unknown prefix "nope"`},
		{"<bad:p>", `1:1: <bad:p>: prefix "bad" is of no absolute IRI`},
		{"<http://a b/>", "1:1: <http://a b/>: "},
		{"_<2-1>", "1:2: <2-1> is no range"},
		{"_<0-0>", "1:2: <0-0> is no range"},
		{"_<1-101>", "1:2: <1-101> is no range"},
		{"_<1-99999999999999999999>", "1:2: "},
		{"^(_/_)", "1:1: only a predicate can be inverted"},
		{"^_^-1", "1:3: inverted twice"},
		{"^*", "1:2: a predicate after ^ should be here"},
		{"_/ACT[sendEmail(me)]", `1:3: the action "sendEmail(me)" is not allowed: ACT[save] is the only one`},
		{"_/ACT", "1:6: ACT is followed by [save]"},
		{"_[SELECT * {?s ?p ?o}]", "1:2: a test is a query of the form ASK"},
		{"_[ASK FROM <http://g/> {}]", "1:2: a test has no FROM"},
		{"_[ASK {?s nope:p ?o}]", "1:11: test: "},
		{"_[ASK {\n?s ?p }]", "2:7: test: "},
		{"_[ASK {\r\n\r?s ?p }]", "3:7: test: "},
		{"_[ASK {BIND(1 AS ?ctx)}]", "1:2: ?ctx is the node, and cannot be what a test finds"},
		{"_[ASK {", "1:2: no ] for this ["},
		{"-p", "1:3: the expression ends, where a predicate after -p should be"},
		{"_ -x", "1:3: unknown option -x"},
		{"_ -domains", "1:11: the expression ends, where {…} after -domains should be"},
		{"_ -domains {a,,b}", `1:12: -domains: "" is no domain`},
		{"_ -domains {a", "1:12: braces are not closed"},
		{strings.Repeat("(", 65) + "_" + strings.Repeat(")", 65), "1:65: groups are nested more than 64 deep"},
		{strings.Repeat("_", MaxText+1), "1:1: longer than 65536 bytes"},
		{"\xff", "1:1: not UTF-8"},
	} {
		_, err := Parse(tc.text, Options{Prefixes: map[string]string{"bad": "x:y"}})
		var where *Error
		if !errors.As(err, &where) || !strings.HasPrefix(err.Error(), "expression:"+tc.want) {
			t.Errorf("%.60q: %v, not %s", tc.text, err, tc.want)
		}
	}
}

// FuzzParse: an expression is parsed or rejected, errors have positions within the text, and printed
// expressions parse back.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"swget <dbo:Rome> (<owl:sameAs>)* -saveGraph -domains {dbpedia.org}", "<mo:A> -p <rdf:type> <2-2>",
		"<http://a/> ([ASK {?ctx foaf:name \"]\"}]/^_*|<urn:x>+)<1-3>/ACT[save]?", "_^-1[ASK {FILTER(?ctx < 1)}]",
		"((_))|_/_", "_[ASK {{SELECT ?s {?s ?p ?ctx}}}]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text, Options{})
		if err != nil {
			var where *Error
			if !errors.As(err, &where) || where.Line < 1 || where.Column < 1 || where.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := Parse(q.String(), Options{})
		if err != nil && len(q.String()) <= MaxText || err == nil && !reflect.DeepEqual(q, again) {
			t.Fatalf("%q is printed as %q, which is read back as %v, %v", text, q, again, err)
		}
		if a, err := q.Compile(); err == nil {
			for s := range a.Len() {
				if next := a.Next(s); slices.Contains(next, 0) || !slices.IsSorted(next) {
					t.Fatalf("%q: state %d leads to %v", text, s, next)
				}
			}
		} else if !errors.Is(err, ErrSize) {
			t.Fatal(err)
		}
	})
}
