package messy

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// directory adds the page that links to all sites, to nothing, and to what has moved.
func (w *Web) directory(links ...[]string) {
	h := w.add("signpost.test")
	all := slices.Concat(links...)
	for n := range 3 {
		all = append(all, link(fmt.Sprintf("/gone/%d", n), "an old link"))
		w.Planted["status 404"]++
	}
	all = append(all, link("http://nobody.test/", "a club that was"), link("/moved", "a page that moved"), link("/cookie", "a page behind a cookie"))
	w.Planted["no-such-host"]++
	h.pages["/moved"] = answer{status: http.StatusMovedPermanently, header: [][2]string{{"Location", "http://town.test/shop/1"}}}
	h.other = func(r *http.Request) answer {
		if r.URL.Path != "/cookie" {
			return answer{}
		}
		if _, err := r.Cookie("seen"); err != nil {
			return answer{status: http.StatusFound, header: [][2]string{{"Location", "/cookie"}, {"Set-Cookie", "seen=1"}}}
		}
		return page("en", "Behind the cookie", lighthouse(301))
	}
	w.relevant(h, "/cookie")
	w.Planted["redirects"]++ // a crawl keeps no cookies by default
	h.pages["/"] = page("en", "Signpost", "<h1>Where to go</h1><ul>", strings.Join(all, "\n"), "</ul>")
	w.Seeds = []string{h.url("/")}
}

// encodings adds pages that don't say their encoding, nor is it said in the header.
func (w *Web) encodings() (links []string) {
	h := w.add("coasts.test")
	for i, p := range []struct {
		in          encoding.Encoding
		title, text string
	}{
		{charmap.Windows1251, "Маяк на северном мысе", "Этот маяк был построен в 1864 году на высоком скалистом берегу. Свет маяка виден на двадцать миль, и каждую ночь смотритель зажигал большую лампу. Сегодня маяк работает без людей, а в старом доме смотрителя открыт музей."},
		{japanese.ShiftJIS, "岬の灯台", "この灯台は明治時代に建てられました。灯台の光は二十海里の沖からも見えます。昔は灯台守が家族と一緒に住んでいましたが、今は自動で動いています。夏には多くの人が灯台を見に来ます。"},
		{korean.EUCKR, "바닷가의 등대", "이 등대는 백 년 전에 세워졌습니다. 등대의 불빛은 먼 바다에서도 보입니다. 옛날에는 등대지기가 가족과 함께 살았지만 지금은 자동으로 움직입니다. 여름에는 많은 사람들이 등대를 보러 옵니다."},
		{simplifiedchinese.GB18030, "北海的灯塔", "这座灯塔建于一百多年前，高二十五米。灯塔的灯光在二十海里以外也能看到。从前守塔人和家人一起住在这里，现在灯塔是自动的。每年夏天有很多游客来参观灯塔和博物馆。"},
		{charmap.Windows1252, "Der Leuchtturm über der Brücke", "Der Leuchtturm wurde für die Fischer gebaut und gehört heute zum Küstenmuseum. Über fünfzig Stufen führen zur Galerie; von dort überblickt man die Dünen und die Häuser der früheren Leuchtturmwärter."},
		{unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "The lighthouse in sixteen bits", "This lighthouse stands at the mouth of the river. The lighthouse keeper lit its lamp at dusk, the foghorn was worked by steam, and the Fresnel lens came from Paris by ship."},
	} {
		path := fmt.Sprintf("/coast/%d", i+1)
		body, err := p.in.NewEncoder().String("<html><title>" + p.title + "</title><body><h1>" + p.title + "</h1><p>" + p.text + "</p></body></html>")
		if err != nil {
			panic(err) // the text is not of that encoding: a mistake above
		}
		h.pages[path] = answer{kind: "text/html", body: body}
		w.Titles[h.url(path)] = p.title
		w.relevant(h, path)
		links = append(links, link(h.url(path), fmt.Sprint("coast ", i+1)))
	}
	return links
}

