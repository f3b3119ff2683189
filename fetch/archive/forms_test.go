package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"orbweaver"
)

func TestQuality(t *testing.T) {
	for _, tc := range []struct {
		accept, media string
		want          float64
	}{
		{"", "text/html", 0},
		{"text/html", "text/html", 1},
		{"text/html", "text/turtle", 0},
		{"TEXT/HTML;Q=0.5", "text/html", 0.5},
		{"text/*;q=0.3, text/html;q=0.7, */*;q=0.5", "text/html", 0.7},
		{"text/*;q=0.3, text/html;q=0.7, */*;q=0.5", "text/turtle", 0.3},
		{"text/*;q=0.3, text/html;q=0.7, */*;q=0.5", "image/png", 0.5},
		{"text/html;q=0, */*", "text/html", 0},
		{`application/ld+json;profile="a,b;q=0";q=0.4, text/html`, "application/ld+json", 0.4},
		{"text/html;level=1;q=0.4, text/html;q=0.2", "text/html", 0.4},
		{"text/turtle;q=2, */turtle, turtle, text/html;q=x, , */*;q=0.1", "text/turtle", 0.1},
		{"text/turtle;q=NaN", "text/turtle", 0},
		{"*/*", "", 1},
		{usualAccept, "text/html", 1},
		{usualAccept, "text/turtle", 0.9},
		{usualAccept, "image/png", 0.5},
		{strings.Repeat("a/b,", maxRanges) + "text/html", "text/html", 0},
	} {
		if got := quality(parseAccept(tc.accept), tc.media); got != tc.want {
			t.Errorf("%.60s of %q: %v, want %v", tc.media, tc.accept, got, tc.want)
		}
	}
	for accept, want := range map[string]string{
		usualAccept: "text/html", "*/*": "", "text/*": "", "": "", "a/b;q=0": "", "a/b;q=0.1, text/turtle, text/html": "text/turtle",
	} {
		if got := favourite(accept); got != want {
			t.Errorf("%q wants %q most, not %q", accept, got, want)
		}
	}
}

// form writes an answer to one URL; its body is the day.
func form(day int, status, media string) string {
	return plainRecord("response", "http://a.test/", fmt.Sprintf("2020-01-%02dT00:00:00Z", day), "",
		fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\n\r\n%d", status, media, day))
}

func TestAcceptChooses(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = form(i+1, "200", fmt.Sprintf("text/x%d", i+1))
	}
	for _, tc := range []struct {
		name    string
		records []string
		accept  string
		want    string
	}{
		{"HTML to the usual request", []string{form(1, "200", "text/html"), form(2, "200", "text/turtle")}, "", "1"},
		{"Turtle to who wants it", []string{form(2, "200", "text/html"), form(1, "200", "text/turtle; charset=utf-8")}, "text/turtle", "1"},
		{"by weight", []string{form(2, "200", "text/html"), form(1, "200", "text/turtle")}, "text/html;q=0.8, text/turtle;q=0.9", "1"},
		{"the latest of what is wanted alike", []string{form(1, "200", "text/html"), form(2, "200", "text/turtle")}, "*/*", "2"},
		{"the latest where nothing is wanted", []string{form(1, "200", "text/html"), form(2, "200", "text/turtle")}, "image/png", "2"},
		{"the latest of a form", []string{form(1, "200", "text/turtle"), form(3, "200", "text/turtle"), form(2, "200", "text/turtle"), form(4, "200", "text/html")}, "text/turtle", "3"},
		{"no failure is a form", []string{form(1, "200", "text/html"), form(2, "404", "text/turtle")}, "text/turtle", "1"},
		{"a failure stays the latest", []string{form(1, "404", "text/html"), form(2, "406", "text/turtle")}, "text/html", "2"},
		{"a redirect of no request is no form", []string{form(1, "200", "text/html"), form(2, "303", "text/turtle")}, "text/turtle", "1"},
		{"the latest few forms", many, fmt.Sprintf("text/x%d, */*;q=0.1", 31-maxForms), fmt.Sprint(31 - maxForms)},
		{"no form more", many, fmt.Sprintf("text/x%d, */*;q=0.1", 30-maxForms), "30"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, zipped(tc.records...)))
			resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test", Accept: tc.accept})
			if err != nil {
				t.Fatal(err)
			}
			if body := readBody(t, resp); string(body) != tc.want {
				t.Errorf("day %s, want %s", body, tc.want)
			}
		})
	}
}

