package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A fake crawl records the calls.
type fake struct {
	mu     sync.Mutex
	told   []string
	status Status
	fail   error
	added  Added
	block  chan struct{} // when set: Status closes it and waits for the end of its context
}

func (f *fake) tell(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, what)
	return f.fail
}

func (f *fake) Status(ctx context.Context) (Status, error) {
	if f.block != nil {
		close(f.block)
		<-ctx.Done()
		return Status{}, ctx.Err()
	}
	return f.status, f.tell("status")
}
func (f *fake) Pause(context.Context) error  { return f.tell("pause") }
func (f *fake) Resume(context.Context) error { return f.tell("resume") }
func (f *fake) Stop(context.Context) error   { return f.tell("stop") }
func (f *fake) Add(_ context.Context, url string) (Added, error) {
	return f.added, f.tell("add " + url)
}

// running serves a crawl in its own folder and returns a client.
func running(t *testing.T, c Crawl, more ...Route) (*Client, string) {
	t.Helper()
	dir := t.TempDir()
	serve(t, dir, c, more...)
	return dial(t, dir), dir
}

func serve(t *testing.T, dir string, c Crawl, more ...Route) *Server {
	t.Helper()
	s, err := Serve(dir, c, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func dial(t *testing.T, dir string) *Client {
	t.Helper()
	c, err := Dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestVerbs: calls of the client reach the crawl, and its answers reach the client.
func TestVerbs(t *testing.T) {
	f := &fake{
		status: Status{
			Name: "aircraft", Folder: "/crawls/aircraft", PID: 7, Started: time.Unix(1e9, 0).UTC(), Paused: true,
			Progress: step.Progress{Requests: 5, Pages: 4, Accepted: 3, Bytes: 1 << 40, Active: time.Minute},
			Waiting:  1, InFlight: 2, Hosts: 3, Ready: 4, Resting: 5, Down: 6,
			Busiest:  []step.Account{{Host: "http://a.test", Asked: 9, Gap: time.Second, Last: time.Unix(1e9, 0).UTC()}},
			Failures: map[orbweaver.Failure]int64{orbweaver.ErrTimeout: 2},
		},
		added: Added{URL: "http://a.test/é", Result: ResultKnown + "fetched"},
	}
	c, _ := running(t, f)
	ctx := t.Context()
	status, err := c.Status(ctx)
	if err != nil || !reflect.DeepEqual(status, f.status) {
		t.Errorf("status is %+v, %v; want %+v", status, err, f.status)
	}
	added, err := c.Add(ctx, "http://a.test/é \" \n")
	if err != nil || added != f.added {
		t.Errorf("added is %+v, %v", added, err)
	}
	if err := errors.Join(c.Pause(ctx), c.Resume(ctx), c.Stop(ctx)); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(f.told, "|"), "status|add http://a.test/é \" \n|pause|resume|stop"; got != want {
		t.Errorf("the crawl was told %q, want %q", got, want)
	}
}

func TestRefused(t *testing.T) {
	for result, want := range map[string]bool{
		ResultAdded: false, ResultKnown + "fetched": false, ResultScope + "exclude a.test": true, ResultRobots + "Disallow: /": true,
	} {
		if got := (Added{Result: result}).Refused(); got != want {
			t.Errorf("%q is refused: %v", result, got)
		}
	}
}

// TestErrorsArrive: an error keeps its text and its Failure.
func TestErrorsArrive(t *testing.T) {
	f := &fake{}
	c, _ := running(t, f)
	for _, tc := range []struct {
		name   string
		err    error
		status int
	}{
		{"bad url", fmt.Errorf("htp:/x: %w", orbweaver.ErrBadURL), http.StatusBadRequest},
		{"no reason", errors.New("the disk is \"full\"\n\x00"), http.StatusInternalServerError},
		{"damaged", fmt.Errorf("ledger: %w", orbweaver.ErrDamaged), http.StatusInternalServerError},
		{"unknown", fmt.Errorf("http://a.test/: %w", orbweaver.ErrUnknown), http.StatusNotFound},
		{"scope", orbweaver.ErrScope, http.StatusForbidden},
		{"too large", orbweaver.ErrTooLarge, http.StatusRequestEntityTooLarge},
		{"over", fmt.Errorf("the session is over: %w", ErrNoCrawl), http.StatusServiceUnavailable},
		{"cancelled", context.Canceled, http.StatusServiceUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.mu.Lock()
			f.fail = tc.err
			f.mu.Unlock()
			if got := statusOf(tc.err); got != tc.status {
				t.Errorf("HTTP status %d, want %d", got, tc.status)
			}
			_, failed := c.Status(t.Context())
			_, notAdded := c.Add(t.Context(), "u")
			for _, err := range []error{failed, notAdded, c.Pause(t.Context())} {
				if err == nil || err.Error() != tc.err.Error() || orbweaver.FailureOf(err) != orbweaver.FailureOf(tc.err) {
					t.Errorf("%q (%s) arrives as %q (%s)", tc.err, orbweaver.FailureOf(tc.err), err, orbweaver.FailureOf(err))
				}
			}
		})
	}
}

// TestCancelled: a canceled client call cancels the request's context in the crawl.
func TestCancelled(t *testing.T) {
	f := &fake{block: make(chan struct{})}
	c, _ := running(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.block
		cancel()
	}()
	if _, err := c.Status(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoCrawl) {
		t.Errorf("a request that was given up fails with %v", err)
	}
}

// TestConcurrent: more concurrent clients than connections.
func TestConcurrent(t *testing.T) {
	f := &fake{added: Added{Result: ResultAdded}}
	_, dir := running(t, f)
	const clients, calls = maxConnections + 16, 5
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c, err := Dial(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for j := range calls {
				if _, err := c.Add(t.Context(), fmt.Sprint(i, ":", j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, told := range f.told {
		seen[told] = true
	}
	if len(f.told) != clients*calls || len(seen) != clients*calls {
		t.Errorf("%d calls, %d of them different, want %d", len(f.told), len(seen), clients*calls)
	}
}

// TestRoutes: added routes receive queries, and their errors arrive.
func TestRoutes(t *testing.T) {
	c, _ := running(t, &fake{},
		Route{"GET /explain", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("url") == "" {
				Fail(w, fmt.Errorf("url: %w", orbweaver.ErrInput))
				return
			}
			_, _ = io.WriteString(w, r.FormValue("url"))
		})},
		Route{"GET /crash", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a nil focus") })},
		Route{"GET /nothing", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { Answer(w, func() {}) })},
		Route{"GET /away", http.RedirectHandler("/explain", http.StatusFound)},
		Route{"GET /cut", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })},
	)
	body, err := c.Get(t.Context(), "/explain", url.Values{"url": {"http://a.test/?a=b&c"}})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(body); err != nil || string(text) != "http://a.test/?a=b&c" {
		t.Errorf("answered %q, %v", text, err)
	}
	if err := body.Close(); err != nil {
		t.Error(err)
	}
	for _, tc := range []struct {
		path    string
		words   string
		failure orbweaver.Failure
	}{
		{"/explain", "url: bad-input", orbweaver.ErrInput},
		{"/crash", "GET /crash crashed: a nil focus", "error"},
		{"/nothing", "answer: json: unsupported type: func()", "error"},
		{"/away", "the crawl answered 302 Found", "error"},
		{"/cut", "the crawl ended before it responded", ErrNoCrawl},
		{"/explain/more", "no GET /explain/more; it has GET /, POST /add, GET /away, GET /crash, GET /cut, GET /explain, GET /nothing, POST /pause, POST /resume, GET /status, POST /stop", "error"},
		{"/stop", "no GET /stop; it has", "error"},
	} {
		body, err := c.Get(t.Context(), tc.path, nil)
		if err == nil {
			t.Errorf("%s answers", tc.path)
			_ = body.Close()
			continue
		}
		if !strings.Contains(err.Error(), tc.words) || orbweaver.FailureOf(err) != tc.failure {
			t.Errorf("%s fails with %q (%s), want %q (%s)", tc.path, err, orbweaver.FailureOf(err), tc.words, tc.failure)
		}
	}
}

// TestAbout: GET / lists the routes.
func TestAbout(t *testing.T) {
	c, _ := running(t, &fake{}, Route{"GET /explain", http.NotFoundHandler()})
	body, err := c.Get(t.Context(), "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	var about struct {
		Version string   `json:"orbweaver"`
		Routes  []string `json:"routes"`
	}
	if err := json.NewDecoder(body).Decode(&about); err != nil || about.Version == "" ||
		strings.Join(about.Routes, "|") != "GET /|POST /add|GET /explain|POST /pause|POST /resume|GET /status|POST /stop" {
		t.Errorf("%+v, %v", about, err)
	}
}

// TestHostileRequests: malformed requests do not reach the crawl, and the server continues.
func TestHostileRequests(t *testing.T) {
	f := &fake{}
	c, dir := running(t, f)
	post := func(path, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: crawl\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	}
	for _, tc := range []struct{ name, request, want string }{
		{"no JSON", post("/add", "http://a.test/"), "400 Bad Request"},
		{"nothing", post("/add", ""), "400 Bad Request"},
		{"no URL", post("/add", "{}"), "400 Bad Request"},
		{"a URL that is a number", post("/add", `{"url": 1}`), "400 Bad Request"},
		{"a key too many", post("/add", `{"url": "u", "score": 1}`), "400 Bad Request"},
		{"two values", post("/add", `{"url": "u"} {"url": "v"}`), "400 Bad Request"},
		{"deep", post("/add", strings.Repeat(`{"url":`, 8<<10)), "400 Bad Request"},
		{"large", post("/add", `{"url": "`+strings.Repeat("u", maxBody)+`"}`), "413 Request Entity Too Large"},
		{"large after the value", post("/add", `{"url": "u"}`+strings.Repeat(" ", maxBody)), "413 Request Entity Too Large"},
		{"endless", "POST /add HTTP/1.1\r\nHost: crawl\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1000\r\n"+strings.Repeat(" ", 0x1000)+"\r\n", 20), "413 Request Entity Too Large"},
		{"a large header", "GET /status HTTP/1.1\r\nHost: crawl\r\nX: " + strings.Repeat("x", maxHeader+8<<10) + "\r\n\r\n", "431 Request Header Fields Too Large"},
		{"no HTTP", "hello\r\n\r\n", "400 Bad Request"},
		{"the wrong method", "DELETE /add HTTP/1.1\r\nHost: crawl\r\n\r\n", "405 Method Not Allowed"},
		{"a way out of the folder", "GET /../../etc/passwd HTTP/1.1\r\nHost: crawl\r\n\r\n", "307 Temporary Redirect"},
		{"nothing that is there", "GET /etc HTTP/1.1\r\nHost: crawl\r\n\r\n", "404 Not Found"},
		{"a tunnel", "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n\r\n", "405 Method Not Allowed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := raw(t, dir, tc.request); !strings.HasPrefix(got, "HTTP/1.1 "+tc.want+"\r\n") {
				t.Errorf("answered %.100q, want %s", got, tc.want)
			}
		})
	}
	if len(f.told) != 0 {
		t.Errorf("the crawl was told %q", f.told)
	}
	if _, err := c.Status(t.Context()); err != nil {
		t.Error(err)
	}
}

