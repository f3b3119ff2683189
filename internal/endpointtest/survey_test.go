package endpointtest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/endpointtest"
	"orbweaver/internal/realdata"
	"orbweaver/rdf/sparql/results"
)

const (
	album  = "http://purl.org/ontology/mo/Record"
	artist = "http://purl.org/ontology/mo/MusicArtist"

	plain    = "SELECT ?i {?i a <" + album + ">}"
	distinct = "SELECT DISTINCT ?i {?i a <" + album + ">}"
	union    = "SELECT ?x {{<" + album + "> <http://www.w3.org/2002/07/owl#sameAs> ?x} UNION {?x <http://www.w3.org/2002/07/owl#sameAs> <" + album + ">}}"
	count    = "SELECT (COUNT(DISTINCT ?i) AS ?n) {?i a <" + album + ">}"
)

// survey reads the survey.
func survey(t testing.TB) []endpointtest.Row {
	t.Helper()
	f, err := os.Open(realdata.File(t, "sparql-endpoints-2013.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := endpointtest.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// asking returns a client over loopback with a response timeout.
func asking(t testing.TB, wait time.Duration) *sparql.Client {
	t.Helper()
	web := client.New(client.Options{
		UserAgent: "test", Timeout: wait, Idle: 16,
		Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
	})
	t.Cleanup(func() { web.Close() })
	return &sparql.Client{Fetcher: web}
}

// ask returns the rows of an answer, and whether it was truncated.
func ask(ctx context.Context, c *sparql.Client, endpoint, text string) (rows []results.Row, cut sparql.Cut, err error) {
	q, err := sparql.ReadQuery(text)
	if err != nil {
		return nil, "", err
	}
	a, err := c.Ask(ctx, sparql.Endpoint{URL: endpoint}, q)
	if err != nil {
		return nil, "", err
	}
	defer a.Close()
	for row, err := range a.Rows {
		if err != nil {
			return nil, "", err
		}
		rows = append(rows, row)
	}
	return rows, a.Cut(), nil
}

// classOf returns the error class that fetch/sparql should derive from a fault.
func classOf(t *testing.T, f endpointtest.Fault) sparql.Class {
	t.Helper()
	class, known := map[endpointtest.Kind]sparql.Class{
		endpointtest.Down: sparql.ErrUnreached, endpointtest.Silent: sparql.ErrTimedOut,
		endpointtest.HangUp: sparql.ErrBroken, endpointtest.Cut: sparql.ErrBroken,
		endpointtest.Moved: sparql.ErrMoved, endpointtest.Lost: sparql.ErrMoved,
		endpointtest.Page: sparql.ErrNoEndpoint, endpointtest.Message: sparql.ErrParse,
		endpointtest.Empty: sparql.ErrFormat, endpointtest.Boolean: sparql.ErrShape,
	}[f.Kind]
	if known {
		return class
	}
	class, known = map[int]sparql.Class{
		400: sparql.ErrParse, 401: sparql.ErrForbidden, 403: sparql.ErrForbidden, 404: sparql.ErrNoEndpoint,
		406: sparql.ErrFormat, 408: sparql.ErrTimedOut, 500: sparql.ErrInternal, 502: sparql.ErrUnavailable,
		503: sparql.ErrUnavailable, 504: sparql.ErrTimedOut,
	}[f.Status]
	if !known || f.Kind != endpointtest.Status {
		t.Fatalf("no class for %+v", f)
	}
	return class
}

// said lists the lines of the survey whose text is more specific than the status.
func said() map[int]sparql.Class {
	return map[int]sparql.Class{
		23: sparql.ErrTimedOut, 47: sparql.ErrTimedOut, 129: sparql.ErrTimedOut, 192: sparql.ErrTimedOut,
		194: sparql.ErrTimedOut, 284: sparql.ErrTimedOut, 419: sparql.ErrUnavailable,
	}
}

// wanted is the expected result of a query to an endpoint.
type wanted struct {
	query string
	needs endpointtest.Needs
	rows  func(*endpointtest.Endpoint) int
	value bool // one row with a number
}

func wants() []wanted {
	instances := func(e *endpointtest.Endpoint) int { return e.Instances(album) }
	return []wanted{
		{query: plain, rows: instances},
		{query: distinct, needs: endpointtest.Needs{Distinct: true}, rows: instances},
		{query: count, needs: endpointtest.Needs{Distinct: true, Modern: true}, rows: instances, value: true},
		{query: union, needs: endpointtest.Needs{Union: true}, rows: func(e *endpointtest.Endpoint) int {
			n := 0
			for _, term := range e.Related(album) {
				if term[len(term)-4:] == "Same" {
					n++
				}
			}
			return n
		}},
	}
}

// TestSurvey starts all endpoints of the survey and sends each four queries: each fails like its row, or
// answers correctly.
func TestSurvey(t *testing.T) {
	rows := survey(t)
	all := endpointtest.Start(t, rows, endpointtest.Options{
		Contents: endpointtest.Sample([]string{album, artist}, 30),
	})
	if len(all) != 446 {
		t.Fatalf("%d endpoints", len(all))
	}
	patient, hasty := asking(t, 5*time.Minute), asking(t, 300*time.Millisecond)
	var asked sync.WaitGroup
	places := make(chan struct{}, 64)
	again := make([]atomic.Int64, len(all))
	for i, e := range all {
		for _, want := range wants() {
			asked.Go(func() {
				places <- struct{}{}
				defer func() { <-places }()
				for _, problem := range check(t, e, want, patient, hasty, &again[i]) {
					t.Errorf("line %d: %s: %s", e.Profile.Row.Line, want.query, problem)
				}
			})
		}
	}
	asked.Wait()
	for i, e := range all {
		queries := e.Queries()
		slices.Sort(queries)
		wanted := len(wants())
		if e.Profile.Always.Kind == endpointtest.Down {
			wanted = 0
		}
		if n := len(slices.Compact(slices.Clone(queries))); n != wanted {
			t.Errorf("line %d: %d different queries, not %d; %+v", e.Profile.Row.Line, n, wanted, e.Figures())
		}
		if n, most := e.Figures().Requests, len(queries)+int(again[i].Load()); n < len(queries) || n > most {
			t.Errorf("line %d: %d requests, not %d to %d; %+v", e.Profile.Row.Line, n, len(queries), most, e.Figures())
		}
	}
}

// check runs a query and reports differences from the expectation. It counts in again the requests that it repeats since
// their connection timed out, or was closed, before the query was read.
func check(t *testing.T, e *endpointtest.Endpoint, want wanted, patient, hasty *sparql.Client, again *atomic.Int64) (problems []string) {
	fault := e.Profile.Always
	if fault.Kind == "" && !e.Profile.Able(want.needs) {
		fault = e.Profile.Refusal
	}
	c := patient
	if fault.Kind == endpointtest.Silent {
		c = hasty
	}
	got, cut, err := ask(t.Context(), c, e.URL, want.query)
	for try := 0; c == hasty && try < 100 && !slices.Contains(e.Queries(), want.query); try++ {
		again.Add(1) // on a busy machine the first request may time out before it arrives
		got, cut, err = ask(t.Context(), c, e.URL, want.query)
	}
	if fault.Kind != "" {
		problems = append(problems, checkFault(t, e, fault, err)...)
		var failed *sparql.Error
		if fault.Kind != endpointtest.Moved || !errors.As(err, &failed) {
			return problems
		}
		if !e.Profile.Able(want.needs) {
			return problems
		}
		got, cut, err = ask(t.Context(), c, failed.To, want.query)
	}
	if err != nil {
		return append(problems, err.Error())
	}
	n := len(got)
	if want.value && n == 1 {
		n, err = strconv.Atoi(got[0][0].Value)
	}
	if truth := want.rows(e); n != truth || cut != "" || err != nil {
		problems = append(problems, fmt.Sprintf("%d, not %d; cut: %q, %v", n, truth, cut, err))
	}
	return problems
}

// checkFault reports how an error differs from the expected fault.
func checkFault(t *testing.T, e *endpointtest.Endpoint, fault endpointtest.Fault, err error) (problems []string) {
	class := classOf(t, fault)
	if fault.Kind == endpointtest.Status {
		if more, ok := said()[e.Profile.Row.Line]; ok {
			class = more
		}
	}
	var failed *sparql.Error
	if !errors.As(err, &failed) || failed.Class != class {
		return []string{fmt.Sprintf("%+v: %v, not %s", fault, err, class)}
	}
	if fault.Kind == endpointtest.Status && failed.Status != fault.Status {
		problems = append(problems, fmt.Sprintf("status %d, not %d", failed.Status, fault.Status))
	}
	if moved := failed.To != ""; moved != (fault.Kind == endpointtest.Moved) {
		problems = append(problems, fmt.Sprintf("%s leads to %q", fault.Kind, failed.To))
	}
	return problems
}

// TestKinds: the number of endpoints of the survey per fault, and per feature.
func TestKinds(t *testing.T) {
	always, refusal, able := map[endpointtest.Kind]int{}, map[endpointtest.Kind]int{}, map[string]int{}
	for _, row := range survey(t) {
		p, err := endpointtest.ProfileOf(row)
		if err != nil {
			t.Error(err)
			continue
		}
		always[p.Always.Kind]++
		if p.Answers() && !(p.Union && p.Distinct && p.Modern) {
			refusal[p.Refusal.Kind]++
		}
		for name, able1 := range map[string]bool{
			"answer": p.Answers(), "count": p.Counts(), "page": p.Pages(), "link": p.Links(),
			"cut": p.Cuts, "tell": p.Tells, "slow": p.Slow, "other media type": p.MediaType != "",
		} {
			if able1 {
				able[name]++
			}
		}
	}
	// 215 were up, 8 more sent a type that the survey's client did not read
	if want := map[endpointtest.Kind]int{
		"": 223, "boolean": 1, "down": 49, "lost": 8, "moved": 6, "page": 13, "silent": 15, "status": 131,
	}; !maps.Equal(always, want) {
		t.Errorf("always: %v, not %v", always, want)
	}
	if want := map[endpointtest.Kind]int{
		"cut": 19, "empty": 18, "hangs-up": 2, "message": 9, "page": 2, "silent": 37, "status": 46,
	}; !maps.Equal(refusal, want) {
		t.Errorf("refusals: %v, not %v", refusal, want)
	}
	if want := map[string]int{
		"answer": 215 + 8 + 6, "count": 97, "page": 216, "link": 199, "cut": 92, "tell": 50, "slow": 3, "other media type": 8,
	}; !maps.Equal(able, want) {
		t.Errorf("able: %v, not %v", able, want)
	}
}
