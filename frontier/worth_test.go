package frontier_test

import (
	"testing"
	"time"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// TestWorthPerSecond: a host that answers within nine seconds has its best request divided by ten, one of half a second by one
// and a half.
func TestWorthPerSecond(t *testing.T) {
	for _, perSecond := range []bool{false, true} {
		f := frontier.New(frontier.Options{Live: true, Delay: time.Second, Connections: 1, PerSecond: perSecond})
		f.Add(entry{ID: 1, Host: "slow.test", Score: 1}.waiting())
		f.Add(entry{ID: 2, Host: "quick.test", Score: 1}.waiting())
		for range 4 { // an address and a request of each
			turn, _, ok := f.Next(at(0))
			if !ok {
				t.Fatal("nothing is ready")
			}
			if turn.Task == step.TakeAddress {
				f.Located(turn, turn.Host, "", at(0))
				continue
			}
			took := map[string]time.Duration{"http://slow.test": 9 * time.Second, "http://quick.test": time.Second / 2}[turn.Host]
			f.Done(turn.ID, step.Reply{Started: at(0), Ended: at(0).Add(took)})
		}
		f.Add(entry{ID: 3, Host: "slow.test", Score: 0.9}.waiting())
		f.Add(entry{ID: 4, Host: "quick.test", Score: 0.3}.waiting())
		first := "http://slow.test"
		if perSecond {
			first = "http://quick.test"
		}
		want(t, f, at(20), step.TakeRequest, first)
	}
}
