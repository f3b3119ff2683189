package catalogs

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/kb/catalog"
)

// ckan answers package_search over n packages, with pages of the requested size up to most.
func ckan(n, most int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start, _ := strconv.Atoi(r.FormValue("start"))
		rows, _ := strconv.Atoi(r.FormValue("rows"))
		var packages []string
		for i := start; i < min(start+min(rows, most), n); i++ {
			packages = append(packages, fmt.Sprintf(`{"name":"p%03d","title":"Package %d","resources":[{"format":"api/sparql","url":"http://p%d.test/sparql"}]}`, i, i, i))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"success":true,"result":{"count":%d,"results":[%s]}}`, n, strings.Join(packages, ","))
	}
}

// listed runs List as JSON.
func (w *world) listed(t *testing.T, s Sources) ([]catalog.Dataset, error) {
	t.Helper()
	w.out.Reset()
	if err := w.List(t.Context(), s, "json"); err != nil {
		return nil, err
	}
	var all []catalog.Dataset
	if err := json.Unmarshal(w.out.Bytes(), &all); err != nil {
		t.Fatalf("%v: %s", err, &w.out)
	}
	return all, nil
}

const search = "http://hub.test/api/3/action/package_search?q=x"

// TestListCKAN: working and failing portals. Each walk ends.
func TestListCKAN(t *testing.T) {
	for _, tc := range []struct {
		name     string
		server   http.HandlerFunc
		datasets int
		requests int
		warning  string // on standard error, or the error if there are no datasets
	}{
		{"pages", ckan(250, 1000), 250, 3, ""},
		{"smaller pages", ckan(95, 20), 95, 5, ""},
		{"nothing", ckan(0, 20), 0, 1, ""},
		{"for ever", func(w http.ResponseWriter, r *http.Request) { ckan(1<<40, 10)(w, r) }, 200, 20, "after 20 requests does not come to an end: the rest is left out"},
		{"the same again", func(w http.ResponseWriter, r *http.Request) {
			r.URL.RawQuery = "start=0&rows=10"
			r.Form = nil
			io.WriteString(w, strings.Replace(body(ckan(10, 10), r), `"count":10`, `"count":1000`, 1))
		}, 10, 2, "has none that is new"},
		{"breaks off", func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("start") != "0" {
				io.WriteString(w, `{"success":true,"result":{"count":250,"results":[{"name":"last"},{"na`)
				return
			}
			ckan(250, 100)(w, r)
		}, 101, 3, "it is cut off"},
		{"a page of HTML later", func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("start") != "0" {
				io.WriteString(w, "<!doctype html><title>Sorry</title>")
				return
			}
			ckan(250, 100)(w, r)
		}, 100, 2, "100 datasets were read"},
		{"a page of HTML", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, 0, 1, "a page of HTML, no catalogue"},
		{"refuses", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"success":false,"error":{"message":"Access denied","__type":"Authorization Error"}}`)
		}, 0, 1, "CKAN refused: Authorization Error: Access denied"},
		{"fails", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oh", http.StatusInternalServerError) }, 0, 1, "status 500"},
		{"redirects for ever", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.RequestURI, http.StatusFound) }, 0, 6, "redirects"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.serve("hub.test", tc.server)
				all, err := w.listed(t, Sources{Names: []string{search}, Pages: 20, Delay: 10 * time.Second})
				if len(all) != tc.datasets || len(w.requests["hub.test"]) != tc.requests {
					t.Errorf("%d datasets in %d requests, %v\n%s", len(all), len(w.requests["hub.test"]), err, &w.err)
				}
				if tc.warning == "" && (err != nil || w.err.Len() > 0) || !strings.Contains(w.err.String()+fmt.Sprint(err), tc.warning) {
					t.Errorf("%v, %s", err, &w.err)
				}
				if err != nil && !errors.Is(err, orbweaver.ErrInput) {
					t.Errorf("%v is not an input error", err)
				}
				requests := w.requests["hub.test"]
				for i := 1; i < len(requests); i++ {
					if gap := requests[i].began.Sub(requests[i-1].ended); gap < 10*time.Second {
						t.Errorf("a gap of %v", gap)
					}
				}
			})
		})
	}
}

// TestListSite: the page of a CKAN site leads to its API; any other page is not a catalogue.
func TestListSite(t *testing.T) {
	for _, hub := range []bool{true, false} {
		in(t, func(t *testing.T, w *world) {
			w.serve("hub.test", func(out http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path != "/api/3/action/package_search":
					io.WriteString(out, "<!doctype html><title>Data for all</title>")
				case hub:
					ckan(150, 100)(out, r)
				default:
					http.NotFound(out, r)
				}
			})
			all, err := w.listed(t, Sources{Names: []string{"http://hub.test"}})
			if hub && (err != nil || len(all) != 150) || !hub && !errors.Is(err, catalog.ErrPage) {
				t.Errorf("%d datasets, %v", len(all), err)
			}
		})
	}
}

// body returns the response of a handler.
func body(h http.HandlerFunc, r *http.Request) string {
	var b recorded
	h(&b, r)
	return b.String()
}

type recorded struct {
	strings.Builder
	header http.Header
}

func (r *recorded) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}
func (r *recorded) WriteHeader(int) {}

// TestListNames: a portal whose packages must be requested one by one; a failing one is left out.
func TestListNames(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.serve("hub.test", func(w http.ResponseWriter, r *http.Request) {
			switch id := r.FormValue("id"); {
			case strings.HasSuffix(r.URL.Path, "/package_list"):
				io.WriteString(w, `{"success":true,"result":["a","gone","b","private"]}`)
			case id == "gone":
				http.Error(w, "Not found", http.StatusNotFound)
			case id == "private":
				w.WriteHeader(http.StatusForbidden)
				io.WriteString(w, `{"success":false,"error":{"__type":"Authorization Error"}}`)
			default:
				fmt.Fprintf(w, `{"success":true,"result":{"name":%q,"resources":[]}}`, id)
			}
		})
		all, err := w.listed(t, Sources{Names: []string{"http://hub.test/api/3/action/package_list"}})
		if err != nil || len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" || len(w.requests["hub.test"]) != 5 {
			t.Errorf("%v %v", all, err)
		}
		for _, said := range []string{"id=gone: status 404", "Authorization Error"} {
			if !strings.Contains(w.err.String(), said) {
				t.Errorf("no %q in %s", said, &w.err)
			}
		}
	})
}

// TestListMixed: several catalogues, one of them missing; a dataset in two of them is merged.
func TestListMixed(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.serve("a.test", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/turtle; charset=utf-8")
			io.WriteString(w, `@prefix void: <http://rdfs.org/ns/void#> . <#planes> a void:Dataset ; void:sparqlEndpoint </sparql> ; void:triples 5 .`)
		})
		list := file(t, "l.yml", "- {name: flying, endpoint: http://a.test/sparql, dump: x/d.nt.gz, title: \"Fly\\e[31m\"}\n")
		all, err := w.listed(t, Sources{Names: []string{"http://a.test/.well-known/void", list, "http://gone.test/"}})
		if err != nil || len(all) != 1 || all[0].Name != "flying" || fmt.Sprint(all[0].Aliases) != "[planes]" || all[0].Triples != 5 || !strings.HasSuffix(all[0].Dumps[0].URL, "/x/d.nt.gz") {
			t.Errorf("%+v %v", all, err)
		}
		if !strings.Contains(w.err.String(), "warning: fetch http://gone.test/: no-such-host") {
			t.Error(w.err.String())
		}
		if accept := w.requests["a.test"][0].accept; !strings.Contains(accept, "text/turtle") || !strings.Contains(accept, "application/json") {
			t.Errorf("Accept: %s", accept)
		}
		w.out.Reset()
		if err := w.Describe(t.Context(), Sources{Names: []string{list}}, []string{"F*"}, "text"); err != nil || !strings.Contains(w.out.String(), "flying\n  title        Fly�[31m\n  endpoint     http://a.test/sparql\n") {
			t.Errorf("%v %q", err, &w.out)
		}
	})
}

