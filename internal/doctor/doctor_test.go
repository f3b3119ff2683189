package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/services/wire"
)

var update = flag.Bool("update", false, "write golden files anew")

// now is when all of this happens.
var now = time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)

// sound is a machine without faults.
func sound() *Machine {
	running := time.Duration(0)
	return &Machine{
		Built: now.AddDate(0, -1, 0), Files: 20000,
		Now:  func() (time.Time, time.Duration) { return now, running },
		Free: func(string) (int64, bool) { return 50e9, true },
		Sync: func(string) (time.Duration, error) { return 1200 * time.Microsecond, nil },
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		},
		Browser: func(context.Context, string) (string, error) { return "Chrome/140.0, /usr/bin/chromium", nil },
		Listen:  func(string) error { return nil },
		Who:     func(context.Context, string) string { return "" },
		Connect: func(context.Context, string) error { return nil },
		Date:    func(context.Context, *crawlfile.Crawl, string) (time.Time, error) { return now, nil },
	}
}

// file loads a crawl file of these lines.
func file(t *testing.T, lines string) Patient {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "f.yaml", lines+"\nfocus: {sightings: {things: {x: \"http://a.test/#x\"}}}\n")
	f, err := kind.Registry{kindtest.Kind{}}.Schema().Load("f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return Patient{Path: "f.yaml", File: f}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

const seeds = "seeds: [http://a.test/x, http://b.test/, http://192.0.2.7/]\n"

// TestProblems: each problem is found, alone, with its state and what to do.
func TestProblems(t *testing.T) {
	t.Setenv("DOCTOR_TOKEN", "hunter2hunter2")
	for _, tc := range []struct {
		name, file string
		ill        func(*Machine)
		want       []string // "state check: part … part" of each finding that is not ok
	}{
		{name: "nothing", ill: func(*Machine) {}},
		{name: "nothing, with a crawl file", file: seeds, ill: func(*Machine) {}},
		{"an absurd year", "", func(m *Machine) { m.Now = at(time.Unix(0, 0)) }, []string{"problem clock: 1970-01-01"}},
		{"before the build", "", func(m *Machine) { m.Built = now.Add(time.Hour) }, []string{"problem clock: before this program was made (2030-05-01 13:00:00)"}},
		{"a clock that is set meanwhile", "", func(m *Machine) { m.Now = jumping(time.Minute) }, []string{"warning clock: set by 59.999s"}},
		{"a clock that is behind a server's", seeds, dated(now.Add(time.Hour), nil), []string{"warning clock: 1h0m0s behind that of http://a.test"}},
		{"a clock that is ahead of a server's", seeds, dated(now.Add(-time.Hour), nil), []string{"warning clock: 1h0m0s ahead of that of http://a.test"}},
		{"a server without a clock", seeds, dated(time.Time{}, nil), nil},
		{"a server that is down", seeds, dated(now, errors.New("connection refused")), []string{"warning seeds: http://a.test: connection refused"}},
		{"a folder of somebody else", "", synced(0, &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}), []string{"problem disk: permission denied: give this user the right"}},
		{"a disk to read", "", synced(0, syscall.EROFS), []string{"problem disk: read-only file system"}},
		{"a full disk", "", synced(0, syscall.ENOSPC), []string{"problem disk: make room there"}},
		{"little space", "", func(m *Machine) { m.Free = func(string) (int64, bool) { return 1e6, true } }, []string{"warning disk: 1.0 MB free: make room"}},
		{"space that nobody tells", "", func(m *Machine) { m.Free = func(string) (int64, bool) { return 0, false } }, nil},
		{"a slow disk", "", synced(80*time.Millisecond, nil), []string{"warning disk: fsync takes 80ms"}},
		{"too few files", "", func(m *Machine) { m.Files = 20 }, []string{"problem files: may open 20 files, and a crawl needs at least 48"}},
		{"few files", "", func(m *Machine) { m.Files = 256 }, []string{"warning files: 112 connections at once instead of 512: `ulimit -n 1056`"}},
		{"files for the workers of the file", seeds + "workers: 100", func(m *Machine) { m.Files = 256 }, nil},
		{"little memory", "", func(m *Machine) { m.Memory = 512e6 }, []string{"warning memory: the limit is 512.0 MB … in 1.0 GB … write memory: 128MB"}},
		{"little memory, and a file that needs little", seeds + "memory: 100MB", func(m *Machine) { m.Memory = 512e6 }, nil},
		{"no resolver", seeds, resolving(errors.New("no such host"), "a.test", "b.test"), []string{"problem dns: a.test: no such host … resolv.conf", "problem dns: b.test"}},
		{"a name that is wrong", seeds, resolving(nil, "b.test"), []string{"warning dns: b.test: no address"}},
		{"no browser", "", unbrowsed, []string{"warning browser: no browser on PATH"}},
		{"no browser, and one is needed", seeds + "render: {when: empty}", unbrowsed, []string{"problem browser: no browser on PATH … render.when"}},
		{"no browser for a login", seeds + "http: [{hosts: [a.test], login: {url: 'http://a.test/', when: a.out, steps: [{click: a}]}}]\nrender: {browser: /bin/sh}", unbrowsed,
			[]string{"problem browser: http[1].login.steps of the crawl file needs one"}},
		{"no browser, and none is needed", seeds, unbrowsed, nil},
		{"ports that are taken", "", taken, []string{"warning ports: 127.0.0.1:7979: address already in use; what answers there is caddy: end it, or use `orbweaver studio --listen :0`", "warning ports: 127.0.0.1:7878"}},
		{"a proxy that is down", seeds + "politeness: {proxy: 'http://me:hunter2hunter2@p.test:3128'}\nhttp: [{hosts: [a.test], proxy: 'socks5://q.test'}]", func(m *Machine) {
			m.Connect = func(_ context.Context, address string) error { return errors.New(address + ": refused") }
		}, []string{"problem proxy: http://p.test:3128: p.test:3128: refused", "problem proxy: socks5://q.test: q.test:1080: refused"}},
		{"secrets that are there", seeds + "http: [{hosts: [a.test], auth: {bearer: {env: DOCTOR_TOKEN}}}]", func(*Machine) {}, nil},
		{"secrets that are not there", seeds + "http: [{hosts: [a.test], auth: {bearer: {env: DOCTOR_NONE}}}, {hosts: [b.test], headers: {X: {env: DOCTOR_NO}}}]", func(*Machine) {},
			[]string{"problem logins: f.yaml: http[1].auth.bearer.env: the environment has no DOCTOR_NONE", "problem logins: f.yaml: http[2].headers.X.env"}},
		{"sinks", seeds + "sinks: [{folder: a}, {folder: b}]", func(m *Machine) {
			m.Sinks = func(context.Context, string, *crawlfile.Crawl) ([]Tried, error) {
				return []Tried{{"folder", "a", nil}, {"folder2", "b", errors.New("b: no space left")}}, nil
			}
		}, []string{"problem sinks: folder2, b: b: no space left"}},
		{"a sink's secret that is not there", seeds + "sinks: [{folder: a}]", func(m *Machine) {
			m.Sinks = func(context.Context, string, *crawlfile.Crawl) ([]Tried, error) {
				return nil, errors.New("f.yaml: sinks[1]: no secret")
			}
		}, []string{"problem sinks: f.yaml: sinks[1]: no secret"}},
		{"a webhook's secret that is not there", seeds + "schedule: {every: 24h, webhook: 'https://a.test/', secret: {env: DOCTOR_NONE}}", func(*Machine) {},
			[]string{"problem logins: f.yaml: schedule.secret.env: the environment has no DOCTOR_NONE"}},
		{"a key of cookies that is too short", seeds + "http: [{hosts: [a.test], cookies: {key: f.yaml}}]", func(*Machine) {
			_ = os.WriteFile("f.yaml", []byte("short"), 0o600)
		}, []string{"problem logins: f.yaml: http[1].cookies.key:"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var p Patient
			if tc.file != "" {
				p = file(t, tc.file)
			}
			m := sound()
			tc.ill(m)
			r := Look(t.Context(), m, p)
			var text bytes.Buffer
			r.Print(&text)
			if strings.Contains(text.String(), "hunter2") {
				t.Errorf("a secret is shown:\n%s", &text)
			}
			var bad []string
			state := OK
			for line := range strings.Lines(text.String()) {
				if !strings.HasPrefix(line, "ok ") {
					bad = append(bad, line)
					words := strings.Fields(line)
					state = worse(state, State(words[0]))
				}
			}
			if len(bad) != len(tc.want) || r.State != state {
				t.Fatalf("%s, %d findings, want %d\n%s", r.State, len(bad), len(tc.want), &text)
			}
			for i, want := range tc.want {
				head, parts, _ := strings.Cut(want, ": ")
				if strings.Join(strings.Fields(bad[i])[:2], " ") != head {
					t.Errorf("%q, want %s", bad[i], head)
				}
				for part := range strings.SplitSeq(parts, " … ") {
					if !strings.Contains(bad[i], part) {
						t.Errorf("%q lacks %q", bad[i], part)
					}
				}
			}
		})
	}
}