// walls adds hosts that answer with a challenge, two pages each.
func (w *Web) walls() (links []string) {
	for i, p := range []struct {
		vendor string
		answer
	}{
		{"Cloudflare", answer{403, html, "<title>Just a moment...</title><script>window._cf_chl_opt={cType:'managed'}</script><noscript>Enable JavaScript and cookies to continue</noscript>", [][2]string{{"Cf-Mitigated", "challenge"}, {"Server", "cloudflare"}}}},
		{"Anubis", answer{200, html, "<title>Making sure you're not a bot!</title><script id=anubis_challenge type=application/json>{\"rules\":{}}</script><script src=/.within.website/x/cmd/anubis/static/js/main.mjs></script><p>Loading...</p>", nil}},
		{"AWS WAF", answer{202, html, "<script>window.gokuProps={\"key\":\"x\"};</script><script src=https://a.b.token.awswaf.com/c/challenge.js></script><noscript>JavaScript is disabled.</noscript>", [][2]string{{"X-Amzn-Waf-Action", "challenge"}}}},
		{"DataDome", answer{403, html, "<title>lights.test</title><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src=https://ct.captcha-delivery.com/c.js></script>", [][2]string{{"X-Datadome", "protected"}}}},
		{"hCaptcha", answer{200, html, "<title>One more step</title><form method=post><div class=h-captcha data-sitekey=x></div></form><script src=https://js.hcaptcha.com/1/api.js></script>", nil}},
	} {
		h := w.add(fmt.Sprintf("harbour%d.test", i+1))
		h.other = func(*http.Request) answer { return p.answer }
		for n := range 2 {
			links = append(links, link(h.url(fmt.Sprintf("/light/%d", n)), fmt.Sprintf("lighthouse %d of harbour %d", n, i+1)))
			w.Planted["wall"]++
			w.Planted["wall: "+p.vendor]++
		}
	}
	return links
}

// standIns adds hosts that answer with something else than the page, with a status of success.
func (w *Web) standIns() (links []string) {
	for _, p := range []struct {
		host, kind string
		pages      int
		answer
	}{
		{"oldlights.test", "soft-404", 3, page("en", "Page not found", "<h1>Page not found</h1><p>Sorry, the page you were looking for could not be found.</p><a href=/>Home</a>")},
		{"guild.test", "soft-404", 6, page("en", "The guild of keepers", "<h1>Welcome aboard</h1><p>Choose from the menu what you would like to read. The guild meets on Thursdays, and its rooms are open to guests after eight.</p>")},
		{"gazette.test", "consent", 2, page("en", "Before you continue", "<h1>Before you continue to the Gazette</h1><p>We use cookies and data to deliver and maintain our services. If you choose to accept all, we will also use cookies to show personalised ads.</p><form><button>Reject all</button><button>Accept all</button></form>")},
		{"keepers.test", "login", 2, page("en", "Log in", "<h1>Log in</h1><form method=post><input name=user><input type=password name=password><button>Log in</button></form>")},
		{"lampshop.test", "parked", 1, page("en", "lampshop.test", "<h1>lampshop.test</h1><p>This domain is for sale. Buy this domain.</p><script src=https://img1.sedoparking.com/js/parking.js></script>")},
		{"dockyard.test", "maintenance", 1, page("en", "Site maintenance", "<h1>We'll be back soon!</h1><p>Our site is currently undergoing scheduled maintenance.</p>")},
	} {
		h := w.add(p.host)
		h.other = func(*http.Request) answer { return p.answer }
		w.Planted[p.kind] += p.pages
		if p.host == "guild.test" { // the first three teach what the host answers to anything, and one request more settles it
			w.Planted[p.kind] += 1 - 3
			w.Planted[Copies] += 2
		}
		for n := range p.pages {
			links = append(links, link(h.url(fmt.Sprintf("/%s-%d", place(n * 5)[:3], n)), fmt.Sprintf("%s, %d", p.host, n)))
		}
	}
	return links
}

// endless adds a way deeper than a crawl goes, a calendar, and relative links that go on for ever.
func (w *Web) endless() []string {
	canal := w.add("canal.test")
	for n := 1; n <= 25; n++ {
		canal.pages[fmt.Sprintf("/reach/%c", 'a'+n)] = page("en", fmt.Sprintf("The canal above lock %c", 'A'+n), shop(n*3), link(fmt.Sprintf("/reach/%c", 'a'+n+1), "go up through the next lock of the canal"))
	}
	w.Planted[Depth]++
	tides := w.add("tides.test")
	tides.other = func(r *http.Request) answer {
		n := strings.Count(r.URL.Path, "/")
		if !strings.HasPrefix(r.URL.Path, "/table/") {
			return answer{}
		}
		return page("en", fmt.Sprintf("Tide table %d", n), shop(n*11), link("table/", "deeper tables of these tides"))
	}
	w.Planted[Trapped]++
	diary := w.add("diary.test")
	diary.other = diaryPage
	w.expectDiary()
	return []string{link(diary.url(diaryBegin.Format(diaryMonth)), "a diary"), link(canal.url("/reach/b"), "the canal"), link(tides.url("/table/"), "tides")}
}

