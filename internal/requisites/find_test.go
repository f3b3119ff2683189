package requisites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func TestOfPage(t *testing.T) {
	for _, tc := range []struct{ name, html, want string }{
		{"an image", `<img src=a.png>`, "d/a.png"},
		{"candidates", `<img src=a.png srcset="b.png, c.png 2x,d.png 3x, e,f.png 4x">`, "d/a.png d/b.png d/c.png d/d.png d/e,f.png"},
		{"a picture", `<picture><source srcset="a.webp 1x"><img src=a.png></picture><video><source src=a.mp4></video>`, "d/a.webp d/a.png d/a.mp4"},
		{"sheets and scripts come first, sound and video last", `<video src=v.mp4 poster=p.png></video><img src=i.png><link rel="alternate stylesheet" href=a.css><script src=s.js></script>`,
			"d/a.css d/s.js d/p.png d/i.png d/v.mp4"},
		{"preloads", `<link rel=preload as=font href=f.woff2><link rel=preload as=fetch href=x><link rel=preload as=image imagesrcset="i.png 1x"><link rel=modulepreload href=m.js><link rel=next href=n>`,
			"d/f.woff2 d/m.js d/i.png"},
		{"icons", `<link rel="shortcut icon" href=/favicon.ico>`, "favicon.ico"},
		{"no data in scripts", `<script type=application/ld+json src=x></script><script type=module src=m.js></script>`, "d/m.js"},
		{"styles", `<style>@import "a.css"; p { background: url('b.png') }</style><p style="background: url(&quot;c.png&quot;)">`, "d/a.css d/b.png d/c.png"},
		{"objects", `<object data=o.svg></object><embed src=e.pdf><input type=image src=i.png><input src=no.png><body background=bg.png>`, "d/i.png d/bg.png d/o.svg d/e.pdf"},
		{"SVG", `<svg><image href=i.png /><use xlink:href=u.svg#a /><use href=#b /></svg>`, "d/i.png d/u.svg"},
		{"the first base, for the whole page", `<img src=a.png><base href=/b/><base href=/c/><img src=c.png>`, "b/a.png b/c.png"},
		{"without scripts", `<noscript><img src=a.png></noscript><img data-src=b.png>`, "d/a.png d/b.png"},
		{"within attributes", `<iframe src=page.html srcdoc="<img src=a.png>"></iframe>`, "d/a.png"},
		{"each once, without fragment", `<img src=a.png><img src=a.png#x><img src=./a.png>`, "d/a.png"},
		{"nothing to fetch", `<img src="data:image/png;base64,AA"><img src=""><img src="#x"><img src="about:blank"><img src="JavaScript:1"><img src=mailto:a><img src=p.html>`, ""},
		{"other hosts", `<img src=//cdn.test/a.png><img src=https://cdn.test/b.png>`, "http://cdn.test/a.png https://cdn.test/b.png"},
		{"comments hide", `<!-- <img src=a.png> --><textarea><img src=b.png></textarea>`, ""},
	} {
		found, err := OfPage("http://a.test/d/p.html", []byte(tc.html), "text/html", Most)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, url := range found.URLs {
			got = append(got, strings.TrimPrefix(url, "http://a.test/"))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, got, tc.want)
		}
	}
}

func TestOfStyles(t *testing.T) {
	for _, tc := range []struct{ name, css, want string }{
		{"imports come first", `p { background: url(a.png) } @import url("b.css") screen; @IMPORT 'c.css';`, "b.css c.css a.png"},
		{"fonts", `@font-face { font-family: "x.png"; src: local("y"), url(f.woff2) format("woff2"), url('f.woff') }`, "f.woff2 f.woff"},
		{"escapes", `p { background: url(a\29 .png) } q { background: url("b\0000ff.png") }`, "a).png b%C3%BF.png"},
		{"sets of images", `p { background: image-set("a.png" 1x, url(b.png) 2x, "c.png" type("image/png")) }`, "a.png b.png c.png"},
		{"names are none", `@namespace svg url(http://www.w3.org/2000/svg); a { content: "d.png" }`, ""},
		{"nothing to fetch", `p { background: url(#a) url() url(data:image/png,x) }`, ""},
		{"unclosed", `@media print { p { background: url(a.png`, "a.png"},
		{"variables and nesting", `:root { --x: url(a.png); } p { & q { background: url(b.png) } }`, "a.png b.png"},
	} {
		found, err := OfStyles("http://a.test/s.css", []byte(tc.css), Most)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, url := range found.URLs {
			got = append(got, strings.TrimPrefix(url, "http://a.test/"))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, got, tc.want)
		}
	}
}