// TestFormsAreOneEntry: All and Stock tell of what the usual request gets.
func TestFormsAreOneEntry(t *testing.T) {
	other := plainRecord("response", "http://b.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\r\n\r\n")
	w := openWeb(t, writeFile(t, zipped(form(1, "200", "text/html"), other, form(2, "200", "text/turtle"))))
	if got, want := slices.Collect(w.All()), []Entry{{"http://a.test/", 200, "text/html"}, {"http://b.test/", 200, ""}}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	all := listed(t, w.Stock())
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	resp, err := w.Stock().Response(all[0].Holding, 100)
	if err != nil {
		t.Fatal(err)
	}
	if body := readBody(t, resp); string(body) != "1" {
		t.Errorf("day %s", body)
	}
	if size := unsafe.Sizeof(capture{}); size != 56 {
		t.Errorf("%d bytes a capture", size)
	}
}

// TestAcceptChoosesRedirects: by what their requests wanted, wherever in the file those stand.
func TestAcceptChoosesRedirects(t *testing.T) {
	see := func(day int, to, more string) string {
		return plainRecord("response", "http://a.test/", fmt.Sprintf("2020-01-%02dT00:00:00Z", day), more,
			"HTTP/1.1 303 See Other\r\nContent-Type: text/html\r\nLocation: "+to+"\r\n\r\n")
	}
	ask := func(more, accept string) string {
		return plainRecord("request", "http://a.test/", "2020-01-01T00:00:00Z", more, "GET / HTTP/1.1\r\nHost: a.test\r\nAccept: "+accept+"\r\n\r\n")
	}
	const id, concurrent = "WARC-Record-ID: <%s>\r\n", "WARC-Concurrent-To: <%s>\r\n"
	behind := []string{
		see(1, "/page", fmt.Sprintf(id, "a")), ask(fmt.Sprintf(concurrent, "a"), "text/html, */*;q=0.1"),
		see(2, "/data", fmt.Sprintf(id, "b")), ask(fmt.Sprintf(concurrent, "b"), "text/turtle"),
	}
	for _, tc := range []struct {
		name                 string
		records              []string
		usual, turtle, other string // Location; empty: 200
	}{
		{"requests behind", behind, "/page", "/data", "/data"},
		{"requests before", []string{
			ask(fmt.Sprintf(id, "a"), "text/turtle"), see(1, "/data", fmt.Sprintf(concurrent, "a")),
			ask(fmt.Sprintf(concurrent, "d"), "text/html"), see(2, "/page", fmt.Sprintf(id, "d")),
		}, "/page", "/data", "/page"},
		{"requests of others", []string{
			ask(fmt.Sprintf(id, "a"), "text/turtle"), see(1, "/data", fmt.Sprintf(concurrent, "z")),
			see(2, "/page", ""), ask(fmt.Sprintf(concurrent, "d"), "text/html"),
		}, "/page", "/page", "/page"},
		{"a document beside them", append(slices.Clip(behind), form(3, "200", "text/html")), "", "/data", ""},
		{"a later failure", append(slices.Clip(behind), form(3, "410", "text/html")), "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			whole, each := zipped(strings.Join(tc.records, "")), zipped(tc.records...)
			for _, content := range [][]byte{each, whole, []byte(strings.Join(tc.records, ""))} {
				w := openWeb(t, writeFile(t, content))
				for accept, want := range map[string]string{"": tc.usual, "text/turtle": tc.turtle, "image/png": tc.other} {
					resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/", Accept: accept})
					if err != nil {
						t.Fatal(err)
					}
					readBody(t, resp)
					if got := resp.Header.Get("Location"); got != want {
						t.Errorf("Accept %q leads to %q, want %q", accept, got, want)
					}
				}
			}
		})
	}
}

// TestWrittenFormsAreChosen: what the Writer keeps of a request is enough.
func TestWrittenFormsAreChosen(t *testing.T) {
	dir := t.TempDir()
	out := openWriter(t, dir, Mark{}, WriterOptions{})
	for _, accept := range []string{"text/turtle", "text/html"} {
		resp := answerOf("http://a.test/", map[string][]string{"Location": {"/" + accept}})
		resp.Status, resp.Request.Accept = 303, accept
		appendTo(t, out, resp, "see "+accept)
	}
	closeWriter(t, out)
	w := openWeb(t, dir)
	for _, accept := range []string{"text/turtle", "text/html"} {
		resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/", Accept: accept})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(readBody(t, resp)); got != "see "+accept || resp.Redirect != "http://a.test/"+accept {
			t.Errorf("%s: %q, to %s", accept, got, resp.Redirect)
		}
	}
}

// FuzzAccept: whatever the field is, weights are weights.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{usualAccept, `a/b;q="0,1", c/*;x="\",;`, "*/*;q=1e-400", ";;q=,,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		ranges := parseAccept(accept)
		for _, media := range []string{"", "text/html", favourite(accept)} {
			if q := quality(ranges, media); !(q >= 0 && q <= 1) {
				t.Fatalf("%q: %v", media, q)
			}
		}
	})
}
