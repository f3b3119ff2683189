package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A likeReader reads pages with absolute or relative links ("./x"), and sets their digest by the bytes, and
// their simhash by the word after "like" in the first line.
type likeReader struct{}

func (likeReader) Read(ctx context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	text, links, _ := strings.Cut(string(payload), "\n")
	p, err := reader{}.Read(ctx, r, []byte(links))
	p.Title, p.Size, p.Digest = "title", int64(len(payload)), "sha1:"+string(payload)
	if word, ok := strings.CutPrefix(text, "like "); ok {
		p.Simhash = uint64(len(word)) * 0x11111111
	}
	for i := range p.Links {
		if rest, relative := strings.CutPrefix(p.Links[i].To, "./"); relative {
			p.Links[i].To = r.Request.URL + "/" + rest
		}
		if strings.Contains(p.Links[i].To, "/header") {
			p.Links[i].Origin = orbweaver.FromHeader
		}
	}
	return p, err
}

// A judging focus records what it judges and learns.
type judging struct {
	counting
	judged, learned []string
}

func (f *judging) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	f.judged = append(f.judged, p.URL)
	return orbweaver.Judgement{Score: 0.75, Accepted: true, Reasons: []orbweaver.Reason{{Rule: "own", Weight: 0.75}}}, nil
}

func (f *judging) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	f.learned = append(f.learned, o.Request.URL)
	return f.counting.Learn(ctx, o)
}

// crawlWith runs a session over a folder with a configuration modified by change.
func crawlWith(t *testing.T, dir string, change func(*engine.Config), look func(*ledger.Ledger)) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	cfg := engine.Config{
		Read: likeReader{}, Ledger: book, Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"},
		Limits: engine.Limits{Redirects: 10}, Snapshot: 7,
	}
	change(&cfg)
	if _, err := engine.New(cfg, book.Progress()).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if look != nil {
		look(book)
	}
}

// TestDuplicates: a duplicate is neither judged nor learned, and its links are followed unless it is an exact
// duplicate on the same host.
func TestDuplicates(t *testing.T) {
	w := web{
		"http://a/":          "start\nhttp://a/one .9\nhttp://a/copy .8\nhttp://b/copy .7\nhttp://a/near .6\nhttp://a/far .5",
		"http://a/one":       "like abc\n./x .1",
		"http://a/copy":      "like abc\n./x .1",
		"http://b/copy":      "like abc\n./x .1",
		"http://a/near":      "like def\n./x .1",
		"http://a/far":       "like ghijklmnop\n./x .1",
		"http://a/one/x":     "1",
		"http://b/copy/x":    "2",
		"http://a/near/x":    "3",
		"http://a/far/x":     "4",
		"http://a/copy/x":    "never asked for",
		"http://a/never/ask": "",
	}
	dir, f := t.TempDir(), &judging{counting: *newCounting()}
	crawlWith(t, dir, func(cfg *engine.Config) {
		cfg.Focus, cfg.Fetch, cfg.Duplicates = f, w, cfg.Ledger.(*ledger.Ledger)
	}, func(book *ledger.Ledger) { haveDuplicates(t, book) })
	slices.Sort(f.judged)
	slices.Sort(f.learned)
	want := []string{"http://a/", "http://a/far", "http://a/far/x", "http://a/near/x", "http://a/one", "http://a/one/x", "http://b/copy/x"}
	if !slices.Equal(f.judged, want) || !slices.Equal(f.learned, want) {
		t.Errorf("judged %v,\nlearned from %v,\nwant %v", f.judged, f.learned, want)
	}
}

// TestHeadersOfDuplicates: of an exact duplicate on the same host the links of its header are followed, and no others.
func TestHeadersOfDuplicates(t *testing.T) {
	w := web{
		"http://a/":            "start\nhttp://a/one .9\nhttp://a/copy .8",
		"http://a/one":         "like abc\n./x .1\n./header .1",
		"http://a/copy":        "like abc\n./x .1\n./header .1",
		"http://a/one/x":       "1",
		"http://a/one/header":  "2",
		"http://a/copy/header": "3",
		"http://a/copy/x":      "never asked for",
	}
	f := &judging{counting: *newCounting()}
	crawlWith(t, t.TempDir(), func(cfg *engine.Config) {
		cfg.Focus, cfg.Fetch, cfg.Duplicates = f, w, cfg.Ledger.(*ledger.Ledger)
	}, nil)
	slices.Sort(f.judged)
	if want := []string{"http://a/", "http://a/copy/header", "http://a/one", "http://a/one/header", "http://a/one/x"}; !slices.Equal(f.judged, want) {
		t.Errorf("judged %v, want %v", f.judged, want)
	}
}

