package pages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
	"orbweaver/studio/workspace"
)

const (
	someRows = 10 // that the live page has of each list
	examples = 3  // of each kind of failure
)

// A Standing is what the live page shows of a crawl: all of it can be sent again while the crawl runs.
type Standing struct {
	workspace.Crawl
	Why, Next string
	Actions   []action
	Figures   []Figure
	Newest    []Row
	Best      []Row
	Waits     []Wait
	Hosts     []Host
	Failed    []failure
	Refused   []refusal
}

// A Figure is a number and its definition.
type Figure struct{ Label, Value, Means string }

// A Row is a page in a list.
type Row struct {
	URL, Path, Title, Snippet, Class, Host string
	N                                      int64
	Score                                  float64
	Accepted                               bool
	Reasons                                []Reason
	Entities                               []entityShare // of a crawl by an ontology
}

// A Wait is a request that waits.
type Wait struct {
	URL, Path string
	Score     float64
	Depth     int
	Note      string
	Reasons   []Reason
}

// A Host is what a crawl did at a host.
type Host struct {
	Name, Robots, Down string
	Asked, Pages       int64
	Bytes              int64
	Delay              time.Duration
	Rest               time.Duration // until it gets a request again
}

// failure is a reason why requests gave no page, with examples.
type failure struct {
	Reason   string
	N        int64
	Examples []crawl.Failed
}

// ruled counts the links that were not followed because of a rule.
type ruled struct {
	Words string
	Links int64
}

// refusal is a reason why links were not followed.
type refusal struct {
	Reason   string
	Links    int64
	Rules    []ruled
	Examples []string
	Best     string // prediction, and what would follow it; may be empty
}

// LiveParts returns the parts of the live page that change, by the id of the element whose content they are. They carry no form and
// no token: their buttons belong to a form of the page.
func (h *Handler) LiveParts(ctx context.Context, crawlID string) (map[string]string, error) {
	s, err := h.standing(ctx, crawlID)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{}
	for _, name := range liveParts {
		var out bytes.Buffer
		if err := templates()["live"].ExecuteTemplate(&out, name, s); err != nil {
			return nil, err
		}
		parts[name] = strings.TrimSpace(out.String())
	}
	return parts, nil
}

// liveParts are the templates of the parts, and the ids of their elements.
var liveParts = []string{"part-state", "part-actions", "part-counts", "part-newest", "part-best", "part-waiting", "part-hosts", "part-failures", "part-notices"}

// standing asks for all that the live page shows. A crawl that cannot be asked, as it has not begun or its crawl file has problems,
// has no lists.
func (h *Handler) standing(ctx context.Context, id string) (Standing, error) {
	c, err := h.Workspace.Crawl(ctx, id)
	if err != nil {
		return Standing{}, err
	}
	s := Standing{Crawl: c, Actions: actionsOf(c.State)}
	s.Why, s.Next = situation(c)
	if c.Status == nil {
		return s, nil
	}
	s.count()
	for _, r := range c.Status.Refused {
		told := refusal{Reason: r.Reason, Links: r.Links, Examples: r.Examples, Best: r.BestWords()}
		for _, rule := range r.Rules {
			told.Rules = append(told.Rules, ruled{r.RuleWords(rule.Name), rule.Links})
		}
		s.Refused = append(s.Refused, told)
	}
	if h.lists.recall(&s) {
		return s, nil
	}
	err = h.Workspace.Use(ctx, id, func(c *crawl.Crawl) error { return s.list(ctx, c) })
	if errors.Is(err, orbweaver.ErrBusy) { // it begins or ends: the lists come when it can be asked
		return s, nil
	}
	if err == nil {
		h.lists.keep(s)
	}
	return s, err
}

// kept are the lists of crawls, by crawl: those of a crawl at rest change only with its folder, and those of one that runs are looked at
// once in a while, however many look at them: each look is work for the crawl.
type kept struct {
	mu  sync.Mutex
	all map[string]keptLists
}

// keptLists are the lists of a crawl as of a time.
type keptLists struct {
	Standing
	at time.Time
}

// recall sets the lists of a crawl if nothing has changed since they were kept, or they are new.
func (k *kept) recall(s *Standing) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	was, ok := k.all[s.ID]
	if !ok || resting(s) != resting(&was.Standing) || resting(s) && !was.Active.Equal(s.Active) || !resting(s) && time.Since(was.at) > listRate {
		return false
	}
	s.Newest, s.Best, s.Waits, s.Hosts, s.Failed = was.Newest, was.Best, was.Waits, was.Hosts, was.Failed
	return true
}

// keep keeps the lists of a crawl.
func (k *kept) keep(s Standing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil || len(k.all) == maxKept {
		k.all = map[string]keptLists{}
	}
	k.all[s.ID] = keptLists{s, time.Now()}
}

// maxKept is the number of crawls whose lists are kept; listRate is the time between two looks at the lists of a crawl that runs.
const (
	maxKept  = 100
	listRate = 2500 * time.Millisecond
)

