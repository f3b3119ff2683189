package wall_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/internal/wall"
	"orbweaver/page"
)

// found says what is found of a raw answer, and whether its page needs scripts.
func found(t *testing.T, raw []byte) (a wall.Answer, scripted bool) {
	t.Helper()
	response, body := received(t, raw)
	var p *orbweaver.Page
	if response.Status/100 == 2 {
		var err error
		if p, err = page.NewReader(page.Options{}).Read(t.Context(), response, body); err != nil {
			t.Fatal(err)
		}
	}
	return wall.Of(response.Status, response.Header, p, func() []byte { return body }), p != nil && p.Scripted
}

// received parses a raw answer.
func received(t *testing.T, raw []byte) (*step.Response, []byte) {
	t.Helper()
	head, body, ok := bytes.Cut(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	if !ok {
		t.Fatalf("no empty line in %.100q", raw)
	}
	head = append(bytes.ReplaceAll(head, []byte("\n"), []byte("\r\n")), "\r\n\r\n"...)
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	r.Header.Del("Content-Encoding") // files hold what was inside
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "text/html; charset=utf-8")
	}
	return &step.Response{Request: orbweaver.Request{URL: "https://www.example.com/some/page"}, Status: r.StatusCode, Header: r.Header}, body
}

// Answers modelled on what vendors send, by people who have not read this package: the name of a file begins with
// what is right.
func TestVendors(t *testing.T) {
	files, err := filepath.Glob("testdata/vendors/*.http")
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		got, scripted := found(t, raw)
		want, _, _ := strings.Cut(strings.TrimPrefix(name, "soft-"), "-")
		if strings.HasPrefix(name, "soft-") {
			want = string(step.ErrSoft404)
		}
		kind := string(got.Kind)
		if kind == "" {
			kind = "page"
			if scripted {
				kind = "scripts"
			}
		}
		if kind == want {
			right++
		} else {
			t.Logf("%s: %q %q", name, got.Kind, got.Vendor)
		}
	}
	t.Logf("%d of %d", right, len(files))
	if float64(right) < .95*float64(len(files)) {
		t.Errorf("%d of %d recognised", right, len(files))
	}
}

// A sample is an answer made by a test.
type sample struct {
	kind, vendor string
	status       int
	header       string // "name: value" lines
	head, body   string // of an HTML document
}

func (s sample) raw() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\n%s", s.status, http.StatusText(s.status), "Content-Type: text/html; charset=utf-8\n")
	if s.header != "" {
		io.WriteString(&b, s.header+"\n")
	}
	fmt.Fprintf(&b, "\n<!DOCTYPE html><html><head>%s</head><body>%s</body></html>", s.head, s.body)
	return []byte(b.String())
}

// menu are links that stand on each page of a site.
var menu = `<nav><ul>` + strings.Repeat(`<li><a href="/a">Products and more</a></li>`, 12) + `</ul></nav>`

// banner is a cookie banner beside a page.
const banner = `<div id="onetrust-banner-sdk"><p>We value your privacy. We use cookies to improve this site.</p><button>Accept all</button></div>`

