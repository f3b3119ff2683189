package syntax_test

import (
	"testing"

	"orbweaver/rdf/sparql/syntax"
)

// FuzzQuery: no text crashes or hangs, and what can be read comes back from what is written of it.
func FuzzQuery(f *testing.F) {
	f.Add(typical)
	for _, text := range []string{
		"", "ASK { ?s ?p 1.5e3 , 'a'@en , \"\"\"b\"\"\"^^<u:t> }",
		"BASE <u:/> CONSTRUCT { ?s ?p [] } FROM <g> WHERE { GRAPH ?g { ?s (^<p>|!(<q>|^a))+/<r>? (1 [ a _:x ]) } MINUS { {} UNION {} } }",
		"PREFIX r: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> ASK { VALUES ?x { 'a'^^r:langString } }",
		"SELECT * { { SELECT ?a (-1 - - 1 + ?b IN (2) AS ?c) { VALUES (?a ?b) { (UNDEF 1) } } } SERVICE SILENT <u:s> { BIND(IF(1,2,3) AS ?z) } }",
		"VERSION '1.2' ASK { << ?s a <<( _:x <p> 'a'@ar--rtl )>> ~ ?r >> <q> [] ~ {| <p> 1 ~_:y {| a 2 |} |} FILTER(isTRIPLE(<<( ?s a <<( ?t a 1 )>> )>>)) VALUES ?s { <<( <a> a 1 )>> } }",
		"DESCRIBE * { } GROUP BY (STR(?x) AS ?y) HAVING (GROUP_CONCAT(DISTINCT ?x; SEPARATOR='|') = <u:f>(DISTINCT ?y)) ORDER BY ASC(!?y)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { fuzz(t, text, false) })
}

// FuzzUpdate does the same for updates.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{
		"", "INSERT DATA { <u:s> <u:p> _:a GRAPH <u:g> { _:a a (1) } . } ; DELETE DATA { <u:s> <u:p> true } ;",
		"PREFIX : <u:> WITH :g DELETE { ?s ?p ?o } INSERT { GRAPH ?g { ?s ?p [] } } USING :g USING NAMED :h WHERE { ?s ?p ?o }",
		"INSERT DATA { << <a> <b> 1 >> <c> 2 . <a> <b> <<( _:x a 'x'@ar--ltr )>> ~ <r> {| a 1 |} } ; DELETE DATA { <a> <b> 1 ~<r> } ; INSERT { ?s a ?o {| a [] |} } WHERE { << ?s a ?o >> }",
		"DELETE WHERE { GRAPH ?g { ?s ?p ?o } } ; BASE <u:/> LOAD SILENT <d> INTO GRAPH <g> ; CLEAR NAMED ; DROP ALL ; CREATE GRAPH <g>",
		"INSERT { } WHERE { } ; BASE <u:/> CLEAR ALL ; DELETE { } WHERE { } ; BASE <v:/>",
		"ADD <u:a> TO DEFAULT ; MOVE SILENT DEFAULT TO GRAPH <u:b> ; COPY <u:a> TO <u:b> ; INSERT { } WHERE { }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { fuzz(t, text, true) })
}

func fuzz(t *testing.T, text string, update bool) {
	base := "http://e.org/"
	if len(text)%2 == 1 {
		base = ""
	}
	tree, err := parse(text, update, syntax.Options{Base: base})
	if err == nil {
		checkRoundTrip(t, tree, update)
	}
}
