package rdfa_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// hostile returns pages designed to be expensive.
func hostile() map[string]string {
	rep := strings.Repeat
	var prefixes, copies, mixed strings.Builder
	for i := range 20_000 {
		prefixes.WriteString("p" + strconv.Itoa(i) + ": http://e.org/" + strconv.Itoa(i) + "# ")
	}
	for i := range 20_000 {
		n := strconv.Itoa(i)
		copies.WriteString(`<p resource="_:a` + n + `" typeof="rdfa:Pattern"><link property="rdfa:copy" resource="_:a` + strconv.Itoa(i+1) + `"></p>` +
			`<p typeof="foaf:Person"><link property="rdfa:copy" resource="_:a` + n + `"></p>`)
		mixed.WriteString(`<b class=c` + n + `><p>x</b>`)
	}
	return map[string]string{
		"deep":                  rep(`<div property="og:a">`, 100_000) + "x",
		"deep and closed":       rep(`<i>`, 100_000) + rep(`</i>`, 100_000),
		"a million prefixes":    `<p prefix="` + rep("a: http://e.org/ ", 1_000_000) + `" property="a:b">x</p>`,
		"prefixes again":        `<p prefix="` + prefixes.String() + `">` + rep(`<b prefix="a: http://e.org/">`, 200) + rep(`<i prefix="a: b:"></i>`, 50_000),
		"prefixes in markup":    `<p prefix="` + prefixes.String() + `" property="og:a" datatype="rdf:XMLLiteral">` + rep(`<i>x</i>`, 20_000),
		"hanging rels":          `<p rel="` + rep("og:a ", 10_000) + `">` + rep(`<i about="#a"></i>`, 10_000),
		"hanging rels in lists": `<p inlist rel="` + rep("og:a ", 10_000) + `">` + rep(`<i about="#a"></i>`, 10_000),
		"lists":                 rep(`<i property="og:a" inlist>x</i>`, 100_000),
		"text of many":          rep(`<i property="og:a og:b og:c">`, 200) + rep("x", 1_000_000),
		"markup of many":        rep(`<i property="og:a" datatype="rdf:HTML">`, 200) + rep("x&<b>", 100_000),
		"properties of text":    `<p property="` + rep("og:a ", 100_000) + `">` + rep("x", 1_000_000),
		"properties of content": `<p content="` + rep("x", 1_000_000) + `" property="` + rep("og:a ", 100_000) + `">`,
		"types":                 rep(`<p typeof="og:a og:b og:c">`, 100_000),
		"patterns":              copies.String(),
		"attributes":            `<p ` + rep(`xmlns:a="b" `, 100_000) + `property=og:a>x`,
		"attributes in markup":  `<p property="og:a" datatype="rdf:XMLLiteral"><p ` + rep(`a="b" xmlns:a="b" `, 100_000) + `>`,
		"formatting":            mixed.String(),
		"end tags":              rep(`<i>`, 250) + rep(`</b>`, 100_000),
		"tables":                rep(`<table><tr><td>`, 80) + rep(`</p></tr></b>`, 100_000),
		"rels":                  rep("rel=", 500_000),
		"vocabularies":          rep(`<p vocab="http://e.org/">`, 250) + rep(`<i vocab="a"></i>`, 100_000),
		"bases":                 rep(`<base`, 500_000),
		"nothing":               "",
		"entities":              `<!DOCTYPE p [<!ENTITY a "` + rep("x", 64) + `">]><p property="og:a">` + rep("&a;", 100_000) + `</p>`,
		"declarations":          `<!DOCTYPE p [` + rep("<!ENTITY", 200_000) + `]><p property="og:a"/>`,
		"an open tag":           "<p property=" + rep("a", 1_000_000),
		"bytes":                 rep("\xff<p property='og:a'>\x00", 100_000),
	}
}

func TestHostilePages(t *testing.T) {
	for name, page := range hostile() {
		t.Run(name, func(t *testing.T) {
			for _, host := range []rdfa.Host{rdfa.HTML5, rdfa.XHTML5} {
				triples, bytes := 0, 0
				opts := rdfa.Options{Host: host, Options: syntax.Options{Base: "http://e.org/", Lenient: true}}
				for triple, err := range rdfa.Read(strings.NewReader(page), opts) {
					if err != nil {
						t.Error(err)
					}
					triples++
					if triple.O.Kind == rdf.Literal {
						bytes += len(triple.O.Value)
					}
				}
				if triples > 1<<18 || bytes > 65536+16*len(page) {
					t.Errorf("%d triples with %d bytes of literals from %d bytes", triples, bytes, len(page))
				}
				rdfa.Mentions([]byte(page))
			}
		})
	}
}

func TestLimitsAreErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		page string
		opts rdfa.Options
		want string
	}{
		"deep":            {strings.Repeat("<div><b>", 100_000), rdfa.Options{}, "nested too deep"},
		"deep XML":        {strings.Repeat("<p>", 1000), rdfa.Options{Host: rdfa.XHTML5}, "nested too deep"},
		"long":            {strings.Repeat("x", 1001), rdfa.Options{Options: syntax.Options{MaxToken: 1000}}, "more than 1000 bytes"},
		"much":            {strings.Repeat(`<p typeof="og:a">`, 200) + strings.Repeat(`<i typeof="og:a og:b og:c"></i>`, 100_000), rdfa.Options{}, "more data"},
		"not well-formed": {`<p property="og:a">x</p><q>`, rdfa.Options{Host: rdfa.XML}, "<q> is not closed"},
		"crossed":         {`<p><q></p></q>`, rdfa.Options{Host: rdfa.XML}, "<q> is closed by </p>"},
		"base":            {`<p>`, rdfa.Options{Options: syntax.Options{Base: "relative"}}, "base: "},
	} {
		t.Run(name, func(t *testing.T) {
			var last error
			for _, err := range rdfa.Read(strings.NewReader(tc.page), tc.opts) {
				last = err
			}
			var wrong *syntax.Error
			if !errors.As(last, &wrong) || !strings.Contains(wrong.Msg, tc.want) {
				t.Errorf("ended with %v, want %q", last, tc.want)
			}
		})
	}
}