// TestListForms: the same datasets in all formats.
func TestListForms(t *testing.T) {
	list := file(t, "l.yml", "- {name: a, title: 'A, or \"B\"', endpoint: [http://a.test/1, http://a.test/2], void: http://a.test/v}\n- {name: b, dump: http://b.test/d.nt, aliases: bee}\n")
	run := func(s Sources, format string) string {
		t.Helper()
		var out strings.Builder
		s.Names = []string{list}
		c := &Catalogs{Out: &out, Err: io.Discard}
		if err := c.List(t.Context(), s, format); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := "name  title       endpoint            dumps  void\na     A, or \"B\"   http://a.test/1 +1  -      http://a.test/v\nb     -           -                   1      -\n\n2 datasets: 1 with an endpoint, 1 with dumps, 1 with VoID\n"
	if got := run(Sources{}, "table"); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	rows, err := csv.NewReader(strings.NewReader(run(Sources{}, "csv"))).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][1] != `A, or "B"` || rows[1][3] != "http://a.test/1\nhttp://a.test/2" || rows[2][8] != "bee" {
		t.Errorf("%v %q", err, rows)
	}
	again, err := catalog.Read(strings.NewReader(run(Sources{}, "nquads")), catalog.Options{Name: "x.nq"})
	if err != nil || len(again.Datasets) != 2 || len(again.Problems) > 0 || len(again.Datasets[0].Endpoints) != 2 || again.Datasets[1].Name != "b" {
		t.Errorf("%+v %v", again, err)
	}
	for _, tc := range []struct {
		s    Sources
		want string
	}{
		{Sources{With: []string{"endpoint"}}, "a"}, {Sources{With: []string{"dump"}}, "b"}, {Sources{With: []string{"void", "endpoint"}}, "a"},
		{Sources{With: []string{"void", "dump"}}, ""}, {Sources{Match: "BEE"}, "b"}, {Sources{Match: "or a"}, "a"}, {Sources{Match: "or bee"}, ""},
	} {
		var all []catalog.Dataset
		if err := json.Unmarshal([]byte(run(tc.s, "json")), &all); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range all {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.s, got, tc.want)
		}
	}
}