// A diary is a calendar without entries and without end: a month links to one day a week, and to the next month.
const (
	diaryMonth = "/2006/01/"
	diaryDay   = "/2006/01/02/"
)

// diaryBegin is the month that the directory links to.
var diaryBegin = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func diaryPage(r *http.Request) answer {
	at, err := time.Parse(diaryMonth, r.URL.Path)
	if err != nil {
		if at, err = time.Parse(diaryDay, r.URL.Path); err != nil {
			return answer{}
		}
		return page("en", at.Format("2 January 2006"), "<h1>"+at.Format("Monday, 2 January 2006")+"</h1><p>No entry.</p>")
	}
	var days []string
	for day := range diaryDays(at) {
		at := at.AddDate(0, 0, 7*day)
		days = append(days, link(at.Format(diaryDay), at.Format("2")))
	}
	days = append(days, "<a rel=next href="+at.AddDate(0, 1, 0).Format(diaryMonth)+">next month</a>")
	return page("en", at.Format("January 2006"), days...)
}

// diaryDays is the number of days that a month links to.
func diaryDays(month time.Time) int { return (month.AddDate(0, 1, -1).Day() + 6) / 7 }

// expectDiary counts the links of the diary that a crawl doesn't follow: of its days a year's worth are admitted, and as soon as a month
// brings no new one, each further month is a link deeper.
func (w *Web) expectDiary() {
	const maxDates, maxDepth = 366, 20
	admitted := 0
	for month, depth := diaryBegin, 1; ; month = month.AddDate(0, 1, 0) {
		days := diaryDays(month)
		if depth == maxDepth {
			w.Planted[Depth] += days + 1
			return
		}
		fresh := min(days, maxDates-admitted)
		admitted += fresh
		w.Planted[Trapped] += days - fresh
		if fresh == 0 {
			depth++
		}
	}
}

// documents adds a dump and PDFs.
func (w *Web) documents() []string {
	h := w.add("archive.test")
	links := []string{link(h.url("/lights.jsonld"), "all lights as data")}
	var graph []string
	for n := range 20 {
		path := fmt.Sprintf("/record/%d", n)
		h.pages[path] = page("en", "Record of "+place(n+200)+" lighthouse", lighthouse(n+200))
		w.relevant(h, path)
		graph = append(graph, fmt.Sprintf(`{"@id": %q, "@type": "http://lights.example/terms#Lighthouse", "http://schema.org/name": %q, "http://schema.org/url": {"@id": %q}}`, h.url(path)+"#it", place(n+200), h.url(path)))
	}
	h.pages["/lights.jsonld"] = answer{kind: "application/ld+json", body: `{"@graph": [` + strings.Join(graph, ",\n") + "]}"}
	for n, text := range []string{"Notice to mariners: the lighthouse of Gull Head shows a new light. The Fresnel lens was cleaned.", "Plans of a lighthouse with lantern room and foghorn, drawn in 1861.", ""} {
		path := fmt.Sprintf("/notice-%d.pdf", n)
		h.pages[path] = answer{kind: "application/pdf", body: pdf(text)}
		links = append(links, link(h.url(path), fmt.Sprint("notice ", n)))
		if text == "" {
			w.Planted[Textless]++
		} else {
			w.relevant(h, path)
		}
	}
	return links
}

// pdf is a PDF of one page, with a picture in place of an empty text.
func pdf(text string) string {
	content := "BT /F 12 Tf 72 700 Td (" + text + ") Tj ET"
	if text == "" {
		content = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"
	}
	return "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n" +
		fmt.Sprintf("4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", len(content), content) +
		"5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
}

// town adds pages about anything else, and one that needs scripts.
func (w *Web) town() (links []string) {
	h := w.add("town.test")
	for n := range 40 {
		path := fmt.Sprintf("/shop/%d", n)
		h.pages[path] = page("en", fmt.Sprintf("The %s, no. %d", trades[n%len(trades)].name, n), shop(n))
		links = append(links, link(h.url(path), fmt.Sprintf("%s %d", trades[n%len(trades)].name, n)))
	}
	h.pages["/app"] = page("en", "Town", "<div id=root></div><script src=/app.js></script>")
	w.Planted[Scripted]++
	return append(links, link(h.url("/app"), "the town's app"))
}
