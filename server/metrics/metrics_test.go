package metrics

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// some are metrics with a value in every place.
func some() *Metrics {
	m := New(Options{
		Failures: []string{"timeout", "error"}, Refusals: []string{"robots", "dropped"}, Stages: []string{"fetch"},
		Read: func() Figures {
			return Figures{
				Requests: 1, Pages: 2, Accepted: 3, Bytes: 4, Waiting: 5, InFlight: 6, Known: 7, Ready: 8, Resting: 9, Down: 10, NetworkDown: 1, Floods: 17,
				Absences: Absences{Bounds: []float64{0.001, 0.1}, Counts: []int64{5, 2, 1}, Sum: 0.5, Longest: 0.25},
				Failures: map[string]int64{"timeout": 11, "odd": 12, "error": 13, "odder": 14},
				Refused:  map[string]int64{"robots": 15, "strange": 16},
			}
		},
	})
	for _, score := range []float64{0, 0.1, 0.55, 1} {
		m.Score(score)
	}
	m.Stage("fetch", 2*time.Millisecond)
	m.Stage("dream", time.Minute)
	m.Duplicate("near")
	m.Duplicate("imagined")
	return m
}

// ask is the answer to a request.
func ask(t *testing.T, h http.Handler, path string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// TestValues: every number comes out where it belongs, and reasons that nobody foresaw make one series.
func TestValues(t *testing.T) {
	status, body := ask(t, some().handler(false), "/metrics")
	if status != http.StatusOK {
		t.Fatalf("%d: %s", status, body)
	}
	lines := strings.Split(body, "\n")
	for _, want := range []string{
		"requests_total 1", "pages_total 2", "accepted_total 3", "bytes_total 4",
		"waiting_requests 5", "in_flight_requests 6", "known_urls 7", "http2_floods_total 17",
		`hosts{state="ready"} 8`, `hosts{state="resting"} 9`, `hosts{state="down"} 10`,
		`failures_total{reason="timeout"} 11`, `failures_total{reason="error"} 39`,
		`refused_links_total{reason="robots"} 15`, `refused_links_total{reason="dropped"} 0`, `refused_links_total{reason="other"} 16`,
		`duplicates_total{kind="exact"} 0`, `duplicates_total{kind="near"} 1`,
		`score_bucket{le="0.1"} 2`, `score_bucket{le="0.5"} 2`, `score_bucket{le="1"} 4`, "score_count 4",
		`stage_seconds_bucket{stage="fetch",le="1e-05"} 0`, `stage_seconds_bucket{stage="fetch",le="0.001"} 0`,
		`stage_seconds_bucket{stage="fetch",le="0.003"} 1`, `stage_seconds_sum{stage="fetch"} 0.002`,
		`absence_seconds_bucket{le="0.001"} 5`, `absence_seconds_bucket{le="0.1"} 7`, `absence_seconds_bucket{le="+Inf"} 8`,
		"absence_seconds_sum 0.5", "absence_seconds_count 8", "longest_absence_seconds 0.25",
		`stage_seconds_bucket{stage="dream",le="10"} 0`, `stage_seconds_count{stage="dream"} 1`,
	} {
		if !slices.Contains(lines, "orbweaver_"+want) {
			t.Errorf("no line %q", want)
		}
	}
	if strings.Contains(body, "odd") || strings.Contains(body, "strange") || strings.Contains(body, "imagined") {
		t.Errorf("what was not foreseen has a series of its own:\n%s", body)
	}
	for _, want := range []string{"go_goroutines ", "process_start_time_seconds "} {
		if !strings.Contains(body, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestNamesAreGood, by the conventions of Prometheus.
func TestNamesAreGood(t *testing.T) {
	_, body := ask(t, some().handler(false), "/metrics")
	problems, err := promlint.New(strings.NewReader(body)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestDocumented: docs/reference/metrics.md has every metric with its type and labels, and none that is not
// there; metrics that nothing was counted of are there too.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(orbweaver_\\w+)` \\| (\\w+) \\| [^|]+ \\| (?:`(\\w+)`)?").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, fmt.Sprint(row[1], " ", row[2], " ", row[3]))
	}
	m := New(Options{
		Read: func() Figures { return Figures{} }, Failures: []string{"any"}, Refusals: []string{"any"}, Stages: []string{"any"},
	})
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "orbweaver_") {
			continue
		}
		label := ""
		for _, pair := range f.GetMetric()[0].GetLabel() {
			label += pair.GetName()
		}
		there = append(there, fmt.Sprint(f.GetName(), " ", strings.ToLower(f.GetType().String()), " ", label))
	}
	slices.Sort(documented)
	if !slices.Equal(documented, there) {
		t.Errorf("documented:\n%s\nthere:\n%s", strings.Join(documented, "\n"), strings.Join(there, "\n"))
	}
}

// TestProfilesAreForThoseWhoAsk, and what is not there is not found.
func TestProfilesAreForThoseWhoAsk(t *testing.T) {
	for _, tc := range []struct {
		path        string
		bare, whole int
	}{
		{"/metrics", 200, 200},
		{"/debug/pprof/", 404, 200},
		{"/debug/pprof/heap", 404, 200},
		{"/debug/pprof/cmdline", 404, 200},
		{"/debug/pprof/nothing", 404, 404},
		{"/", 404, 404},
	} {
		for profiles, want := range map[bool]int{false: tc.bare, true: tc.whole} {
			if got, _ := ask(t, some().handler(profiles), tc.path); got != want {
				t.Errorf("%s, profiles %v: %d, want %d", tc.path, profiles, got, want)
			}
		}
	}
}

// TestServe answers at an address until it is closed. A profile of more than ten minutes is refused.
func TestServe(t *testing.T) {
	l, err := Listen(t.Context(), ":0")
	if err != nil {
		t.Fatal(err)
	}
	s := some().Serve(l, true, "crawler.test")
	base := "http://" + s.Addr().String()
	if !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Errorf("without a host it listens at %s", base)
	}
	for path, want := range map[string]int{"/metrics": 200, "/debug/pprof/profile?seconds=601": 400, "/debug/pprof/heap?seconds=601": 400, "/debug/pprof/trace?seconds=Inf": 400} {
		response, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if response.Body.Close(); err != nil || response.StatusCode != want || len(body) == 0 {
			t.Errorf("%s: %d, %d bytes, %v; want %d", path, response.StatusCode, len(body), err, want)
		}
	}
	rebound, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/debug/pprof/heap", nil)
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{"evil.test": 421, "crawler.test": 200} {
		rebound.Host = host
		response, err := http.DefaultClient.Do(rebound)
		if err != nil {
			t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != want {
			t.Errorf("asked as %s: %d, want %d", host, response.StatusCode, want)
		}
	}
	s.Close()
	if response, err := http.Get(base + "/metrics"); err == nil {
		response.Body.Close()
		t.Error("a closed server answers")
	}
}

// TestListen: what is no address, and one that is taken.
func TestListen(t *testing.T) {
	taken, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]string{
		"":                       "want HOST:PORT, as in 127.0.0.1:9100: missing port in address",
		"9100":                   "want HOST:PORT, as in 127.0.0.1:9100: missing port in address",
		"::1:9100":               "want HOST:PORT, as in 127.0.0.1:9100: too many colons in address",
		"127.0.0.1:http:":        "want HOST:PORT, as in 127.0.0.1:9100: too many colons in address",
		":66000":                 "address 66000: invalid port",
		taken.Addr().String():    "bind: address already in use",
		"192.0.2.1:9100":         "bind: ", // RFC 5737: nobody's
		"[fe80::1%nowhere]:9100": "bind: ",
	} {
		l, err := Listen(t.Context(), address)
		if err == nil {
			l.Close()
			t.Errorf("%q: it listens at %s", address, l.Addr())
		} else if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", address, err, want)
		}
	}
}

// BenchmarkStage is what hearing of a stage costs.
func BenchmarkStage(b *testing.B) {
	m := some()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			m.Stage("fetch", 300*time.Microsecond)
		}
	})
}

// BenchmarkScrape is what an answer costs.
func BenchmarkScrape(b *testing.B) {
	h := some().handler(false)
	request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/metrics", bytes.NewReader(nil))
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(httptest.NewRecorder(), request)
	}
}
