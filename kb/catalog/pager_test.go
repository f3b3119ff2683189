package catalog_test

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"testing"

	"orbweaver/kb/catalog"
)

// A portal is a CKAN simulated by a function.
type portal func(start, rows int) (names []string, count int64)

// numbered returns n names, numbered from one on.
func numbered(start, n, of int) (names []string) {
	for i := start; i < min(start+n, of); i++ {
		names = append(names, "p"+strconv.Itoa(i))
	}
	return names
}

// walk pages through a portal.
func walk(t *testing.T, answer portal, o catalog.PagerOptions) (asked, packages int, err error) {
	t.Helper()
	p, err := catalog.NewPager("https://hub.test/api/3/action/package_search?fq=tags:lod", o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		address, more := p.Next()
		if !more {
			asked, packages = p.Asked()
			return asked, packages, err
		}
		if err != nil {
			t.Fatalf("goes on after %v", err)
		}
		u, bad := url.Parse(address)
		if bad != nil || u.Path != "/api/3/action/package_search" || u.Query().Get("fq") != "tags:lod" || u.Query().Get("sort") != "name asc" {
			t.Fatal(address, bad)
		}
		start, _ := strconv.Atoi(u.Query().Get("start"))
		rows, _ := strconv.Atoi(u.Query().Get("rows"))
		names, count := answer(start, rows)
		err = p.Take(catalog.Catalogue{Page: catalog.Page{Names: names, Count: count}})
	}
}

// TestPager: paging terminates, normally or with an explanatory error.
func TestPager(t *testing.T) {
	for _, tc := range []struct {
		name            string
		answer          portal
		opts            catalog.PagerOptions
		asked, packages int
		err             error
		says            string
	}{
		{"all in pages", func(s, n int) ([]string, int64) { return numbered(s, n, 250), 250 }, catalog.PagerOptions{}, 3, 250, nil, ""},
		{"none", func(int, int) ([]string, int64) { return nil, 0 }, catalog.PagerOptions{}, 1, 0, nil, ""},
		{"pages smaller than asked for", func(s, n int) ([]string, int64) { return numbered(s, 10, 95), 95 }, catalog.PagerOptions{}, 10, 95, nil, ""},
		{"as many as a page", func(s, n int) ([]string, int64) { return numbered(s, n, 100), 100 }, catalog.PagerOptions{}, 1, 100, nil, ""},
		{"no count, an empty page at the end", func(s, n int) ([]string, int64) { return numbered(s, n, 150), -1 }, catalog.PagerOptions{}, 3, 150, nil, ""},
		{"the same page again and again", func(s, n int) ([]string, int64) { return numbered(0, n, 100), 1_000_000 }, catalog.PagerOptions{}, 2, 100, catalog.ErrEndless, "does not come to an end: the page of 100 packages before 200 has none that is new"},
		{"two pages that alternate", func(s, n int) ([]string, int64) { return numbered(s%200, n, 200), 1 << 40 }, catalog.PagerOptions{}, 3, 200, catalog.ErrEndless, ""},
		{"new ones for ever", func(s, n int) ([]string, int64) { return numbered(s, n, 1<<40), 1 << 40 }, catalog.PagerOptions{Pages: 7}, 7, 700, catalog.ErrEndless, "after 7 requests does not come to an end: the rest is left out"},
		{"a count that grows", func(s, n int) ([]string, int64) { return numbered(s, n, 1<<40), int64(s + n + 1) }, catalog.PagerOptions{Datasets: 500}, 5, 500, nil, "more than 500 packages"},
		{"an empty page too early", func(s, n int) ([]string, int64) { return numbered(s, n, 100), 120 }, catalog.PagerOptions{}, 2, 100, nil, "an empty page at 100, of 120 packages"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked, packages, err := walk(t, tc.answer, tc.opts)
			if asked != tc.asked || packages != tc.packages || tc.err != nil && !errors.Is(err, tc.err) || (err != nil) != (tc.err != nil || tc.says != "") {
				t.Errorf("%d requests, %d packages, %v", asked, packages, err)
			}
			if tc.says != "" {
				holds(t, fmt.Sprint(err), tc.says)
			}
		})
	}
}

// TestPagerOfNames: the names in package_list are fetched by package_show; failed ones are skipped.
func TestPagerOfNames(t *testing.T) {
	p, err := catalog.NewPager("http://hub.test/data/api/3/action/package_list", catalog.PagerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"package_list", "package_show?id=a+b", "package_show?id=c"}
	for i := 0; ; i++ {
		address, more := p.Next()
		if !more {
			if i != len(want) {
				t.Errorf("ends after %d", i)
			}
			return
		}
		if i >= len(want) || address != "http://hub.test/data/api/3/action/"+want[i] {
			t.Fatalf("%d: %s", i, address)
		}
		var c catalog.Catalogue
		if i == 0 {
			c = read(t, `{"success":true,"result":["a b","c","a b"]}`, catalog.Options{Name: address})
		}
		if err := p.Take(c); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPagerRefused(t *testing.T) {
	p, err := catalog.NewPager("http://hub.test/api/3", catalog.PagerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	refused := fmt.Errorf("%w: no", catalog.ErrRefused)
	if err := p.Take(catalog.Catalogue{Page: catalog.Page{Refused: refused}}); !errors.Is(err, catalog.ErrRefused) {
		t.Error(err)
	}
	if _, more := p.Next(); more {
		t.Error("goes on")
	}
}

func TestIsCKAN(t *testing.T) {
	for address, want := range map[string]bool{
		"https://hub.test/api/3/action/package_search?q=x":                  true,
		"https://hub.test/en/api/action/package_list":                       true,
		"https://hub.test/api/3/":                                           true,
		"https://hub.test/api/3/action/current_package_list_with_resources": true,
		"https://hub.test/":                                                 false,
		"https://hub.test/api/v1/datasets":                                  false,
		"api/3/action/package_search":                                       false,
		"https://hub.test/dataset/planes":                                   false,
		"https://hub.test/api/3/action/tags":                                false,
	} {
		if catalog.IsCKAN(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
