package syntax_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// Errors say where, and what was expected. Columns count characters.
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
	}{
		{"nothing", "", `query:1:1: expected SELECT, CONSTRUCT, DESCRIBE or ASK, found the end`},
		{"a word misspelt", "ASK { ?s ?p ?o FILTR(?o) }", `query:1:16: expected a pattern or "}", found "FILTR"`},
		{"in the third line, behind characters of several bytes", "# é\r\nASK {\n 'é😀' ?p }", `query:3:10: expected an object, found "}"`},
		{"no end of a group", "ASK { ?s ?p ?o", `query:1:15: expected a pattern or "}", found the end`},
		{"no end of a string", "ASK { ?s ?p 'a\n' }", `query:1:13: a string does not end on its line`},
		{"no end of a long string", "ASK { ?s ?p '''a'' }", `query:1:13: a string does not end`},
		{"no escape", `ASK { ?s ?p "\x" }`, `query:1:13: no escape of a string: "\\x"`},
		{"a surrogate", `ASK { ?s ?p <u:\uD800> }`, `query:1:13: no escape of an IRI: "\\uD800"`},
		{"no prefix", "ASK { a:b ?p ?o }", `query:1:7: prefix a: is not declared`},
		{"no prefix, of a usual name", "ASK { ow:b ?p ?o }", `query:1:7: prefix ow: is not declared; begin with PREFIX ow: <http://orbweaver.example/terms#>`},
		{"no base", "ASK { <b> ?p ?o }", `query:1:7: relative IRI without a base: <b>`},
		{"a relative base", "BASE <b> ASK { }", `query:1:6: relative IRI without a base: <b>`},
		{"something behind", "ASK { } ASK { }", `query:1:9: expected the end of the query, found "ASK"`},
		{"no operator", "ASK { FILTER(?a ?b) }", `query:1:17: expected ")", found "?b"`},
		{"two comparisons", "ASK { FILTER(1 = 1 = 1) }", `query:1:20: expected ")", found "="`},
		{"an IRI in a filter is no function yet", "ASK { FILTER <u:f> }", `query:1:20: expected "(" with the arguments, found "}"`},
		{"too few arguments", "ASK { FILTER REGEX(?a) }", `query:1:14: REGEX with 1 arguments`},
		{"BOUND of an expression", "ASK { FILTER BOUND((?a)) }", `query:1:21: BOUND is for a variable`},
		{"a sign without a name", "ASK { $ ?p ?o }", `query:1:7: expected a variable's name behind $`},
		{"a character that means nothing", "ASK { % }", `query:1:7: unexpected "%"`},
		{"bytes that are no text", "ASK {\n \xff }", `query:2:2: not valid UTF-8`},
		{"the keyword a has no capital", "ASK { ?s A ?o }", `query:1:10: expected a predicate, found "A"`},
		{"a label in two patterns", "ASK { _:a ?p ?o OPTIONAL { _:a ?p ?o } }", `query:1:28: blank node _:a stands in two basic graph patterns`},
		{"a label on both sides of BIND", "ASK { _:a ?p ?o BIND(1 AS ?x) _:a ?q ?r }", `query:1:31: blank node _:a stands in two basic graph patterns`},
		{"a value for a variable that has one", "ASK { ?s ?p ?o BIND(1 AS ?o) }", `query:1:26: BIND gives a value to ?o, which has one already`},
		{"selected as what is there", "SELECT (1 AS ?o) { ?s ?p ?o }", `query:1:8: SELECT gives a value to ?o, which has one already`},
		{"selected as what groups", "SELECT (1 AS ?o) { } GROUP BY ?o", `query:1:8: SELECT gives a value to ?o, which has one already`},
		{"selected as what VALUES has", "SELECT (COUNT(*) AS ?o) { } VALUES ?o { 1 }", `query:1:8: SELECT gives a value to ?o, which has one already`},
		{"not grouped by", "SELECT ?o (COUNT(?s) AS ?n) { ?s ?p ?o }", `query:1:8: ?o is not grouped by, and has no aggregate around it`},
		{"used before it is selected", "SELECT (?n + 1 AS ?m) (COUNT(*) AS ?n) { }", `query:1:9: ?n is not grouped by, and has no aggregate around it`},
		{"everything of groups", "SELECT * { ?s ?p ?o } GROUP BY ?s", `query:1:34: SELECT * does not go with GROUP BY`},
		{"an aggregate in a filter", "ASK { FILTER(COUNT(?x) > 1) }", `query:1:14: an aggregate may stand in SELECT, HAVING and ORDER BY alone`},
		{"an aggregate in what groups", "SELECT (1 AS ?n) { } GROUP BY (COUNT(?x))", `query:1:32: an aggregate may stand in SELECT, HAVING and ORDER BY alone`},
		{"an aggregate in an aggregate", "SELECT (SUM(COUNT(?x)) AS ?n) { }", `query:1:13: an aggregate within an aggregate`},
		{"an aggregate in EXISTS of one that may have some", "SELECT (1 AS ?n) { } HAVING (EXISTS { FILTER(MAX(?x)) })", `query:1:46: an aggregate may stand in SELECT, HAVING and ORDER BY alone`},
		{"a row too long", "ASK { VALUES (?a) { (1 2) } }", `query:1:24: more values than variables`},
		{"a row too short", "ASK { VALUES (?a ?b) { (1) } }", `query:1:24: fewer values than variables`},
		{"a column twice", "ASK { VALUES (?a ?a) { } }", `query:1:18: VALUES has ?a twice`},
		{"a path in a template", "CONSTRUCT { ?s ^<u:p> ?o } { ?s ?p ?o }", `query:1:16: expected a predicate, found "^"`},
		{"a negative limit", "ASK { } LIMIT -1", `query:1:15: expected a number of solutions, found "-1"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkError(t, tc.text, false, tc.want)
		})
	}
}

func TestUpdateErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
	}{
		{"a query", "ASK { }", `update:1:1: expected an operation such as INSERT, DELETE or LOAD, found "ASK"`},
		{"no separator", "CLEAR ALL CLEAR ALL", `update:1:11: expected ";" or the end of the update, found "CLEAR"`},
		{"a variable in data", "INSERT DATA { ?s <u:p> 1 }", `update:1:15: no variable may stand in INSERT DATA`},
		{"a predicate that varies in data", "INSERT DATA { <u:s> ?p 1 }", `update:1:21: no variable may stand in INSERT DATA`},
		{"a graph that varies in data", "DELETE DATA { GRAPH ?g { } }", `update:1:21: no variable may stand in DELETE DATA`},
		{"a blank node to delete", "DELETE { ?s ?p [] } WHERE { ?s ?p ?o }", `update:1:16: no blank node may stand in DELETE`},
		{"a list to delete", "DELETE WHERE { ?s ?p (1) }", `update:1:22: no blank node may stand in DELETE WHERE`},
		{"one label in two operations' data", "INSERT DATA { _:a <u:p> 1 } ; INSERT DATA { _:a <u:p> 1 }", `update:1:45: blank node _:a stands in two INSERT DATA operations`},
		{"one label in two operations' patterns", "DELETE {} WHERE { _:a ?p 1 } ; DELETE {} WHERE { _:a ?p 1 }", `update:1:50: blank node _:a stands in two basic graph patterns`},
		{"WITH of nothing", "WITH <u:g> LOAD <u:d>", `update:1:12: expected DELETE or INSERT, found "LOAD"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkError(t, tc.text, true, tc.want)
		})
	}
}