// at is a clock that stands.
func at(t time.Time) func() (time.Time, time.Duration) {
	return func() (time.Time, time.Duration) { return t, 0 }
}

// jumping is a clock that is set forward each time one looks.
func jumping(by time.Duration) func() (time.Time, time.Duration) {
	times := 0
	return func() (time.Time, time.Duration) {
		times++
		return now.Add(time.Duration(times) * by), time.Duration(times) * time.Millisecond
	}
}

func dated(t time.Time, err error) func(*Machine) {
	return func(m *Machine) {
		m.Date = func(_ context.Context, _ *crawlfile.Crawl, url string) (time.Time, error) {
			if url != "http://a.test/robots.txt" {
				return t, fmt.Errorf("%s was asked", url)
			}
			return t, err
		}
	}
}

func synced(took time.Duration, err error) func(*Machine) {
	return func(m *Machine) { m.Sync = func(string) (time.Duration, error) { return took, err } }
}

// resolving is a resolver that does not know some names.
func resolving(err error, names ...string) func(*Machine) {
	return func(m *Machine) {
		m.Resolve = func(_ context.Context, name string) ([]netip.Addr, error) {
			if strings.Contains(strings.Join(names, " "), name) {
				return nil, err
			}
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		}
	}
}

func unbrowsed(m *Machine) {
	m.Browser = func(context.Context, string) (string, error) {
		return "", fmt.Errorf("no browser on PATH (looked for x): %w: install Chromium", orbweaver.ErrInput)
	}
}

