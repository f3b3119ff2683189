package eval

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/weburl"
)

func TestReadRequests(t *testing.T) {
	text := "# a crawler\nHTTP://H.test\thttp\n\nhttp://h.test/robots.txt\r\nhttp://h.test/a#b\nhttp://h.test/\nhttp://h.test/last"
	want := []string{"http://h.test/", "http://h.test/a", "http://h.test/"}
	got, err := ReadRequests(strings.NewReader(text), "log", 3)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if all, err := ReadRequests(strings.NewReader(text), "log", 0); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	for _, tc := range []struct{ text, want string }{
		{"http://h.test/\nno url", "log:2: "},
		{"http://h.test/\n" + strings.Repeat("x", maxRequestLine+1), "log:2: the line is longer"},
		{"# nothing\n", "it has no requests"},
	} {
		if _, err := ReadRequests(strings.NewReader(tc.text), "log", 0); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}

func FuzzReadRequests(f *testing.F) {
	f.Add("http://h.test/\tGET\t200\nhttps://x.test/robots.txt\n")
	f.Fuzz(func(t *testing.T, text string) {
		urls, err := ReadRequests(strings.NewReader(text), "log", 10)
		if err == nil && (len(urls) == 0 || len(urls) > 10) {
			t.Errorf("%d requests", len(urls))
		}
		for _, url := range urls {
			if again, err := weburl.Canonical(url); err != nil || again != url {
				t.Errorf("%q is not canonical: %q, %v", url, again, err)
			}
		}
	})
}
