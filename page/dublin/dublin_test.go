package dublin_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/page/dublin"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const url = "http://a.test/page"

// of returns the record of a page in HTML with data in Turtle.
func of(t testing.TB, source, data string) dublin.Record {
	t.Helper()
	p, err := page.NewReader(page.Options{KeepBody: true}).Read(t.Context(),
		&step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}}, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	prefixes := "@prefix s: <http://schema.org/> . @prefix d: <http://purl.org/dc/terms/> . @prefix f: <http://xmlns.com/foaf/0.1/> . "
	triples, _ := rdftest.All(turtle.Read(strings.NewReader(prefixes+data), syntax.Options{Base: url}))
	return dublin.Of(p, func(yield func(rdf.Triple) bool) {
		for _, triple := range triples {
			if !yield(triple) {
				return
			}
		}
	})
}

// TestOf: each source is read, and the better one wins.
func TestOf(t *testing.T) {
	for _, tc := range []struct {
		name, source, data string
		want               dublin.Record
	}{
		{"nothing", "<p>text", "", dublin.Record{}},
		{"Dublin Core", `<html lang=de><meta name="DC.creator" content="Ann"><meta name="DC.Creator" content=" Bob  B. "><meta name="dcterms.issued" content="2001-02">
			<meta name="DC.rights" content="&copy; Ann"><meta name="dc.language" content="en-GB"><meta name="author" content="Webmaster">`,
			`[] a s:Article ; s:author "Carl" ; s:datePublished "1999" ; s:inLanguage "fr" ; s:license <http://l.test/> .`,
			dublin.Record{Creator: []string{"Ann", "Bob B."}, Date: "2001-02", Rights: "© Ann", Language: "en-GB"}},
		{"schema.org", `<html lang="de-AT"><meta name="author" content="Webmaster"><meta property="article:published_time" content="2020">`,
			`[] a s:WebSite ; s:inLanguage "xx" ; s:name "Site" . [] a s:NewsArticle ; s:author [ a s:Person ; s:name "Carl" ] , <#dora> ; s:dateCreated "1998" ; s:datePublished "1999" ;
			s:license <http://l.test/by> ; s:review [ a s:Review ; s:author "Eve" ; s:datePublished "2005" ] . <#dora> s:name "Dora" .`,
			dublin.Record{Creator: []string{"Carl", "Dora"}, Date: "1999", Rights: "http://l.test/by", Language: "de-AT"}},
		{"a review is not the page", "<p>text", `[] a s:Review ; s:author "Eve" ; s:datePublished "2005" .`, dublin.Record{}},
		{"about the document", "<p>text", `<http://a.test/page> d:creator [ f:name "Ann" ] ; d:date "2003" ; d:language "pt" . [] a s:Article ; s:author "Carl" .`,
			dublin.Record{Creator: []string{"Ann"}, Date: "2003", Language: "pt"}},
		{"Open Graph", `<html lang=de><meta property="article:author" content="https://fb.test/ann"><meta property="article:author" content="Ann"><meta property="article:published_time" content="2020-01-02"><meta name="author" content="W">`,
			"", dublin.Record{Creator: []string{"Ann"}, Date: "2020-01-02", Language: "de"}},
		{"scholarly", `<meta name="citation_author" content="A"><meta name="citation_author" content="B"><meta name="citation_publication_date" content="2011/3">`, "",
			dublin.Record{Creator: []string{"A", "B"}, Date: "2011/3"}},
		{"rel=license", `<p>text <a rel="nofollow license" href="/by">terms</a>`, "", dublin.Record{Rights: "http://a.test/by"}},
		{"a name escaped twice", `<meta name=author content="Cookies &amp;amp; Cups">`, "", dublin.Record{Creator: []string{"Cookies & Cups"}}},
	} {
		if got := of(t, tc.source, tc.data); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// TestBounds: values are bounded in number and size, and stay text.
func TestBounds(t *testing.T) {
	var source strings.Builder
	for i := range 100 {
		fmt.Fprintf(&source, "<meta name=dc.creator content=\"%d%s\">", i, strings.Repeat("ö", 600))
	}
	got := of(t, source.String(), "").Creator
	if len(got) != 32 || len(got[0]) > 500 || strings.ToValidUTF8(got[0], "?") != got[0] {
		t.Errorf("%d creators, the first of %d bytes", len(got), len(got[0]))
	}
}

// FuzzOf: no page makes reading panic, and values stay within bounds.
func FuzzOf(f *testing.F) {
	f.Add(`<html lang=de><meta name="DC.creator" content="Ann"><link rel=license href=x>`, `<http://a.test/page> d:date "2003" . [] s:author [ s:name "x" ] .`)
	f.Fuzz(func(t *testing.T, source, data string) {
		r := of(t, source, data)
		for _, v := range append(r.Creator, r.Date, r.Rights, r.Language) {
			if len(v) > 510 {
				t.Errorf("%d bytes", len(v))
			}
		}
	})
}