func taken(m *Machine) {
	m.Listen = func(address string) error { return errors.New(address + ": address already in use") }
	m.Who = func(context.Context, string) string { return "caddy" }
}

// TestGolden: a report as text and as JSON, of a machine with some faults.
func TestGolden(t *testing.T) {
	p := file(t, seeds)
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	m := sound()
	m.Files = 256
	taken(m)
	resolving(errors.New("no such host"), "a.test", "b.test")(m)
	r := Look(t.Context(), m, p)
	var text, object bytes.Buffer
	r.Print(&text)
	if err := console.WriteJSON(&object, r); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(object.Bytes(), &again); err != nil || len(again.Findings) != len(r.Findings) || again.State != Problem {
		t.Errorf("%+v: %v", again, err)
	}
	golden(t, "report.txt", strings.ReplaceAll(text.String(), root, "FOLDER"))
	golden(t, "report.json", strings.ReplaceAll(object.String(), root, "FOLDER"))
}

// testdata is the folder of golden files, wherever a test works.
var testdata = func() string { folder, _ := filepath.Abs("testdata"); return folder }()

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name)
	if *update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
	}
}

// TestBounded: a check that never ends is a problem, and the others are told.
func TestBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		m := sound()
		m.Sync = func(string) (time.Duration, error) { <-hangs; return 0, nil }
		m.Browser = func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		begun := time.Now()
		r := Look(t.Context(), m, Patient{})
		if took := time.Since(begun); took > Most+time.Second {
			t.Errorf("it took %v", took)
		}
		if r.Count(Problem) != 1 || r.Count(Warning) != 1 || r.Count(OK) != 5 {
			t.Errorf("%+v", r)
		}
		close(hangs)
	})
}

// TestThis: the machine that tests run on, its file system and loopback.
func TestThis(t *testing.T) {
	m := This(time.Time{}, wire.Wire{})
	folder := t.TempDir()
	if took, err := m.Sync(folder); err != nil || took <= 0 {
		t.Errorf("%v, %v", took, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := m.Sync(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := m.Browser(t.Context(), filepath.Join(folder, "none")); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a browser that is not there: %v", err)
	}
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", "nobody")
		w.WriteHeader(status)
	}))
	defer server.Close()
	address := server.Listener.Addr().String()
	if err := m.Connect(t.Context(), address); err != nil {
		t.Error(err)
	}
	if err := m.Listen(address); err == nil {
		t.Error("listens at an address that is taken")
	}
	if name := m.Who(t.Context(), address); name != "nobody" {
		t.Errorf("%q answers", name)
	}
	for code, well := range map[int]bool{200: true, 401: true, 404: true, 503: false} {
		status = code
		if _, err := Answers(t.Context(), server.URL); (err == nil) != well {
			t.Errorf("%d: %v", code, err)
		}
	}
	if _, err := Answers(t.Context(), "no url\n"); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	server.Close()
	if _, err := Answers(t.Context(), server.URL); err == nil {
		t.Error("a server that is gone answers")
	}
}

// TestDate: robots.txt is asked as the crawl would ask, once, and private addresses only where the crawl file allows them.
func TestDate(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Date", now.Format(http.TimeFormat))
		if r.URL.Path != "/robots.txt" || !strings.Contains(r.UserAgent(), "me@example.org") {
			t.Errorf("%s by %s", r.URL, r.UserAgent())
		}
	}))
	defer server.Close()
	w := wire.Wire{Options: client.Options{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
		Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	}}
	for lines, want := range map[string]bool{"": false, "allow_private: true\n": true} {
		p := file(t, "seeds: [http://a.test/x]\npoliteness: {contact: me@example.org}\n"+lines)
		got, err := This(time.Time{}, w).Date(t.Context(), p.File, "http://a.test/robots.txt")
		if want != (err == nil && got.Equal(now)) {
			t.Errorf("%q: %v, %v", lines, got, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}
