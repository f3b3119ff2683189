package console

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// TestProgressLines: without a terminal, one line every ten seconds and one at the end.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, false, 80, Snapshot{Pages: 100, Accepted: 7})
		p.Update(Snapshot{Pages: 150, Accepted: 9, Waiting: 3, Hosts: 2})
		after(Rewrite + time.Second)
		p.Update(Snapshot{Pages: 310, Accepted: 10, Waiting: 0, Hosts: 2})
		after(9 * time.Second)
		p.Close()
		want := "150 pages, 5 pages/s, 9 accepted, 3 waiting, 2 hosts\n" + // in this session, after 10 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" + // at 20 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" // the last line
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestProgressOnATerminal: one line, redrawn in place, ended once.
func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, true, 80, Snapshot{})
		p.Update(Snapshot{Pages: 1000})
		after(time.Second + Redraw/2)
		p.Close()
		got := out.String()
		if n := strings.Count(got, "\r"); n != 6 { // each 200 ms, and at the end
			t.Errorf("drawn %d times: %q", n, got)
		}
		if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\x1b[K\n") {
			t.Errorf("not one line: %q", got)
		}
	})
}

// TestProgressOfLimits: failures, the share of the nearest limit, and the estimated time; the current URL
// on a terminal, without control characters.
func TestProgressOfLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		limits := Limits{Requests: 1000, Pages: 4000, Bytes: 1 << 40, Time: 10 * time.Hour}
		p := StartProgress(&out, true, 130, Snapshot{Pages: 100, Requests: 100, Limits: limits})
		p.Update(Snapshot{Pages: 290, Requests: 300, Failed: 10, Accepted: 7, Limits: limits, Asking: "http://a.test/\x1b[2J/" + strings.Repeat("x", 90)})
		after(10*time.Second + Redraw/2)
		p.Close()
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(out.String(), "\x1b[K", "")), "\r")
		last := lines[len(lines)-1]
		want := "290 pages, 19 pages/s, 7 accepted, 10 failed, 0 waiting, 0 hosts, 30 % of the limit, 35 s left, now http://a.test/\ufffd[2J"
		if !strings.HasPrefix(last, want) || utf8.RuneCountInString(last) > 129 || !strings.HasSuffix(last, "…") {
			t.Errorf("got\n%q\nwant\n%q", last, want)
		}
	})
	tight := Snapshot{Pages: 290, Accepted: 7, Failed: 10, Requests: 300, Limits: Limits{Requests: 1000}, Asking: "http://a.test/" + strings.Repeat("x", 90)}
	if line := tight.fitted(Snapshot{}, time.Minute, 79); line != "290 pages, 7 accepted, 10 failed, 30 % of the limit, now http://a.test/xxxxxxx…" {
		t.Errorf("in 79 columns: %q (%d)", line, utf8.RuneCountInString(line))
	}
	for _, tc := range []struct {
		now  Snapshot
		want string
	}{
		{Snapshot{Requests: 50}, ""},
		{Snapshot{Requests: 50, Limits: Limits{Requests: 100}}, ", 50 % of the limit, 1 min left"},
		{Snapshot{Requests: 100, Limits: Limits{Requests: 100}}, ", 100 % of the limit"},
		{Snapshot{Pages: 10, Requests: 50, Limits: Limits{Requests: 5000, Pages: 20000}}, ", 1 % of the limit, 1.6 h left"},
		{Snapshot{Requests: 1, Limits: Limits{Time: 2 * time.Minute}}, ", 50 % of the limit, 1 min left"},
		{Snapshot{Bytes: 1, Limits: Limits{Bytes: 100_000}}, ", 0 % of the limit, 69 days left"},
	} {
		line := tc.now.line(Snapshot{}, time.Minute)
		if _, rest, _ := strings.Cut(line, " hosts"); rest != tc.want {
			t.Errorf("%+v: %q, want %q", tc.now, rest, tc.want)
		}
	}
}

// TestProgressGetsSeldom: after a minute, one line a minute.
func TestProgressGetsSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, false, 80, Snapshot{})
		after(10*time.Minute + time.Second)
		if n := strings.Count(out.String(), "\n"); n != 6+9 {
			t.Errorf("%d lines", n)
		}
		p.Close()
	})
}

// TestNoProgress: a crawl that had ended before prints no progress.
func TestNoProgress(t *testing.T) {
	var out bytes.Buffer
	StartProgress(&out, false, 80, Snapshot{Pages: 100}).Close()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// TestAfterAWhile: a short operation prints nothing, a long one prints its words once.
func TestAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		a := &Console{Err: &out}
		stop := a.AfterAWhile("soon over")
		after(Patience / 2)
		stop()
		stop = a.AfterAWhile("reading")
		after(3 * Patience)
		stop()
		if out.String() != "reading\n" {
			t.Errorf("%q", out.String())
		}
	})
}

// after lets time pass in a bubble.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
