//go:build e2e

package program_test

import "strings"

// faultCases are all cases. What each wants is what its EXPECT.txt calls right.
func faultCases() []faultCase {
	return []faultCase{
		{folder: "web/01-login-logout-loop", tell: logoutLoop},
		{folder: "web/02-charset-undeclared", tell: charsetUndeclared},
		{folder: "web/04-charset-meta-after-1024", tell: titled("Самолёт")},
		{folder: "web/06-query-in-page-encoding", tell: requested("/ru/%D0%BF%D1%83%D1%82%D1%8C?q=%EF%F0%E8%E2%E5%F2",
			"/zh2?kw=%B7%C9%BB%FA", "/ja2?kw=%94%F2%8Ds%8B%40")},
		{folder: "web/07-location-not-utf8", tell: requested("/caf%E9", "/%B7%C9%BB%FA")},
		{folder: "web/08-cookie-wall", tell: titled("self ok", "back ok")},
		{folder: "web/09-links-in-svg", tell: requested("/region/1", "/region/2", "/region/3")},
		{folder: "web/10-base-after-links", tell: requested("/moved/early", "/moved/late")},
		{folder: "web/11-gzip-trailer", tell: gzipTrailer},
		{folder: "web/12-header-line-without-colon", tell: titled("still read")},
		{folder: "web/13-sitemap-text-gz-bom", tell: requested("/one", "/two")},
		{folder: "web/15-noscript", tell: noscript},
		{folder: "web/17-unicode-normal-forms", tell: normalForms},
		{folder: "web/18-skos-xl-labels", tell: skosXL, later: true},
		{folder: "web/19-label-qualifiers", tell: labelQualifiers, later: true},
		{folder: "web/20-obo-synonyms", tell: oboSynonyms, later: true},
		{folder: "web/21-wacz-as-web", tell: waczAsWeb},
		{folder: "web/23-pdf-actualtext", tell: sentences("lig-zero-actualtext.pdf", "to reflect and find")},
		{folder: "web/24-wbr", tell: wbr},
		{folder: "web/25-yaml-bom", tell: yamlBOM},
		{folder: "web/27-rdfxml-undeclared-prefix-lenient", tell: undeclaredPrefix},
		{folder: "web/28-sentences", tell: germanSentences},
		{folder: "web/30-owl-syntaxes-and-imports", tell: owlSyntaxes, later: true},
		{folder: "web/33-declared-language-against-text", tell: declaredLanguage},
		{folder: "lists:pag", tell: pagedList},
		{folder: "lists:ldes", tell: eventStream},
		{folder: "judge:flaky", tell: modelJudges("flaky")},
		{folder: "judge:fence", tell: modelJudges("fence")},
	}
}

// titled wants pages with these titles.
func titled(want ...string) func(c *tried) {
	return func(c *tried) { c.has("title", titles(c.crawl("crawl.yaml")), want...) }
}

// requested wants these requests, and none with U+FFFD in it, nor what a wrong reading of the same links would
// ask for.
func requested(want ...string) func(c *tried) {
	return func(c *tried) {
		c.crawl("crawl.yaml")
		have := c.asked()
		c.has("request", have, want...)
		for _, target := range have {
			c.right(!strings.Contains(target, "%EF%BF%BD") && target != "/early", "asked for %s", target)
		}
	}
}

// logoutLoop crawls the case, once more with a logout that nothing in its URL or text tells, and that with a
// limit which ends it.
func logoutLoop(c *tried) {
	c.membersOnly("/logout", 10)
	c.right(c.count("/m/1") == 1, "/m/1 asked for %d times", c.count("/m/1"))
	c.again("/logout", "/seeyou", ">out<", ">bye<")
	c.membersOnly("/seeyou", 10)
	c.right(c.count("/m/1") == 1, "/m/1 asked for %d times", c.count("/m/1"))
	c.again("/logout", "/seeyou", ">out<", ">bye<", "requests: 10", "requests: 4")
	c.membersOnly("/seeyou", 4)
}

// membersOnly counts as limits.requests does: each request but robots.txt, and each login, of three requests,
// once.
func (c *tried) membersOnly(logout string, limit int) {
	lines := c.crawl("crawl.yaml")
	out, logins := c.count(logout), c.count("/in")
	all := len(c.web.requests()) - c.count("/robots.txt") - 2*logins
	c.see("%s asked for %d times, %d logins, %d of %d requests", logout, out, logins, all, limit)
	c.right(out <= 2, "%s asked for %d times", logout, out)
	c.right(all <= limit, "%d requests, limits.requests is %d", all, limit)
	for _, l := range lines {
		c.right(!strings.HasSuffix(l.URL, logout) || l.Error != "", "%s counts as fetched", logout)
	}
}

func charsetUndeclared(c *tried) {
	have := titles(c.crawl("crawl.yaml"))
	c.has("title", have,
		"飞机降落在机场。跑道很长", "飛機降落在機場。跑道很長", "비행기가 공항에 착륙했", "Το αεροπλάνο")
	for _, of := range []struct {
		title, word string
		pages       int
	}{{"Самолёт лети", "аэропорт", 2}, {"飛行機は空港に着陸した。", "飛行機", 3}} {
		n := strings.Count(strings.Join(have, "\n"), of.title)
		c.right(n == of.pages, "%s %d times, want %d", of.title, n, of.pages)
		c.finds(of.word, of.pages)
	}
	sentences("ru.txt", "Самолёт летит над городом, и пилот ведёт его на посадку.", "Аэропорт был построен давно.")(c)
	sentences("cs.txt", "Letadlo přistálo na letišti.", "Žluťoučký kůň.")(c)
}

func gzipTrailer(c *tried) {
	whole := strings.Count(strings.Join(titles(c.crawl("crawl.yaml")), "\n"), "whole")
	c.see("%d pages titled whole", whole)
	c.right(whole == 2, "%d pages titled whole, want 2", whole)
}

func noscript(c *tried) {
	requested("/page/2")(c)
	c.finds("without scripts", 1)
}
