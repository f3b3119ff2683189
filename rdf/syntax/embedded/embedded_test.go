package embedded_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/rdfa"
)

// found returns what a page says, as "syntax: subject predicate object", and its problems.
func found(t testing.TB, page string, opts embedded.Options) (said, problems []string) {
	t.Helper()
	if opts.Base == "" {
		opts.Base = "http://page.test/a"
	}
	for s, err := range embedded.Read(t.Context(), []byte(page), opts) {
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		said = append(said, fmt.Sprintf("%s: %s %s %s", s.Syntax, s.S.Value, s.P.Value, s.O.Value))
	}
	return said, problems
}

// script is JSON-LD in a page.
func script(text string) string {
	return `<script type="application/ld+json">` + text + "</script>"
}

func TestEverySyntax(t *testing.T) {
	page := script(`{"@id": "x", "u:p": "json"}`) + `<meta property=og:title content=T><p property=u:p about=x>rdfa</p>` +
		`<p itemscope itemid=http://page.test/x><b itemprop=u:p>micro</b></p><p class=h-card>mf</p>`
	want := []string{
		"jsonld: http://page.test/x u:p json", "opengraph: http://page.test/a http://ogp.me/ns#title T", "rdfa: http://page.test/x u:p rdfa",
		"microdata: http://page.test/x u:p micro",
		"microformats: microformats_genid1 http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://microformats.org/profile/h-card",
		"microformats: microformats_genid1 http://microformats.org/profile/name mf",
	}
	said, problems := found(t, page, embedded.Options{})
	if !slices.Equal(said, want) || problems != nil {
		t.Errorf("got\n%s\nwant\n%s\n%v", strings.Join(said, "\n"), strings.Join(want, "\n"), problems)
	}
	said, _ = found(t, page, embedded.Options{Syntaxes: []embedded.Syntax{embedded.Microdata, embedded.JSONLD}})
	if !slices.Equal(said, []string{want[0], want[3]}) {
		t.Errorf("of two syntaxes %q", said)
	}
	said, _ = found(t, page, embedded.Options{Syntaxes: []embedded.Syntax{embedded.RDFa}, Apart: true})
	if len(said) != 2 {
		t.Errorf("of RDFa alone %q", said)
	}
}

// TestNoscript: what is in <noscript> is markup, since no scripts run.
func TestNoscript(t *testing.T) {
	page := "<noscript>" + script(`{"@id": "x", "u:p": "json"}`) + "<p property=u:p about=x>rdfa</p></noscript>" + script(`{"@id": "y", "u:p": "behind"}`)
	said, problems := found(t, page, embedded.Options{})
	want := []string{"jsonld: http://page.test/x u:p json", "jsonld: http://page.test/y u:p behind", "rdfa: http://page.test/x u:p rdfa"}
	if !slices.Equal(said, want) || problems != nil {
		t.Errorf("%q, %v", said, problems)
	}
}

// TestOpenGraphOnce: however a page declares its prefixes, and whatever language it is in.
func TestOpenGraphOnce(t *testing.T) {
	for _, prefix := range []string{
		"", "og: http://ogp.me/ns#", "og: https://ogp.me/ns# article: https://ogp.me/ns/article# fb: http://www.facebook.com/2008/fbml#",
		"og: http://opengraphprotocol.org/schema/", "article: http://ogp.me/ns/article# twitter: https://dev.twitter.com/cards#", "fb: http://www.facebook.com/2008/fbml",
	} {
		page := `<html lang=en prefix="` + prefix + `"><meta property=og:title content=T><meta property=og:image content=/i.png><meta property=article:tag content=a>` +
			`<meta property=article:tag content=b><meta property=fb:app_id content=7><meta property=twitter:card content=s><p property=u:p>kept</p>`
		said, problems := found(t, page, embedded.Options{})
		if len(said) != 7 || said[6] != "rdfa: http://page.test/a u:p kept" || problems != nil {
			t.Errorf("%s: %q, %v", prefix, said, problems)
		}
		if said, _ = found(t, page, embedded.Options{Apart: true}); len(said) != 13 {
			t.Errorf("%s: apart %q", prefix, said)
		}
	}
	if said, _ := found(t, `<p property=og:title>of no meta</p>`, embedded.Options{}); len(said) != 1 {
		t.Errorf("RDFa alone has it: %q", said)
	}
}

