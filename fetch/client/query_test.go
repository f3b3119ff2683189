package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/step"
)

const (
	short = "SELECT ?x WHERE {?x ?p ?o}"
	form  = "application/x-www-form-urlencoded"
)

// long is a query that is too long for a URL.
func long() string { return short + " # " + strings.Repeat("x", 300_000) }

// An asked is what a server was asked.
type asked struct {
	method, target, contentType, accept, query string
	length                                     int64
}

// A clerk notes what it is asked.
type clerk struct {
	mu    sync.Mutex
	asked []asked
}

func (c *clerk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("query")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, asked{r.Method, r.RequestURI, r.Header.Get("Content-Type"), r.Header.Get("Accept"), query, r.ContentLength})
	if r.URL.Path == "/moved" {
		http.Redirect(w, r, strings.TrimSuffix("/there?"+r.URL.RawQuery, "?"), http.StatusFound)
		return
	}
	fmt.Fprint(w, len(query))
}

// TestQuery: a request with a Query is put as the function says, once, over either HTTP; a redirect is
// not followed, and what the request was stays with the answer.
func TestQuery(t *testing.T) {
	posted := int64(len("query=" + url.QueryEscape(long())))
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) {
			ca, seen := newCA(t), &clerk{}
			s := httptest.NewUnstartedServer(seen)
			s.EnableHTTP2, s.TLS = protocol == "h2", ca.server("a.test")
			s.StartTLS()
			defer s.Close()
			c := newNet(nil).client(client.Options{Roots: ca.pool, Dial: dialTo(s.Listener.Addr().String()), Query: sparql.Put})
			defer c.Close()
			for _, tc := range []struct {
				path, query, accept string
				want                asked
			}{
				{"/sparql", short, "text/csv", asked{"GET", "/sparql?query=SELECT+%3Fx+WHERE+%7B%3Fx+%3Fp+%3Fo%7D", "", "text/csv", short, 0}},
				{"/sparql?db=a&timeout=5", long(), "text/csv", asked{"POST", "/sparql?db=a", form, "text/csv", long(), posted + 10}},
				{"/moved", short, "text/csv", asked{"GET", "/moved?query=SELECT+%3Fx+WHERE+%7B%3Fx+%3Fp+%3Fo%7D", "", "text/csv", short, 0}},
				{"/moved", long(), "text/csv", asked{"POST", "/moved", form, "text/csv", long(), posted}},
				{"/", "ASK {}", "text/csv", asked{"GET", "/?query=ASK+%7B%7D", "", "text/csv", "ASK {}", 0}},
			} {
				r := orbweaver.Request{URL: "https://a.test" + tc.path, Query: tc.query, Accept: tc.accept, Purpose: orbweaver.ForQuery}
				resp, err := c.Fetch(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				if resp.Status == 200 && string(body) != fmt.Sprint(len(tc.query)) || err != nil || resp.Protocol != protocol {
					t.Errorf("%s: %q, %v, by %s", tc.path, body, err, resp.Protocol)
				}
				if resp.Request.URL != r.URL || resp.Request.Query != r.Query || resp.Request.Accept != r.Accept {
					t.Errorf("%s: another request: %s", tc.path, resp.Request.URL)
				}
				if tc.path == "/moved" && resp.Redirect != "https://a.test/there" {
					t.Errorf("redirect %q", resp.Redirect)
				}
				if len(seen.asked) != 1 || seen.asked[0] != tc.want {
					t.Errorf("%s: the server saw %.300q", tc.path, fmt.Sprint(seen.asked))
				}
				if resp.Asked.Get("Content-Type") != tc.want.contentType {
					t.Errorf("%s: Asked %v", tc.path, resp.Asked)
				}
				seen.asked = nil
			}
		})
	}
}