// checkError fails unless a text is refused with just this.
func checkError(t *testing.T, text string, update bool, want string) {
	t.Helper()
	_, err := parse(text, update, syntax.Options{})
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v is no *syntax.Error", err)
	}
	if err.Error() != want {
		t.Errorf("error %q\n want %q", err, want)
	}
}

// What is right, and looks as if it were not.
func TestAllowed(t *testing.T) {
	for _, tc := range []struct {
		name, text string
	}{
		{"a filter does not end a basic graph pattern", "ASK { _:a ?p 1 FILTER EXISTS { ?x ?y _:b } _:a ?q 2 }"},
		{"labels of templates are their own", "CONSTRUCT { _:a ?p ?o } { _:a ?p ?o }"},
		{"a variable of MINUS is out of scope", "ASK { MINUS { ?s ?p ?o } BIND(1 AS ?o) }"},
		{"a variable of a filter is out of scope", "ASK { FILTER(?o) BIND(1 AS ?o) }"},
		{"a variable around a group is out of scope within", "ASK { ?s ?p ?o { BIND(1 AS ?o) } }"},
		{"what a sub-query hides is out of scope", "SELECT (1 AS ?o) { { SELECT ?s { ?s ?p ?o } } }"},
		{"a sum of what was selected", "SELECT (COUNT(*) AS ?n) (?n + 1 AS ?m) { }"},
		{"signs without space", "ASK { FILTER(?a-1+2.5-?b = -?c) }"},
		{"less and less", "ASK { FILTER(?a<?b && ?b <?c) }"},
		{"names like numbers and words", "PREFIX select: <u:> ASK { select:a1.2 select:%20\\-b- select: ; a select:: }"},
		{"comments, and any white space", "ASK#<a>\r{#}\n?s\t?p ?o}#"},
		{"a mark of order of bytes", "\uFEFFASK { }"},
		{"many semicolons", "ASK { ?s ?p ?o ;; ?q ?r ; . }"},
		{"numbers before full stops", "ASK { ?s ?p 1. ?s ?p 1.5. ?s ?p 1.e5. }"},
		{"keywords in any case", "select distinct * where { ?s a ?o filter regex(?o, 'a') } order by asc(?s) limit 1"},
		{"what a group hides may be given a value", "SELECT (1 AS ?o) { ?s ?p ?o } GROUP BY ?s"},
		{"a literal within a triple term", `ASK { ?s ?p <<( "x" ?p <<( ?s a 1 )>> )>> }`},
		{"an annotation with a path", "ASK { ?s ?p ?o {| <u:p>/<u:q> ?x |} }"},
		{"HAVING without GROUP BY", "SELECT ?s { ?s ?p ?o } HAVING (?s = 1)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q, err := syntax.ParseQuery(tc.text, syntax.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkRoundTrip(t, q, false)
		})
	}
}