func TestBlankNodesStayApart(t *testing.T) {
	page := strings.Repeat(script(`{"@id": "_:a", "u:p": {"@id": "_:b"}}`), 2) + "<p vocab=u: typeof=T></p><p itemscope><b itemprop=u:p>a</b></p><p class=h-card>b</p>"
	labels, ofScripts := map[string]embedded.Syntax{}, 0
	for s, err := range embedded.Read(t.Context(), []byte(page), embedded.Options{Base: "http://page.test/a"}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range []rdf.Term{s.S, s.O} {
			if term.Kind != rdf.Blank {
				continue
			}
			of, known := labels[term.Value]
			if known && of != s.Syntax {
				t.Errorf("%s is of %s and of %s", term.Value, of, s.Syntax)
			}
			if labels[term.Value] = s.Syntax; !known && s.Syntax == embedded.JSONLD {
				ofScripts++
			}
		}
	}
	if ofScripts != 4 || len(labels) < 7 {
		t.Errorf("labels %v", labels)
	}
}

// TestProblemsHaveTheirPlace: in the page, with their syntax; the rest is read.
func TestProblemsHaveTheirPlace(t *testing.T) {
	page := "<p>\n  " + script(`{"@id": `) + "\n" + script("\n{\"@context\": \"http://c.test/\", \"a\": 1}") + script(`{"@id": "x", "u:p": 1}`) +
		"<p id=i itemscope itemref=i>"
	var got []embedded.Problem
	said := 0
	for s, err := range embedded.Read(t.Context(), []byte(page), embedded.Options{Name: "page", Base: "http://page.test/a"}) {
		var p *embedded.Problem
		switch {
		case err == nil:
			said++
		case errors.As(err, &p) && p.Syntax == s.Syntax && s.Quad == rdf.Quad{} && p.Err != nil:
			got = append(got, *p)
		default:
			t.Errorf("%v, %v", s, err)
		}
	}
	if len(got) != 3 || said != 1 || got[0].Line != 2 || got[0].Column < 30 || !errors.Is(&got[1], jsonld.ErrNotLoaded) || got[1].Line != 3 ||
		got[2].Syntax != embedded.Microdata || got[2].Line != 0 {
		t.Fatalf("%d statements, %+v", said, got)
	}
	if text := got[1].Error(); !strings.HasPrefix(text, "page:3:") || !strings.Contains(text, ": jsonld: remote context: context http://c.test/: ") {
		t.Error(text)
	}
	if text := got[2].Error(); !strings.HasPrefix(text, "page: microdata: ") {
		t.Error(text)
	}
}

