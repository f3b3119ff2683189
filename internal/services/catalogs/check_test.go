package catalogs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
)

// world is a network in memory, and a job that can reach only it.
type world struct {
	*Catalogs
	network  *fetchtest.Network
	out, err bytes.Buffer
	hosts    int

	mu       sync.Mutex
	requests map[string][]received // by host
}

// received is one request as received by its server.
type received struct {
	began, ended time.Time
	uri, accept  string
}

// in runs a test in a bubble of virtual time.
func in(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{network: fetchtest.NewNetwork(), requests: map[string][]received{}}
		defer w.network.Close()
		w.Catalogs = &Catalogs{Out: &w.out, Err: &w.err, Client: client.Options{Resolve: w.network.Resolve, Dial: w.network.Dial}}
		test(t, w)
	})
}

// serve adds a server under a name, and records its requests.
func (w *world) serve(host string, h http.HandlerFunc) {
	w.network.Serve(host, fetchtest.Address(w.hosts), http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		v := received{began: time.Now(), uri: r.RequestURI, accept: r.Header.Get("Accept")}
		h(rw, r)
		v.ended = time.Now()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.requests[host] = append(w.requests[host], v)
	}))
	w.hosts++
}

// file writes a file, and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	jsonType = "application/sparql-results+json"
	yes      = `{"head":{},"boolean":true}`
	oneRow   = `{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"u:a"}}]}}`
	oneCount = `{"head":{"vars":["n"]},"results":{"bindings":[{"n":{"type":"literal","value":"3"}}]}}`
)

// pass lets time pass in a bubble.
func pass(d time.Duration) { <-time.After(d) }

// answer answers a SPARQL 1.1 query.
func answer(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("query")
	w.Header().Set("Content-Type", jsonType)
	switch {
	case strings.HasPrefix(query, "ASK"):
		io.WriteString(w, yes)
	case strings.Contains(query, "COUNT"):
		io.WriteString(w, oneCount)
	case query == "":
		http.Error(w, "no query", http.StatusBadRequest)
	default:
		io.WriteString(w, oneRow)
	}
}

// checked runs a check of one endpoint.
func (w *world) checked(t *testing.T, s Sources, o CheckOptions) map[string]Checked {
	t.Helper()
	o.Format = "json"
	w.out.Reset()
	if err := w.Check(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	var all []Checked
	if err := json.Unmarshal(w.out.Bytes(), &all); err != nil {
		t.Fatalf("%v: %s", err, &w.out)
	}
	by := map[string]Checked{}
	for _, c := range all {
		by[c.Dataset] = c
	}
	return by
}

// TestCheck: working and failing endpoints.
func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name   string
		server http.HandlerFunc // nil: no server
		want   string           // up, version, get, post, ask, union, count, limit, make, median, requests, reason
		says   string
	}{
		{"1.1", func(w http.ResponseWriter, r *http.Request) {
			pass(30 * time.Millisecond)
			answer(w, r)
		}, "true 1.1 yes yes yes yes yes 0  30 4 ", ""},
		{"Virtuoso with a limit", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Server", "Virtuoso/07.20 (Linux)")
			w.Header().Set("X-SPARQL-MaxRows", "10000")
			answer(w, r)
		}, "true 1.1 yes yes yes yes yes 10000 virtuoso 1 4 ", ""},
		{"1.0", func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.FormValue("query"), "COUNT") {
				http.Error(w, "Parse error: COUNT at line 1, column 9", http.StatusBadRequest)
				return
			}
			answer(w, r)
		}, "true 1.0 yes yes yes yes no 0  1 4 query-refused", "400 Parse error: COUNT"},
		{"GET alone", func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet {
				http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
				return
			}
			answer(w, r)
		}, "true 1.1 yes no yes yes yes 0  1 4 ", ""},
		{"POST alone", func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
				return
			}
			answer(w, r)
		}, "true 1.1 no yes yes yes yes 0  1 4 ", ""},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Not for you", http.StatusForbidden) },
			"false       0  0 2 forbidden", "403 Not for you"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!DOCTYPE html><html><title>Query</title><body><form>Ask me</form></body></html>")
		}, "false  no no    0  0 2 no-endpoint", ""},
		{"overloaded", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Too busy", http.StatusServiceUnavailable)
		}, "false       0  0 1 unavailable", "503 Too busy"},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "false       0  0 1 query-timeout", ""},
		{"nobody", nil, "false       0  0 1 connect", "connect to 25.0.0.1:80: connection refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				if tc.server == nil {
					w.network.Serve("e.test", fetchtest.Address(0), nil)
				} else {
					w.serve("e.test", tc.server)
				}
				list := file(t, "l.yml", "- {name: e, endpoint: http://e.test/sparql}\n")
				c := w.checked(t, Sources{Names: []string{list}, Delay: time.Second}, CheckOptions{})["e"]
				d := c.Dialect
				got := fmt.Sprint(c.Up, " ", d.Version, " ", d.Get, " ", d.Form, " ", c.Ask, " ", c.Union, " ", c.Count, " ", d.Limit, " ", d.Server, " ", c.Millis, " ", c.Asked, " ", c.Reason)
				if got != tc.want || !strings.HasPrefix(c.Message, tc.says) {
					t.Errorf("%q %q, want %q %q", got, c.Message, tc.want, tc.says)
				}
			})
		})
	}
}