func resting(s *Standing) bool { return s.State == workspace.Ended || s.State == workspace.Stopped }

// count sets the figures.
func (s *Standing) count() {
	p := s.Status.Progress
	s.Figures = []Figure{
		{"Pages", count(p.Pages), "Distinct URLs that answered with a page."},
		{"Accepted", count(p.Accepted), "Pages that the focus accepted when it judged them: their score reached the threshold of that time."},
		{"Harvest", share(p.Accepted, p.Pages), "Accepted pages, of all pages."},
		{"Requests", count(p.Requests), "Outcomes of requests: pages, failures and redirects."},
		{"Waiting", count(s.Status.Waiting), "Requests that are known and not made yet. The best is made first."},
		{"In flight", count(s.Status.InFlight), "Requests that were started and are not decided."},
		{"Received", size(p.Bytes), "Bytes of payload, as received."},
		{"Active", span(p.Active), "Time spent crawling, over all sessions."},
	}
	if p.Threshold > 0 {
		s.Figures = append(s.Figures, Figure{"Threshold", words["score"].(func(float64) string)(p.Threshold), "The score from which pages are accepted now. The crawl finds it from its own scores."})
	}
	if s.Status.PID != 0 {
		s.Figures = append(s.Figures,
			Figure{"Speed", fmt.Sprintf("%.1f pages/s", s.Status.Rate), "Pages of a second now: over the last ten seconds or so."},
			Figure{"Memory", size(s.Status.Memory), "Bytes that the process which runs the crawl has of the machine, for all crawls that it runs."})
	}
	if p.Rounds > 0 {
		s.Figures = append(s.Figures, Figure{"Rounds", count(p.Rounds), "Rounds that are over. A round ends when each of its requests has its outcome, or when nothing waits; the focus then " +
			"looks at all of them and says what the next round asks for. " + roundNow(s.Status)})
	}
}

// roundNow says which round the crawl is in.
func roundNow(s *crawl.Status) string {
	if s.Progress.Ended != "" {
		return "The crawl is over with the last of them: " + s.Progress.Ended + "."
	}
	return fmt.Sprintf("Round %d is under way.", s.Progress.Rounds+1)
}

// list sets the lists.
func (s *Standing) list(ctx context.Context, c *crawl.Crawl) error {
	newest, best, err := c.Highlights(ctx, someRows)
	if err != nil {
		return err
	}
	s.Newest, s.Best = rowsOf(s.ID, newest), rowsOf(s.ID, best)
	waiting, err := c.Waiting(ctx, crawl.WaitQuery{Limit: someRows})
	if err != nil {
		return err
	}
	s.Waits = waitsOf(s.ID, waiting)
	hosts, err := c.Hosts(ctx, crawl.HostQuery{Limit: someRows})
	if err != nil {
		return err
	}
	s.Hosts = hostsOf(hosts)
	return s.fail(ctx, c)
}

// fail sets the failures, the most frequent first.
func (s *Standing) fail(ctx context.Context, c *crawl.Crawl) error {
	reasons := order.Collected(maps.Keys(s.Status.Failures), func(a, b orbweaver.Failure) int {
		return cmp.Or(cmp.Compare(s.Status.Failures[b], s.Status.Failures[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		some, err := c.Failures(ctx, crawl.FailedQuery{Failure: reason, Limit: examples})
		if err != nil {
			return err
		}
		told := string(reason)
		if reason == orbweaver.ErrStatus {
			failed := s.Status.Failed()
			told += ": " + failed.Answered()
		}
		s.Failed = append(s.Failed, failure{told, s.Status.Failures[reason], some})
	}
	return nil
}

func rowsOf(id string, pages []crawl.Page) []Row {
	var rows []Row
	for _, p := range pages {
		rows = append(rows, Row{
			URL: p.URL, Path: pagePath(id, p.URL), Title: cmp.Or(p.Title, p.URL), Snippet: p.Snippet, Class: p.Class, Host: hostOf(p.URL),
			N: p.N, Score: p.Score, Accepted: p.Accepted, Reasons: reasonsOf(p.Reasons),
		})
	}
	return rows
}

func waitsOf(id string, all []crawl.Waiting) []Wait {
	var rows []Wait
	for _, w := range all {
		note := ""
		switch {
		case w.Ahead:
			note = "target of a redirect: before others of its host"
		case w.Last:
			note = "its kind of URL did not answer so far: after all others"
		}
		rows = append(rows, Wait{w.URL, pagePath(id, w.URL), w.Score, w.Depth, note, reasonsOf(w.Reasons)})
	}
	return rows
}

func hostsOf(all []crawl.Host) []Host {
	var rows []Host
	for _, a := range all {
		rows = append(rows, Host{
			Name: a.Host, Robots: a.Robots, Down: string(a.Down), Asked: a.Asked, Pages: a.Pages, Bytes: a.Bytes, Delay: a.Delay,
			Rest: max(0, time.Until(a.Rest)),
		})
	}
	return rows
}
