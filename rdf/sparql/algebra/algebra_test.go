package algebra_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/syntax"
)

// A plan is a query's group and its expected algebra. Those with a section are examples of the
// recommendation.
type plan struct {
	name, pattern, want string
}

// checkPlans compares plans.
func checkPlans(t *testing.T, before string, plans []plan) {
	t.Helper()
	for _, tc := range plans {
		t.Run(tc.name, func(t *testing.T) {
			q := query(t, "PREFIX : <u:>\n"+before+tc.pattern, "")
			if got := algebra.Text(q.Pattern, q.Vars); got != outdented(tc.want) {
				t.Errorf("got\n%swant\n%s", got, outdented(tc.want))
			}
		})
	}
}

// outdented removes the indentation of the first line from all lines.
func outdented(s string) string {
	s = strings.TrimRight(strings.TrimPrefix(s, "\n"), "\t\n")
	margin := len(s) - len(strings.TrimLeft(s, "\t"))
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line[min(margin, len(line)):], "\t", "  ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestGroups(t *testing.T) {
	checkPlans(t, "ASK ", []plan{
		{"18.2.3, one triple", `{ ?s ?p ?o }`, `
			BGP
				?s ?p ?o`},
		{"a triple term is a variable", `{ ?r :of <<( ?s :p ?o )>> }`, `
			Extend ?o = OBJECT(?.1)
				Extend ?s = SUBJECT(?.1)
					Filter (ISTRIPLE(?.1) && SAMETERM(PREDICATE(?.1), <u:p>))
						BGP
							?r <u:of> ?.1`},
		{"a variable that has a value elsewhere, or before", `{ ?s :of <<( ?s ?p ?p )>> . ?p :q 1 }`, `
			Join
				Extend ?p = PREDICATE(?.1)
					Filter (ISTRIPLE(?.1) && SAMETERM(SUBJECT(?.1), ?s) && SAMETERM(OBJECT(?.1), PREDICATE(?.1)))
						BGP
							?s <u:of> ?.1
				BGP
					?p <u:q> 1`},
		{"a triple term within another, of a path", `{ ?r :of+ <<( ?s :p <<( ?s ?p 1 )>> )>> }`, `
			Extend ?p = PREDICATE(?.3)
				Filter (ISTRIPLE(?.3) && SAMETERM(SUBJECT(?.3), ?s) && SAMETERM(OBJECT(?.3), 1))
					Extend ?.3 = OBJECT(?.1)
						Extend ?s = SUBJECT(?.1)
							Filter (ISTRIPLE(?.1) && SAMETERM(PREDICATE(?.1), <u:p>))
								Path ?r (<u:of>+) ?.1`},
		{"a triple term without variables", `{ ?r :of <<( :s :p 1 )>> }`, `
			BGP
				?r <u:of> <<( <u:s> <u:p> 1 )>>`},
		{"18.2.3, two triples", `{ ?s :p1 ?v1 ; :p2 ?v2 }`, `
			BGP
				?s <u:p1> ?v1
				?s <u:p2> ?v2`},
		{"18.2.3, a union of three", `{ { ?s :p1 ?v1 } UNION {?s :p2 ?v2} UNION {?s :p3 ?v3} }`, `
			Union
				Union
					BGP
						?s <u:p1> ?v1
					BGP
						?s <u:p2> ?v2
				BGP
					?s <u:p3> ?v3`},
		{"18.2.3, two optionals", `{ ?s :p1 ?v1 OPTIONAL {?s :p2 ?v2} OPTIONAL { ?s :p3 ?v3 } }`, `
			LeftJoin
				LeftJoin
					BGP
						?s <u:p1> ?v1
					BGP
						?s <u:p2> ?v2
				BGP
					?s <u:p3> ?v3`},
		{"18.2.3, the filter of an optional", `{ ?s :p1 ?v1 OPTIONAL {?s :p2 ?v2 FILTER(?v1<3) } }`, `
			LeftJoin (?v1 < 3)
				BGP
					?s <u:p1> ?v1
				BGP
					?s <u:p2> ?v2`},
		{"18.2.3, a filter before an optional", `{ ?s :p1 ?v1 FILTER (?v1 < 3) OPTIONAL {?s :p3 ?v3} }`, `
			Filter (?v1 < 3)
				LeftJoin
					BGP
						?s <u:p1> ?v1
					BGP
						?s <u:p3> ?v3`},
		{"18.2.3, bind", `{ ?s :p ?v . BIND (2*?v AS ?v2) ?s :p1 ?v2 }`, `
			Join
				Extend ?v2 = (2 * ?v)
					BGP
						?s <u:p> ?v
				BGP
					?s <u:p1> ?v2`},
		{"18.2.3, bind within a group", `{ ?s :p ?v . { BIND (2*?v AS ?v2) } ?s :p1 ?v2 }`, `
			Join
				Join
					BGP
						?s <u:p> ?v
					Extend ?v2 = (2 * ?v)
						BGP
				BGP
					?s <u:p1> ?v2`},
		{"18.2.3, minus", `{ ?s :p ?v . MINUS { ?s :p1 ?v2 } }`, `
			Minus
				BGP
					?s <u:p> ?v
				BGP
					?s <u:p1> ?v2`},
		{"18.2.3, a sub-query", `{ ?s :p ?o . {SELECT DISTINCT ?o {?o ?p ?z} } }`, `
			Join
				BGP
					?s <u:p> ?o
				Distinct
					Project ?o
						BGP
							?o ?p ?z`},
		{"the filter of a group within an optional stays there", `{ ?s :p1 ?v1 OPTIONAL { { ?s :p2 ?v2 FILTER(?v1<3) } } }`, `
			LeftJoin
				BGP
					?s <u:p1> ?v1
				Filter (?v1 < 3)
					BGP
						?s <u:p2> ?v2`},
		{"filters leave a basic graph pattern whole, and are one", `{ ?s :p _:a FILTER(?s) _:a :q ?o FILTER(?o) }`, `
			Filter (?s && ?o)
				BGP
					?s <u:p> ?_:a
					?_:a <u:q> ?o`},
		{"nothing", `{ }`, `
			BGP`},
		{"an optional alone", `{ OPTIONAL { ?s ?p ?o } }`, `
			LeftJoin
				BGP
				BGP
					?s ?p ?o`},
		{"an empty graph is asked for", `{ GRAPH ?g { } }`, `
			Graph ?g
				BGP`},
		{"exists", `{ ?s :p ?o FILTER NOT EXISTS { ?s :q ?o FILTER(?o > 1) } }`, `
			Filter NOT EXISTS {Filter (?o > 1); BGP; ?s <u:q> ?o}
				BGP
					?s <u:p> ?o`},
		{"values, within and behind", `{ VALUES ?x { 1 UNDEF } } VALUES (?x ?y) { (1 2) }`, `
			Join
				Values ?x, 2 rows
				Values ?x ?y, 1 rows`},
	})
}