// haveDuplicates checks the ledger's records of the duplicates of http://a/one.
func haveDuplicates(t *testing.T, book *ledger.Ledger) {
	t.Helper()
	for url, rule := range map[string]string{
		"http://a/copy": engine.RuleDuplicate, "http://b/copy": engine.RuleDuplicate, "http://a/near": engine.RuleNearDuplicate,
	} {
		o, err := book.Outcome(url)
		if err != nil {
			t.Fatal(err)
		}
		reasons := []orbweaver.Reason{{Rule: rule, Evidence: "http://a/one", Weight: 0.75}}
		if o.Actual.Score != 0.75 || !o.Actual.Accepted || !slices.Equal(o.Actual.Reasons, reasons) || o.Duplicate.URL != "http://a/one" {
			t.Errorf("%s: %+v, a duplicate of %+v", url, o.Actual, o.Duplicate)
		}
	}
}

// A noTrap admits all URLs that do not contain the word trap.
type noTrap struct{ noted *[]string }

func (noTrap) Admit(url string) (bool, string) { return !strings.Contains(url, "trap"), "by-name" }
func (n noTrap) Note(url string)               { *n.noted = append(*n.noted, url) }

// TestTraps: a URL of a trap does not wait, whether linked or redirected to, and is counted. A seed is never
// a trap, and a resume notes the admitted URLs.
func TestTraps(t *testing.T) {
	w := web{
		"http://a/":      "start\nhttp://a/trap .9\nhttp://a/trap .8\nhttp://a/x .7\nhttp://a/moved .6",
		"http://a/x":     "http://a/trap .5",
		"http://a/moved": "-> http://a/trap/again",
		"http://trap/":   "", "http://a/trap": "", "http://a/trap/again": "",
	}
	dir := t.TempDir()
	var noted []string
	config := func(requests int64) func(*engine.Config) {
		return func(cfg *engine.Config) {
			cfg.Focus, cfg.Fetch, cfg.Traps = focus{}, w, noTrap{&noted}
			cfg.Seeds, cfg.Limits.Requests = []string{"http://a/", "http://trap/"}, requests
		}
	}
	crawlWith(t, dir, config(2), nil)
	noted = nil
	crawlWith(t, dir, config(0), func(book *ledger.Ledger) { refusedTraps(t, book) })
	slices.Sort(noted)
	if want := []string{"http://a/", "http://a/moved", "http://a/x", "http://trap/"}; !slices.Equal(noted, want) {
		t.Errorf("noted %v, want %v", noted, want)
	}
	if got := len(lines(t, dir)); got != 4 {
		t.Errorf("%d outcomes, want 4", got)
	}
}

// refusedTraps checks the ledger's records of the traps.
func refusedTraps(t *testing.T, book *ledger.Ledger) {
	t.Helper()
	if o, err := book.Outcome("http://a/moved"); err != nil || !errors.Is(o.Err, orbweaver.ErrTrap) {
		t.Errorf("moved: %v, %v", o.Err, err)
	}
	refused := book.Refused()
	if len(refused) != 1 || refused[0].Reason != step.RefusedTrap || refused[0].Links != 3 || refused[0].Rules[0].Name != "by-name" {
		t.Errorf("refused %+v", refused)
	}
}

// A slowWeb takes a virtual second per answer.
type slowWeb struct {
	web
	clock *engine.Virtual
	asked []string
}

func (w *slowWeb) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	began := w.clock.Now()
	w.asked = append(w.asked, fmt.Sprint(began.Unix(), " ", r.URL))
	w.clock.Sleep(time.Second)
	response, err := w.web.Fetch(ctx, r)
	if err == nil {
		response.Started, response.At = began, w.clock.Now()
	}
	return response, err
}

// TestVirtual: in virtual time each host is requested at its pace, hosts run in parallel, and a minute passes
// at once.
func TestVirtual(t *testing.T) {
	w := web{"http://a/": "start"}
	for i := range 6 {
		w[fmt.Sprintf("http://a/%d", i)], w[fmt.Sprintf("http://b/%d", i)] = "", ""
		w["http://a/"] += fmt.Sprintf("\nhttp://a/%d .5\nhttp://b/%d .5", i, i)
	}
	clock := engine.NewVirtual(time.Unix(1000, 0))
	slow := &slowWeb{web: w, clock: clock}
	began := time.Now()
	crawlWith(t, t.TempDir(), func(cfg *engine.Config) {
		hosts := frontier.New(frontier.Options{Live: true, Delay: 10 * time.Second, Connections: 1})
		cfg.Focus, cfg.Fetch, cfg.Virtual, cfg.Frontier, cfg.Workers = focus{}, slow, clock, hosts, 8
		cfg.Live = &engine.Live{Hosts: hosts, Locate: func(_ context.Context, host string) (string, error) { return host, nil }}
	}, nil)
	want := []string{"1000 http://a/", "1001 http://b/0", "1010 http://a/0", "1011 http://b/1", "1020 http://a/1"}
	if got := slow.asked; len(got) != 13 || !slices.Equal(got[:5], want) {
		t.Errorf("asked %v, want %v", got, want)
	}
	if took := clock.Now().Sub(time.Unix(1000, 0)); took != 61*time.Second {
		t.Errorf("it took %v of virtual time", took)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}
