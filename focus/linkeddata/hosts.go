package linkeddata

import (
	"math"
	"math/bits"

	"orbweaver"
)

// RuleHost is what a link's host returned: within a class, hosts of more RDF go first. It takes a little
// of the score away.
const RuleHost = "host"

// A HostOrder says which hosts go first among links of a class.
type HostOrder uint8

// The orders of hosts.
const (
	HostsFound  HostOrder = iota // none before another: links go in the order found
	HostsGreedy                  // by the share of RDF that the host returned so far, one half before the first request
	HostsBandit                  // by how large that share may well be: hosts hardly tried go before good ones
)

// ParseHostOrder returns the order of a name as it stands in crawl files.
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

// hostBand is how much a host can take away: little enough that no class falls below the next.
const hostBand = 1.0 / 8

// hostKey starts the keys of hosts.
const hostKey = "host:"

// byHost takes from an opinion what its host is not worth.
func (f *Focus) byHost(j orbweaver.Judgement, at location) orbweaver.Judgement {
	why := f.asked.why(hostOf(at), f.worth)
	why.Rule, why.Weight = RuleHost, -hostBand*(1-why.Weight)
	j.Score += why.Weight
	j.Reasons = append(j.Reasons[:len(j.Reasons):len(j.Reasons)], why)
	return j
}

// worth is that of a host by what it returned, 0..1. For a bandit it is UCB1 (Auer, Cesa-Bianchi and
// Fischer 2002), b = mean + √(2 ln T / n), as b/(1+b); the prior counts as two requests. T is all
// requests, rounded down to a power of two: between those a host changes by its own requests alone.
func (f *Focus) worth(host domain) float64 {
	if f.opts.Hosts == HostsGreedy {
		return host.share()
	}
	rounds := float64(max(bits.Len64(uint64(f.asked.requests))-1, 0))
	bound := host.share() + math.Sqrt(2*rounds*math.Ln2/float64(host.requests+2))
	return bound / (1 + bound)
}

// tally counts a request to a host, and returns the keys of requests to be ranked again.
func (f *Focus) tally(at location, rdf bool) (stale []string) {
	moved := f.asked.add(hostOf(at), rdf, f.worth)
	if n := f.asked.requests; f.opts.Hosts == HostsBandit && n&(n-1) == 0 {
		for i := range f.asked.list {
			f.asked.list[i].told = f.worth(f.asked.list[i])
		}
		return []string{"*"}
	}
	if !moved {
		return nil
	}
	return []string{hostKey + hostOf(at)}
}
