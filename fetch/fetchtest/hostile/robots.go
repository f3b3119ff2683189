package hostile

import (
	"fmt"
	"strings"
	"time"
)

// robotsFiles are hosts with one page and a bad robots.txt.
func robotsFiles() []Host {
	host := func(name, does string, robots func(*visit)) Host {
		return Host{Name: name, Does: does, robots: robots, answer: func(v *visit) { v.html("<p>A page.") }}
	}
	text := func(body func(v *visit)) func(*visit) {
		return func(v *visit) {
			v.head("200 OK", "Content-Type: text/plain")
			body(v)
			v.hangUp()
		}
	}
	return []Host{
		host("robots-huge", "a robots.txt of 100 MB", text(func(v *visit) {
			v.say("User-agent: *\nDisallow: /no\n")
			v.times(100, strings.Repeat("Disallow: /some/path/of/it\n", 38836))
		})),
		host("robots-drip", "a robots.txt that drips", text(func(v *visit) {
			v.say("User-agent: *\nDisallow: /no\n")
			v.forever("#", time.Second/3)
		})),
		host("robots-line", "a robots.txt of one line of 10 MB", text(func(v *visit) {
			v.say("User-agent: *\nDisallow: /")
			v.times(10, strings.Repeat("a", megabyte))
		})),
		host("robots-junk", "a robots.txt of bytes that are no text", text(func(v *visit) {
			var b strings.Builder
			for i := range 100_000 {
				b.WriteByte(byte(i * i >> 3))
			}
			v.say(b.String())
		})),
		host("robots-bomb", "a robots.txt of 1 MB of gzip that is 1 GB", func(v *visit) {
			v.reply("200 OK", "text/plain", gzipBomb(1024), "Content-Encoding: gzip")
		}),
		host("robots-redirects", "a robots.txt that is always elsewhere", func(v *visit) { v.redirect("/robots.txt?" + v.target) }),
		host("robots-page", "a robots.txt that is a page", func(v *visit) { v.redirect("/") }),
		host("robots-patterns", "a robots.txt of costly patterns", text(func(v *visit) {
			v.say("User-agent: *\n" + strings.Repeat("Disallow: /*a*a*a*a*a*a*a*a*a*a*b$\n", 10_000))
		})),
		{Name: "robots-costly", Does: "a robots.txt of costly patterns, and a page of long links to try them on",
			robots: text(func(v *visit) {
				v.say("User-agent: *\n")
				for i := range 8000 { // each has the letters of the links, and none matches
					v.say(fmt.Sprintf("Disallow: /*%s*%s*ba\n", strings.Repeat("a", i%90), strings.Repeat("a", i/90)))
				}
			}),
			answer: func(v *visit) {
				var b strings.Builder
				for i := 0; i < 2000 && v.path == "/"; i++ {
					fmt.Fprintf(&b, "<a href=/%d%sb>a</a>", i, strings.Repeat("a", 60))
				}
				v.html(b.String())
			}},
		host("robots-delay", "a Crawl-delay of three years", text(func(v *visit) { v.say("User-agent: *\nCrawl-delay: 99999999\n") })),
		host("robots-trouble", "a robots.txt that is an error of the server, always", func(v *visit) {
			v.reply("500 Internal Server Error", "text/plain", "")
		}),
		host("robots-later", "a robots.txt that cannot be had for three years", func(v *visit) {
			v.reply("503 Service Unavailable", "text/plain", "", "Retry-After: 99999999")
		}),
		host("robots-sitemaps", "a robots.txt of 10 000 sitemaps that are not there", func(v *visit) {
			var b strings.Builder
			for i := range 10_000 {
				fmt.Fprintf(&b, "Sitemap: http://a%d.nowhere.test/\n", i)
			}
			v.reply("200 OK", "text/plain", b.String())
		}),
	}
}

// sitemaps are hosts whose robots.txt names a bad sitemap.
func sitemaps() []Host {
	host := func(name, does string, sitemap func(v *visit)) Host {
		return Host{
			Name: name, Does: does,
			robots: func(v *visit) {
				v.reply("200 OK", "text/plain", "Sitemap: "+v.url("/sitemap.xml")+"\n")
			},
			answer: func(v *visit) {
				if strings.HasPrefix(v.path, "/sitemap") {
					sitemap(v)
					return
				}
				v.html("<p>A page.")
			},
		}
	}
	xml := func(v *visit, body string) { v.reply("200 OK", "application/xml", body) }
	index := func(v *visit, paths ...string) {
		var b strings.Builder
		for _, path := range paths {
			b.WriteString("<sitemap><loc>" + v.url(path) + "</loc></sitemap>")
		}
		xml(v, "<sitemapindex>"+b.String()+"</sitemapindex>")
	}
	return []Host{
		host("sitemap-cycle", "sitemap indexes of themselves, and of each other", func(v *visit) { index(v, "/sitemap.xml", "/sitemap-2.xml") }),
		host("sitemap-endless", "sitemap indexes of ever new ones", func(v *visit) { index(v, v.path+"x", v.path+"y") }),
		host("sitemap-million", "a sitemap of a million URLs", func(v *visit) {
			v.head("200 OK", "Content-Type: application/xml")
			v.say("<urlset>")
			for i := range 1_000_000 {
				if !v.say(fmt.Sprintf("<url><loc>%s</loc></url>", v.url(fmt.Sprintf("/%d", i)))) {
					return
				}
			}
			v.hangUp()
		}),
		host("sitemap-full", "a sitemap of as many URLs as fit", func(v *visit) {
			var b strings.Builder
			for i := 0; b.Len() < 900_000; i++ {
				fmt.Fprintf(&b, "<url><loc>%s</loc></url>", v.url(fmt.Sprintf("/%d", i)))
			}
			xml(v, "<urlset>"+b.String())
		}),
		host("sitemap-bomb", "a sitemap of some kB of gzip that is 32 MB", func(v *visit) {
			bomb := gzipped("<urlset><url><loc>"+v.url("/a")+"</loc></url>") + gzipBomb(32)
			v.reply("200 OK", "application/x-gzip", bomb)
		}),
		host("sitemap-laughs", "a sitemap of a billion laughs", func(v *visit) {
			xml(v, laughs("urlset")+"<urlset><url><loc>"+v.url("/&lol9;")+"</loc></url></urlset>")
		}),
		host("sitemap-deep", "a sitemap of elements in each other", func(v *visit) {
			xml(v, "<urlset>"+strings.Repeat("<url>", 100_000)+"<loc>"+v.url("/a")+"</loc>")
		}),
	}
}

// laughs declares nested entities; the last expands to a billion words.
func laughs(root string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE ` + root + ` [<!ENTITY lol0 "lol">`)
	for i := range 9 {
		fmt.Fprintf(&b, `<!ENTITY lol%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&lol%d;", i), 10))
	}
	b.WriteString("]>")
	return b.String()
}