// raw sends bytes to a folder's socket and returns the first answer or all bytes up to the end.
func raw(t *testing.T, dir, request string) string {
	t.Helper()
	conn, err := connect(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = io.WriteString(conn, request) }) // the server may close early
	answer := make([]byte, 4096)
	n, _ := io.ReadAtLeast(conn, answer, 64)
	_ = conn.Close()
	wg.Wait()
	return string(answer[:n])
}

// TestNoCrawl: the client reports that no crawl runs, or that it ended.
func TestNoCrawl(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	stale(t, filepath.Join(dir, SocketFile))
	for _, folder := range []string{dir, t.TempDir(), filepath.Join(dir, "none"), file} {
		if _, err := Dial(folder); !errors.Is(err, ErrNoCrawl) || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v", folder, err)
		}
	}
	s := serve(t, dir, &fake{})
	c := dial(t, dir)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Status(t.Context()); !errors.Is(err, ErrNoCrawl) {
		t.Errorf("a crawl that ended: %v", err)
	}
	if _, err := Dial(dir); !errors.Is(err, ErrNoCrawl) {
		t.Errorf("a crawl that ended: %v", err)
	}
}

// stale leaves a socket like a killed process.
func stale(t *testing.T, path string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkStatus measures a status request for both sides, on an open connection.
func BenchmarkStatus(b *testing.B) {
	dir := b.TempDir()
	s, err := Serve(dir, &fake{status: Status{Busiest: make([]step.Account, 10)}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := Dial(dir)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Status(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	c.Close()
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// FuzzAdd: any body gets a JSON answer, and only URLs reach the crawl.
func FuzzAdd(f *testing.F) {
	for _, body := range []string{`{"url": "http://a.test/"}`, `{"url": ""}`, `{"URL": "u"}`, `[`, `{"url": "\ud800"}`, "null", "{}{}"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		crawl := &fake{added: Added{Result: ResultAdded}}
		w := &answer{header: http.Header{}}
		r, err := http.NewRequest(http.MethodPost, "/add", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		newHandler(crawl, nil).ServeHTTP(w, r)
		if !json.Valid(w.Bytes()) || (w.status == http.StatusOK) != (len(crawl.told) == 1) ||
			w.status != http.StatusOK && w.status != http.StatusBadRequest {
			t.Errorf("%q: status %d, %q, told %q", body, w.status, w.String(), crawl.told)
		}
		if len(crawl.told) == 1 && crawl.told[0] == "add " {
			t.Errorf("%q adds nothing", body)
		}
	})
}

// An answer is a ResponseWriter that records.
type answer struct {
	bytes.Buffer
	header http.Header
	status int
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }

// FuzzReceived: any response gives an error.
func FuzzReceived(f *testing.F) {
	for _, body := range []string{`{"error": "x", "failure": "robots"}`, `{"error": 1}`, "", "404 page not found"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		err := received(&http.Response{Status: "500 Internal Server Error", Body: io.NopCloser(bytes.NewReader(body))})
		if err == nil || err.Error() == "" || orbweaver.FailureOf(err) == "" {
			t.Errorf("%q is %v", body, err)
		}
	})
}