func TestPaths(t *testing.T) {
	checkPlans(t, "ASK ", []plan{
		{"a step in parentheses", `{ ?s (:p) ?o }`, `
			BGP
				?s <u:p> ?o`},
		{"a step back", `{ ?s ^:p ?o }`, `
			BGP
				?o <u:p> ?s`},
		{"a sequence", `{ ?s :p/^:q/:r ?o }`, `
			BGP
				?s <u:p> ?.2
				?.3 <u:q> ?.2
				?.3 <u:r> ?o`},
		{"a sequence back", `{ ?s ^(:p/:q) ?o }`, `
			BGP
				?.2 <u:q> ?s
				?o <u:p> ?.2`},
		{"what is no triple is joined", `{ ?s :p+/:q ?o . ?s :r 1 }`, `
			Join
				BGP
					?.2 <u:q> ?o
					?s <u:r> 1
				Path ?s (<u:p>+) ?.2`},
		{"back within", `{ ?s ^((:p/:q)*|!(:r|^:s)|^:t) ?o }`, `
			Path ?s ((((^<u:q>)/(^<u:p>))*)|(^!(<u:r>|^<u:s>))|<u:t>) ?o`},
		{"not back", `{ ?s ^!(^:p) ?o }`, `
			Path ?o !(^<u:p>) ?s`},
	})
}