// TestScriptsAndLoadsAreCounted: so many scripts and contexts, and no context that failed is asked for
// twice.
func TestScriptsAndLoadsAreCounted(t *testing.T) {
	asked := map[string]int{}
	opts := embedded.Options{MaxScripts: 8, MaxLoads: 3, JSONLD: jsonld.Options{
		Load: func(_ context.Context, url string) (io.ReadCloser, string, string, error) {
			if asked[url]++; url == "http://c.test/none" {
				return nil, "", "", io.ErrUnexpectedEOF
			}
			return io.NopCloser(strings.NewReader(`{"@context": {"@vocab": "u:"}}`)), "", "", nil
		},
	}}
	var page strings.Builder
	for _, name := range []string{"a", "none", "none", "a", "b", "c", "a", "none", "d"} {
		fmt.Fprintf(&page, `<script type="Application/LD&#43;JSON; charset=utf-8">{"@context": "http://c.test/%s", "p": "v"}</script>`, name)
	}
	said, problems := found(t, page.String(), opts)
	if len(said) != 4 || len(problems) != 5 || !strings.Contains(problems[0], "9 scripts: the first 8 are read") || !strings.Contains(problems[3], "too many contexts") {
		t.Errorf("%q\n%s", said, strings.Join(problems, "\n"))
	}
	for url, n := range asked {
		if n != 1 {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	if len(asked) != 3 {
		t.Errorf("asked %v", asked)
	}
}

// TestCrashesCostTheirSyntax: a reader's; what the consumer does is its own.
func TestCrashesCostTheirSyntax(t *testing.T) {
	page := script(`{"@context": "http://c.test/", "p": "v"}`) + "<p property=u:p>a</p>"
	opts := embedded.Options{JSONLD: jsonld.Options{Load: func(context.Context, string) (io.ReadCloser, string, string, error) { panic("loaded") }}}
	said, problems := found(t, page, opts)
	if len(said) != 1 || len(problems) != 1 || problems[0] != "http://page.test/a: jsonld: the reader crashed: loaded" {
		t.Errorf("%q, %q", said, problems)
	}
	defer func() {
		if recover() != "mine" {
			t.Error("a panic of the consumer was taken")
		}
	}()
	for range embedded.Read(t.Context(), []byte(page), embedded.Options{Base: "http://page.test/a"}) {
		panic("mine")
	}
}

func TestReadingEndsWhenAsked(t *testing.T) {
	page := []byte(script(`{"@id": `) + script(`{"@id": "x", "u:p": [1, 2]}`) + "<p property=u:p>a</p>")
	for most := range 4 {
		n := 0
		for range embedded.Read(t.Context(), page, embedded.Options{Base: "http://page.test/a"}) {
			if n++; n > most {
				break
			}
		}
		if n != most+1 {
			t.Errorf("%d of %d", n, most+1)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range embedded.Read(ctx, page, embedded.Options{Base: "http://page.test/a"}) {
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d after the context's end", n)
	}
}

// TestXHTMLIsUTF8 whatever its declaration says it was.
func TestXHTMLIsUTF8(t *testing.T) {
	page := "<?xml version='1.0'\n encoding='iso-8859-1'?><html xmlns='http://www.w3.org/1999/xhtml'><p property='u:p'>\u00fc</p></html>"
	if said, problems := found(t, page, embedded.Options{Host: rdfa.XHTML5}); len(said) != 1 || !strings.HasSuffix(said[0], " \u00fc") || problems != nil {
		t.Errorf("%q, %v", said, problems)
	}
}

func TestWholeEndsWithoutItsContext(t *testing.T) {
	reported := 0
	opts := jsonld.Options{Options: syntax.Options{Base: "http://page.test/a", OnError: func(error) { reported++ }}}
	n := 0
	for _, err := range embedded.Whole(opts, func(o jsonld.Options) iter.Seq2[rdf.Quad, error] {
		return jsonld.Read(strings.NewReader(`{"@context": "http://c.test/", "u:p": 1}`), o)
	}) {
		if n++; !errors.Is(err, jsonld.ErrNotLoaded) {
			t.Errorf("%v", err)
		}
	}
	if n != 1 || reported != 0 {
		t.Errorf("%d, %d reported", n, reported)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", script(`{"@id": "x", "u:p": "v",}`) + "<base href=b>", "<p vocab=u: typeof=a property=b prefix='c: d:'>e", "<p itemscope itemref=a itemprop=b id=a>",
		"<meta property='og:title twitter:card' content=a><p class='h-card p-name'>b", "<?xml version='1.0' encoding='utf-16'?><html property='u:p'/>",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, page []byte, xhtml bool) {
		before := bytes.Clone(page)
		opts := embedded.Options{Base: "http://page.test/a", MaxScripts: 4}
		if xhtml {
			opts.Host = rdfa.XHTML5
		}
		for s, err := range embedded.Read(t.Context(), page, opts) {
			if err != nil && strings.Contains(err.Error(), "crashed") {
				t.Fatal(err)
			}
			if err == nil && s.P.Kind != rdf.IRI {
				t.Errorf("%+v", s)
			}
		}
		if !bytes.Equal(page, before) {
			t.Fatal("the page was changed")
		}
	})
}
