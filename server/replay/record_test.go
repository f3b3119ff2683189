package replay

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"orbweaver/page"
)

// TestRecord: the requests of proxy clients are recorded once each, in order, with what answers them; those of the
// server's own pages are not.
func TestRecord(t *testing.T) {
	f := fake{
		"http://a.test/":     {body: "hello", header: map[string]string{"Etag": `"1"`}},
		"http://a.test/none": {status: http.StatusNoContent},
		"http://a.test/to":   {status: http.StatusFound, header: map[string]string{"Location": "/"}},
	}
	var got []string
	s, err := New(f, Options{URLs: slices.Values(slices.Sorted(maps.Keys(f))), Decode: page.Decode, Absent: http.StatusNotFound,
		Record: func(url, method string, status int) { got = append(got, fmt.Sprint(method, " ", url, " ", status)) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []struct{ method, target, host, etag string }{
		{"GET", "http://A.test", "", ""},
		{"HEAD", "http://a.test/", "", ""},
		{"GET", "http://a.test/", "", `"1"`},
		{"GET", "/to", "a.test", ""},
		{"GET", "http://a.test/none", "", ""},
		{"GET", "http://a.test/robots.txt", "", ""},
		{"GET", "/web/http://a.test/", "localhost", ""},
		{"GET", "ftp://a.test/", "", ""},
		{"POST", "http://a.test/", "", ""},
	} {
		r := httptest.NewRequest(ask.method, ask.target, nil)
		r.RequestURI = ask.target
		if ask.host != "" {
			r.Host = ask.host
		}
		r.Header.Set("If-None-Match", ask.etag)
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	want := []string{"GET http://a.test/ 200", "HEAD http://a.test/ 200", "GET http://a.test/ 304", "GET http://a.test/to 302",
		"GET http://a.test/none 204", "GET http://a.test/robots.txt 404"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