func TestSelect(t *testing.T) {
	checkPlans(t, "SELECT ", []plan{
		{"18.2.5, in order", `DISTINCT ?s (1 AS ?one) { ?s ?p ?o } ORDER BY DESC(?o) ?s LIMIT 2 OFFSET 1`, `
			Slice offset 1 limit 2
				Distinct
					Project ?s ?one
						OrderBy ?o descending, ?s
							Extend ?one = 1
								BGP
									?s ?p ?o`},
		{"all, without what filters alone speak of", `* { ?s :p ?o MINUS { ?s :q ?x } FILTER(?y) }`, `
			Project ?s ?o
				Filter ?y
					Minus
						BGP
							?s <u:p> ?o
						BGP
							?s <u:q> ?x`},
		{"a variable selected twice", `?s ?s { ?s :p ?o }`, `
			Project ?s
				BGP
					?s <u:p> ?o`},
		{"aggregates of everything", `(COUNT(*) AS ?n) (SUM(DISTINCT ?o) / ?n AS ?mean) { ?s :p ?o }`, `
			Project ?n ?mean
				Extend ?mean = (?.5 / ?n)
					Extend ?n = ?.4
						Group, ?.4 = COUNT(*), ?.5 = SUM(distinct ?o)
							BGP
								?s <u:p> ?o`},
		{"groups by variable, by expression, by name", `?s ?l { ?s :p ?o } GROUP BY ?s STR(?o) (LANG(?o) AS ?l)`, `
			Project ?s ?l
				Group ?s ?.3 ?l
					Extend ?l = LANG(?o)
						Extend ?.3 = STR(?o)
							BGP
								?s <u:p> ?o`},
		{"what is not grouped by is sampled, once", `?s { ?s :p ?o } GROUP BY ?s HAVING(?o > 1 && MAX(?o) < 9) ORDER BY ?o`, `
			Project ?s
				OrderBy ?.2
					Filter ((?.2 > 1) && (?.3 < 9))
						Group ?s, ?.2 = SAMPLE(?o), ?.3 = MAX(?o)
							BGP
								?s <u:p> ?o`},
		{"values come between groups and expressions", `?s (COUNT(?o) AS ?n) { ?s :p ?o } GROUP BY ?s VALUES ?s { :a }`, `
			Project ?s ?n
				Extend ?n = ?.3
					Join
						Group ?s, ?.3 = COUNT(?o)
							BGP
								?s <u:p> ?o
						Values ?s, 1 rows`},
		{"what a sub-query hides is another variable", `* { ?x :p ?y { SELECT ?x { ?x :q ?y . ?y :r ?z } } }`, `
			Project ?x ?y
				Join
					BGP
						?x <u:p> ?y
					Project ?x
						BGP
							?x <u:q> ?y.2
							?y.2 <u:r> ?z`},
	})
}

func TestQuery(t *testing.T) {
	q := query(t, `BASE <http://e.org/> PREFIX : <u:> CONSTRUCT { ?s :p _:a } FROM <g> FROM NAMED <h> { ?s :p _:a }`, "")
	if got, want := q.Vars, []string{"s", "_:a"}; !slices.Equal(got, want) {
		t.Errorf("variables %q, want %q", got, want)
	}
	if o := q.Template[0].O; o.IsVar() || o.Term.Value != "a" {
		t.Errorf("a template's blank node became %v", o)
	}
	if q.Base != "http://e.org/" || q.Dataset.Default[0] != "http://e.org/g" || q.Dataset.Named[0] != "http://e.org/h" {
		t.Errorf("base %s, dataset %v", q.Base, q.Dataset)
	}
	q = query(t, `DESCRIBE * { ?s ?p [] FILTER(?x) }`, "")
	if len(q.Describe) != 2 || q.Vars[q.Describe[0].Slot] != "s" || q.Vars[q.Describe[1].Slot] != "p" {
		t.Errorf("describes %v of %q", q.Describe, q.Vars)
	}
}

