package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	remote "orbweaver/fetch/sparql"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	protocol "orbweaver/server/sparql"
)

// stored returns a store with the triples of a Turtle text.
func stored(t *testing.T, text string) *quads.Memory {
	t.Helper()
	m := quads.NewMemory()
	for triple, err := range turtle.Read(strings.NewReader(text), rdfsyntax.Options{}) {
		if err == nil {
			_, err = m.Add(rdf.Quad{S: triple.S, P: triple.P, O: triple.O}, "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// endpointOf serves a Turtle text with server/sparql on loopback, and returns its address.
func endpointOf(t *testing.T, text string, opts protocol.Options) string {
	t.Helper()
	s := httptest.NewServer(protocol.New(protocol.NewMemory(stored(t, text)), opts))
	t.Cleanup(s.Close)
	return s.URL + "/sparql"
}

// handled serves a handler on loopback.
func handled(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// federation returns a federation that the test closes.
func federation(t *testing.T, o FederationOptions) *Federation {
	t.Helper()
	f := NewFederation(o)
	t.Cleanup(func() { f.Close() })
	return f
}

func private() crawlfile.Private { return crawlfile.Private{All: true} }

func loopback() crawlfile.Private {
	return crawlfile.Private{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

// answered evaluates a query over a Turtle text, and returns its rows, sorted, one per line.
func answered(ctx context.Context, t *testing.T, data, text string, s eval.Service) (string, error) {
	t.Helper()
	tree, err := syntax.ParseQuery(text, syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		t.Fatal(err)
	}
	res, err := eval.Query(ctx, stored(t, data).Snapshot(), q, eval.Options{Service: s})
	if err != nil {
		return "", err
	}
	var lines []string
	for row, err := range res.Rows() {
		if err != nil {
			return "", err
		}
		var cells []string
		for _, term := range row {
			cells = append(cells, strings.TrimPrefix(term.Value, "u:"))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

// TestService: one query combines two servers, named by a constant and by a variable.
func TestService(t *testing.T) {
	people := endpointOf(t, `<u:ann> <u:age> 33 . <u:ann> <u:note> "\u00e9\n\"" . <u:bob> <u:age> 44 .`, protocol.Options{})
	places := endpointOf(t, `<u:ann> <u:home> <u:rome> . <u:bob> <u:home> <u:oslo> . <u:eve> <u:home> _:b .`, protocol.Options{})
	data := fmt.Sprintf(`<u:ann> <u:at> <%s> . <u:bob> <u:at> <%s> . <u:eve> <u:at> <%s> .`, people, people, places)
	for _, tc := range []struct{ name, query, want string }{
		{"two endpoints", `SELECT ?x ?age ?home { SERVICE <%[1]s> { ?x <u:age> ?age } SERVICE <%[2]s> { ?x <u:home> ?home } }`, "ann 33 rome\nbob 44 oslo"},
		{"joined with local data", `SELECT ?x ?home { ?x <u:at> <%[1]s> SERVICE <%[2]s> { ?x <u:home> ?home } }`, "ann rome\nbob oslo"},
		{"a variable endpoint", `SELECT ?x ?p ?v { ?x <u:at> ?where SERVICE ?where { ?x ?p ?v FILTER(?p IN (<u:age>, <u:home>) && !isBlank(?v)) } }`, "ann age 33\nbob age 44"},
		{"without a value", `SELECT ?x ?home { SERVICE <%[1]s> { ?x <u:age> 33 OPTIONAL { ?x <u:home> ?home } } }`, "ann "},
		{"text", `SELECT ?n { SERVICE <%[1]s> { <u:ann> <u:note> ?n } }`, "é\n\""},
		{"too long for a URL", `SELECT ?x { SERVICE <%[1]s> { ?x <u:age> ?a FILTER(?a = 44 && "` + strings.Repeat("x", 5000) + `" != "") } }`, "bob"},
		{"nothing", `SELECT ?x { SERVICE <%[1]s> { ?x <u:nothing> ?y } }`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := federation(t, FederationOptions{AllowPrivate: private()})
			text := strings.NewReplacer("%[1]s", people, "%[2]s", places).Replace(tc.query)
			if got, err := answered(t.Context(), t, data, text, f); err != nil || got != tc.want {
				t.Errorf("%q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

// column returns n rows of one column.
func column(n int) string { return "s\r\n" + strings.Repeat("1\r\n", n) }

// TestServiceTroubles: an incomplete answer is an error that says so, and SILENT turns it into one
// solution.
func TestServiceTroubles(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, tc := range []struct {
		name   string
		serve  http.HandlerFunc
		opts   FederationOptions
		want   error
		says   string
		silent string
	}{
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "<!DOCTYPE html><h1>Welcome</h1>")
		}, FederationOptions{}, remote.ErrNoEndpoint, "Welcome", ""},
		{"an error", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of memory", 500)
		}, FederationOptions{}, remote.ErrUnavailable, "500: out of memory", ""},
		{"cut at a round number", func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.FormValue("query"), "OFFSET 1000") {
				io.WriteString(w, column(1))
				return
			}
			io.WriteString(w, column(1000))
		}, FederationOptions{}, remote.ErrPartial, "stops at 1000 rows, and there are more", ""},
		{"cut by time", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-SQL-State", "S1TAT")
			io.WriteString(w, column(7))
		}, FederationOptions{}, remote.ErrTimedOut, "gave up on time after 7 rows", ""},
		{"torn", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, column(2))
		}, FederationOptions{}, orbweaver.ErrCut, "broken-answer", ""},
		{"too many rows", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, column(11))
		}, FederationOptions{MaxRows: 10}, orbweaver.ErrTooLarge, "more than 10", ""},
		{"too many bytes", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, column(5000))
		}, FederationOptions{MaxBytes: 10_000}, orbweaver.ErrTooLarge, "too many bytes", ""},
		{"round and round", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again", http.StatusFound)
		}, FederationOptions{}, orbweaver.ErrRedirects, "more than 5", ""},
		{"no server", nil, FederationOptions{}, orbweaver.ErrConnect, closed.URL, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at := closed.URL + "/sparql"
			if tc.serve != nil {
				at = handled(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/csv")
					tc.serve(w, r)
				}) + "/sparql"
			}
			tc.opts.AllowPrivate = private()
			f := federation(t, tc.opts)
			for _, silent := range []string{"", "SILENT "} {
				got, err := answered(t.Context(), t, "", "SELECT ?s { SERVICE "+silent+"<"+at+"> { ?s ?p ?o } }", f)
				switch {
				case silent != "" && (err != nil || got != ""):
					t.Errorf("silent: %q, %v", got, err)
				case silent == "" && (!errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), at)):
					t.Errorf("%v", err)
				}
			}
		})
	}
}