// Expressions come out with the parentheses that they need, which shows how they were read.
func TestPrecedence(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"?a || ?b && ?c = ?d + ?e * -?f", "?a || ?b && ?c = ?d + ?e * -(?f)"},
		{"(?a || ?b) && !(?c = ?d)", "(?a || ?b) && !(?c = ?d)"},
		{"?a || ?b || ?c", "?a || ?b || ?c"},
		{"?a || (?b || ?c)", "?a || (?b || ?c)"},
		{"?a - ?b - ?c", "?a - ?b - ?c"},
		{"?a - (?b - ?c)", "?a - (?b - ?c)"},
		{"?a / ?b * ?c", "?a / ?b * ?c"},
		{"?a / (?b * ?c)", "?a / (?b * ?c)"},
		{"?a -1 * ?b", "?a + -1 * ?b"},
		{"?a - 1", "?a - 1"},
		{"!!?a", "!(!(?a))"},
		{"- 1", "-(1)"},
		{"-1", "-1"},
		{"?a + ?b IN (?c, ?d || ?e)", "?a + ?b IN (?c, ?d || ?e)"},
		{"?a NOT IN ()", "?a NOT IN ()"},
		{"(?a = ?b) = ?c", "(?a = ?b) = ?c"},
		{"isURI(uri('u:a'))", `ISIRI(IRI("u:a"))`},
		{"<u:f>(DISTINCT ?a, 1)", "<u:f>(DISTINCT ?a, 1)"},
		{"TRUE && 'a'@en-GB = '''b'c\n\"'''^^<u:t>", `true && "a"@en-GB = "b'c\n\""^^<u:t>`},
	} {
		q, err := syntax.ParseQuery("ASK { FILTER("+tc.text+") }", syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", tc.text, err)
			continue
		}
		want := "{\n  FILTER (" + tc.want + ")\n}"
		if got := q.Select.Where.String(); got != want {
			t.Errorf("%s: got %s, want %s", tc.text, got, want)
		}
		checkRoundTrip(t, q, false)
	}
}

