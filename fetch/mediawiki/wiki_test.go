package mediawiki_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/fetch/mediawiki"
	"orbweaver/internal/step"
)

// An article of a wiki in memory.
type article struct {
	title      string
	categories []string // without namespace
	props      map[string]string
	text       string
	redirects  []string
	to         string // it is a redirect
}

// A wiki answers as api.php does, in parts of a given size.
type wiki struct {
	members  map[string][]string // category → titles of pages and categories
	articles map[int64]article   // by ID
	part     int
	plain    bool // it lacks TextExtracts

	mu    sync.Mutex
	asked []url.Values
	at    []time.Time
	first func(w http.ResponseWriter, n int) bool // answers the n-th request instead, from 1
}

func (k *wiki) id(title string) int64 {
	for id, a := range k.articles {
		if a.title == title {
			return id
		}
	}
	return 0
}

func (k *wiki) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	q := r.URL.Query()
	k.asked, k.at = append(k.asked, q), append(k.at, time.Now())
	if k.first != nil && k.first(w, len(k.asked)) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch {
	case q.Get("list") == "categorymembers":
		k.category(w, q)
	case q.Get("action") == "parse":
		id, _ := strconv.ParseInt(q.Get("pageid"), 10, 64)
		text := "<p>" + k.articles[id].text + "</p>"
		tell(w, map[string]any{"parse": map[string]any{"title": k.articles[id].title, "text": text}})
	default:
		k.pages(w, q)
	}
}

func tell(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

func (k *wiki) category(w http.ResponseWriter, q url.Values) {
	all, known := k.members[q.Get("cmtitle")]
	if !known {
		tell(w, map[string]any{"batchcomplete": true, "query": map[string]any{"categorymembers": []any{}}})
		return
	}
	from, _ := strconv.Atoi(q.Get("cmcontinue"))
	to := min(len(all), from+k.part)
	found := []any{}
	for _, title := range all[from:to] {
		m := map[string]any{"pageid": k.id(title), "ns": 0, "title": title, "type": "page"}
		if strings.HasPrefix(title, "Category:") {
			m["ns"], m["type"], m["pageid"] = 14, "subcat", 9000+from
		} else if strings.Contains(title, ":") {
			m["ns"], m["pageid"] = 10, 8000+from
		}
		found = append(found, m)
	}
	answer := map[string]any{"query": map[string]any{"categorymembers": found}}
	if to < len(all) {
		answer["continue"] = map[string]any{"cmcontinue": strconv.Itoa(to), "continue": "-||"}
	}
	tell(w, answer)
}

// pages answers prop=…: what it tells of categories and redirects is in parts, and a number continues.
func (k *wiki) pages(w http.ResponseWriter, q url.Values) {
	from, _ := strconv.Atoi(q.Get("pcontinue"))
	more, found, moved := false, []any{}, []any{}
	for text := range strings.SplitSeq(q.Get("pageids"), "|") {
		id, _ := strconv.ParseInt(text, 10, 64)
		a, known := k.articles[id]
		if a.to != "" && q.Has("redirects") {
			moved = append(moved, map[string]any{"from": a.title, "to": a.to, "tofragment": "x"})
			id = k.id(a.to)
			a, known = k.articles[id]
		}
		if !known {
			found = append(found, map[string]any{"pageid": id, "missing": true})
			continue
		}
		p := map[string]any{"pageid": id, "ns": 0, "title": a.title}
		part := func(name, prefix string, all []string) {
			list := []any{}
			for _, one := range all[min(from, len(all)):min(from+k.part, len(all))] {
				list = append(list, map[string]any{"ns": 14, "title": prefix + one})
			}
			p[name] = list
			more = more || from+k.part < len(all)
		}
		if strings.Contains(q.Get("prop"), "categories") {
			part("categories", "Category:", a.categories)
			p["pageprops"] = a.props
		}
		if strings.Contains(q.Get("prop"), "redirects") {
			part("redirects", "", a.redirects)
			p["canonicalurl"], p["pagelanguage"] = "http://w.test/wiki/"+url.PathEscape(a.title), "en"
		}
		if from == 0 && !k.plain && strings.Contains(q.Get("prop"), "extracts") {
			p["extract"] = a.text
		}
		found = append(found, p)
	}
	answer := map[string]any{"query": map[string]any{"pages": found, "redirects": moved}}
	if more {
		answer["continue"] = map[string]any{"pcontinue": from + k.part, "continue": "||"}
	}
	if !k.plain && strings.Contains(q.Get("prop"), "extracts") {
		answer["warnings"] = map[string]any{"extracts": map[string]any{"warnings": `"exlimit" was too large for a whole article extracts request`}}
	}
	if k.plain && strings.Contains(q.Get("prop"), "extracts") {
		answer["warnings"] = map[string]any{"query": map[string]any{"warnings": `Unrecognized value for parameter "prop": extracts`}}
	}
	tell(w, answer)
}

// A direct asks a handler without a network.
type direct struct{ handler http.Handler }

func (d direct) Get(ctx context.Context, address, accept string) (*step.Response, []byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	recorder := httptest.NewRecorder()
	d.handler.ServeHTTP(recorder, httptest.NewRequest("GET", address, nil))
	response := &step.Response{Status: recorder.Code, Header: recorder.Header()}
	if recorder.Code/100 == 3 {
		response.Redirect = recorder.Header().Get("Location")
	}
	return response, recorder.Body.Bytes(), nil
}

const api = "http://w.test/w/api.php"

func clientOf(t *testing.T, g mediawiki.Getter) *mediawiki.Client {
	t.Helper()
	c, err := mediawiki.New(api, g, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// diabetes is a small wiki, whose categories hold each other.
func diabetes() *wiki {
	return &wiki{
		part: 2,
		members: map[string][]string{
			"Category:Diabetes":       {"Diabetes", "Insulin", "Template:Diabetes", "Category:Types", "Category:Diabetes", "Sugar disease", "Gone"},
			"Category:Types":          {"Insulin", "Type 1 diabetes", "Category:Diabetes", "Category:Deep", "Category:Diabetologists"},
			"Category:Deep":           {"Deep page"},
			"Category:Diabetologists": {"Elliott Joslin", "DI"},
		},
		articles: map[int64]article{
			1: {title: "Diabetes", categories: []string{"Diseases", "Multiple births", "Accidental deaths"}, redirects: []string{"DM", "Sugar disease", "Sweet urine"},
				text: "A disease.\nOf sugar.\n\n\n== Gap ==\n=== Within ===\n\n== History ==\n\n\n=== Old ===\nGreeks.\n\n== See also ==\n\n\n== References ==\n"},
			2: {title: "Insulin", text: "A hormone."},
			3: {title: "Sugar disease", to: "Diabetes"},
			4: {title: "Type 1 diabetes", text: ""},
			5: {title: "Deep page", text: "Deep."},
			6: {title: "Elliott Joslin", categories: []string{"Physicians", "Americans", "1869 births", "x", "y"}, text: "A person."},
			7: {title: "DI", props: map[string]string{"disambiguation": ""}, text: "May be."},
			9: {title: "Somebody", props: map[string]string{"wikibase-shortdesc": "Actor (born 1950)"}},
		},
	}
}

func titles(t *testing.T, c *mediawiki.Client, category string, w mediawiki.Walk) (all []string, err error) {
	t.Helper()
	for m, e := range c.Members(t.Context(), category, w) {
		if err = e; e == nil {
			all = append(all, fmt.Sprint(m.ID, " ", m.Title))
		}
	}
	return all, err
}

// same compares lists.
func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
