package failing

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestKinds: what a URL is told by.
func TestKinds(t *testing.T) {
	for _, c := range []struct{ url, media, want string }{
		{"http://a.test/papers/1997/x.PS?v=1", "", "http://a.test|http://a.test/papers/0/||.ps|http://a.test .ps|"},
		{"http://a.test/x.html", "text/html", "http://a.test|http://a.test/|page||http://a.test page|"},
		{"http://a.test/", "", "http://a.test|http://a.test/|page||http://a.test page|"},
		{"http://a.test/v1.2/about", "application/pdf; q=1", "http://a.test|http://a.test/v0.0/|page||http://a.test page|application/pdf"},
		{"http://a.test/.profile", "", "http://a.test|http://a.test/|page||http://a.test page|"},
		{"http://a.test/a/b/c/d/e.tar.gz", "", "http://a.test|http://a.test/a/b/||.gz|http://a.test .gz|"},
	} {
		names := kindsOf(c.url, c.media).names()
		if got := strings.Join(names[:], "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.url, got, c.want)
		}
	}
}

// TestShare: the mean of a Beta posterior with a prior of two outcomes, by hand.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		answered, tried int64
		above, want     float64
	}{{0, 0, 0.7, 0.7}, {0, 6, 1, 0.25}, {3, 4, 0.5, 4.0 / 6}, {0, 2, 0.25, 0.125}} {
		if got := (tally{c.tried * unit, c.answered * unit}).share(c.above); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestFails: an extension fails after five requests if it is the first, after three if others failed before; never without a
// request of its own; a host that answers it is an exception.
func TestFails(t *testing.T) {
	var m Model
	for i := range 20 {
		m.Add(fmt.Sprintf("http://h%d.test/page%d", i%3, i), "", true)
	}
	tries := func(extension string) int {
		for n := range 30 {
			if _, fails := m.Fails("http://h0.test/a"+extension, ""); fails {
				return n
			}
			m.Add(fmt.Sprintf("http://h%d.test/%d%s", n%3, n, extension), "", false)
		}
		return 30
	}
	if first, second := tries(".ps"), tries(".pdf"); first != 5 || second != 3 {
		t.Errorf("it took %d and %d requests", first, second)
	}
	if why, fails := m.Fails("http://h9.test/b.ps", ""); !fails || !strings.HasSuffix(why, "answered: .ps") {
		t.Errorf("%q, %v", why, fails)
	}
	if why, fails := m.Fails("http://h9.test/b.ttl", ""); fails {
		t.Errorf("one that was never tried: %s", why)
	}
	m.Add("http://h9.test/c.ps", "", true)
	m.Add("http://h9.test/d.ps", "", true)
	if why, fails := m.Fails("http://h9.test/b.ps", ""); fails {
		t.Errorf("at a host that answers: %s", why)
	}
	if why, fails := m.Fails("http://h0.test/page", ""); fails {
		t.Errorf("a page: %s", why)
	}
}

// TestFailsByPlace: a host, a directory of a host, and a media type that links state.
func TestFailsByPlace(t *testing.T) {
	var m Model
	for i := range 30 {
		m.Add(fmt.Sprintf("http://a.test/good/%d", i), "", true)
		m.Add(fmt.Sprintf("http://a.test/old/%d", i), "", i == 17)
	}
	for i := range 8 {
		m.Add(fmt.Sprintf("http://gone.test/%d", i), "", false)
		m.Add(fmt.Sprintf("http://b%d.test/1", i), "application/x-dvi", false)
	}
	for _, c := range []struct {
		url, media string
		want       bool
	}{
		{"http://a.test/good/x", "", false}, {"http://a.test/old/x", "", true}, {"http://a.test/new/x", "", false},
		{"http://gone.test/x", "", true}, {"http://c.test/", "application/x-dvi", true}, {"http://c.test/", "", false},
	} {
		if why, fails := m.Fails(c.url, c.media); fails != c.want {
			t.Errorf("%s %s: %v %s", c.url, c.media, fails, why)
		}
	}
}

// TestStart: a model that begins at Start is the same as one that saw everything.
func TestStart(t *testing.T) {
	var whole Model
	const n = Window + 5*Epoch + 77
	add := func(m *Model, i int64) { m.Add(fmt.Sprintf("http://h%d.test/%d.ps", i*i%97, i), "", i%3 == 0) }
	for i := range int64(n) {
		add(&whole, i)
	}
	var part Model
	for i := Start(n); i < n; i++ {
		add(&part, i)
	}
	if !reflect.DeepEqual(whole, part) {
		t.Errorf("%+v and %+v", whole.all, part.all)
	}
}

// FuzzKinds: any URL has a host and a directory of bounded length.
func FuzzKinds(f *testing.F) {
	f.Add("http://a.test/x.ps", "text/html")
	f.Add("", "")
	f.Add("a://", "/;")
	f.Fuzz(func(t *testing.T, url, media string) {
		k := kindsOf(url, media)
		if len(k.directory) > len(k.host)+80 || len(k.extension) > longest+1 || len(k.media) > 60 {
			t.Errorf("%q: %+v", url, k)
		}
	})
}
