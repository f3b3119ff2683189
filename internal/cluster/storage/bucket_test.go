package storage

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
)

// direct is the location of a fake server without a network.
const direct = "s3://webs/crawl?endpoint=s3.example&tls=off"

// virtual runs a test in virtual time, on a store of a fake server.
func virtual(t *testing.T, test func(t *testing.T, f *fake, s *store)) {
	t.Helper()
	fakeKeys(t)
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		test(t, f, opened(t, direct, options{transport: f, partSize: 1000}))
	})
}

// failing lets each request that a test picks fail n times.
func (f *fake) failing(n, status int, code string, of func(r *http.Request) bool) {
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if n == 0 || !of(r) {
			return false
		}
		n--
		refuse(w, status, code)
		return true
	}
}

func every(*http.Request) bool { return true }

// TestBusyServer: each call goes on after a server that is busy twice.
func TestBusyServer(t *testing.T) {
	virtual(t, func(t *testing.T, f *fake, s *store) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, make([]byte, 2500), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"1", "2", "3", "4", "5"} {
			put(t, s, name, "x")
		}
		for _, call := range []func(){
			func() { put(t, s, "a", "body") },
			func() { get(t, s, "a") },
			func() {
				if got := list(t, s, ""); !slices.Equal(got, []string{"1", "2", "3", "4", "5", "a"}) {
					t.Errorf("there are %v", got)
				}
			},
			func() {
				if err := s.PutFile(t.Context(), "b", path); err != nil {
					t.Error(err)
				}
			},
			func() {
				if err := s.Delete(t.Context(), "a"); err != nil {
					t.Error(err)
				}
			},
		} {
			before := time.Now()
			f.failing(2, http.StatusServiceUnavailable, "SlowDown", every)
			call()
			if waited := time.Since(before); waited < firstPause/2 || waited > 5*time.Second {
				t.Errorf("it took %v", waited)
			}
		}
		if got := get(t, s, "b"); len(got) != 2500 || len(f.uploads) > 0 {
			t.Errorf("%d bytes, %d uploads", len(got), len(f.uploads))
		}
	})
}

// TestListGoesOn: a list whose second answer fails goes on behind its last name.
func TestListGoesOn(t *testing.T) {
	virtual(t, func(t *testing.T, f *fake, s *store) {
		want := []string{"1", "2", "3", "4", "5", "6", "7"}
		for _, name := range want {
			put(t, s, name, "x")
		}
		f.failing(3, http.StatusInternalServerError, "InternalError", func(r *http.Request) bool { return r.URL.Query().Has("continuation-token") })
		if got := list(t, s, ""); !slices.Equal(got, want) {
			t.Errorf("there are %v", got)
		}
	})
}