var samples = []sample{
	{"wall", "Anubis", 200, "", `<title>Making sure you&#39;re not a bot!</title>`, `<main><h1>Making sure you&#39;re not a bot!</h1><p>Loading...</p><script type="module" src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script><p>You are seeing this because the administrator of this website has set up protection against the scourge of companies that scrape.</p></main>`},
	{"wall", "Anubis", 200, "Set-Cookie: techaro.lol-anubis-cookie-verification=1; Path=/", `<title>Un momento</title>`, `<p>Calculando</p>`},
	{"wall", "Cloudflare", 403, "cf-mitigated: challenge\nServer: cloudflare", `<title>Just a moment...</title>`, `<script>window._cf_chl_opt={cType:'managed'}</script>`},
	{"wall", "Cloudflare", 503, "Server: cloudflare", `<title>Just a moment...</title>`, `<div class="cf-browser-verification cf-im-under-attack"><h1>Checking your browser before accessing example.com.</h1></div><script>x()</script>`},
	{"wall", "Cloudflare", 200, "", `<title>Nur einen Moment …</title>`, `<h1>example.com</h1><p>Es wird geprüft, ob Sie ein Mensch sind.</p><script>(function(){window._cf_chl_opt = {};})();</script>`},
	{"wall", "Cloudflare", 403, "Server: cloudflare", `<title>Attention Required! | Cloudflare</title>`, `<h1>Sorry, you have been blocked</h1><h2>You are unable to access example.com</h2>`},
	{"wall", "DataDome", 403, "X-DataDome: protected", `<title>example.com</title>`, `<p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>`},
	{"wall", "DataDome", 200, "", `<title>example.com</title>`, `<iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=1" title="DataDome CAPTCHA"></iframe>`},
	{"wall", "Akamai", 403, "Server: AkamaiGHost", `<title>Access Denied</title>`, `<h1>Access Denied</h1>You don't have permission to access "http://www.example.com/" on this server.<p>Reference #18.1</p>`},
	{"wall", "Akamai", 200, "", `<title></title>`, `<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/ak.js"></script>`},
	{"wall", "Akamai", 200, "", `<meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQ'">`, `<script>var i=1;triggerInterstitialChallenge(i)</script>`},
	{"wall", "Imperva", 200, "X-CDN: Imperva", `<meta name="robots" content="noindex,nofollow">`, `<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=5&amp;xinfo=1">Request unsuccessful. Incapsula incident ID: 1-2</iframe>`},
	{"wall", "Imperva", 403, "", `<title>Pardon Our Interruption</title>`, `<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot.</p>`},
	{"wall", "HUMAN (PerimeterX)", 403, "", `<title>Access to this page has been denied.</title>`, `<div id="px-captcha"></div><script>window._pxAppId="PX1"</script>`},
	{"wall", "HUMAN (PerimeterX)", 200, "", `<title>Robot or human?</title>`, `<p>Press &amp; hold to confirm you are a human.</p><script src="/px/captcha.js"></script>`},
	{"wall", "AWS WAF", 202, "x-amzn-waf-action: challenge", ``, `<script src="https://x.token.awswaf.com/x/challenge.js"></script>`},
	{"wall", "AWS WAF", 405, "x-amzn-waf-action: captcha", `<title>Human Verification</title>`, `<script src="https://x.captcha.awswaf.com/x/captcha.js"></script>`},
	{"wall", "AWS WAF", 200, "", ``, `<script>window.awsWafCookieDomainList=[];window.gokuProps={"key":"x"}</script>`},
	{"wall", "Sucuri", 403, "Server: Sucuri/Cloudproxy", `<title>Sucuri WebSite Firewall - Access Denied</title>`, `<h1>Access Denied - Sucuri Website Firewall</h1>`},
	{"wall", "Sucuri", 200, "", `<title>You are being redirected...</title>`, `<noscript>Javascript is required.</noscript><script>var s={},sucuri_cloudproxy_js='';</script>`},
	{"wall", "reCAPTCHA", 200, "", `<title>example.com</title>`, `<p>Please tick the box</p><form method="post"><div class="g-recaptcha" data-sitekey="k"></div><input type="submit" value="Go"></form>`},
	{"wall", "hCaptcha", 429, "", `<title>Too many requests</title>`, `<form><div class="h-captcha"></div></form><script src="https://js.hcaptcha.com/1/api.js"></script>`},
	{"wall", "Turnstile", 200, "", `<title>Kurze Prüfung</title>`, `<form action="/check"><div class="cf-turnstile"></div></form>`},
	{"wall", "Vercel", 429, "x-vercel-mitigated: challenge", `<title>Vercel Security Checkpoint</title>`, `<p>We're verifying your browser</p>`},

	{"soft-404", "", 200, "", `<title>404 Not Found</title>`, `<h1>Not Found</h1>` + menu},
	{"soft-404", "", 200, "", `<title>Example Shop</title>`, menu + `<main><h1>Oops!</h1><p>The page you're looking for can't be found. Try the search.</p></main>`},
	{"soft-404", "", 200, "", `<title>Seite nicht gefunden – Stadt Musterhausen</title>`, menu + `<h1>Seite nicht gefunden</h1><p>Die von Ihnen aufgerufene Seite existiert nicht mehr.</p>`},
	{"soft-404", "", 200, "", `<title>Page introuvable | Exemple</title>`, `<h1>Page introuvable</h1><p>La page demandée n'existe pas.</p>` + menu},
	{"soft-404", "", 200, "", `<title>ページが見つかりません | 例</title>`, `<p>お探しのページは移動または削除された可能性があります。</p>`},
	{"soft-404", "", 200, "", `<title>Страница не найдена</title>`, `<p>К сожалению, страница, которую вы ищете, была удалена.</p>`},

	{"consent", "Google", 200, "", `<title>Before you continue to Google Search</title>`, `<h1>Before you continue</h1><p>We use cookies and data to deliver and maintain services and to measure audience engagement.</p><form action="https://consent.google.com/save"><input type="submit" value="Reject all"><input type="submit" value="Accept all"></form>`},
	{"consent", "Sourcepoint", 200, "", `<title>Zeitung</title>`, `<div class="sp_message"><h2>Mit Werbung weiterlesen</h2><p>Wir und unsere Partner verarbeiten personenbezogene Daten mit Cookies, um Werbung zu zeigen.</p><button>Akzeptieren und weiter</button></div>`},
	{"consent", "", 200, "", `<title>Journal</title>`, `<p>Nous et nos partenaires utilisons des cookies pour mesurer l'audience et afficher de la publicité.</p><button>Tout accepter</button><a href="/s">S'abonner</a>`},

	{"login", "", 200, "", `<title>Log in - Example</title>`, `<form action="/login" method="post"><input name="user"><input type="password" name="p"><button>Log in</button></form>`},
	{"login", "", 200, "", `<title>Forum</title>`, menu + `<p>You must be logged in to view this page.</p>`},
	{"login", "", 401, "", `<title>Anmelden</title>`, `<form><input name="u"><input type="password" name="p"></form>`},

	{"parked", "Sedo", 200, "", `<title>example.test</title>`, `<script src="https://img.sedoparking.com/js/x.js"></script><p>Related searches</p>`},
	{"parked", "", 200, "", `<title>example.test is for sale</title>`, `<h1>example.test</h1><p>This domain is for sale! Make an offer today.</p>`},

	{"maintenance", "", 200, "", `<title>Site maintenance</title>`, `<h1>We'll be back soon!</h1><p>We are performing scheduled maintenance.</p>`},
	{"maintenance", "", 503, "Retry-After: 600", `<title>Maintenance</title>`, `<p>Briefly unavailable for scheduled maintenance. Check back in a minute.</p>`},
}

