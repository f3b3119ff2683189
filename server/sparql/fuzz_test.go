package sparql_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"orbweaver/server/sparql"
)

// FuzzRequests: any request is answered or refused, never with a 500.
func FuzzRequests(f *testing.F) {
	f.Add(0, "/sparql?query=ASK+{}", "", "", "text/csv")
	f.Add(1, "/sparql?default-graph-uri=u:g", queryType, "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "application/rdf+xml")
	f.Add(1, "/sparql", formType, "update=INSERT+DATA+{+<u:a>+<u:b>+[]+}", "*/*")
	f.Add(2, "/graphs?default", "text/turtle", "<> <p> [ <q> ( 1 2 ) ] .", "")
	f.Add(1, "/graphs/x", "multipart/form-data; boundary=b", "--b\r\nContent-Type: text/turtle\r\n\r\n<a> <b> <c> .\r\n--b--", "")
	f.Add(2, "/graphs?graph=u:g", "application/ld+json", `{"@context": {"p": "u:p"}, "@id": "u:a", "p": [{"@list": [1, "x"]}, {"@id": "_:b"}]}`, "")
	f.Add(1, "/graphs?graph=u:g", "application/trig", "{ <u:a> <u:p> [] } <u:g> { <u:a> <u:p> 1 }", "")
	f.Add(3, "/graphs?graph=u:g", "", "", "")
	f.Fuzz(func(t *testing.T, method int, target, contentType, body, accept string) {
		methods := []string{"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"}
		u, err := url.ParseRequestURI(target)
		if err != nil || !strings.HasPrefix(target, "/") || u.Host != "" {
			t.Skip()
		}
		h := changeable(sample(t), sparql.Options{MaxRows: 1000, MaxBytes: 1 << 20})
		r := request(methods[uint(method)%uint(len(methods))], "/", contentType, body)
		r.URL, r.Header["Accept"] = u, []string{accept}
		if res := send(h, r); res.StatusCode == http.StatusInternalServerError {
			t.Errorf("%s %s: %s", r.Method, target, text(t, res))
		}
	})
}
