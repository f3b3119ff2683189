//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/endpointtest"
	"orbweaver/internal/findings"
	"orbweaver/internal/realdata"
	"orbweaver/kb/terms"
)

// A survey is a metadata crawl of endpoints that fail as those of 2013 did: what it was told, and what came
// of it.
type survey struct {
	timeout   time.Duration
	endpoints []*endpointtest.Endpoint

	found  findings.Findings
	report string
	began  time.Time
	wall   time.Duration
	memory int64 // resident at most, in bytes
}

// surveyTerms are those that a survey begins with.
func surveyTerms() (all []string) {
	for _, name := range []string{"MusicArtist", "MusicalWork", "Composition", "Record", "Track"} {
		all = append(all, "http://purl.org/ontology/mo/"+name)
	}
	for _, name := range []string{"Album", "MusicalArtist", "Single", "Song"} {
		all = append(all, "http://dbpedia.org/ontology/"+name)
	}
	return all
}

// surveyDelay is the least time from the start of one request to an endpoint to that of the next.
const surveyDelay = 100 * time.Millisecond

// TestSurvey crawls endpoints of the survey of 2013 as fakes: each fails, or answers, as its row says. With
// ORBWEAVER_EFFECT=all it is all 446, at a timeout of 10 s, which takes minutes.
func TestSurvey(t *testing.T) {
	file, err := os.Open(realdata.File(t, "sparql-endpoints-2013.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := endpointtest.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &survey{timeout: 10 * time.Second}
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		rows, s.timeout = spread(rows, 60), 4*time.Second // a busy machine answers within it
	}
	s.endpoints = endpointtest.Start(t, rows, endpointtest.Options{
		Contents: endpointtest.Sample(surveyTerms(), 150), MaxRows: 100, Delay: s.timeout / 8,
	})
	s.crawl(t)
	s.checkManners(t)
	s.checkAnswers(t)
	s.checkTerms(t)
	if s.memory < 1<<20 || s.memory > 300<<20 {
		t.Errorf("it took %d MB", s.memory>>20)
	}
	s.tell(t)
}

// spread takes so many rows, evenly.
func spread(rows []endpointtest.Row, n int) (some []endpointtest.Row) {
	for i := range n {
		some = append(some, rows[i*len(rows)/n])
	}
	return some
}

// crawl crawls them in a process of its own. Terms have documents that say nothing of use.
func (s *survey) crawl(t *testing.T) {
	folder := t.TempDir()
	var b strings.Builder
	fmt.Fprintf(&b, "focus:\n  metadata:\n    terms: [%s]\n", strings.Join(quoted(surveyTerms()), ", "))
	b.WriteString("    limits: {levels: 2, terms: 40, per_term: 100000, per_dataset: 10}\n    datasets:\n")
	for _, e := range s.endpoints {
		fmt.Fprintf(&b, "      - {name: %s, endpoint: %q}\n", nameOf(e), e.URL)
	}
	b.WriteString("documents:\n  'http://purl.org/ontology/mo/': empty.ttl\n  'http://dbpedia.org/ontology/': empty.ttl\n")
	for _, e := range s.endpoints {
		fmt.Fprintf(&b, "  'http://%d.example.org/': empty.ttl\n", e.Profile.Row.Line)
	}
	fmt.Fprintf(&b, "allow_private: [127.0.0.0/8]\npoliteness: {delay: %v, timeout: %v, failures: 3, contact: me@example.org}\noutput: crawl\n", surveyDelay, s.timeout)
	write(t, filepath.Join(folder, "empty.ttl"), "<http://example.org/> a <http://example.org/Nothing> .\n")
	write(t, filepath.Join(folder, "f.yaml"), b.String())
	var out bytes.Buffer
	c := program(t, folder, "crawl", "f.yaml")
	c.Stdout, c.Stderr = &out, &out
	s.began = time.Now()
	var err error
	if s.memory, err = runWatched(c); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	s.wall, s.report = time.Since(s.began), string(read(t, filepath.Join(folder, "crawl/report.html")))
	if s.found, err = findings.Read(filepath.Join(folder, "crawl")); err != nil {
		t.Fatal(err)
	}
}

// nameOf is what an endpoint's dataset is called.
func nameOf(e *endpointtest.Endpoint) string { return fmt.Sprintf("line-%d", e.Profile.Row.Line) }

func quoted(all []string) (q []string) {
	for _, s := range all {
		q = append(q, fmt.Sprintf("%q", s))
	}
	return q
}

// checkManners: no endpoint is asked two things at a time, nor more than the delay allows.
func (s *survey) checkManners(t *testing.T) {
	const late = 300 * time.Millisecond // a request may be noted after it was made, on a busy machine
	least := time.Hour
	for _, e := range s.endpoints {
		f := e.Figures()
		if f.Concurrent > 1 {
			t.Errorf("%s was asked %d things at once", nameOf(e), f.Concurrent)
		}
		begun := e.Begun()
		for i := range begun {
			for j := range i {
				if gap := begun[i].Sub(begun[j]); gap < time.Duration(i-j)*surveyDelay-late {
					t.Fatalf("%s was asked %d things within %v", nameOf(e), i-j+1, gap)
				}
			}
		}
		if f.Requests > 1 {
			least = min(least, f.MinGap)
		}
	}
	t.Logf("no less than %v from one request at an endpoint to the next, as the endpoint saw it", least)
}

// dataset is what was found of an endpoint.
func (s *survey) dataset(t *testing.T, e *endpointtest.Endpoint) terms.Dataset {
	i := slices.IndexFunc(s.found.Datasets, func(d terms.Dataset) bool { return d.Name == nameOf(e) })
	if i < 0 {
		t.Fatalf("nothing of %s", nameOf(e))
	}
	return s.found.Datasets[i]
}

// processed are the terms that were asked about.
func (s *survey) processed() (all []string) {
	for _, one := range s.found.Terms {
		if one.Processed {
			all = append(all, one.IRI)
		}
	}
	return all
}

// checkAnswers: of every endpoint there is an answer or a reason; what it was able to tell is told, and true.
func (s *survey) checkAnswers(t *testing.T) {
	for _, e := range s.endpoints {
		d, p := s.dataset(t, e), e.Profile
		if len(d.Answers) == 0 || d.Reason == "" != slices.ContainsFunc(d.Answers, func(a terms.Answer) bool { return a.Answered > 0 }) && d.Reason == "" {
			t.Errorf("%s: neither answers nor a reason: %+v", d.Name, d)
		}
		if !strings.Contains(s.report, d.Name+"<") || d.Reason != "" && !strings.Contains(s.report, d.Reason) {
			t.Errorf("%s: %q is not in the report", d.Name, d.Reason)
		}
		counts := map[string]int64{}
		for _, c := range d.Instances {
			if _, twice := counts[c.Class]; twice || c.AtLeast {
				t.Errorf("%s: %+v", d.Name, c)
			}
			counts[c.Class] = c.N
		}
		for _, class := range s.processed() {
			n, told := counts[class]
			switch {
			case told && n != int64(e.Instances(class)):
				t.Errorf("%s: %d instances of %s, not %d", d.Name, n, class, e.Instances(class))
			case !told && (p.Counts() || p.Pages()):
				t.Errorf("%s: no count of %s: %+v %+v: %s", d.Name, class, p.Always, p.Refusal, describe(d))
			}
		}
	}
}

// describe is what a dataset answered, for a failure.
func describe(d terms.Dataset) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", d.Reason)
	for _, a := range d.Answers {
		fmt.Fprintf(&b, "; %s: %d of %d, %s", a.Question, a.Answered, a.Asked, a.Message)
	}
	return b.String()
}

