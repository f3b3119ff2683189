package mediawiki_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/mediawiki"
	"orbweaver/internal/step"
)

// TestMembers: level by level, each article once, whatever holds what, in however many parts.
func TestMembers(t *testing.T) {
	for _, tc := range []struct {
		category string
		walk     mediawiki.Walk
		want     []string
		err      error
	}{
		{"Category:Diabetes", mediawiki.Walk{}, []string{"1 Diabetes", "2 Insulin", "3 Sugar disease"}, nil},
		{"Diabetes", mediawiki.Walk{Depth: 1}, []string{"1 Diabetes", "2 Insulin", "3 Sugar disease", "4 Type 1 diabetes"}, nil},
		{"Category:Diabetes", mediawiki.Walk{Depth: 100}, []string{"1 Diabetes", "2 Insulin", "3 Sugar disease", "4 Type 1 diabetes", "5 Deep page", "6 Elliott Joslin", "7 DI"}, nil},
		{"Category:Diabetes", mediawiki.Walk{Depth: 100, Categories: 3}, []string{"1 Diabetes", "2 Insulin", "3 Sugar disease", "4 Type 1 diabetes", "5 Deep page"}, orbweaver.ErrTooLarge},
		{"Category:Diabetes", mediawiki.Walk{Depth: 100, Members: 2}, []string{"1 Diabetes", "2 Insulin"}, orbweaver.ErrTooLarge},
		{"Category:Diabetes", mediawiki.Walk{Members: 3}, []string{"1 Diabetes", "2 Insulin", "3 Sugar disease"}, nil},
		{"Category:Deep", mediawiki.Walk{Depth: -1}, []string{"5 Deep page"}, nil},
		{"Nothing of the kind", mediawiki.Walk{Depth: 1}, nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := diabetes()
			k.members["Category:Diabetes"] = k.members["Category:Diabetes"][:6] // the last has no ID
			got, err := titles(t, clientOf(t, direct{k}), tc.category, tc.walk)
			same(t, fmt.Sprint(tc.category, tc.walk), got, tc.want...)
			if !errors.Is(err, tc.err) {
				t.Errorf("%s %+v: %v", tc.category, tc.walk, err)
			}
		})
	}
	k := diabetes()
	for range clientOf(t, direct{k}).Members(t.Context(), "Diabetes", mediawiki.Walk{Depth: 5}) {
		break
	}
	if len(k.asked) != 1 {
		t.Errorf("%d requests for one member", len(k.asked))
	}
}

// TestManners: one at a time, a delay from end to start, and what an API wants to be told.
func TestManners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := diabetes()
		if _, err := titles(t, clientOf(t, direct{k}), "Diabetes", mediawiki.Walk{Depth: 9}); err != nil {
			t.Fatal(err)
		}
		for i, q := range k.asked {
			if q.Get("maxlag") != "5" || q.Get("format") != "json" || q.Get("formatversion") != "2" {
				t.Errorf("asked with %v", q)
			}
			if i > 0 && k.at[i].Sub(k.at[i-1]) != mediawiki.DefaultDelay {
				t.Errorf("request %d after %v", i, k.at[i].Sub(k.at[i-1]))
			}
		}
	})
}

// TestSubjects: persons by category and by description, wherever in the parts it stands; redirects are
// followed, what is not there is told.
func TestSubjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var members []mediawiki.Member
		for id, title := range map[int64]string{1: "Diabetes", 3: "Sugar disease", 6: "Elliott Joslin", 7: "DI", 9: "Somebody", 77: "Gone"} {
			members = append(members, mediawiki.Member{ID: id, Title: title})
		}
		c := clientOf(t, direct{diabetes()})
		all, err := c.Subjects(t.Context(), members)
		if err != nil || len(all) != len(members) {
			t.Fatal(all, err)
		}
		want := map[string]mediawiki.Subject{
			"Diabetes": {ID: 1, Title: "Diabetes"}, "Sugar disease": {ID: 1, Title: "Diabetes"}, "Gone": {Title: "Gone"},
			"Elliott Joslin": {ID: 6, Title: "Elliott Joslin", Person: "1869 births"},
			"DI":             {ID: 7, Title: "DI", Disambiguation: true},
			"Somebody":       {ID: 9, Title: "Somebody", Person: "Actor (born 1950)"},
		}
		for i, m := range members {
			if all[i] != want[m.Title] {
				t.Errorf("%s: %+v, want %+v", m.Title, all[i], want[m.Title])
			}
		}
		if _, err := c.Subjects(t.Context(), make([]mediawiki.Member, mediawiki.Batch+1)); !errors.Is(err, orbweaver.ErrInput) {
			t.Error(err)
		}
		if none, err := c.Subjects(t.Context(), nil); none != nil || err != nil {
			t.Error(none, err)
		}
	})
}