// TestServiceDialect: the dialect of an endpoint is found once and remembered; a full answer at the row
// limit is not an error; redirects are followed.
func TestServiceDialect(t *testing.T) {
	for _, tc := range []struct {
		name  string
		serve http.HandlerFunc
		rows  int
		asked []string // for two queries
	}{
		{"POST alone", func(w http.ResponseWriter, r *http.Request) {
			if r.Method != "POST" {
				http.Error(w, "post it", http.StatusMethodNotAllowed)
				return
			}
			io.WriteString(w, column(2))
		}, 2, []string{"GET /sparql", "POST /sparql", "POST /sparql"}},
		{"whole by chance", func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.FormValue("query"), "OFFSET 1000") {
				io.WriteString(w, column(0))
				return
			}
			io.WriteString(w, column(1000))
		}, 1000, []string{"GET /sparql", "GET /sparql", "GET /sparql", "GET /sparql"}},
		{"moved", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/sparql" {
				http.Redirect(w, r, "/new?"+r.URL.RawQuery, http.StatusMovedPermanently)
				return
			}
			io.WriteString(w, column(1))
		}, 1, []string{"GET /sparql", "GET /new", "GET /sparql", "GET /new"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var seen []string // of consecutive queries
			at := handled(t, func(w http.ResponseWriter, r *http.Request) {
				seen = append(seen, r.Method+" "+r.URL.Path)
				w.Header().Set("Content-Type", "text/csv")
				tc.serve(w, r)
			}) + "/sparql"
			f := federation(t, FederationOptions{AllowPrivate: private()})
			for range 2 {
				rows := 0
				for _, err := range f.Select(t.Context(), at, "SELECT ?s { ?s ?p ?o }", []string{"s"}) {
					if rows++; err != nil {
						t.Fatal(err)
					}
				}
				if rows != tc.rows {
					t.Errorf("%d rows, not %d", rows, tc.rows)
				}
			}
			if !slices.Equal(seen, tc.asked) {
				t.Errorf("requests %q", seen)
			}
		})
	}
}