// tells reports whether an endpoint is able to tell relations, if need be one by one.
func tells(e *endpointtest.Endpoint) bool { return e.Profile.Links() || e.Profile.Pages() }

// checkTerms: what is found is what the endpoints that can tell relate to the terms processed, no more and
// no less.
func (s *survey) checkTerms(t *testing.T) {
	want, found := map[string]bool{}, map[string]bool{}
	for _, class := range s.processed() {
		for _, e := range s.endpoints {
			if !tells(e) {
				continue
			}
			for _, item := range e.Related(class) {
				want[item] = true
				if d := s.dataset(t, e); !slices.Contains(d.Terms, item) {
					t.Errorf("%s: nothing of %s: %s", d.Name, item, describe(d))
				}
			}
		}
	}
	for _, one := range s.found.Terms {
		if one.Found {
			found[one.IRI] = true
		}
	}
	if len(s.processed()) != 40 && len(s.processed()) != len(s.found.Terms) || !maps.Equal(found, want) {
		t.Errorf("%d terms were processed, %d found of %d", len(s.processed()), len(found), len(want))
	}
}

// stages are how long after the beginning of the crawl the good ones, which refuse nothing, were asked for the last time in each
// stage. What lies between the stages is the longest time in which none of them was asked anything.
func (s *survey) stages(good []time.Time) (done [2]time.Duration, waited time.Duration) {
	slices.SortFunc(good, time.Time.Compare)
	since := func(at time.Time) time.Duration { return at.Sub(s.began).Round(time.Millisecond) }
	for i := 1; i < len(good); i++ {
		if gap := good[i].Sub(good[i-1]).Round(time.Millisecond); gap > waited {
			done[0], waited = since(good[i-1]), gap
		}
	}
	done[1] = since(good[len(good)-1])
	return done, waited
}

// tell prints what came of it.
func (s *survey) tell(t *testing.T) {
	var requests, queries int
	var good []time.Time
	outcomes := map[string]int{}
	for _, e := range s.endpoints {
		f, d := e.Figures(), s.dataset(t, e)
		requests, queries = requests+f.Requests, queries+f.Queries
		kind := string(e.Profile.Always.Kind)
		if kind == "" {
			if kind = "answers"; !e.Profile.Counts() || !e.Profile.Links() {
				kind += ", refuses some: " + string(e.Profile.Refusal.Kind)
			}
		}
		if e.Profile.Slow {
			kind += ", slow"
		}
		reason := d.Reason
		if reason == "" {
			reason = "answered"
		}
		outcomes[kind+" -> "+reason]++
		if e.Profile.Counts() && e.Profile.Links() && !e.Profile.Slow && e.Profile.Always.Kind == "" {
			good = append(good, e.Begun()...)
		}
	}
	t.Logf("%d endpoints: %v, %d MB, %d requests, %d queries", len(s.endpoints), s.wall.Round(time.Millisecond), s.memory>>20, requests, queries)
	done, waited := s.stages(good)
	t.Logf("good ones had done the first stage after %v, waited for %v, and had done the second after %v", done[0], waited, done[1])
	if done[0] > 3*s.timeout+5*time.Second {
		t.Errorf("bad endpoints kept the good ones waiting in the first stage: %v", done[0])
	}
	for _, kind := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%4d  %s", outcomes[kind], kind)
	}
}
