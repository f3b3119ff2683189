package synth

import (
	"fmt"
	"time"
)

// maxLatency bounds the latency of a host, so that no crawl stalls on an outlier.
const maxLatency = 20 * time.Second

// RobotsTxt returns the robots.txt of a host.
func (w *Web) RobotsTxt(host int) string {
	rules := "User-agent: *\nDisallow: " + pathForbidden + "\n"
	if delay := w.CrawlDelay(host); delay > 0 {
		rules += fmt.Sprintf("Crawl-delay: %d\n", int(delay.Seconds()))
	}
	return rules
}

// CrawlDelay returns the Crawl-delay in a host's robots.txt; 0 if there is none.
func (w *Web) CrawlDelay(host int) time.Duration {
	d := w.dice(forWish, int64(host))
	u := d.float()
	for _, wish := range w.Wishes {
		if u -= wish.Share; u < 0 {
			return wish.Delay
		}
	}
	return 0
}

// Address returns the IP address and port of a host. Hosts may share an address.
func (w *Web) Address(host int) string {
	d := w.dice(forHost, int64(host))
	n := d.below(max(int64(w.Hosts/w.Sharing), 1))
	return fmt.Sprintf("10.%d.%d.%d:80", n>>16&255, n>>8&255, n&255)
}

// Latency returns the time a host takes to answer a request made at a given time: the host's mean times a
// random factor.
func (w *Web) Latency(host int, at time.Time) time.Duration {
	pace, request := w.dice(forHost, -1-int64(host)), w.dice(forRequest, at.UnixNano()^int64(host)<<40)
	seconds := pace.draw(w.Params.Latency) * request.draw(w.Jitter)
	return min(time.Duration(seconds*float64(time.Second)), maxLatency)
}

// Fails reports whether a host answers 503 to a request made at a given time. Requests fail independently.
func (w *Web) Fails(host int, at time.Time) bool {
	d := w.dice(forRequest, ^(at.UnixNano() ^ int64(host)<<40))
	return d.chance(w.Failing)
}