// TestCheckTakesTurns: the endpoints of a host together get one query at a time, with the delay between
// two; different hosts are queried in parallel.
func TestCheckTakesTurns(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		var list strings.Builder
		for i := range 8 {
			host := fmt.Sprintf("h%d.test", i)
			w.serve(host, func(w http.ResponseWriter, r *http.Request) {
				pass(time.Second)
				answer(w, r)
			})
			fmt.Fprintf(&list, "- {name: a%d, endpoint: http://%s/a}\n- {name: b%d, endpoint: http://%s/b}\n", i, host, i, host)
		}
		began := time.Now()
		all := w.checked(t, Sources{Names: []string{file(t, "l.yml", list.String())}, Delay: 5 * time.Second}, CheckOptions{})
		if len(all) != 16 || !all["a0"].Up || !all["b7"].Up {
			t.Errorf("%d endpoints: %v", len(all), all)
		}
		if took := time.Since(began).Round(time.Second); took != 8*time.Second+7*5*time.Second {
			t.Errorf("eight questions of a second each with seven delays took %v", took)
		}
		for host, requests := range w.requests {
			if len(requests) != 8 {
				t.Errorf("%s got %d queries", host, len(requests))
			}
			for i := 1; i < len(requests); i++ {
				if gap := requests[i].began.Sub(requests[i-1].ended); gap < 5*time.Second {
					t.Errorf("%s: a gap of %v", host, gap)
				}
			}
		}
	})
}

// TestCheckGraphsAndRows: default graphs are sent, redirects are followed, and an endpoint of two datasets
// gets each query once.
func TestCheckGraphsAndRows(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.serve("old.test", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://new.test/sparql?"+r.URL.RawQuery, http.StatusMovedPermanently)
		})
		w.serve("new.test", func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("default-graph-uri") != "http://g.test/" {
				http.Error(w, "which graph?", http.StatusInternalServerError)
				return
			}
			if strings.HasSuffix(r.FormValue("query"), "LIMIT 50") {
				w.Header().Set("X-SPARQL-MaxRows", "20")
				w.Header().Set("Content-Type", "text/csv")
				io.WriteString(w, "s\r\n"+strings.Repeat("u:a\r\n", 20))
				return
			}
			answer(w, r)
		})
		list := file(t, "l.yml", "- {name: a, endpoint: http://old.test/sparql, graph: 'http://g.test/'}\n- {name: b, endpoint: http://old.test/sparql}\n")
		all := w.checked(t, Sources{Names: []string{list}}, CheckOptions{Rows: 50})
		a := all["a"]
		if !a.Up || a.Moved != "http://new.test/sparql" || a.Dialect.Limit != 20 || a.Asked != 6 || a.Count != "yes" {
			t.Errorf("%+v", a)
		}
		if b := all["b"]; b.Up || b.Reason != "endpoint-error" {
			t.Errorf("%+v", b)
		}
	})
}

func TestCheckTable(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.Terminal = true
		w.serve("e.test", answer)
		list := file(t, "l.yml", "- {name: up, endpoint: http://e.test/sparql}\n- {name: private, endpoint: http://127.0.0.1/sparql}\n- {name: none, endpoint: http://none.test/sparql}\n")
		if err := w.Check(t.Context(), Sources{Names: []string{list}}, CheckOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"dataset  endpoint                 up   SPARQL  by         rows  make  ms  why not\n",
			"none     http://none.test/sparql  no   -       -          -     -     -   no-such-host ",
			"private  http://127.0.0.1/sparql  no   -       -          -     -     -   private ",
			"up       http://e.test/sparql     yes  1.1     GET, POST  -     -     1   -\n",
			"\n1 of 3 endpoints up, 1 of them with SPARQL 1.1\n",
		} {
			if !strings.Contains(w.out.String(), line) {
				t.Errorf("no %q in\n%s", line, &w.out)
			}
		}
		if !strings.Contains(w.err.String(), "3 of 3 endpoints asked, 1 up") {
			t.Errorf("progress: %q", &w.err)
		}
	})
}
