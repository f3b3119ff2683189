package api_test

import (
	"bytes"
	"mime/multipart"
	"strings"
	"testing"
)

// form is a form of several parts: fields as name=value, files as name=file name:content.
func form(t *testing.T, fields []string, files ...string) (kind, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		field, rest, _ := strings.Cut(f, "=")
		name, text, _ := strings.Cut(rest, ":")
		part, err := w.CreateFormFile(field, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

const (
	ownRule = `CONSTRUCT { ?s <http://example.org/named> ?o . ?s a <http://example.org/Thing> } WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o }`
	strict  = `@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://example.org/> .
		[] a sh:NodeShape ; sh:targetClass e:Thing ; sh:property [ sh:path e:owner ; sh:minCount 1 ; sh:message "no owner" ] .`
	lax = `@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://example.org/> .
		[] a sh:NodeShape ; sh:targetClass e:Thing ; sh:property [ sh:path e:named ; sh:minCount 1 ] .`
)

// graphed asks for one graph, by rules and shapes of the client's own.
func (d *desk) graphed(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const export = "/crawls/aircraft/export"
	if graph := string(want(200, "GET", export+"?format=turtle&construct=standard&construct=as-is&key=schema:url&sources=entities", "", "")); !strings.Contains(graph, "prov:wasDerivedFrom") {
		d.t.Errorf("the graph names no pages: %s", graph)
	}
	for _, tc := range []struct {
		name     string
		code     int
		fields   []string
		files    []string
		has, not string
	}{
		{"a rule", 200, []string{"format=ntriples"}, []string{"rules=a.rq:" + ownRule}, "<http://example.org/named>", "wasDerivedFrom"},
		{"two rules of one name", 200, []string{"format=ntriples"}, []string{"rules=a.rq:" + ownRule, "rules=a.rq:CONSTRUCT { ?page <http://example.org/page> 1 } WHERE { GRAPH ?page { ?s ?p ?o } }"}, "<http://example.org/page>", ""},
		{"a rule set beside it", 200, []string{"format=ntriples", "construct=as-is"}, []string{"rules=foaf:" + ownRule}, "<http://example.org/named>", ""},
		{"shapes without a report", 200, []string{"format=ntriples"}, []string{"rules=a.rq:" + ownRule, "shapes=s.ttl:" + strict}, "<http://example.org/named>", "ValidationReport"},
		{"violations", 200, []string{"format=turtle", "report=turtle"}, []string{"rules=a.rq:" + ownRule, "shapes=s.ttl:" + strict}, `sh:resultMessage "no owner"`, "sh:conforms true"},
		{"as text", 200, []string{"format=turtle", "report=text"}, []string{"rules=a.rq:" + ownRule, "shapes=s.ttl:" + strict}, "no owner", "sh:conforms"},
		{"none", 200, []string{"format=turtle", "report=turtle"}, []string{"rules=a.rq:" + ownRule, "shapes=s.ttl:" + lax}, "sh:conforms true", "no owner"},
		{"no file chosen", 200, []string{"format=turtle", "construct=as-is"}, []string{"rules=:", "shapes=:"}, "", ""},
		{"no shapes", 400, []string{"format=turtle", "report=text"}, nil, "needs a file of shapes", ""},
		{"another report", 400, []string{"format=turtle", "report=pdf"}, []string{"shapes=s.ttl:" + lax}, "turtle or text", ""},
		{"a table", 400, []string{"format=csv"}, []string{"rules=a.rq:" + ownRule}, "they are for nquads", ""},
		{"no query", 400, []string{"format=turtle"}, []string{"rules=a.rq:\n\nSELEKT"}, "a.rq:3", ""},
		{"no CONSTRUCT", 400, []string{"format=turtle"}, []string{"rules=a.rq:ASK {}"}, "a rule is a CONSTRUCT query", ""},
		{"a service", 400, []string{"format=turtle"}, []string{"rules=a.rq:CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }"}, "leave SERVICE out", ""},
		{"no Turtle", 400, []string{"format=turtle"}, []string{"shapes=s.ttl:@prefix x"}, "s.ttl:1", ""},
		{"an empty file", 400, []string{"format=turtle"}, []string{"shapes=s.ttl:"}, "no shape has a target", ""},
		{"a file of this machine", 400, []string{"format=turtle", "construct=/etc/passwd"}, nil, "there is no rule set", ""},
		{"too many", 400, []string{"format=turtle"}, strings.Split(strings.Repeat("rules=a.rq:"+ownRule+"|", 10)+"rules=a.rq:"+ownRule, "|"), "at most 10 files", ""},
	} {
		kind, body := form(d.t, tc.fields, tc.files...)
		code, answer := d.ask("POST", export, kind, body)
		if code != tc.code || !strings.Contains(string(answer), tc.has) || tc.not != "" && strings.Contains(string(answer), tc.not) {
			d.t.Errorf("%s: %d\n%.1500s", tc.name, code, answer)
		}
	}
	want(400, "POST", export, "application/json", "{}")
}