// Collections and brackets become triples, in the order of the text, with labels that nobody wrote.
func TestTriples(t *testing.T) {
	q, err := syntax.ParseQuery("PREFIX : <u:> ASK { :s :p (_:b7 [ :q 1 ]) , () ; a [] }", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := q.Select.Where.String()
	want := strings.NewReplacer("first", "<"+rdfNS+"first>", "rest", "<"+rdfNS+"rest>", "nil", "<"+rdfNS+"nil>", "type", "<"+rdfNS+"type>").Replace(`{
  <u:s> <u:p> _:b8 .
  _:b8 first _:b7 .
  _:b8 rest _:b9 .
  _:b9 first _:b10 .
  _:b10 <u:q> 1 .
  _:b9 rest nil .
  <u:s> <u:p> nil .
  <u:s> type _:b11 .
}`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Reified triples and annotations become triples about their reifiers.
func TestReified(t *testing.T) {
	q, err := syntax.ParseQuery("PREFIX : <u:> ASK { << :s :p ?o ~ :r >> :q << _:b7 a [] >> . :s :p ?o ~ :i ~ {| :q 1 |} {| :q 2 |} }", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := q.Select.Where.String()
	want := strings.NewReplacer("reifies", "<"+rdfNS+"reifies>", "type", "<"+rdfNS+"type>").Replace(`{
  <u:r> reifies <<( <u:s> <u:p> ?o )>> .
  <u:r> <u:q> _:b9 .
  _:b9 reifies <<( _:b7 type _:b8 )>> .
  <u:s> <u:p> ?o .
  <u:i> reifies <<( <u:s> <u:p> ?o )>> .
  _:b10 reifies <<( <u:s> <u:p> ?o )>> .
  _:b10 <u:q> 1 .
  _:b11 reifies <<( <u:s> <u:p> ?o )>> .
  _:b11 <u:q> 2 .
}`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

func TestEscapes(t *testing.T) {
	q, err := syntax.ParseQuery(`ASK { VALUES ?v { "\u0022\\u0041\t\U0001F46A" 'a"' """a""b""" <u:\u00E9> 01 1.50 .5e-1 true } }`, syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []rdf.Term{
		rdf.NewString("\"\\u0041\t\U0001F46A"), rdf.NewString(`a"`), rdf.NewString(`a""b`), rdf.NewIRI("u:é"),
		rdf.NewTyped("01", rdf.XSDInteger), rdf.NewTyped("1.50", rdf.XSDDecimal), rdf.NewTyped(".5e-1", rdf.XSDDouble),
		rdf.NewTyped("true", rdf.XSDBoolean),
	}
	rows := q.Select.Where.Elements[0].(*syntax.Values).Rows
	for i, row := range rows {
		if row[0] != want[i] {
			t.Errorf("value %d is %v, want %v", i, row[0], want[i])
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d values", len(rows))
	}
	checkRoundTrip(t, q, false)
}

// TestCodePoints: escapes stand anywhere, as in the examples of SPARQL 1.1, section 19.2.
func TestCodePoints(t *testing.T) {
	for _, tc := range []struct{ escaped, plain string }{
		{`ASK { <ab\u00E9xy> ?p ?o }`, `ASK { <abéxy> ?p ?o }`},
		{`PREFIX α: <u:> ASK { \u03B1:a ?p ?o }`, `PREFIX α: <u:> ASK { α:a ?p ?o }`},
		{`PREFIX a: <u:> ASK { a\u003Aa ?p ?o }`, `PREFIX a: <u:> ASK { a:a ?p ?o }`},
		{`PREFIX \u03B1\U0000003A <u:> ASK { α:a ?p ?o }`, `PREFIX α: <u:> ASK { α:a ?p ?o }`},
		{`SELECT ?gr\u00F6\u00DFe { ?s ?p ?größe }`, `SELECT ?größe { ?s ?p ?größe }`},
		{`\u0041SK { _:\u0062 ?p "x"@\u0064e }`, `ASK { _:b ?p "x"@de }`},
		{`ASK { ?s ?p \u0031\u0032 }`, `ASK { ?s ?p 12 }`},
		{`ASK { ?s ?p "a\u0022b", 'c\u0027d', "\u000A", "\u005C" }`, `ASK { ?s ?p "a\"b", 'c\'d', "\n", "\\" }`},
		{`ASK { ?s ?p "\\u00E9", "\\\u00E9" }`, `ASK { ?s ?p "\\u00E9", "\\é" }`},
		{`PREFIX e: <u:> ASK { e:a\,b ?p "é\té" } # \u00E9 \x é\é \`, `PREFIX e: <u:> ASK { e:a\,b ?p "é\té" }`},
	} {
		got, err := syntax.ParseQuery(tc.escaped, syntax.Options{Base: "u:base/"})
		if err != nil {
			t.Errorf("%s: %v", tc.escaped, err)
			continue
		}
		want, err := syntax.ParseQuery(tc.plain, syntax.Options{Base: "u:base/"})
		if err != nil || got.String() != want.String() {
			t.Errorf("%s: %v, not %v, %v", tc.escaped, got, want, err)
		}
	}
	for _, bad := range []string{`ASK { ?s ?p "\uD800" }`, `ASK { \u00 ?p ?o }`, `ASK { <a\u0020b> ?p ?o }`, `ASK { ?s ?p "\q" }`, `ASK \u007B }`, `\`} {
		if _, err := syntax.ParseQuery(bad, syntax.Options{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func TestModifiers(t *testing.T) {
	q, err := syntax.ParseQuery("BASE <http://e.org/a/b> PREFIX : <c#> BASE <d> PREFIX : <#> ASK FROM :x { } OFFSET 5 LIMIT 99999999999999999999", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if q.Select.Limit != math.MaxInt64 || q.Select.Offset != 5 {
		t.Errorf("limit %d, offset %d", q.Select.Limit, q.Select.Offset)
	}
	if q.Base != "http://e.org/a/d" || !reflect.DeepEqual(q.Dataset.Default, []string{"http://e.org/a/d#x"}) {
		t.Errorf("base %s, dataset %v", q.Base, q.Dataset)
	}
	if got := q.At(); got != (syntax.Pos{Line: 1, Column: 61}) {
		t.Errorf("position %v", got)
	}
	q, err = syntax.ParseQuery("SELECT * { ?b ?p ?a FILTER(?x) } VALUES ?c { }", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range q.Select.Items {
		names = append(names, item.Var)
	}
	if got := strings.Join(names, " "); got != "b p a c" || q.Select.Limit != syntax.NoLimit {
		t.Errorf("variables %s, limit %d", got, q.Select.Limit)
	}
}
