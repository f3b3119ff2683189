package synth

import (
	"errors"
	"fmt"
	"time"

	"orbweaver"
)

// A Spread is a log-normal distribution: half of the values are below Median, two thirds within a factor of
// e^Sigma of it.
type Spread struct{ Median, Sigma float64 }

// A Wish is the Crawl-delay of a share of the hosts.
type Wish struct {
	Share float64       // of the hosts
	Delay time.Duration // Crawl-delay, whole seconds
}

// Params are the distributions of a web. Shares and probabilities are 0..1.
type Params struct {
	Seed     uint64
	Pages    int64   // 1..10⁹, including the hosts' first pages
	Hosts    int     // at most Pages
	Exponent float64 // of Zipf's law: the host of rank r has pages ∝ r^-Exponent, at least one

	Topics  int     // 2..maxTopics
	Target  float64 // share of pages of topic 0; the other topics share the rest evenly
	Section int64   // consecutive pages of one topic

	Links   Spread  // random links of a page, in addition to those of the trees
	OnHost  float64 // probability that a random link stays on its host
	OnTopic float64 // probability that a random link stays on its topic
	Near    float64 // probability that a link leaving host and topic goes to one of the two adjacent topics
	Told    float64 // probability that an anchor has words of the target's topic rather than of any

	Words     Spread  // of the text
	Topical   float64 // share of words of the page's topic
	Mentions  float64 // share of pages that mention another topic, in one word of fifty
	Bytes     Spread  // of the HTML
	Duplicate float64 // share of leaves that are byte-identical to another page of their topic
	Moved     float64 // share of pages that all links name by an old address, which redirects
	Missing   float64 // share of leaves that answer 404
	Forbidden float64 // share of leaves that robots.txt forbids

	Failing float64 // probability that a request is answered 503
	Latency Spread  // seconds, of a host; times Jitter
	Jitter  Spread  // factor of a request
	Wishes  []Wish  // Crawl-delays
	Sharing int     // mean number of hosts per address

	Origin func(host int) string // scheme, name and port; nil: http://h1.example and so on
}

// maxTopics bounds Params.Topics: each topic has its own words.
const maxTopics = 1000

// Defaults returns the default parameters of a web of the given size.
func Defaults(pages int64) Params {
	return Params{
		Seed: 1, Pages: pages, Hosts: int(min(max(pages/100, 1), 1<<30)), Exponent: 1,
		Topics: 50, Target: 0.02, Section: 25,
		Links: Spread{12, 0.8}, OnHost: 0.6, OnTopic: 0.5, Near: 0.3, Told: 0.7,
		Words: Spread{250, 0.6}, Topical: 0.1, Mentions: 0.1, Bytes: Spread{16e3, 0.7},
		Duplicate: 0.05, Moved: 0.03, Missing: 0.03, Forbidden: 0.03,
		Failing: 0.005, Latency: Spread{0.2, 0.6}, Jitter: Spread{1, 0.4},
		Wishes:  []Wish{{0.07, 2 * time.Second}, {0.03, 10 * time.Second}},
		Sharing: 2,
	}
}

// check reports every invalid parameter. Errors wrap orbweaver.ErrInput.
func (p *Params) check() error {
	var problems []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format+" (%w)", append(args, orbweaver.ErrInput)...))
		}
	}
	want(p.Pages >= 1 && p.Pages <= 1e9, "pages: %d is not between 1 and 10⁹", p.Pages)
	want(p.Hosts >= 1 && int64(p.Hosts) <= p.Pages, "hosts: %d is not between 1 and the number of pages", p.Hosts)
	want(p.Exponent >= 0 && p.Exponent <= 3, "exponent: %v is not between 0 and 3", p.Exponent)
	want(p.Topics >= 2 && p.Topics <= maxTopics, "topics: %d is not between 2 and %d", p.Topics, maxTopics)
	want(p.Section >= 1, "section: %d is below 1", p.Section)
	want(p.Sharing >= 1, "sharing: %d is below 1", p.Sharing)
	for _, share := range []struct {
		name  string
		value float64
	}{
		{"target", p.Target}, {"on host", p.OnHost}, {"on topic", p.OnTopic}, {"near", p.Near}, {"told", p.Told},
		{"topical", p.Topical}, {"mentions", p.Mentions}, {"duplicate", p.Duplicate}, {"moved", p.Moved},
		{"missing", p.Missing}, {"forbidden", p.Forbidden}, {"failing", p.Failing},
		{"missing, forbidden and duplicate together", p.Missing + p.Forbidden + p.Duplicate},
	} {
		want(share.value >= 0 && share.value <= 1, "%s: %v is not between 0 and 1", share.name, share.value)
	}
	for _, s := range []struct {
		name string
		Spread
	}{{"links", p.Links}, {"words", p.Words}, {"bytes", p.Bytes}, {"latency", p.Latency}, {"jitter", p.Jitter}} {
		want(s.Median >= 0 && s.Sigma >= 0 && s.Sigma <= 3, "%s: median %v, sigma %v: below 0, or sigma above 3", s.name, s.Median, s.Sigma)
	}
	return errors.Join(problems...)
}
