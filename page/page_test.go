package page

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

// response returns an answer with headers given as pairs.
func response(url string, headers ...string) *step.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Add(headers[i], headers[i+1])
	}
	return &step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: h}
}

// read reads a body as the page http://a.test/d/p.
func read(t testing.TB, body string, headers ...string) *orbweaver.Page {
	t.Helper()
	page, err := NewReader(Options{}).Read(context.Background(), response("http://a.test/d/p", headers...), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// shown writes links as "target|anchor|context|rel|origin", one a line.
func shown(links []orbweaver.Link) string {
	var lines []string
	for _, l := range links {
		lines = append(lines, strings.TrimRight(strings.Join([]string{l.To, l.Anchor, l.Context, l.Rel, string(l.Origin)}, "|"), "\n"))
	}
	return strings.Join(lines, "\n")
}

const prose = "The tide rises and falls twice a day here, and nobody who lives by the harbour ever asks why it does."

// long is more than a page needs to be worth reading by itself.
var long = strings.Repeat(prose+" ", 5) + "Yes."

func TestTextOfOddHTML(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"short text alone", "<p>Hello</p>", "Hello"},
		{"no tags", "Hello &amp; goodbye", "Hello & goodbye"},
		{"white space", "<p>a\n\n b\t&nbsp; c</p>", "a b c"},
		{"paragraphs that are not closed", "<p>One<p>Two<p>Three", "One\n\nTwo\n\nThree"},
		{"items that are not closed", "<ul><li>One<li>Two</ul>", "One\nTwo"},
		{"cells are lines", "<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"},
		{"inline elements part no words", "<p>un<b>believ</b>able</p>", "unbelievable"},
		{"one break is a space, two a block", "<p>a<br>b<br><br>c</p>", "a b\n\nc"},
		{"upper case", "<P>One</P><SCRIPT>x</SCRIPT><P>Two</P>", "One\n\nTwo"},
		{"broken references", "<p>&am &#x; &#99999999; &copy &notit; &lt;</p>", "&am &#x; \ufffd © ¬it; <"},
		{"comments", "<p>a<!-- b <p> -->c<!d></p>", "ac"},
		{"a comment without end", "<p>a</p><!-- b", "a"},
		{"script, style, template", "<script>a<b</script><style>p{}</style><template>t</template><p>x</p>", "x"},
		{"hidden", "<p hidden>a</p><div style='Display : none'>b</div><p>c<span aria-hidden=true>d</span>e</p>", "ce"},
		{"CDATA is no text in HTML", "<p>a<![CDATA[b]]>c</p>", "ac"},
		{"soft hyphens go", "<p>un&shy;known un\u00adknown</p>", "unknown unknown"},
		{"end tags of nothing", "</p></div></a>a</table>", "a"},
		{"a stray less-than", "<p>1 < 2</p>", "1 < 2"},
		{"an unclosed svg swallows nothing", "<p>a</p><svg><path d='x'><p>b</p>", "a\n\nb"},
		{"a list of links is not empty", "<ul><li><a href=x>One</a><li><a href=y>Two</a></ul>", "One\nTwo"},
		{"furniture goes", "<nav>Menu one</nav><div class='site-footer'>Imprint</div><h1>Tides</h1><p>" + prose + "</p><footer>Imprint</footer>", "Tides\n\n" + prose},
		{"links go", "<div><a href=x>One</a> <a href=y>Two</a></div><p>" + prose + "</p>", prose},
		{"a wrapper named like furniture stays", "<div class=with-sidebar><p>" + prose + "</p></div>", prose},
		{"a page within furniture stays", "<aside><p>" + prose + "</p></aside>", prose},
		{"a header in an article stays", "<article><header><h1>Tides</h1></header><p>" + prose + "</p></article>", "Tides\n\n" + prose},
		{"an element without its text swallows nothing", "<p>a<script src=x></script>b<iframe src=y></iframe>c<textarea></textarea>d</p>", "abcd"},
		{"raw text that is shown", "<xmp>a <b>c</xmp><p>d</p>", "a <b>c\n\nd"},
		{"an end tag within raw text", "<title></p>x</title><style></b>y</style><p>z</p>", "z"},
		{"what is no tag", "<p>a <1 b <>c</p>", "a <1 b <>c"},
		{"what readers say goes", "<article class=post><p>" + long + "</p><div id=comments><article class='comment-item x'><p>" + long + long + long + long + long + "</p></article></div></article>", long},
		{"also beside the article", "<article><p>" + long + "</p></article><ol class=commentlist><li><article id=div-comment-7><p>" + long + "</p></article></ol>", long},
		{"a page of nothing else keeps it", "<div class=comments><p>" + prose + "</p></div>", prose},
		{"a definition is no comment", "<p>" + long + "</p><div class=comment><p>" + prose + "</p></div>", long + "\n\n" + prose},
		{"an article within another keeps the furniture out", "<article><p>" + long + "</p><aside><article><p>" + prose + "</p></article></aside></article>", long},
		{"short items around the text are its list", "<h2>Take</h2><ul><li>a<li>b<li>c<li>d<li>e<li>f</ul><p>" + prose + "</p>", "Take\n\na\nb\nc\nd\ne\nf\n\n" + prose},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := read(t, tc.body, "Content-Type", "text/html").Text; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestLinksOfOddHTML(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"context leaves the anchor out", "<p>See <a href=x>the tide</a> there.</p>", "http://a.test/d/x|the tide|See there.||anchor"},
		{"context ends with the block", "<p>a</p><p>b <a href=x>c</a> d</p><p>e</p>", "http://a.test/d/x|c|b d||anchor"},
		{"rel in lower case", "<a href=x REL='NoFollow ugc'>c</a>", "http://a.test/d/x|c||nofollow ugc|anchor"},
		{"the alternative text of an image", "<a href=x><img alt='A &amp; B' src=y></a>", "http://a.test/d/x|A & B|||anchor"},
		{"over several blocks", "<a href=x><div>a</div><div>b</div></a>", "http://a.test/d/x|a b|||anchor"},
		{"one in another", "<a href=x>a<a href=y>b</a>c</a>", "http://a.test/d/x|a|bc||anchor\nhttp://a.test/d/y|b|a c||anchor"},
		{"never closed", "<p><a href=x>a", "http://a.test/d/x|a|||anchor"},
		{"to itself", "<a href=#b>c</a><a href=''>d</a><a href=p#e>f</a><a href='http://A.test/d/p'>g</a>", ""},
		{"not to the Web", "<a href=mailto:x@a.test>a</a><a href=javascript:x>b</a><a href='http://'>c</a><a>d</a><a name=e>f</a>", ""},
		{"twice is two", "<a href=x>a</a> <a href=x>b</a>", "http://a.test/d/x|a|b||anchor\nhttp://a.test/d/x|b|a||anchor"},
		{"base", "<base href=/other/><base href=/no/><a href=x>a</a>", "http://a.test/other/x|a|||anchor"},
		{"references in addresses", "<a href='?a=1&amp;b=2&copy=3&region=4&lt;'>a</a>", "http://a.test/d/p?a=1&b=2&copy=3&region=4%3C|a|||anchor"},
		{"frames and areas", "<frame src=x><iframe src=y>no</iframe><area href=z alt=Z>", "http://a.test/d/x||||frame\nhttp://a.test/d/y||||frame\nhttp://a.test/d/z|Z|||anchor"},
		{"of the head", "<link rel=alternate type=text/turtle href=x.ttl><link rel='shortcut icon' href=i><link rel=stylesheet href=s><link href=n>", "http://a.test/d/x.ttl|||alternate|head"},
		{"in furniture", "<nav><a href=x>a</a></nav>", "http://a.test/d/x|a|||anchor"},
		{"in hidden menus", "<div hidden><a href=x>a</a></div><p>b</p>", "http://a.test/d/x|a|||anchor"},
		{"not in scripts and templates", "<script>'<a href=x>'</script><template><a href=y>b</a></template>", ""},
		{"base after a link", "<a href=x>a</a><a href=#y>b</a><base href=/other/><a href=z>c</a>", "http://a.test/other/x|a|bc||anchor\nhttp://a.test/other/|b|a c||anchor\nhttp://a.test/other/z|c|ab||anchor"},
		{"white space in the address", "<a href='\n x\n '>a</a>", "http://a.test/d/x|a|||anchor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shown(read(t, tc.body, "Content-Type", "text/html").Links); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestContextIsTwentyWords(t *testing.T) {
	before, after := strings.Repeat("b ", 25), strings.Repeat(" c", 25)
	got := read(t, "<p>"+before+"<a href=x>a</a>"+after+"</p>", "Content-Type", "text/html").Links[0].Context
	want := strings.Repeat("b ", 20) + strings.TrimSpace(strings.Repeat("c ", 20))
	if got != want {
		t.Errorf("got %q", got)
	}
}

func TestXHTML(t *testing.T) {
	page := read(t, `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de-AT"><head><title/><script src="x"/></head>`+
		`<body><p>a<![CDATA[<b>]]></p><a href="x"/><p>c</p></body></html>`, "Content-Type", "application/xhtml+xml")
	if page.MediaType != "application/xhtml+xml" || page.Lang != "de" || page.Text != "a<b>\n\nc" || len(page.Links) != 1 {
		t.Errorf("%q %q %q %v", page.MediaType, page.Lang, page.Text, page.Links)
	}
}

func TestHeadOfPage(t *testing.T) {
	page := read(t, `<!DOCTYPE html><html lang="en-GB"><head><title> Tides &amp; moons </title><meta name=ROBOTS content="NoIndex, nofollow">`+
		`<link rel=canonical href="/tides"></head><body><svg><title>no</title></svg><p>x</p>`, "Content-Type", "text/html",
		"Link", `</d.ttl>; rel="describedby"; type="text/turtle", <s.css>; rel=stylesheet`)
	if page.Title != "Tides & moons" || page.Lang != "en" || !page.NoIndex || !page.NoFollow || page.Canonical != "http://a.test/tides" {
		t.Errorf("%+v", page)
	}
	if got := shown(page.Links); got != "http://a.test/d.ttl|||describedby|header" || page.Links[0].Type != "text/turtle" {
		t.Errorf("links %s", got)
	}
	if page.Body != nil || page.Size == 0 || page.URL != "http://a.test/d/p" {
		t.Errorf("body %q, size %d, URL %s", page.Body, page.Size, page.URL)
	}
}

func TestRobotsHeader(t *testing.T) {
	for _, tc := range []struct {
		header            string
		noFollow, noIndex bool
	}{
		{"none", true, true}, {"nofollow", true, false}, {"NoIndex", false, true}, {"all", false, false},
		{"otherbot: none", false, false}, {"max-snippet: 5, noindex", false, true},
		{"unavailable_after: 2030-01-01, nofollow", true, false},
		{"unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, nofollow", true, false},
		{"unavailable_after: Wednesday, 03-Dec-25 13:09:53 GMT, noindex, nofollow", true, true},
		{"nofollow, unavailable_after: 2025-12-03T13:09:53+01:00", true, false},
		{"noindex nofollow", true, true}, {"max-image-preview: none", false, false}, {"max-image-preview:none, nofollow", true, false},
		{"nofollow max-image-preview: none noindex", true, true},
	} {
		page := read(t, "x", "X-Robots-Tag", tc.header)
		if page.NoFollow != tc.noFollow || page.NoIndex != tc.noIndex {
			t.Errorf("%q: nofollow %v, noindex %v", tc.header, page.NoFollow, page.NoIndex)
		}
	}
}

func TestTitleWhereThereIsNone(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{"<meta property=og:title content='Graph title'><h1>Heading</h1>", "Graph title"},
		{"<title>R&ampD, M&amp;S, AT&T</title>", "R&D, M&S, AT&T"},
		{"<title>caf&eacute, &copy2024 &notit; &nope; &#65B &#x41;</title>", "café, ©2024 ¬it; &nope; AB A"},
		{"<title>&ampamp; & &lt;b> &</title>", "&amp; & <b> &"},
		{"<meta property=og:title content='R&ampD &copy=1 &amp;'>", "R&ampD &copy=1 &"},
		{"<h1>A <b>heading</b></h1><h1>Other</h1>", "A heading"},
		{"<p>x</p>", ""},
	} {
		if got := read(t, tc.body, "Content-Type", "text/html").Title; got != tc.want {
			t.Errorf("%s: %q", tc.body, got)
		}
	}
}

// TestDataOfOddURLs: what a URL may hold and an IRI may not does not cost the data of a document.
func TestDataOfOddURLs(t *testing.T) {
	response := &step.Response{
		Request: orbweaver.Request{URL: "http://a.test/data?x=a|b"}, Status: 200, Header: http.Header{"Content-Type": {"text/turtle"}},
	}
	p, err := NewReader(Options{}).Read(t.Context(), response, []byte("<#s> <http://p.test/p> <o> .\n"))
	if err != nil || p.Quads == nil {
		t.Fatalf("%v, %+v", err, p)
	}
	n := 0
	for q, err := range p.Quads {
		if n++; err != nil || q.S.Value != "http://a.test/data?x=a%7Cb#s" {
			t.Errorf("%v, %v", q, err)
		}
	}
	if n != 1 {
		t.Errorf("%d statements", n)
	}
}