// TestQueryIsNotSent by who does not know how; Post sends what it is given.
func TestQueryIsNotSent(t *testing.T) {
	seen := &clerk{}
	s := httptest.NewServer(seen)
	defer s.Close()
	c := newNet(nil).client(client.Options{Dial: dialTo(s.Listener.Addr().String())})
	defer c.Close()
	r := orbweaver.Request{URL: "http://a.test/?a=b", Query: short, Accept: "text/csv"}
	for _, ask := range []func() (*step.Response, error){
		func() (*step.Response, error) { return c.Fetch(t.Context(), r) },
		func() (*step.Response, error) {
			return c.Post(t.Context(), r, form+"\r\nX: y", []byte("query=1"))
		},
		func() (*step.Response, error) { return c.Post(t.Context(), r, form, nil) },
	} {
		resp, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	want := []asked{
		{"GET", "/?a=b", "", "text/csv", "", 0},
		{"POST", "/?a=b", form + "X: y", "text/csv", "", 7},
		{"POST", "/?a=b", form, "text/csv", "", 0},
	}
	if fmt.Sprint(seen.asked) != fmt.Sprint(want) {
		t.Errorf("the server saw %v", seen.asked)
	}
}

// TestPostTroubles: what becomes of a form that a server does not take whole. It is sent once.
func TestPostTroubles(t *testing.T) {
	const refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"
	for _, tc := range []struct {
		name    string
		serve   func(net.Conn)
		status  int
		failure orbweaver.Failure
		after   time.Duration
	}{
		{"an answer before the end", func(c net.Conn) {
			io.CopyN(io.Discard, c, 100_000)
			go io.Copy(io.Discard, c)
			io.WriteString(c, refusal)
		}, 413, "", 0},
		{"closed before the end", func(c net.Conn) { io.CopyN(io.Discard, c, 100_000) }, 0, orbweaver.ErrCut, 0},
		{"nobody reads it", func(c net.Conn) {
			http.ReadRequest(bufio.NewReader(c))
			in(time.Minute)
		}, 0, orbweaver.ErrTimeout, 12 * time.Second},
		{"no answer", func(c net.Conn) {
			go io.Copy(io.Discard, c)
			in(time.Minute)
		}, 0, orbweaver.ErrTimeout, 12 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(func(_ string, c net.Conn) { tc.serve(c) })
				c := n.client(client.Options{Timeout: 12 * time.Second, Query: sparql.Put})
				defer n.conns.Wait()
				defer c.Close()
				began := time.Now()
				resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/sparql", Query: long()})
				if tc.failure != "" {
					wantFailure(t, err, tc.failure)
					var timed interface{ Started() time.Time }
					if !errors.As(err, &timed) || timed.Started().IsZero() {
						t.Errorf("the server had a part of it: %v", err)
					}
				} else if err != nil || resp.Status != tc.status {
					t.Errorf("%v, %v", resp, err)
				} else if body, err := io.ReadAll(resp.Body); string(body) != "no" || err != nil {
					t.Errorf("%q, %v", body, err)
				}
				if took := time.Since(began); took != tc.after || n.dials() != 1 {
					t.Errorf("took %v, want %v; %d connections", took, tc.after, n.dials())
				}
			})
		})
	}
}

// TestPostHTTP2Troubles: the same over HTTP/2, where a server may refuse what it has not read.
func TestPostHTTP2Troubles(t *testing.T) {
	ca := newCA(t)
	for _, tc := range []struct {
		name    string
		serve   http.HandlerFunc
		status  int
		failure orbweaver.Failure
		after   time.Duration
	}{
		{"an answer before the end", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(413) }, 413, "", 0},
		{"a stream broken off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, orbweaver.ErrCut, 0},
		{"nobody reads it", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, orbweaver.ErrTimeout, 12 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var times atomic.Int32
				n := newNet(serveHTTP2(t, ca, func(w http.ResponseWriter, r *http.Request) {
					times.Add(1)
					tc.serve(w, r)
				}))
				c := n.client(client.Options{Roots: ca.pool, Timeout: 12 * time.Second, Query: sparql.Put})
				began := time.Now()
				query := short + " # " + strings.Repeat("x", 1_000_000)
				resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "https://a.test/sparql", Query: query})
				if tc.failure != "" {
					wantFailure(t, err, tc.failure)
				} else if err != nil || resp.Status != tc.status {
					t.Errorf("%v, %v", resp, err)
				} else {
					resp.Body.Close()
				}
				if took := time.Since(began); took != tc.after || times.Load() != 1 {
					t.Errorf("took %v, want %v; %d times", took, tc.after, times.Load())
				}
				c.Close()
				n.conns.Wait()
			})
		})
	}
}

// TestQueryIsGuarded: a query reaches nothing that a page would not.
func TestQueryIsGuarded(t *testing.T) {
	port, reached := trap(t)
	c := client.New(client.Options{Query: sparql.Put})
	defer c.Close()
	for _, query := range []string{short, long()} {
		_, err := c.Fetch(context.Background(), orbweaver.Request{URL: "http://127.0.0.1:" + port + "/sparql", Query: query})
		wantFailure(t, err, orbweaver.ErrPrivate)
	}
	if reached.Load() != 0 {
		t.Error("it was reached")
	}
}