// TestHostile: however much a page names, no more than Most is wanted, and the rest is counted as far as it is told apart.
func TestHostile(t *testing.T) {
	var images, candidates strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&images, "<img src=%d.png>", i)
		fmt.Fprintf(&candidates, "%d.png %dw,", i, i+1)
	}
	for _, tc := range []struct{ name, html string }{
		{"200 000 images", images.String()},
		{"a srcset of as many", `<img srcset="` + candidates.String() + `">`},
		{"a sheet of as many", "<style>" + strings.ReplaceAll(strings.ReplaceAll(images.String(), "<img src=", "p{background:url("), ">", ")}") + "</style>"},
	} {
		found, err := OfPage("http://a.test/", []byte(tc.html), "", Most)
		if err != nil || len(found.URLs) != Most || found.Left != 200_000-Most {
			t.Errorf("%s: %d and %d more, %v", tc.name, len(found.URLs), found.Left, err)
		}
	}
	for _, text := range []string{strings.Repeat("url(", 1e6), strings.Repeat("@import ", 1e6), strings.Repeat("{[(", 1e6), "url(" + strings.Repeat("a", 1e6) + ")"} {
		if found, err := OfStyles("http://a.test/", []byte(text), Most); err != nil || len(found.URLs) > 1 {
			t.Errorf("%.20s…: %d, %v", text, len(found.URLs), err)
		}
	}
	nested := strings.Repeat("<noscript>", 10_000) + "<img src=a.png>"
	if _, err := OfPage("http://a.test/", []byte(nested), "", Most); err != nil {
		t.Error(err)
	}
}

// TestFinder: a page in another encoding, compressed, and rendered; what is neither page nor sheet needs nothing.
func TestFinder(t *testing.T) {
	f := Finder{Body: 1e6}
	answer := func(media string) *step.Response {
		return &step.Response{Request: orbweaver.Request{URL: "http://a.test/"}, Header: http.Header{"Content-Type": {media}}}
	}
	r := answer("text/html; charset=iso-8859-1")
	r.Rendered = func() ([]byte, error) { return []byte("<img src=late.png><img src=\u00e4.png>"), nil }
	urls, _ := f.OfPage(r, []byte("<img src=\xe4.png>"))
	if want := []string{"http://a.test/%C3%A4.png", "http://a.test/late.png"}; !slices.Equal(urls, want) {
		t.Errorf("%v, want %v", urls, want)
	}
	if urls, _ := f.OfPage(answer("application/pdf"), []byte("<img src=a.png>")); len(urls) > 0 {
		t.Errorf("a PDF needs %v", urls)
	}
	if urls, _ := f.OfSheet(answer("text/css; charset=utf-8"), []byte("@import 'a.css'")); !slices.Equal(urls, []string{"http://a.test/a.css"}) {
		t.Errorf("a sheet needs %v", urls)
	}
	if urls, _ := f.OfSheet(answer("image/png"), []byte("@import 'a.css'")); len(urls) > 0 {
		t.Errorf("an image needs %v", urls)
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte(`<base href=/x><img srcset="a 1x, b 2x" style="background:url('c')"><style>@import url(d);@font-face{src:image-set("e" 1x)}</style><noscript><img src=f>`))
	f.Add([]byte(`@import "a\29 .css";p{background:url(b.png)}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, find := range []func() (Found, error){
			func() (Found, error) { return OfPage("http://a.test/d/", text, "text/html", 10) },
			func() (Found, error) { return OfStyles("http://a.test/d/", text, 10) },
		} {
			found, err := find()
			if err != nil || len(found.URLs) > 10 {
				t.Fatal(len(found.URLs), err)
			}
			slices.Sort(found.URLs)
			if len(slices.Compact(found.URLs)) != len(found.URLs) {
				t.Fatal("one twice", found.URLs)
			}
			for _, url := range found.URLs {
				if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") || strings.Contains(url, "#") {
					t.Fatalf("%q", url)
				}
			}
		}
	})
}