// TestPersons: the rule, category by category.
func TestPersons(t *testing.T) {
	for category, want := range map[string]bool{
		"1922 births": true, "1950s deaths": true, "1st-century BC deaths": true, "Living people": true, "Possibly living people": true,
		"Year of birth missing (living people)": true, "Year of death unknown": true, "Geboren 1922": true, "Naissance en mai 1922": true,
		"Nacidos en 1950": true, "Urodzeni w 1950": true, "Persone viventi": true,
		"Multiple births": false, "Accidental deaths": false, "1918 pandemic deaths in art": false, "Geboren": false, "Living peoples": false,
		"Naissance en France": false, "births": false, "": false, "Sudden infant death syndrome": false,
	} {
		synctest.Test(t, func(t *testing.T) {
			k := &wiki{part: 5, articles: map[int64]article{1: {title: "X", categories: []string{category}}}}
			all, err := clientOf(t, direct{k}).Subjects(t.Context(), []mediawiki.Member{{ID: 1, Title: "X"}})
			if err != nil || (all[0].Person != "") != want {
				t.Errorf("%q: %+v, %v", category, all, err)
			}
		})
	}
}

// TestPage: text in blocks without empty sections, and all redirects.
func TestPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := diabetes()
		c := clientOf(t, direct{k})
		p, err := c.Page(t.Context(), 1)
		if err != nil || p.Title != "Diabetes" || p.URL != "http://w.test/wiki/Diabetes" || p.Lang != "en" || p.HTML != "" {
			t.Errorf("%+v, %v", p, err)
		}
		if want := "A disease.\n\nOf sugar.\n\nHistory\n\nOld\n\nGreeks."; p.Text != want {
			t.Errorf("%q, want %q", p.Text, want)
		}
		same(t, "redirects", p.Redirects, "DM", "Sugar disease", "Sweet urine")
		if p, err = c.Page(t.Context(), 2); err != nil || p.Text != "A hormone." {
			t.Errorf("after a warning: %+v, %v", p, err)
		}
		if p, err = c.Page(t.Context(), 4); err != nil || p.Text != "" || p.HTML != "" {
			t.Errorf("%+v, %v", p, err)
		}
		if _, err = c.Page(t.Context(), 77); !errors.Is(err, orbweaver.ErrAbsent) {
			t.Error(err)
		}
	})
}

// TestPageWithoutExtracts: HTML comes where the wiki makes no plain text, and that is asked for once.
func TestPageWithoutExtracts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := diabetes()
		k.plain = true
		c := clientOf(t, direct{k})
		for range 2 {
			if p, err := c.Page(t.Context(), 2); err != nil || p.Text != "" || p.HTML != "<p>A hormone.</p>" {
				t.Errorf("%+v, %v", p, err)
			}
		}
		tried := 0
		for _, q := range k.asked {
			if strings.Contains(q.Get("prop"), "extracts") {
				tried++
			}
		}
		if tried != 1 {
			t.Errorf("extracts were asked for %d times", tried)
		}
	})
}

