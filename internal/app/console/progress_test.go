package console

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgressLines: a line each ten seconds where nothing can be redrawn, and one at the end.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, false, Snapshot{Pages: 100, Accepted: 7})
		p.Tell(Snapshot{Pages: 150, Accepted: 9, Waiting: 3, Hosts: 2})
		after(Rewrite + time.Second)
		p.Tell(Snapshot{Pages: 310, Accepted: 10, Waiting: 0, Hosts: 2})
		after(9 * time.Second)
		p.Close()
		want := "150 pages, 5 pages/s, 9 accepted, 3 waiting, 2 hosts\n" + // of this sitting, in 10 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" + // at 20 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" // the last word
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestProgressOnATerminal: one line, redrawn in place, ended once.
func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, true, Snapshot{})
		p.Tell(Snapshot{Pages: 1000})
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

// TestNoProgress: a crawl that was over before says nothing of how it goes.
func TestNoProgress(t *testing.T) {
	var out bytes.Buffer
	StartProgress(&out, false, Snapshot{Pages: 100}).Close()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// TestAfterAWhile: what is over soon goes in silence, what lasts says so once.
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
