package usage

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/rdf"
)

// said returns the hints of a page, as JSON without braces of the list.
func said(path string, header http.Header, p *orbweaver.Page, host *Host) string {
	var all []string
	for _, h := range Of(path, header, p, nil, host) {
		b, err := json.Marshal(h)
		if err != nil {
			return err.Error()
		}
		all = append(all, string(b))
	}
	return strings.Join(all, "\n")
}

// TestOf: one source each, and what of them reserves.
func TestOf(t *testing.T) {
	robots := "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nUser-agent: Google-Extended\nDisallow: /private\nUser-agent: otherbot\nContent-Usage: train-ai=n\nDisallow: /\nUser-agent: *\nDisallow: /tmp\nContent-Usage: /press/ train-ai=n\n"
	for name, tc := range map[string]struct {
		path   string
		header http.Header
		page   orbweaver.Page
		robots string
		tdm    string
		want   string
		no     bool // it does not reserve
	}{
		"nothing": {path: "/", robots: "User-agent: *\nDisallow: /", no: true},
		"agents":  {path: "/a", robots: robots, want: `{"kind":"agent-disallowed","from":"robots.txt","value":"Disallow: /","agents":["CCBot","GPTBot"],"reserves":true}`},
		"paths": {path: "/press/a", robots: robots, want: `{"kind":"agent-disallowed","from":"robots.txt","value":"Disallow: /","agents":["CCBot","GPTBot"],"reserves":true}
{"kind":"content-usage","from":"robots.txt","value":"train-ai=n","reserves":true}`},
		"signal":       {path: "/", robots: "Content-Signal: search=yes, ai-train=no", want: `{"kind":"content-signal","from":"robots.txt","value":"search=yes, ai-train=no","reserves":true}`},
		"allowed":      {path: "/", robots: "User-agent: *\nContent-Usage: train-ai=y, search=n", no: true, want: `{"kind":"content-usage","from":"robots.txt","value":"train-ai=y, search=n"}`},
		"header usage": {path: "/", header: http.Header{"Content-Usage": {"train-ai=n;x=1"}}, want: `{"kind":"content-usage","from":"header Content-Usage","value":"train-ai=n;x=1","reserves":true}`},
		"x-robots-tag": {path: "/", header: http.Header{"X-Robots-Tag": {"noindex, noai, noimageai", "GPTBot: noai"}}, want: `{"kind":"robots","from":"header X-Robots-Tag","value":"noai","reserves":true}
{"kind":"robots","from":"header X-Robots-Tag","value":"noimageai"}
{"kind":"robots","from":"header X-Robots-Tag","value":"noai","agents":["GPTBot"],"reserves":true}`},
		"images alone": {path: "/", page: orbweaver.Page{Body: []byte(`<META NAME="Robots" CONTENT="NoImageAI">`)}, no: true, want: `{"kind":"robots","from":"meta robots","value":"noimageai"}`},
		"tdmrep": {path: "/b/c.html", tdm: `[{"location":"/a/","tdm-reservation":0},{"location":"/b/*.html$","tdm-reservation":1,"tdm-policy":"https://x.example/p"},{"location":"/","tdm-reservation":0}]`,
			want: `{"kind":"tdm-reservation","from":"tdmrep.json","value":"1","reserves":true}
{"kind":"tdm-policy","from":"tdmrep.json","value":"https://x.example/p"}`},
		"the page overrides": {path: "/", tdm: `[{"location":"/","tdm-reservation":"1"}]`, header: http.Header{"Tdm-Reservation": {"1"}}, no: true,
			page: orbweaver.Page{Body: []byte(`<meta name="tdm-reservation" content="0">`)}, want: `{"kind":"tdm-reservation","from":"tdmrep.json","value":"1"}
{"kind":"tdm-reservation","from":"header tdm-reservation","value":"1"}
{"kind":"tdm-reservation","from":"meta tdm-reservation","value":"0"}`},
		"licences": {path: "/", no: true, page: orbweaver.Page{
			Body:  []byte(`<meta name="dcterms.license" content="https://creativecommons.org/licenses/by/4.0/"><meta name=rights content="All rights` + "\u202e" + ` reserved">`),
			Links: []orbweaver.Link{{To: "https://creativecommons.org/licenses/by/4.0/", Rel: "license nofollow"}, {To: "http://x.example/l", Rel: "license", Origin: orbweaver.FromHeader}},
		}, want: `{"kind":"license","from":"meta dcterms.license","value":"https://creativecommons.org/licenses/by/4.0/"}
{"kind":"rights","from":"meta rights","value":"All rights reserved"}
{"kind":"license","from":"link","value":"https://creativecommons.org/licenses/by/4.0/"}
{"kind":"license","from":"header Link","value":"http://x.example/l"}`},
	} {
		host := NewHost([]byte(tc.robots), []byte(tc.tdm))
		if got := said(tc.path, tc.header, &tc.page, host); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tc.want)
		}
		if got := Reserved(Of(tc.path, tc.header, &tc.page, nil, host)); got == tc.no {
			t.Errorf("%s: reserved %v", name, got)
		}
	}
}

// TestOfData: what the data says of the page itself.
func TestOfData(t *testing.T) {
	p := &orbweaver.Page{URL: "http://x.example/"}
	data := func(yield func(rdf.Triple) bool) {
		yield(rdf.Triple{S: rdf.NewIRI(p.URL), P: rdf.NewIRI("https://schema.org/license"), O: rdf.NewIRI("https://x.example/licence")})
	}
	all := Of("/", nil, p, data, nil)
	if len(all) != 1 || all[0].Kind != License || all[0].From != "data" || all[0].Value != "https://x.example/licence" {
		t.Errorf("%+v", all)
	}
}

// FuzzOf: no input panics, and hints are short, few and printable.
func FuzzOf(f *testing.F) {
	f.Add("User-agent: GPTBot\nDisallow: /", `[{"location":"/","tdm-reservation":1}]`, `<meta name=robots content="noai">`, "gptbot: noai")
	f.Add("content-usage:", `[1,{"location":"*","tdm-reservation":"0"}]`, "<meta name=rights content='\x00'>", ",,:")
	f.Fuzz(func(t *testing.T, robots, tdm, body, header string) {
		all := Of("/a?b", http.Header{"X-Robots-Tag": {header}, "Content-Usage": {header}, "Tdm-Policy": {header}}, &orbweaver.Page{Body: []byte(body)}, nil, NewHost([]byte(robots), []byte(tdm)))
		if len(all) > maxHints {
			t.Errorf("%d hints", len(all))
		}
		for _, h := range all {
			if len(h.Value) > maxValue || !utf8.ValidString(h.Value) || strings.ContainsAny(h.Value, "\n\x00") {
				t.Errorf("%+v", h)
			}
		}
	})
}