// TestTroubles: what passes is waited for as long as the wiki asks, and the rest is told.
func TestTroubles(t *testing.T) {
	says := func(status int, header, body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	lag := `{"error":{"code":"maxlag","info":"Waiting for 10.0.0.1: 7 seconds lagged","lag":7}}`
	for _, tc := range []struct {
		name  string
		tell  func(http.ResponseWriter)
		times int           // that it is told, before all is well
		after time.Duration // that the last request came, with a delay of 1 s
		err   error         // nil: all is well in the end
		says  string
	}{
		{"lag", says(200, "Retry-After: 7", lag), 2, 14 * time.Second, nil, ""},
		{"lag without a time", says(200, "", lag), 2, 15 * time.Second, nil, ""},
		{"a date", says(503, "Retry-After: Sat, 01 Jan 2000 00:00:30 GMT", "busy"), 1, 30 * time.Second, nil, ""},
		{"rate limit", says(429, "Retry-After: 60", "slow down"), 1, time.Minute, nil, ""},
		{"limited by the API", says(200, "", `{"error":{"code":"ratelimited","info":"x"}}`), 1, 5 * time.Second, nil, ""},
		{"for ever", says(502, "", "<html>Bad\r\n gateway"), 100, 155 * time.Second, orbweaver.ErrStatus, "502: <html>Bad gateway; asked 6 times"},
		{"too long", says(429, "Retry-After: 3600", ""), 1, 0, orbweaver.ErrStatus, "left alone for 1h0m0s"},
		{"absurd", says(429, "Retry-After: 99999999999999999999", ""), 1, 5 * time.Second, nil, ""},
		{"forbidden", says(403, "", "Please set a user-agent"), 1, 0, orbweaver.ErrStatus, "403: Please set a user-agent"},
		{"refused", says(200, "", `{"error":{"code":"invalidcategory","info":"No such\u0000 category"}}`), 1, 0, orbweaver.ErrStatus, "invalidcategory: No such category"},
		{"a page", says(200, "", " \n<!DOCTYPE html><title>Main Page</title>"), 1, 0, orbweaver.ErrUnreadable, "api.php"},
		{"torn", says(200, "", `{"query":{"categorymem`), 1, 0, orbweaver.ErrUnreadable, "unexpected end"},
		{"nothing", says(200, "", ""), 1, 0, orbweaver.ErrUnreadable, "unexpected end"},
		{"another shape", says(200, "", `{"query":{"pages":{"7":{}}}}`), 1, 0, orbweaver.ErrUnreadable, "cannot unmarshal"},
		{"moved", says(301, "Location: http://w.test/again?x=1", ""), 100, 5 * time.Second, orbweaver.ErrRedirects, "more than 5"},
		{"moved nowhere", says(302, "", ""), 1, 0, orbweaver.ErrBadTarget, "302"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := diabetes()
				k.first = func(w http.ResponseWriter, n int) bool {
					if n <= tc.times {
						tc.tell(w)
					}
					return n <= tc.times
				}
				p, err := clientOf(t, direct{k}).Page(t.Context(), 2)
				switch {
				case tc.err == nil && (err != nil || p.Text != "A hormone."):
					t.Errorf("%+v, %v", p, err)
				case tc.err != nil && (!errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), api[:12])):
					t.Errorf("%v", err)
				}
				if after := k.at[len(k.at)-1].Sub(k.at[0]); after != tc.after {
					t.Errorf("%d requests in %v, want %v", len(k.at), after, tc.after)
				}
			})
		})
	}
}

// TestMovedForGood: after a redirect of the API it is asked where it is.
func TestMovedForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := diabetes()
		moved := 0
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/w/api.php" {
				moved++
				http.Redirect(w, r, "http://w.test/api.php?"+r.URL.RawQuery, http.StatusMovedPermanently)
				return
			}
			k.ServeHTTP(w, r)
		})
		if got, err := titles(t, clientOf(t, direct{h}), "Diabetes", mediawiki.Walk{Depth: 3}); err != nil || len(got) != 7 || moved != 1 {
			t.Errorf("%q, %v, %d redirects", got, err, moved)
		}
	})
}