// The query of a service selects the visible variables, by their original names.
func TestService(t *testing.T) {
	q := query(t, `BASE <http://e.org/>
		SELECT ?x { ?x <p> ?y { SELECT ?x { ?x <q> ?z SERVICE SILENT ?at { ?x <p> ?y SERVICE ?to { ?y <r> [] } MINUS { ?x <s> ?m } } } } }`, "")
	var s *algebra.Service
	for ops := []algebra.Op{q.Pattern}; len(ops) > 0; {
		op := ops[0]
		ops = append(ops[1:], algebra.Inputs(op)...)
		if found, ok := op.(*algebra.Service); ok {
			s = found
		}
	}
	if s == nil || !s.Silent || q.Vars[s.Name.Slot] != "at" {
		t.Fatalf("service %+v", s)
	}
	var names []string
	for _, c := range s.Columns {
		names = append(names, c.Name)
		if inner := strings.Contains(q.Vars[c.Slot], "."); inner != (c.Name == "y") {
			t.Errorf("?%s is ?%s", c.Name, q.Vars[c.Slot])
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"to", "x", "y"}) {
		t.Errorf("columns %q", names)
	}
	asked, err := syntax.ParseQuery(s.Query(), syntax.Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, s.Query())
	}
	if asked.Base != "http://e.org/" || len(asked.Select.Items) != 3 || len(asked.Select.Where.Elements) != 3 {
		t.Errorf("asks\n%s", asked)
	}
}

func TestUpdate(t *testing.T) {
	u := update(t, `BASE <u:/> PREFIX : <u:>
		INSERT DATA { :s :p _:a GRAPH :g { :s :p 1 } } ;
		DELETE WHERE { ?s :p ?o GRAPH ?g { ?s :q ?o } } ;
		WITH :w DELETE { ?s :p ?o } INSERT { ?s :p _:b GRAPH :g { ?s :p ?x } } USING NAMED :u WHERE { ?s :p ?o } ;
		COPY SILENT :a TO DEFAULT`, "")
	if len(u.Operations) != 4 {
		t.Fatalf("%d operations", len(u.Operations))
	}
	data := u.Operations[0].(*algebra.InsertData).Quads
	if len(data) != 2 || data[0].O.Value != "a" || !data[0].G.IsZero() || data[1].G.Value != "u:g" {
		t.Errorf("inserts %v", data)
	}
	m := u.Operations[1].(*algebra.Modify)
	want := outdented(`
		Join
			BGP
				?s <u:p> ?o
			Graph ?g
				BGP
					?s <u:q> ?o`)
	if got := algebra.Text(m.Pattern, m.Vars); got != want || len(m.Delete) != 2 || !m.Delete[0].G.IsDefault() || !m.Delete[1].G.IsVar() {
		t.Errorf("deletes %v where\n%s", m.Delete, got)
	}
	m = u.Operations[2].(*algebra.Modify)
	if m.With != "u:w" || m.Delete[0].G.Term.Value != "u:w" || m.Insert[1].G.Term.Value != "u:g" || m.Dataset.Named[0] != "u:u" {
		t.Errorf("modifies %+v", m)
	}
	if c := u.Operations[3].(*algebra.Transfer); c.Kind != algebra.Copy || !c.Silent || c.To.Kind != algebra.DefaultGraph {
		t.Errorf("transfers %+v", c)
	}
}

// Too many variables or blank nodes are an error.
func TestTooManyVariables(t *testing.T) {
	tree, err := syntax.ParseQuery("ASK { "+strings.Repeat("[] <u:p> [] . ", 20_000)+"}", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := algebra.TranslateQuery(tree); !errors.Is(err, syntax.ErrSize) {
		t.Errorf("error %v", err)
	}
}

// Generated names never collide with a query's variables.
func TestNames(t *testing.T) {
	q := query(t, `SELECT * { ?a ?b ?c { SELECT ?c { ?a ?b ?c { SELECT ?c { ?a ?b ?c } } } } }`, "")
	checkSlots(t, q.Pattern, q.Vars)
	if len(q.Vars) != 7 {
		t.Errorf("variables %q", q.Vars)
	}
}

func BenchmarkTranslate(b *testing.B) {
	tree, err := syntax.ParseQuery(`PREFIX : <u:>
		SELECT ?s (COUNT(DISTINCT ?o) AS ?n) WHERE {
			?s a :T ; :p ?o ; :q/:r* ?x OPTIONAL { ?s :label ?l FILTER(LANG(?l) = "en") }
			FILTER NOT EXISTS { ?s :gone true }
		} GROUP BY ?s HAVING (COUNT(?o) > 1) ORDER BY DESC(?n) LIMIT 10`, syntax.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := algebra.TranslateQuery(tree); err != nil {
			b.Fatal(err)
		}
	}
}