// TestMistakes: mistakes in a user's list end the job, and all are reported.
func TestMistakes(t *testing.T) {
	var out strings.Builder
	c := &Catalogs{Out: &out, Err: io.Discard}
	list := file(t, "l.yml", "- {name: a, endpont: x}\n- {name: b, dmp: y}\n")
	for _, tc := range []struct {
		names []string
		want  []string
	}{
		{[]string{list}, []string{"l.yml: line 1: endpont: unknown key", "l.yml: line 2: dmp: unknown key"}},
		{[]string{"none.yml", t.TempDir()}, []string{"none.yml: no such file", "is a folder"}},
		{[]string{file(t, "x", "hello")}, []string{"no catalogue that can be read"}},
		{[]string{"-"}, []string{"standard input: no catalogue that can be read: it is empty"}},
		{[]string{"http://"}, []string{"http://"}},
	} {
		err := c.List(t.Context(), Sources{Names: tc.names}, "table")
		if !errors.Is(err, orbweaver.ErrInput) || out.Len() > 0 {
			t.Errorf("%v: %v, %s", tc.names, err, &out)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in %v", want, err)
			}
		}
	}
	list = file(t, "m.yml", "- {name: a}\n")
	err := c.Describe(t.Context(), Sources{Names: []string{list}}, []string{"a", "b", "c?"}, "text")
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), `none of 1 datasets is called "b", "c?"`) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Check(ctx, Sources{Names: []string{list}}, CheckOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestLODCloud: the real catalogue.
func TestLODCloud(t *testing.T) {
	var out, warned strings.Builder
	c := &Catalogs{Out: &out, Err: &warned}
	name := realdata.File(t, "lod-cloud-2020.json.gz")
	if err := c.List(t.Context(), Sources{Names: []string{name}}, "table"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\n287 datasets: 178 with an endpoint, 217 with dumps, 161 with VoID\n") || strings.Count(warned.String(), "warning: ") != 3 {
		t.Errorf("%s\n%s", out.String()[out.Len()-200:], &warned)
	}
	out.Reset()
	if err := c.Describe(t.Context(), Sources{Names: []string{name}}, []string{"lexvo-org"}, "turtle"); err != nil || !strings.Contains(out.String(), "<https://lod-cloud.net/dataset/lexvo>") || !strings.Contains(out.String(), `dcterms:alternative "Lexvo.org"`) {
		t.Errorf("%v %s", err, &out)
	}
}
