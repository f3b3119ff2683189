package results_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/sparql/results"
)

// TestFlaws: a value with a flaw in the middle loses no row, where only one thing can be meant.
func TestFlaws(t *testing.T) {
	const (
		ofJSON = `{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"before"}},%,{"x":{"type":"literal","value":"after"}}]}}`
		ofXML  = `<?xml version="1.0"?><sparql><head><variable name="x"/></head><results><result><binding name="x"><literal>before</literal></binding></result>%<result><binding name="x"><literal>after</literal></binding></result></results></sparql>`
		ofCSV  = "x,y\r\nbefore,1\r\n%\r\nafter,1\r\n"
		ofTSV  = "?x\t?y\n\"before\"\t1\n%\n\"after\"\t1\n"
	)
	inXML := func(term string) string { return `<result><binding name="x">` + term + "</binding></result>" }
	inJSON := func(term string) string { return `{"x":{` + term + `}}` }
	for _, tc := range []struct {
		name   string
		format results.Format
		frame  string
		flaw   string
		want   string
	}{
		{"an escape of Turtle", results.JSON, ofJSON, inJSON(`"type":"literal","value":"\U0001F600"`), "😀"},
		{"a raw tab", results.JSON, ofJSON, inJSON("\"type\":\"literal\",\"value\":\"a\tb\""), "a\tb"},
		{"a raw line end", results.JSON, ofJSON, inJSON("\"type\":\"literal\",\"value\":\"a\nb\""), "a\nb"},
		{"a raw control", results.JSON, ofJSON, inJSON("\"type\":\"literal\",\"value\":\"a\x01b\""), "a\x01b"},
		{"an escape of JavaScript", results.JSON, ofJSON, inJSON(`"type":"literal","value":"\x41\'"`), "A'"},
		{"an unknown escape", results.JSON, ofJSON, inJSON(`"type":"literal","value":"\d"`), "d"},
		{"half a pair", results.JSON, ofJSON, inJSON(`"type":"literal","value":"a\ud83d"`), "a\ufffd"},
		{"bytes that are not UTF-8", results.JSON, ofJSON, inJSON("\"type\":\"literal\",\"value\":\"a\xff\""), "a\ufffd"},
		{"a comma too many", results.JSON, ofJSON, inJSON(`"type":"literal","value":"a",`), "a"},
		{"a number", results.JSON, ofJSON, inJSON(`"type":"literal","value":5`), "5"},
		{"a boolean", results.JSON, ofJSON, inJSON(`"type":"literal","value":true`), "true"},
		{"a member unknown", results.JSON, ofJSON, inJSON(`"type":"literal","value":"a","note":{"deep":[1]}`), "a"},
		{"a member twice", results.JSON, ofJSON, inJSON(`"type":"literal","value":"b","value":"a"`), "a"},
		{"an old type", results.JSON, ofJSON, inJSON(`"type":"typed-literal","value":"a","datatype":"http://e.org/t"`), "a"},
		{"no datatype", results.JSON, ofJSON, inJSON(`"type":"literal","value":"a","datatype":""`), "a"},
		{"no language", results.JSON, ofJSON, inJSON(`"type":"literal","value":"a","xml:lang":""`), "a"},
		{"nothing bound", results.JSON, ofJSON, `{"x":null}`, ""},
		{"an empty term", results.JSON, ofJSON, `{"x":{}}`, ""},
		{"a blank in an IRI", results.JSON, ofJSON, inJSON(`"type":"uri","value":"http://e.org/a b"`), "http://e.org/a%20b"},
		{"a line end about an IRI", results.JSON, ofJSON, inJSON(`"type":"uri","value":"http://e.org/a\n"`), "http://e.org/a"},

		{"a bare ampersand", results.XML, ofXML, inXML("<literal>R&D</literal>"), "R&D"},
		{"an entity of HTML", results.XML, ofXML, inXML("<literal>a&eacute;</literal>"), "aé"},
		{"a reference to a control", results.XML, ofXML, inXML("<literal>a&#1;&#x0B;&#x1f;b&#9;&#x41;</literal>"), "a   b\tA"},
		{"a control", results.XML, ofXML, inXML("<literal>a\x01b</literal>"), "a b"},
		{"an attribute without quotes", results.XML, ofXML, inXML("<literal datatype=t>a</literal>"), "a"},
		{"an element unknown", results.XML, ofXML, "<note>a</note>" + inXML("<literal>a</literal>"), "a"},
		{"an empty binding", results.XML, ofXML, inXML(""), ""},
		{"space about an IRI", results.XML, ofXML, inXML("<uri> http://e.org/a\n</uri>"), "http://e.org/a"},
		{"a comment in a literal", results.XML, ofXML, inXML("<literal>a<!-- - -->b</literal>"), "ab"},
		{"CDATA", results.XML, ofXML, inXML("<literal><![CDATA[a<b&c]]></literal>"), "a<b&c"},

		{"a quote in a field", results.CSV, ofCSV, `a"b,1`, `a"b`},
		{"text behind quotes", results.CSV, ofCSV, `"a"b,1`, "ab"},
		{"a line end in quotes", results.CSV, ofCSV, "\"a\nb\",1", "a\nb"},
		{"bytes that are not UTF-8", results.CSV, ofCSV, "a\xff,1", "a\ufffd"},
		{"a NUL", results.CSV, ofCSV, "a\x00,1", "a\x00"},
		{"a blank in an IRI", results.CSV, ofCSV, "http://e.org/a b,1", "http://e.org/a b"},

		{"an escape of Turtle", results.TSV, ofTSV, "\"\\U0001F600\"\t1", "😀"},
		{"a blank in an IRI", results.TSV, ofTSV, "<http://e.org/a b>\t1", "http://e.org/a%20b"},
		{"bytes that are not UTF-8", results.TSV, ofTSV, "\"a\xff\"\t1", "a\ufffd"},
	} {
		res, err := results.Read(strings.NewReader(strings.ReplaceAll(tc.frame, "%", tc.flaw)), tc.format, results.Options{})
		if err != nil {
			t.Errorf("%v, %s: %v", tc.format, tc.name, err)
			continue
		}
		var got []string
		for row, err := range res.Rows {
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, row[0].Value)
		}
		if len(got) != 3 || got[0] != "before" || got[1] != tc.want || got[2] != "after" {
			t.Errorf("%v, %s: %q", tc.format, tc.name, got)
		}
	}
}