// TestEndless: an answer that continues forever, or where it began, ends.
func TestEndless(t *testing.T) {
	long := `"` + strings.Repeat("x", 9000) + `"`
	for _, more := range []string{`"same"`, `%d`, long, `{"a":[1]}`, `null`} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n++
				next := more
				if more == "%d" {
					next = fmt.Sprint(n)
				}
				fmt.Fprintf(w, `{"continue":{"cmcontinue":%s},"query":{"categorymembers":[{"pageid":%d,"title":"x","type":"page"}]}}`, next, n)
			})
			_, err := titles(t, clientOf(t, direct{h}), "Diabetes", mediawiki.Walk{})
			if !errors.Is(err, orbweaver.ErrUnreadable) && !errors.Is(err, orbweaver.ErrTooLarge) || n > 1000 || more == long && n > 1 {
				t.Errorf("%q: %v after %d", more, err, n)
			}
		})
	}
}

// TestContext: waiting ends with the context.
func TestContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		k := diabetes()
		k.first = func(w http.ResponseWriter, n int) bool {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		if _, err := clientOf(t, direct{k}).Page(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || len(k.at) != 2 {
			t.Errorf("%v after %d requests", err, len(k.at))
		}
	})
}

// A lost getter loses some connections.
type lost struct {
	direct
	failures []error
}

func (l *lost) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	if len(l.failures) > 0 {
		err := l.failures[0]
		l.failures = l.failures[1:]
		return nil, nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	return l.direct.Get(ctx, url, accept)
}

// TestNetwork: what the network does is tried again, what we refuse is not.
func TestNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clientOf(t, &lost{direct{diabetes()}, []error{orbweaver.ErrCut, orbweaver.ErrTimeout, orbweaver.ErrConnect}})
		if p, err := c.Page(t.Context(), 2); err != nil || p.Text == "" {
			t.Error(p, err)
		}
		c = clientOf(t, &lost{direct{diabetes()}, []error{orbweaver.ErrPrivate}})
		if _, err := c.Page(t.Context(), 2); !errors.Is(err, orbweaver.ErrPrivate) {
			t.Error(err)
		}
	})
	if _, err := mediawiki.New("ftp://x.test/", nil, 0); !errors.Is(err, orbweaver.ErrBadURL) {
		t.Error(err)
	}
}

// FuzzAnswers: whatever is answered, it ends in titles and text, or in an error of ours.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"query":{"categorymembers":[{"pageid":1,"ns":0,"title":"A","type":"page"},{"title":"Category:B","type":"subcat"}]},"continue":{"cmcontinue":"x"}}`,
		`{"query":{"pages":[{"pageid":1,"title":"A","extract":"== a ==\nb","pageprops":{"disambiguation":""},"categories":[{"title":":1 births"}]}],"redirects":[{"from":"A","to":"A"}]}}`,
		`{"error":{"code":"maxlag"}}`, `{"parse":{"text":""}}`, `{"warnings":{"query":{"warnings":"extracts"}}}`, `[]`, `null`, `<html>`, `{"query":null}`,
	} {
		f.Add(200, []byte(body), "1")
	}
	f.Fuzz(func(t *testing.T, status int, body []byte, after string) {
		synctest.Test(t, func(t *testing.T) {
			g := getter(func() (*step.Response, []byte, error) {
				return &step.Response{Status: status, Header: http.Header{"Retry-After": {after}}}, body, nil
			})
			c := clientOf(t, g)
			n := 0
			for m, err := range c.Members(t.Context(), "Category:A", mediawiki.Walk{Depth: 2, Categories: 3, Members: 10}) {
				if n++; err == nil && (m.ID <= 0 || m.Title == "") || n > 11 {
					t.Fatalf("%+v", m)
				}
				failed(t, err)
			}
			_, err := c.Subjects(t.Context(), []mediawiki.Member{{ID: 1, Title: "A"}})
			failed(t, err)
			_, err = c.Page(t.Context(), 1)
			failed(t, err)
		})
	})
}

type getter func() (*step.Response, []byte, error)

func (g getter) Get(context.Context, string, string) (*step.Response, []byte, error) { return g() }

// failed checks that an error says what it is.
func failed(t *testing.T, err error) {
	t.Helper()
	if err != nil && (orbweaver.FailureOf(err) == "error" || len(err.Error()) > 1000) {
		t.Errorf("%v", err)
	}
}
