package rdfa_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// article returns a page of about 20 kB; with data, it contains 25 things of four properties each, and Open
// Graph.
func article(data bool) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>A page</title>\n")
	for _, name := range []string{"title", "type", "url", "image", "description"} {
		fmt.Fprintf(&b, "<meta property=\"og:%s\" content=\"Of %s\">\n", name, name)
	}
	b.WriteString("<link rel=stylesheet href=a.css><script>var a = 1 < 2;</script></head><body vocab=\"http://schema.org/\">\n")
	for i := 0; b.Len() < 20_000; i++ {
		fmt.Fprintf(&b, "<div class=\"row item-%d\"><ul><li><a class=\"link\" href=\"/a/%d\">Link &amp; text</a></li><li>%s</li></ul>\n", i, i, strings.Repeat("some words ", 20))
		if i%2 == 0 {
			fmt.Fprintf(&b, "<p typeof=\"Person\" resource=\"#p%d\"><span property=\"name\">Name %d</span>, <a property=\"url\" href=\"/p/%d\">home</a>, "+
				"<time property=\"birthDate\" datetime=\"1970-01-01\">long ago</time> <b property=\"foaf:nick\">nick</b></p>\n", i, i, i)
		}
		b.WriteString("<img src=\"i.png\" alt=\"\" width=10></div>\n")
	}
	if data {
		return b.String()
	}
	return strings.NewReplacer("property", "data-one", "typeof", "data-two", "vocab", "data-three", "resource", "data-four").Replace(b.String())
}

func BenchmarkRead(b *testing.B) {
	for _, bc := range []struct {
		name string
		data bool
		host rdfa.Host
	}{{"HTML", true, rdfa.HTML5}, {"HTML without", false, rdfa.HTML5}} {
		page := article(bc.data)
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			triples := 0
			for b.Loop() {
				triples = 0
				for _, err := range rdfa.Read(strings.NewReader(page), rdfa.Options{Host: bc.host, Options: syntax.Options{Base: "http://e.org/"}}) {
					if err != nil {
						b.Fatal(err)
					}
					triples++
				}
			}
			b.ReportMetric(float64(triples), "triples")
		})
	}
}

func BenchmarkMentions(b *testing.B) {
	page := []byte(article(false))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if rdfa.Mentions(page) {
			b.Fatal("mentions")
		}
	}
}