// TestServerDown: a server that stays away is given up, sooner when a store is opened.
func TestServerDown(t *testing.T) {
	virtual(t, func(t *testing.T, f *fake, s *store) {
		f.failing(-1, http.StatusServiceUnavailable, "SlowDown", every)
		before := time.Now()
		err := s.Put(t.Context(), "a", nil)
		if took := time.Since(before); !errors.Is(err, errGivenUp) || errors.Is(err, orbweaver.ErrInput) || took < patience/2 || took > patience+longestPause {
			t.Errorf("after %v: %v", took, err)
		}
		before = time.Now()
		_, err = open(t.Context(), direct, options{transport: f})
		if took := time.Since(before); !errors.Is(err, errGivenUp) || took > openPatience+longestPause || !strings.Contains(err.Error(), "cannot write") {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// TestRefused: what does not pass is said at once, with the location and without secrets.
func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		status int
		code   string
		reason error
		says   string
	}{
		{403, "AccessDenied", orbweaver.ErrInput, "refused"},
		{403, "SignatureDoesNotMatch", orbweaver.ErrInput, "refused"},
		{404, "NoSuchBucket", orbweaver.ErrInput, "no such bucket"},
		{507, "XMinioStorageFull", ErrFull, "no space left"},
		{507, "InsufficientStorage", ErrFull, "no space left"},
		{403, "QuotaExceeded", ErrFull, "no space left"},
		{501, "NotImplemented", orbweaver.ErrInput, "no server of S3"},
		{404, "XUserNotFound", orbweaver.ErrInput, "refused"},
		{301, "PermanentRedirect", orbweaver.ErrInput, "another region"},
	} {
		for verb, method := range map[string]string{"write": http.MethodPut, "read": http.MethodGet, "delete": http.MethodDelete} {
			t.Run(tc.code+" "+verb, func(t *testing.T) {
				fakeKeys(t)
				f := newFake()
				f.failing(-1, tc.status, tc.code, func(r *http.Request) bool { return r.Method == method && !r.URL.Query().Has("location") })
				_, err := open(t.Context(), direct, options{transport: f})
				if !errors.Is(err, tc.reason) || errors.Is(err, orbweaver.ErrInput) != (tc.reason == orbweaver.ErrInput) {
					t.Fatalf("%v", err)
				}
				for _, said := range []string{direct, "cannot " + verb, tc.says} {
					if !strings.Contains(err.Error(), said) {
						t.Errorf("%v lacks %q", err, said)
					}
				}
				if strings.Contains(err.Error(), fakeSecret) || strings.Contains(err.Error(), fakeKey) {
					t.Errorf("a secret in %v", err)
				}
			})
		}
	}
	t.Run("list", func(t *testing.T) {
		fakeKeys(t)
		f := newFake()
		f.failing(-1, 403, "AccessDenied", func(r *http.Request) bool { return r.URL.Query().Has("list-type") })
		_, err := open(t.Context(), direct, options{transport: f})
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "cannot list") || len(f.objects) > 0 {
			t.Errorf("%v; there are %v", err, f.objects)
		}
	})
}

// A torn server sends the first bytes of an object, and no more.
type torn struct {
	*fake
	after int
	times int
}

func (s *torn) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.fake.RoundTrip(r)
	if err == nil && r.Method == http.MethodGet && len(r.URL.Query()) == 0 && s.times > 0 && answer.StatusCode < 300 {
		s.times--
		answer.Body = io.NopCloser(io.MultiReader(io.LimitReader(answer.Body, int64(s.after)), broken{}))
	}
	return answer, err
}

