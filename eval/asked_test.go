package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// fewAccounts is a polite host, one that was asked too soon, one given up and one never reached.
func fewAccounts() []step.Account {
	return []step.Account{
		{Host: "https://down.example", Address: "192.0.2.3:443", Delay: time.Second, Asked: 7, Gap: 8 * time.Second, Busy: 70 * time.Second,
			Robots: "503: nothing is allowed", Down: orbweaver.ErrTimeout,
			Failures: map[orbweaver.Failure]int64{orbweaver.ErrConnect: 2, orbweaver.ErrTimeout: 4, orbweaver.ErrCut: 2}},
		{Host: "http://polite.example", Address: "192.0.2.1:80", Delay: time.Second, Asked: 40, Pages: 38, Bytes: 1_234_567, Gap: time.Second, Busy: 10 * time.Second,
			Robots: "200, 14 rules"},
		{Host: "http://soon.example", Address: "192.0.2.2:80", Delay: 5 * time.Second, Asked: 9, Pages: 8, Bytes: 512, Gap: 4_999_900 * time.Microsecond, Busy: 900 * time.Millisecond,
			Robots: "404: everything is allowed"},
		{Host: "http://never.example", Delay: time.Second},
	}
}

func TestHostsOfACrawlReport(t *testing.T) {
	report := crawlReport(t, CrawlFacts{Name: "live", Hosts: fewAccounts()}, []ledger.Line{page("http://polite.example/", true)})
	selfContained(t, report)
	if n := strings.Count(report, ` data-name="shortest gap">`); n != 4 {
		t.Errorf("%d cells say what they are where a phone shows them one below the other, want one a host", n)
	}
	report = regexp.MustCompile(` data-name="[a-z. ]+"`).ReplaceAllString(report, "")
	place := 0
	for _, want := range []string{
		">Hosts<", "Hosts: 4. Requests: 56. Given up: 1.", "Asked sooner than the delay allows: 1 of 4 hosts",
		"<tr><td class=\"name\"><bdi>http://polite.example</bdi><div class=\"soft\"><bdi>192.0.2.1:80</bdi></div></td><td>40</td><td>38</td><td>1 s</td><td>1 s</td><td>1.2 MB</td><td>0.25 s</td><td class=\"words\"><bdi>200, 14 rules</bdi>",
		"<tr class=\"bad\"><td class=\"name\"><bdi>http://soon.example", "<td>4.999 s<div>under the delay</div></td><td>5 s</td><td>512 B</td><td>0.1 s</td>",
		"<tr><td class=\"name\"><bdi>https://down.example", "given up: <bdi>timeout</bdi>", "<td>8 s</td>", "<td>10 s</td>", "<bdi>8: 4 timeout, 2 connect, 2 cut-short</bdi>",
		"<bdi>http://never.example</bdi></td><td>0</td><td>0</td><td>–</td><td>1 s</td><td>0 B</td><td>–</td>",
	} {
		at := strings.Index(report[place:], want)
		if at < 0 {
			t.Fatalf("the report has no %q after byte %d", want, place)
		}
		place += at
	}
	if n := strings.Count(report, `<tr class="bad"`); n != 1 {
		t.Errorf("%d hosts are marked", n)
	}
	if strings.Contains(crawlReport(t, CrawlFacts{}, []ledger.Line{page("a", true)}), ">Hosts<") {
		t.Error("a crawl of an archive, which asked no host, has a table of them")
	}
}

// TestManyHosts: 200 are shown, the rest is counted; what is amiss is told even where its row is not
// shown, and the order does not depend on that of the accounts.
func TestManyHosts(t *testing.T) {
	var accounts []step.Account
	for i := range 250 {
		accounts = append(accounts, step.Account{Host: fmt.Sprintf("http://h%03d.example", i), Asked: int64(i/2 + 1), Delay: 2, Gap: 2})
	}
	accounts[0].Gap = 1
	v := viewAccounts(accounts)
	if len(v.Rows) != 200 || v.Rest != 50 || v.RestAsked != 2*25*26/2 {
		t.Errorf("%d rows, %d not shown with %d requests", len(v.Rows), v.Rest, v.RestAsked)
	}
	if v.Short != 1 || v.Hosts != 250 {
		t.Errorf("%d short of %d", v.Short, v.Hosts)
	}
	if v.Rows[0].Host != "http://h248.example" || v.Rows[1].Host != "http://h249.example" {
		t.Errorf("first are %s, %s", v.Rows[0].Host, v.Rows[1].Host)
	}
	first := accounts[0].Host
	backward := slices.Clone(accounts)
	slices.Reverse(backward)
	if w := viewAccounts(backward); !slices.Equal(v.Rows, w.Rows) || accounts[0].Host != first {
		t.Error("the order of the accounts matters, or was changed")
	}
	report := crawlReport(t, CrawlFacts{Hosts: accounts}, nil)
	if !strings.Contains(report, "Hosts not shown: 50.") || strings.Count(report, `<tr class="bad"`) != 0 || !strings.Contains(report, "delay allows: 1 of 250") {
		t.Error("the rest is not told")
	}
}

