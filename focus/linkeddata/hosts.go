package linkeddata

import (
	"math"
	"math/bits"

	"orbweaver"
)

// RuleHost is the rule of a link's host: within a class, hosts that returned more RDF go first. Its weight is
// a small negative amount.
const RuleHost = "host"

// A HostOrder is the order of hosts among links of a class.
type HostOrder uint8

// The orders of hosts.
const (
	HostsFound  HostOrder = iota // none: links go in discovery order
	HostsGreedy                  // by the share of RDF the host returned so far; one half before the first request
	HostsBandit                  // by the upper confidence bound of that share, so that hosts with few requests are tried early
)

// ParseHostOrder returns the order of a name used in crawl files.
func ParseHostOrder(name string) (HostOrder, bool) {
	switch name {
	case "found":
		return HostsFound, true
	case "greedy":
		return HostsGreedy, true
	case "bandit":
		return HostsBandit, true
	}
	return HostsFound, false
}

// hostBand bounds the reduction by host: small enough that no class falls below the next.
const hostBand = 1.0 / 8

// hostKey is the prefix of hosts' keys.
const hostKey = "host:"

// byHost reduces a judgement's score by what the host is worth less than 1.
func (f *Focus) byHost(j orbweaver.Judgement, at location) orbweaver.Judgement {
	why := f.asked.why(hostOf(at), f.worth)
	why.Rule, why.Weight = RuleHost, -hostBand*(1-why.Weight)
	j.Score += why.Weight
	j.Reasons = append(j.Reasons[:len(j.Reasons):len(j.Reasons)], why)
	return j
}

// worth returns the worth of a host by what it returned, 0..1. For a bandit it is UCB1 (Auer, Cesa-Bianchi
// and Fischer 2002), b = mean + √(2 ln T / n), mapped to b/(1+b); the prior counts as two requests. T is the
// number of all requests, rounded down to a power of two: between those, a host's worth changes only by its
// own requests.
func (f *Focus) worth(host domain) float64 {
	if f.opts.Hosts == HostsGreedy {
		return host.share()
	}
	rounds := float64(max(bits.Len64(uint64(f.asked.requests))-1, 0))
	bound := host.share() + math.Sqrt(2*rounds*math.Ln2/float64(host.requests+2))
	return bound / (1 + bound)
}

// tally counts a request to a host and returns the keys of requests to rerank.
func (f *Focus) tally(at location, rdf bool) (stale []string) {
	moved := f.asked.add(hostOf(at), rdf, f.worth)
	if n := f.asked.requests; f.opts.Hosts == HostsBandit && n&(n-1) == 0 {
		for i := range f.asked.list {
			f.asked.list[i].reported = f.worth(f.asked.list[i])
		}
		return []string{"*"}
	}
	if !moved {
		return nil
	}
	return []string{hostKey + hostOf(at)}
}
