package sparql_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/results"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/server/sparql"
)

const (
	suite = "sparql/sparql11/"
	mf    = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	ut    = "http://www.w3.org/2009/sparql/tests/test-update#"
	ht    = "http://www.w3.org/2011/http#"
	cnt   = "http://www.w3.org/2011/content#"
	rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	label = "http://www.w3.org/2000/01/rdf-schema#label"
)

// A manifest is one of the W3C's, as a graph.
type manifest struct {
	t     *testing.T
	files map[string][]byte
	graph map[rdf.Term]map[string][]rdf.Term
}

func openManifest(t *testing.T, folder string) *manifest {
	t.Helper()
	m := &manifest{t: t, files: map[string][]byte{}, graph: map[rdf.Term]map[string][]rdf.Term{}}
	for _, f := range rdftest.Archive(t, "w3c-rdf-tests.tar.gz", suite+folder+"/") {
		m.files[strings.TrimPrefix(f.Name, suite+folder+"/")] = f.Data
	}
	for _, s := range rdftest.Collect(t, turtle.Read(bytes.NewReader(m.files["manifest.ttl"]), rdfsyntax.Options{Base: "http://m.test/"})) {
		if m.graph[s.S] == nil {
			m.graph[s.S] = map[string][]rdf.Term{}
		}
		m.graph[s.S][s.P.Value] = append(m.graph[s.S][s.P.Value], s.O)
	}
	return m
}

// one is a property's first value.
func (m *manifest) one(s rdf.Term, property string) rdf.Term {
	for _, o := range m.graph[s][property] {
		return o
	}
	return rdf.Term{}
}

// list is the members of a collection.
func (m *manifest) list(node rdf.Term) (out []rdf.Term) {
	for ; node.Kind == rdf.Blank; node = m.one(node, rdfNS+"rest") {
		out = append(out, m.one(node, rdfNS+"first"))
	}
	return out
}

// entries are the tests.
func (m *manifest) entries() []rdf.Term {
	for s := range m.graph {
		if list := m.one(s, mf+"entries"); !list.IsZero() {
			return m.list(list)
		}
	}
	return nil
}

// TestProtocolSuite: the tests of the SPARQL 1.1 Protocol.
func TestProtocolSuite(t *testing.T) {
	m := openManifest(t, "protocol")
	tests := m.entries()
	if len(tests) != 34 {
		t.Errorf("%d tests", len(tests))
	}
	for _, test := range tests {
		t.Run(m.one(test, mf+"name").Value, func(t *testing.T) {
			m.t = t
			store := quads.NewMemory()
			for _, g := range m.graph[test][ut+"graphData"] {
				file := strings.TrimPrefix(m.one(g, ut+"graph").Value, "http://m.test/")
				for _, s := range rdftest.Collect(t, turtle.Read(bytes.NewReader(m.files[file]), rdfsyntax.Options{})) {
					add(t, store, rdf.Quad{S: s.S, P: s.P, O: s.O, G: rdf.NewIRI(m.one(g, label).Value)})
				}
			}
			h := changeable(store, sparql.Options{Hosts: []string{"www.example"}})
			requests := m.list(m.one(m.one(test, mf+"action"), ht+"requests"))
			if len(requests) == 0 {
				t.Error("no requests")
			}
			for _, r := range requests {
				m.expect(m.one(r, ht+"resp"), send(h, m.request(r)))
			}
		})
	}
}

// request makes a request of its description.
func (m *manifest) request(r rdf.Term) *http.Request {
	body := m.one(r, ht+"body")
	text := []byte(m.one(body, cnt+"chars").Value)
	if m.one(body, cnt+"characterEncoding").Value == "UTF-16" {
		var coded []byte
		for _, unit := range utf16.Encode([]rune(string(text))) {
			coded = binary.BigEndian.AppendUint16(coded, unit)
		}
		text = coded
	}
	path := strings.ReplaceAll(m.one(r, ht+"absolutePath").Value, " ", "%20")
	req := httptest.NewRequest(m.one(r, ht+"methodName").Value, "http://www.example"+path, bytes.NewReader(text))
	for _, h := range m.list(m.one(r, ht+"headers")) {
		req.Header.Set(m.one(h, ht+"fieldName").Value, m.one(h, ht+"fieldValue").Value)
	}
	return req
}

// expect compares an answer with what a test says of it.
func (m *manifest) expect(want rdf.Term, got *http.Response) {
	m.t.Helper()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	fits := false
	for _, s := range m.graph[want][mf+"expectedStatus"] {
		fits = fits || strings.HasSuffix(s.Value, "StatusCode"+strconv.Itoa(got.StatusCode/100)+"xx")
	}
	if !fits {
		m.t.Errorf("status %d: %s", got.StatusCode, body)
	}
	media, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	switch m.one(want, mf+"expectedFormat").Value {
	case "RDF":
		if f := rdfsyntax.Detect("", media, nil); f == rdfsyntax.Unknown {
			m.t.Errorf("media type %s", media)
		}
	case "boolean", "tabular":
		answer, err := results.Read(bytes.NewReader(body), results.Detect(media, nil), results.Options{})
		if err != nil {
			m.t.Fatalf("%v: %s", err, body)
		}
		if b := m.one(want, mf+"expectedBoolean"); !b.IsZero() && (answer.Boolean == nil || strconv.FormatBool(*answer.Boolean) != b.Value) {
			m.t.Errorf("%s, not %s", body, b.Value)
		}
	}
}

