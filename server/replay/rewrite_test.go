package replay

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver"
)

// rewritten rewrites a document at http://a.test/dir/page?q.
func rewritten(t testing.TB, src string, kind kind) string {
	t.Helper()
	l, err := newLinker("/web/", "http://a.test/dir/page?q")
	if err != nil {
		t.Fatal(err)
	}
	out, err := rewrite(map[string][]string{}, kind, []byte(src), l)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestRewriteHTML(t *testing.T) {
	const w = "/web/http://a.test"
	for _, tc := range []struct{ name, src, want string }{
		{"relative", `<a href="x">`, `<a href="` + w + `/dir/x">`},
		{"absolute path", `<a href=/x>`, `<a href="` + w + `/x">`},
		{"another host", `<a href='https://b.test'>`, `<a href="/web/https://b.test/">`},
		{"without scheme", `<img src=//b.test/i.png alt=x>`, `<img src="/web/http://b.test/i.png" alt=x>`},
		{"above the root", `<a href="../../../x">`, `<a href="` + w + `/x">`},
		{"a query alone", `<a href="?p=1">`, `<a href="` + w + `/dir/page?p=1">`},
		{"fragment kept", `<a href="x#top">`, `<a href="` + w + `/dir/x#top">`},
		{"fragment made safe", `<a href='x#"><b>'>`, `<a href="` + w + `/dir/x#%22%3E%3Cb%3E">`},
		{"within the page", `<a href="#top">`, `<a href="#top">`},
		{"empty", `<a href="" name>`, `<a href="" name>`},
		{"references", `<a href="?a=1&amp;b=2&copy=3&lt;">`, `<a href="` + w + `/dir/page?a=1&amp;b=2&amp;copy=3%3C">`},
		{"scheme in references", `<a href="&#104;ttp://b.test/">`, `<a href="/web/http://b.test/">`},
		{"line ends inside", "<a href=\"ht\ntp://b.\ttest/\">", `<a href="/web/http://b.test/">`},
		{"backslashes", `<a href="\\b.test\x">`, `<a href="/web/http://b.test/x">`},
		{"not of the Web", `<a href="mailto:a@b.test"><img src="data:image/gif,x"><a href="JavaScript:x()">`,
			`<a href="mailto:a@b.test"><img src="data:image/gif,x"><a href="JavaScript:x()">`},
		{"no address", `<a href="http://[bad/">`, `<a href="about:invalid">`},
		{"case and order kept", `<A  ID=1 HREF = x  Class='y'/>`, `<A  ID=1 HREF = "` + w + `/dir/x"  Class='y'/>`},
		{"unquoted with slash", `<a href=x/>`, `<a href="` + w + `/dir/x/">`},
		{"values side by side", `<a href="x"class="y">`, `<a href="` + w + `/dir/x"class="y">`},
		{"forms", `<form action=s><button formaction=t>`, `<form action="` + w + `/dir/s"><button formaction="` + w + `/dir/t">`},
		{"media", `<video poster=p src=v><object data=o><td background=b><div data=x>`,
			`<video poster="` + w + `/dir/p" src="` + w + `/dir/v"><object data="` + w + `/dir/o"><td background="` + w + `/dir/b"><div data=x>`},
		{"srcset", `<img srcset="a.png 1x,b.png  2x , c.png, data:x,y 3x">`,
			`<img srcset="` + w + `/dir/a.png 1x,` + w + `/dir/b.png  2x , ` + w + `/dir/c.png, data:x,y 3x">`},
		{"style attribute", `<p style="background:url(&quot;b.png&quot;) top">`,
			`<p style="background:url(&#34;` + w + `/dir/b.png&#34;) top">`},
		{"style element", `<style>@import "x"; p{background:url(b)}</style>`,
			`<style>@import "` + w + `/dir/x"; p{background:url("` + w + `/dir/b")}</style>`},
		{"scripts stay", `<script>a='<a href="x">'</script><textarea><a href=x></textarea><!-- <a href=x> -->`,
			`<script>a='<a href="x">'</script><textarea><a href=x></textarea><!-- <a href=x> -->`},
		{"script addresses do not", `<script src=x integrity="sha256-x" crossorigin async></script>`,
			`<script src="` + w + `/dir/x"   async></script>`},
		{"noscript", `<noscript><img src=x></noscript>`, `<noscript><img src="` + w + `/dir/x"></noscript>`},
		{"refresh", `<meta http-equiv="Refresh" content="5; URL='x'">`, `<meta http-equiv="Refresh" content="5; url=` + w + `/dir/x">`},
		{"refresh of itself", `<meta http-equiv=refresh content=30>`, `<meta http-equiv=refresh content=30>`},
		{"policies go", `<meta http-equiv=content-security-policy content="img-src x"><meta name=referrer content=origin><b>`, `<b>`},
		{"telling others goes", `<a ping="http://spy.test/" href="x">`, `<a  href="` + w + `/dir/x">`},
		{"a document in an attribute", `<iframe srcdoc="<a href='x'>">`, `<iframe srcdoc="&lt;a href=&#34;` + w + `/dir/x&#34;&gt;">`},
		{"base", `<a href=x><base href="//b.test/y/"><a href=x><base href=z>`,
			`<a href="/web/http://b.test/y/x"><base href="/web/http://b.test/y/"><a href="/web/http://b.test/y/x"><base href="/web/http://b.test/y/z">`},
		{"a base that is none", `<base href="data:x"><a href=x>`, `<base href="data:x"><a href="` + w + `/dir/x">`},
		{"a base in a comment", `<!--<base href=http://b.test/>--><a href=x>`, `<!--<base href=http://b.test/>--><a href="` + w + `/dir/x">`},
		{"pictures", `<svg viewBox="0 0 1 1"><image xlink:href="x"/><use href="#u"/></svg>`,
			`<svg viewBox="0 0 1 1"><image xlink:href="` + w + `/dir/x"/><use href="#u"/></svg>`},
		{"cut off", `<a href=x>y<a href="z`, `<a href="` + w + `/dir/x">y<a href="z`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := rewritten(t, tc.src, asHTML); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestRewriteXML(t *testing.T) {
	got := rewritten(t, `<html><script src="s"/><a href="x"/><title/><style/><![CDATA[<a href="x"/>]]><a href="y"/></html>`, asXML)
	const w = "/web/http://a.test/dir/"
	want := `<html><script src="` + w + `s"/><a href="` + w + `x"/><title/><style/><![CDATA[<a href="x"/>]]><a href="` + w + `y"/></html>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRewriteCSS(t *testing.T) {
	const w = `/web/http://a.test/dir/`
	for _, tc := range []struct{ name, src, want string }{
		{"unquoted", `a{b:url( x.png )}`, `a{b:url("` + w + `x.png")}`},
		{"quoted", `a{b:URL('x y.png')}`, `a{b:url("` + w + `x%20y.png")}`},
		{"escapes", `a{b:url(x\2e png\)\"y)}`, `a{b:url("` + w + `x.png)%22y")}`},
		{"import", `@IMPORT/**/ 'x' screen;@import url(y);@media "x"`, `@IMPORT/**/ "` + w + `x" screen;@import url("` + w + `y");@media "x"`},
		{"strings stay", `a{content:"url(x)"} /* url(y) */`, `a{content:"url(x)"} /* url(y) */`},
		{"inside the document", `a{clip-path:url(#c);b:url(data:x)}`, `a{clip-path:url(#c);b:url(data:x)}`},
		{"bad", `a{b:url(x"y)}c{d:url(z)}`, `a{b:url(x"y)}c{d:url("` + w + `z")}`},
		{"cut off", `a{b:url(x`, `a{b:url("` + w + `x")`},
		{"no way out", `a{b:url("x#\3c/style\3e\22")}`, `a{b:url("` + w + `x#%3C/style%3E%22")}`},
		{"zero", "a{b:url(\\0)}\x00", "a{b:url(\"" + w + "%EF%BF%BD\")}\x00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := rewritten(t, tc.src, asCSS); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestRefresh(t *testing.T) {
	l, _ := newLinker("/web/2020/", "http://a.test/")
	for _, tc := range []struct{ value, want string }{
		{"5;url=x", "5; url=/web/2020/http://a.test/x"},
		{" 5 , URL = \"x\" y", "5; url=/web/2020/http://a.test/x"},
		{"5 x", "5; url=/web/2020/http://a.test/x"},
		{"0;'x", "0; url=/web/2020/http://a.test/x"},
		{"5", ""}, {"5;", ""}, {"5; url=", ""}, {"", ""}, {"5; url=#x", ""},
	} {
		got, ok := l.refresh(tc.value)
		if ok != (tc.want != "") || ok && got != tc.want {
			t.Errorf("%q: %q, %v, want %q", tc.value, got, ok, tc.want)
		}
	}
}

// TestAmplified: short references with a long base would give a large document, which is refused.
func TestAmplified(t *testing.T) {
	long := "http://a.test/" + strings.Repeat("x/", 4000)
	for _, tc := range []struct {
		name, src string
		kind      kind
	}{
		{"links", strings.Repeat("<a href=x>", 100_000), asHTML},
		{"one srcset", `<img srcset="` + strings.Repeat("x, ", 100_000) + `">`, asHTML},
		{"one style", `<p style="` + strings.Repeat("a:url(x);", 100_000) + `">`, asHTML},
		{"a style sheet", strings.Repeat("a{b:url(x)}", 100_000), asCSS},
		{"ampersands in nested documents", `<iframe srcdoc="` + html.EscapeString(`<iframe srcdoc="`+html.EscapeString(`<a href=x>`)+strings.Repeat("& ", 4<<20)+`">`) + `">`, asHTML},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, err := newLinker("/web/", long)
			if err != nil {
				t.Fatal(err)
			}
			out, err := rewrite(map[string][]string{}, tc.kind, []byte(tc.src), l)
			if orbweaver.FailureOf(err) != orbweaver.ErrTooLarge {
				t.Errorf("%d bytes, %v", len(out), err)
			}
		})
	}
}

// linksOf returns the href and src values in a document.
func linksOf(src []byte) (values []string) {
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return values
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			for tag := string(name); more; {
				var key, value []byte
				key, value, more = z.TagAttr()
				if (string(key) == "href" || string(key) == "src") && tag != "meta" {
					values = append(values, string(value))
				}
			}
		}
	}
}

// FuzzRewrite: no rewritten link leaves the server; documents without links and text around links in style
// sheets are unchanged.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{
		`<a href=x y='z'>`, `<base href=//b/><img srcset="a 1x, b" src = "c"/>`, `<style>@import "x";a{b:url(c\29 )}</style>`,
		`<meta http-equiv=refresh content="0;url=x">`, `<iframe srcdoc="&lt;a href=x>">`, `<noscript><a href=x>`, "<a \x00=/ href", `<a =href="x"/=>`,
		"url(x)", "@import 'x\\", "\\", "<svg><style/><![CDATA[", `<a href="&amp;&copy=&#x68;ttp:">`,
	} {
		f.Add([]byte(seed), uint8(2))
		f.Add([]byte(seed), uint8(4))
	}
	f.Fuzz(func(t *testing.T, src []byte, by uint8) {
		kind := asHTML + kind(by%3)
		l, err := newLinker("/web/", "http://a.test/dir/page")
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(src)
		out, err := rewrite(map[string][]string{"Content-Type": {"text/html; charset=utf-8"}}, kind, src, l)
		if err != nil {
			if orbweaver.FailureOf(err) != orbweaver.ErrTooLarge {
				t.Fatal(err)
			}
			return
		}
		if !bytes.Equal(src, before) {
			t.Fatal("the document itself was changed")
		}
		if kind == asHTML {
			for _, link := range linksOf(out) {
				trimmed := strings.TrimFunc(link, func(r rune) bool { return r <= ' ' })
				if trimmed == "" || strings.HasPrefix(trimmed, "/web/http") || trimmed[0] == '#' || trimmed == nowhere {
					continue
				}
				if to, ok := l.link(link); ok {
					t.Fatalf("%q leaves to %q, of %q, in %q", link, to, src, out)
				}
			}
		}
		if l.left == maxRewritten && kind == asCSS && !bytes.Contains(out, []byte(nowhere)) && !bytes.Equal(out, src) {
			t.Fatalf("%q became %q", src, out)
		}
	})
}

func BenchmarkRewriteHTML(b *testing.B) {
	page := []byte(strings.Repeat(`<p class="x">Some words of a page, and <a href="../other/page.html?a=1&amp;b=2" title="t">a link</a>, and more words.</p>`+"\n", 160))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		l, _ := newLinker("/web/", "http://a.test/dir/page")
		if _, err := rewriteHTML(l, page, false); err != nil {
			b.Fatal(err)
		}
	}
}