func TestSamples(t *testing.T) {
	right := 0
	for i, s := range samples {
		got, _ := found(t, s.raw())
		if string(got.Kind) != s.kind {
			t.Errorf("%d, %s %s, %.70q: %q %q", i, s.kind, s.vendor, s.head, got.Kind, got.Vendor)
			continue
		}
		if right++; got.Vendor != s.vendor && s.kind != "login" {
			t.Errorf("%d, %s: of %q, not %q", i, s.kind, got.Vendor, s.vendor)
		}
	}
	t.Logf("%d of %d", right, len(samples))
}

// prose is text as an article has it.
const prose = `<p>When a visitor arrives, the service measures how the browser behaves and decides within milliseconds what to do.</p>`

// Pages about walls, pages of protected sites, and short pages are pages.
func TestPagesAboutWalls(t *testing.T) {
	long := strings.Repeat(prose, 30)
	for i, s := range []sample{
		{head: `<title>Just a moment: how Cloudflare challenges work</title>`, body: `<h1>Just a moment</h1><p>Verify you are human, says the page.</p>` + long},
		{head: `<title>How Anubis works</title>`, body: `<p>Its title is <q>Making sure you're not a bot!</q>.</p><pre>&lt;script src="/.within.website/x/cmd/anubis/main.mjs"&gt;</pre>` + prose},
		{head: `<title>404 Not Found - HTTP</title>`, body: `<p>The HTTP 404 Not Found response status code indicates that the server cannot find the requested resource.</p>` + prose},
		{head: `<title>A handbook of 404 pages</title>`, body: `<p>Say it kindly: "the page you are looking for is gone".</p>` + prose + menu},
		{head: `<title>Designing error pages</title>`, body: menu + `<p>An error page says what happened. The page you were looking for is the usual phrase.</p>` + prose},
		{head: `<title>Contact</title>`, body: menu + `<p>Write to us.</p><form><input name="name"><input type="email" name="email"><textarea></textarea><div class="g-recaptcha"></div><button>Send</button></form>`},
		{head: `<title>Town</title><script>window.__CF$cv$params={r:'1'};var a='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>`, body: `<p>A small town in the north.</p>`},
		{head: `<title>Town</title><script async src="/_Incapsula_Resource?SWJIYLWA=719d"></script>`, body: `<p>A small town in the north, with a mill, a church and two inns beside the old road.</p>`},
		{head: `<title>Shop</title><script src="https://js.datadome.co/tags.js"></script>`, body: menu + `<p>Shoes and hats.</p>`, header: "X-DataDome: protected"},
		{head: `<title>News</title>`, body: banner + `<article><h1>Bridge opened</h1><p>The new bridge over the river was opened by the mayor this morning.</p><p>It took four years to build and has two lanes for bicycles.</p></article>`},
		{head: `<title>Cookie policy</title>`, body: `<h1>Cookie policy</h1><p>We use cookies and similar means to store your consent.</p><button>Accept all</button>`},
		{head: `<title>Maintenance</title>`, body: menu + `<p>Oil the chain each month and check the brakes twice a year.</p>`},
		{head: `<title>Routine maintenance</title>`, body: `<p>The server is vacuumed weekly. During this time it is slower; plan for it as described in chapter 3.</p>`},
		{head: `<title>Login systems compared</title>`, body: `<p>Users log in with a password or a key.</p><form><input type="search" name="q"></form>` + prose},
		{head: `<title>Home</title>`, body: `<form action="/login"><input name="u"><input type="password"><button>Log in</button></form><h1>Welcome</h1>` + strings.Repeat(prose, 5)},
		{head: `<title>Buying a domain</title>`, body: `<p>Some names cost a fortune.</p>` + prose + prose + prose + `<p>The seller writes: this domain is for sale.</p>`},
		{head: `<title>Not Found (album)</title>`, body: `<p>Not Found is the second album of a band from Ghent, released in 1998.</p>`},
		{head: `<title>Captcha</title>`, body: `<p>A CAPTCHA is a test that tells people from machines. It was named in 2003.</p>` + prose},
		{head: `<title>Robots</title>`, body: `<p>Are you a robot? asks the film of 1998, in which nobody can tell.</p><script>ads()</script>`},
	} {
		if s.status = 200; s.status == 200 {
			if got, _ := found(t, s.raw()); got.Kind != "" {
				t.Errorf("%d, %s: %q %q", i, s.head, got.Kind, got.Vendor)
			}
		}
	}
}

// What fails by its status alone stays that.
func TestStatusesAlone(t *testing.T) {
	for _, s := range []sample{
		{status: 404, head: `<title>Page not found</title>`, body: `<p>The page you requested is gone.</p>`},
		{status: 403, head: `<title>403 Forbidden</title>`, body: `<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>`},
		{status: 503, head: `<title>503 Service Unavailable</title>`, body: `<h1>Service Unavailable</h1>`},
		{status: 429, head: `<title>Too Many Requests</title>`, body: `<p>Slow down.</p>`},
		{status: 500, head: `<title>Error</title>`, body: `<p>verify you are human</p>`, header: "Server: cloudflare"},
	} {
		if got, _ := found(t, s.raw()); got.Kind != "" {
			t.Errorf("%d %s: %q %q", s.status, s.head, got.Kind, got.Vendor)
		}
	}
}
