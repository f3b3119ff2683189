package frontier_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// TestGapAndAccounts checks the account of a host after two sessions.
func TestGapAndAccounts(t *testing.T) {
	opts := frontier.Options{Live: true, Delay: 10 * time.Second}
	f := opened(t, opts, 3)
	for _, now := range []float64{0, 30, 42} {
		r := good(now)
		r.Page, r.Bytes = now != 30, 7
		if now == 30 {
			r.Failure = orbweaver.ErrStatus
		}
		f.Done(want(t, f, at(now), step.TakeRequest, "http://a").ID, r)
	}
	before, _ := f.Account("http://a")
	wantAccount := step.Account{
		Host: "http://a", Address: "192.0.2.1:80", Delay: 10 * time.Second, Asked: 3, Pages: 2, Bytes: 21,
		Gap: 12 * time.Second, Busy: 1500 * time.Millisecond, Last: at(42),
		Failures: map[orbweaver.Failure]int64{orbweaver.ErrStatus: 1},
	}
	if fmt.Sprint(before) != fmt.Sprint(wantAccount) {
		t.Errorf("account\n%+v, want\n%+v", before, wantAccount)
	}
	before.Down = orbweaver.ErrTimeout
	again := frontier.New(opts)
	again.Restore(before)
	again.Add(entry{ID: 9, Host: "a"}.waiting())
	wantWait(t, again, at(44), 8*time.Second)
	f = again
	f.Located(want(t, f, at(52), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(52))
	f.Done(want(t, f, at(53), step.TakeRequest, "http://a").ID, good(53))
	wantAccount.Asked, wantAccount.Gap, wantAccount.Last = 4, 11*time.Second, at(53)
	wantAccount.Busy += 500 * time.Millisecond
	if a, _ := f.Account("http://a"); fmt.Sprint(a) != fmt.Sprint(wantAccount) {
		t.Errorf("account\n%+v, want\n%+v", a, wantAccount)
	}
}

// TestResumedHostsRest: accounts lack the requests in flight at a kill. Therefore every host rests as if its
// last start were now, including hosts without any request.
func TestResumedHostsRest(t *testing.T) {
	for _, resumed := range []bool{true, false} {
		f := frontier.New(frontier.Options{Live: true, Delay: 10 * time.Second, Resumed: resumed})
		f.Restore(step.Account{Host: "http://a", Delay: 30 * time.Second, Last: at(0), Asked: 1})
		f.Add(entry{ID: 1, Host: "a"}.waiting())
		f.Add(entry{ID: 2, Host: "b"}.waiting())
		if !resumed {
			want(t, f, at(1000), step.TakeAddress, "http://a")
			want(t, f, at(1000), step.TakeAddress, "http://b")
			continue
		}
		wantWait(t, f, at(1000), 10*time.Second)
		want(t, f, at(1010), step.TakeAddress, "http://b")
		wantWait(t, f, at(1010), 20*time.Second)
		want(t, f, at(1030), step.TakeAddress, "http://a")
	}
}

func TestRestoredAddressRests(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true, Delay: 10 * time.Second})
	f.Restore(step.Account{Host: "http://a", Address: "192.0.2.1:80", Last: at(0)})
	f.Add(entry{ID: 1, Host: "b"}.waiting())
	f.Located(want(t, f, at(1), step.TakeAddress, "http://b"), "192.0.2.1:80", "", at(1))
	wantWait(t, f, at(1), 9*time.Second)
}

func TestAClockThatWasAheadIsForgiven(t *testing.T) {
	f := frontier.New(frontier.Options{Delay: 10 * time.Second})
	f.Restore(step.Account{Host: "http://a", Last: at(1e6)})
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	wantWait(t, f, at(0), 10*time.Second)
}

func TestAccountsGoByName(t *testing.T) {
	f := frontier.New(frontier.Options{})
	for _, host := range []string{"http://c", "http://a", "http://b"} {
		f.Restore(step.Account{Host: host, Pages: 1})
	}
	f.Add(entry{ID: 1, Host: "only-seen"}.waiting())
	var got []string
	for a := range f.Accounts() {
		got = append(got, a.Host)
	}
	if !slices.Equal(got, []string{"http://a", "http://b", "http://c"}) {
		t.Errorf("accounts of %v", got)
	}
}

func TestACrawlDelayIsKeptUntilTheRulesAreKnownAgain(t *testing.T) {
	f := frontier.New(polite())
	f.Restore(step.Account{Host: "http://a", Last: at(0), Delay: 30 * time.Second})
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	wantWait(t, f, at(1), 29*time.Second)
	f.Located(want(t, f, at(30), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(30))
	f.Done(want(t, f, at(30), step.TakeRobots, "http://a").ID, good(30))
	f.RobotsKnown("http://a", 0, "200", at(31))
	if a, _ := f.Account("http://a"); a.Delay != 10*time.Second {
		t.Errorf("account %+v", a)
	}
}

func TestAnAddressIsForgivenToo(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true, Delay: 10 * time.Second})
	f.Restore(step.Account{Host: "http://a", Address: "192.0.2.1:80", Last: at(1e6)})
	f.Add(entry{ID: 1, Host: "b"}.waiting())
	f.Located(want(t, f, at(0), step.TakeAddress, "http://b"), "192.0.2.1:80", "", at(0))
	wantWait(t, f, at(0), 10*time.Second)
}

// TestBackOffOutlivesTheSession: a back-off holds in the next session, too.
func TestBackOffOutlivesTheSession(t *testing.T) {
	f := opened(t, polite(), 1)
	f.Done(want(t, f, at(10), step.TakeRequest, "http://a").ID, step.Reply{
		Started: at(10), Ended: at(11), Failure: orbweaver.ErrStatus, Fault: step.FaultHost, RetryAfter: time.Minute,
	})
	account, _ := f.Account("http://a")
	if !account.Rest.Equal(at(71)) {
		t.Fatalf("rest %v, want %v", account.Rest, at(71))
	}
	again := frontier.New(polite())
	again.Restore(account)
	again.Add(entry{ID: 1, Host: "a"}.waiting())
	wantWait(t, again, at(12), 59*time.Second)
}