// broken is what a connection that ends too early gives.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestTorn: a body that is cut short goes on where it ended; not with that of another object.
func TestTorn(t *testing.T) {
	fakeKeys(t)
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		wire := &torn{fake: f, after: 100}
		s := opened(t, direct, options{transport: wire})
		whole := strings.Repeat("0123456789", 100)
		put(t, s, "a", whole)
		wire.times = 5
		if got := get(t, s, "a"); got != whole {
			t.Errorf("%d bytes", len(got))
		}
		wire.times = 3
		if got, err := s.Range(t.Context(), "a", 500, 500); err != nil || string(got) != whole[500:] {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		for change, said := range map[string]error{"replaced": errReplaced, "deleted": ErrAbsent} {
			put(t, s, "a", whole)
			wire.times = 1
			body, err := s.Get(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			if change == "replaced" {
				put(t, s, "a", strings.ToUpper(whole)+"!")
			} else if err := s.Delete(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(body); !errors.Is(err, said) || string(got) != whole[:100] {
				t.Errorf("%s: %d bytes, %v", change, len(got), err)
			}
			if err := body.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestQuiet: a connection that sends nothing is given up for another.
func TestQuiet(t *testing.T) {
	fakeKeys(t)
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		wire := &quiet{fake: f}
		s := opened(t, direct, options{transport: wire})
		put(t, s, "a", "whole")
		wire.on = true
		before := time.Now()
		if got := get(t, s, "a"); got != "whole" || time.Since(before) < quietTime {
			t.Errorf("%q after %v", got, time.Since(before))
		}
	})
}

// A quiet server sends no byte of the first body.
type quiet struct {
	*fake
	on bool
}

func (s *quiet) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.fake.RoundTrip(r)
	if err == nil && s.on {
		s.on = false
		answer.Body = io.NopCloser(waiting{r})
	}
	return answer, err
}

// waiting waits until its request is given up.
type waiting struct{ r *http.Request }

func (w waiting) Read([]byte) (int, error) {
	<-w.r.Context().Done()
	return 0, w.r.Context().Err()
}

// TestUploads: a failed upload leaves no parts; one that is gone is begun anew; parts that a killed process left are swept a day later.
func TestUploads(t *testing.T) {
	virtual(t, func(t *testing.T, f *fake, s *store) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 4200), 0o600); err != nil {
			t.Fatal(err)
		}
		third := func(r *http.Request) bool { return r.URL.Query().Get("partNumber") == "3" }
		f.failing(-1, 507, "StorageFull", third)
		if err := s.PutFile(t.Context(), "a", path); !errors.Is(err, ErrFull) || len(f.uploads) > 0 || len(f.objects) > 0 {
			t.Errorf("%v; %d uploads, %d objects", err, len(f.uploads), len(f.objects))
		}
		f.failing(1, 404, "NoSuchUpload", third)
		if err := s.PutFile(t.Context(), "a", path); err != nil || len(get(t, s, "a")) != 4200 {
			t.Error(err)
		}
		f.uploads = map[string]*fakeUpload{
			"old": {key: "crawl/b", begun: time.Now().Add(-2 * leftover)}, "new": {key: "crawl/b", begun: time.Now()},
		}
		f.objects["crawl/"+checkMark+"OLD"] = fakeObject{changed: time.Now().Add(-2 * leftover)}
		opened(t, direct, options{transport: f})
		if f.uploads["old"] != nil || f.uploads["new"] == nil || len(f.objects) != 1 {
			t.Errorf("there are %v, %v", f.uploads, f.objects)
		}
	})
}

// TestUnreachable: nobody listens, or there is no TLS, or one that cannot be trusted.
func TestUnreachable(t *testing.T) {
	fakeKeys(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	secure, plain := httptest.NewUnstartedServer(newFake()), httptest.NewServer(newFake())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	defer plain.Close()
	t.Run("refused", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			before := time.Now()
			_, err := Open(t.Context(), "s3://webs?tls=off&endpoint="+gone)
			if err == nil || !strings.Contains(err.Error(), "unreachable") || !strings.Contains(err.Error(), gone) || time.Since(before) < openPatience/5 {
				t.Errorf("after %v: %v", time.Since(before), err)
			}
		})
	})
	for name, location := range map[string]string{
		"authority": "s3://webs?endpoint=" + secure.Listener.Addr().String(), "no TLS": "s3://webs?endpoint=" + plain.Listener.Addr().String(),
	} {
		if _, err := Open(t.Context(), location); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no secure connection") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), "s3://webs?tls=off&endpoint="+secure.Listener.Addr().String()); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "HTTPS") {
		t.Errorf("plain to TLS: %v", err)
	}
}

// TestForeignKeys: keys that others put, or that are in no order, are not taken for objects.
func TestForeignKeys(t *testing.T) {
	virtual(t, func(t *testing.T, f *fake, s *store) {
		put(t, s, "own", "x")
		for _, key := range []string{"crawl/", "crawl//x", "crawl/a b", "crawl/folder/", "crawler/x", "crawl", "other"} {
			f.objects[key] = fakeObject{}
		}
		if got := list(t, s, ""); !slices.Equal(got, []string{"own"}) {
			t.Errorf("there are %v", got)
		}
		f.before = func(w http.ResponseWriter, r *http.Request) bool {
			_, err := io.WriteString(w, "<ListBucketResult><Contents><Key>crawl/b</Key></Contents><Contents><Key>crawl/a</Key></Contents></ListBucketResult>")
			return err == nil
		}
		var last error
		for _, err := range s.List(t.Context(), "") {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), "order") {
			t.Errorf("%v", last)
		}
	})
}