func TestAccountsAreEscaped(t *testing.T) {
	report := crawlReport(t, CrawlFacts{Hosts: []step.Account{{Host: hostile, Address: hostile, Robots: hostile, Asked: 1,
		Down: orbweaver.Failure(hostile), Failures: map[orbweaver.Failure]int64{orbweaver.Failure(hostile): 1}}}}, nil)
	selfContained(t, strings.ReplaceAll(report, "src=x&gt;", ""))
	if strings.Count(report, "&lt;script&gt;alert(") != 5 {
		t.Errorf("the text it was given is shown %d times", strings.Count(report, "&lt;script&gt;alert("))
	}
}

func TestManyReasonsOfOneHost(t *testing.T) {
	failures := map[orbweaver.Failure]int64{}
	for i := range 12 {
		failures[orbweaver.Failure(fmt.Sprint("reason", i))] = int64(i)
	}
	if got := failuresOf(&step.Account{Failures: failures}); got != "66: 11 reason11, 10 reason10, 9 reason9, 8 reason8, 7 reason7, 6 reason6, 5 reason5, 4 reason4, …" {
		t.Error(got)
	}
}

// TestFailuresOfAReport: the facts say which HTTP statuses failed.
func TestFailuresOfAReport(t *testing.T) {
	var lines []ledger.Line
	for i, status := range []int{404, 503, 404, 404} {
		lines = append(lines, ledger.Line{N: int64(i + 1), URL: fmt.Sprint("http://a.example/", i), Status: status, Error: orbweaver.ErrStatus})
	}
	lines = append(lines, ledger.Line{N: 5, URL: "http://b.example/", Error: orbweaver.ErrTimeout})
	if report := crawlReport(t, CrawlFacts{}, lines); !strings.Contains(report, "5: 3 answered 404, 1 answered 503, 1 timeout") {
		t.Error("the report does not say which statuses failed")
	}
}

func TestSizesAndTimes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_949: "99.9 kB", 99_951: "100 kB",
		999_499: "999 kB", 999_500: "1.0 MB", 2_500_000_000: "2.5 GB", 1 << 60: "1152922 TB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0 s", time.Second: "1 s", 1999999 * time.Microsecond: "1.999 s", 90 * time.Second: "90 s"} {
		if got := seconds(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// TestScriptedPages: pages, not requests, are counted; one among them twice.
func TestScriptedPages(t *testing.T) {
	scripted := func(url string) ledger.Line {
		l := page(url, false)
		l.Reasons = []orbweaver.Reason{{Rule: "raw"}, {Rule: "needs-script"}}
		return l
	}
	accepted := scripted("a")
	accepted.Accepted = true
	for _, tc := range []struct {
		lines []ledger.Line
		want  string
	}{
		{[]ledger.Line{page("a", true)}, ""},
		{[]ledger.Line{scripted("a"), page("b", true)}, "1 page has no text before its scripts run; render: {when: empty} would read it."},
		{[]ledger.Line{scripted("a"), scripted("b"), accepted}, "2 pages have no text before their scripts run; render: {when: empty} would read them."},
	} {
		report := crawlReport(t, CrawlFacts{}, tc.lines)
		if has := strings.Contains(report, "scripts run"); has != (tc.want != "") || !strings.Contains(report, tc.want) {
			t.Errorf("%d lines: no %q", len(tc.lines), tc.want)
		}
	}
}

// TestFailuresAreExplained: each word that can stand in pages.jsonl for an answer that never came has
// a meaning.
func TestFailuresAreExplained(t *testing.T) {
	for _, f := range []orbweaver.Failure{orbweaver.ErrAbsent, orbweaver.ErrStatus, orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrPrivate,
		orbweaver.ErrConnect, orbweaver.ErrTLS, orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrGaveUp, orbweaver.ErrRedirects, orbweaver.ErrBadTarget,
		orbweaver.ErrTooLarge, orbweaver.ErrMalformed, orbweaver.ErrUnreadable, orbweaver.ErrScope, orbweaver.ErrRobots, orbweaver.ErrBadURL, "error"} {
		if meaning(string(f)) == "" {
			t.Errorf("%s has no meaning", f)
		}
	}
}