// TestGraphStoreSuite: the tests of the Graph Store HTTP Protocol, which are written as the text of
// requests and answers, one after the other on one store.
func TestGraphStoreSuite(t *testing.T) {
	m := openManifest(t, "http-rdf-update")
	h := changeable(quads.NewMemory(), sparql.Options{Hosts: []string{"www.example"}})
	other := request("PUT", "/graphs/person/2.ttl", "text/turtle", "<a:a> <a:b> <a:c> .")
	other.Host = "www.example"
	if res := send(h, other); res.StatusCode != http.StatusCreated {
		t.Fatal(res.Status)
	}
	tests, newPath := m.entries(), ""
	if len(tests) != 18 {
		t.Errorf("%d tests", len(tests))
	}
	for _, test := range tests {
		name := m.one(test, mf+"name").Value
		text := ""
		for _, comment := range m.graph[test]["http://www.w3.org/2000/01/rdf-schema#comment"] {
			if strings.Contains(comment.Value, "#### Request") {
				text = comment.Value
			}
		}
		asked, answered, _ := strings.Cut(text, "#### Response")
		for _, end := range []string{"familyName \"Doe\"", "givenName \"Jane\"", "foaf:name \"Jane Doe\""} {
			asked = strings.ReplaceAll(asked, end, end+" .") // the full stop that these documents lack
		}
		asked = filledIn(strings.Replace(asked, "#### Request", "", 1), newPath)
		answered = filledIn(answered, newPath)
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(asked)))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, asked)
		}
		_, body, _ := strings.Cut(asked, "\r\n\r\n")
		req.Body = io.NopCloser(strings.NewReader(body))
		got := send(h, req)
		if status := strings.Fields(answered)[0]; status != strconv.Itoa(got.StatusCode) {
			content, _ := io.ReadAll(got.Body)
			t.Errorf("%s: status %d, not %s: %s", name, got.StatusCode, status, content)
		}
		if location := got.Header.Get("Location"); location != "" {
			newPath = strings.TrimPrefix(location, "http://www.example")
		}
		_, want, _ := strings.Cut(answered, "\r\n\r\n")
		if req.Method != http.MethodGet || strings.TrimSpace(want) == "" || name == "GET of POST - existing graph" {
			continue // the answer that this one test tells is of before the POST
		}
		a := rdftest.Collect(t, turtle.Read(strings.NewReader(want), rdfsyntax.Options{Base: "http://www.example/"}))
		b := rdftest.Collect(t, turtle.Read(got.Body, rdfsyntax.Options{Base: "http://www.example/"}))
		if !rdftest.Isomorphic(a, b) || len(a) == 0 {
			t.Errorf("%s: %v, not %v", name, b, a)
		}
	}
}

// filledIn is a message of a test as it is sent: names put in, indentation taken off.
func filledIn(text, newPath string) string {
	text = strings.NewReplacer("http://$HOST$/$GRAPHSTORE$", "http://www.example/graphs", "$GRAPHSTORE$", "/graphs",
		"$HOST$", "www.example", "$NEWPATH$", newPath).Replace(text)
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimPrefix(strings.TrimRight(line, "\n"), "    "))
	}
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// TestServiceDescriptionSuite: the three tests of service descriptions.
func TestServiceDescriptionSuite(t *testing.T) {
	if n := len(openManifest(t, "service-description").entries()); n != 3 {
		t.Errorf("%d tests", n)
	}
	const sd = "http://www.w3.org/ns/sparql-service-description#"
	h := changeable(sample(t), sparql.Options{})
	got := send(h, request("GET", "/sparql", "", ""))
	facts := map[rdf.Triple]bool{}
	var service rdf.Term
	for _, s := range rdftest.Collect(t, turtle.Read(got.Body, rdfsyntax.Options{})) {
		if s.P.Value == sd+"endpoint" {
			service = s.S
		}
		facts[s] = true
	}
	for _, want := range []rdf.Triple{
		{S: service, P: rdf.NewIRI(rdfNS + "type"), O: rdf.NewIRI(sd + "Service")},
		{S: service, P: rdf.NewIRI(sd + "endpoint"), O: rdf.NewIRI("http://localhost/sparql")},
		{S: service, P: rdf.NewIRI(sd + "supportedLanguage"), O: rdf.NewIRI(sd + "SPARQL11Query")},
		{S: service, P: rdf.NewIRI(sd + "supportedLanguage"), O: rdf.NewIRI(sd + "SPARQL11Update")},
	} {
		if !facts[want] {
			t.Errorf("no %v", want)
		}
	}
}