// TestServiceTakesTurns: an endpoint gets one query at a time; waiting for the turn or an answer ends with
// the context or the request's time limit.
func TestServiceTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		var inside, most atomic.Int32
		n.Serve("slow.test", fetchtest.Address(0), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			now := inside.Add(1)
			defer inside.Add(-1)
			most.Store(max(most.Load(), now))
			select {
			case <-time.After(10 * time.Second):
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, column(1))
		}))
		n.Serve("hangs.test", fetchtest.Address(1), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}))
		f := NewFederation(FederationOptions{Timeout: time.Minute, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}})
		defer f.Close()
		ask := func(ctx context.Context, host string) (err error) {
			for _, err = range f.Select(ctx, "http://"+host+"/sparql", "SELECT ?s { ?s ?p ?o }", []string{"s"}) {
			}
			return err
		}
		began := time.Now()
		results := make(chan error)
		for range 3 {
			go func() { results <- ask(t.Context(), "slow.test") }()
		}
		for range 3 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); most.Load() != 1 || took != 30*time.Second {
			t.Errorf("%d at once, took %v", most.Load(), took)
		}
		began = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		go func() { results <- ask(t.Context(), "hangs.test") }()
		synctest.Wait()
		if err := ask(ctx, "hangs.test"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "waiting for another") || time.Since(began) != 15*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		if err := <-results; !errors.Is(err, remote.ErrTimedOut) || time.Since(began) != time.Minute {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		began = time.Now()
		ctx, cancel = context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := answered(ctx, t, "", "SELECT ?s { SERVICE SILENT <http://hangs.test/sparql> { ?s ?p ?o } }", f)
		if !errors.Is(err, eval.ErrTime) || time.Since(began) != 5*time.Second {
			t.Errorf("time is up, and SILENT is not for that: after %v: %v", time.Since(began), err)
		}
	})
}

// TestFederationIsGuarded: private addresses are refused as address, name and redirect target, unless
// allowed.
func TestFederationIsGuarded(t *testing.T) {
	var reached atomic.Int32
	secret := handled(t, func(w http.ResponseWriter, r *http.Request) { reached.Add(1) })
	f := federation(t, FederationOptions{})
	named := strings.Replace(secret, "127.0.0.1", "localhost", 1)
	for _, at := range []string{secret, named, "http://[::ffff:127.0.0.1]", "http://169.254.169.254/latest"} {
		_, err := answered(t.Context(), t, "", "SELECT ?s { SERVICE <"+at+"> { ?s ?p ?o } }", f)
		if !errors.Is(err, orbweaver.ErrPrivate) {
			t.Errorf("SERVICE %s: %v", at, err)
		}
		if err := loads(f, at); !errors.Is(err, orbweaver.ErrPrivate) {
			t.Errorf("LOAD %s: %v", at, err)
		}
	}
	for _, at := range []string{"file:///etc/passwd", "ftp://a.test/", "u:x", "//a.test/"} {
		for _, err := range f.Select(t.Context(), at, "SELECT ?s { ?s ?p ?o }", []string{"s"}) {
			if !errors.Is(err, orbweaver.ErrBadURL) {
				t.Errorf("SERVICE %s: %v", at, err)
			}
		}
		if err := loads(f, at); !errors.Is(err, orbweaver.ErrBadURL) {
			t.Errorf("LOAD %s: %v", at, err)
		}
	}
	n := fetchtest.NewNetwork()
	defer n.Close()
	n.Serve("public.test", fetchtest.Address(0), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, secret+"/", http.StatusFound)
	}))
	f = federation(t, FederationOptions{Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}})
	_, err := answered(t.Context(), t, "", "SELECT ?s { SERVICE <http://public.test/> { ?s ?p ?o } }", f)
	if !errors.Is(err, orbweaver.ErrPrivate) || !strings.Contains(err.Error(), secret) {
		t.Errorf("SERVICE by a redirect: %v", err)
	}
	if err := loads(f, "http://public.test/"); !errors.Is(err, orbweaver.ErrPrivate) || !strings.Contains(err.Error(), secret) {
		t.Errorf("LOAD by a redirect: %v", err)
	}
	if reached.Load() != 0 {
		t.Error("it was reached")
	}
}

// TestFederationEvicts: the number of remembered endpoints is bounded, and those in use stay.
func TestFederationEvicts(t *testing.T) {
	f := federation(t, FederationOptions{})
	used, err := f.enter(t.Context(), "http://used.test/")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxEndpoints {
		e, err := f.enter(t.Context(), fmt.Sprintf("http://%d.test/", i))
		if err != nil {
			t.Fatal(err)
		}
		f.leave(e)
	}
	if len(f.endpoints) > maxEndpoints || f.endpoints["http://used.test/"] != used {
		t.Errorf("%d remembered", len(f.endpoints))
	}
}
