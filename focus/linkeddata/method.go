package linkeddata

import (
	"math"
	"strconv"

	"orbweaver"
	"orbweaver/weburl"
)

// The rules of the comparison methods: each determines the whole score; reasons of the class have weight 0.
const (
	RuleNonFocused = "non-focused" // all links equal
	RuleDomain     = "domain"      // the share of RDF that the pay-level domain returned
	RuleAllowance  = "allowance"   // the number of links the path may still go
)

// scoreAlike is the score of every link with the non-focused method.
const scoreAlike = 0.5

// otherwise returns the judgement of a link by a comparison method.
func (f *Focus) otherwise(j orbweaver.Judgement, at location, allowance int) orbweaver.Judgement {
	why := orbweaver.Reason{Rule: RuleNonFocused, Weight: scoreAlike}
	switch f.opts.Method {
	case DomainRanking:
		why = f.domains.why(domainAt(at), domain.share)
	case DynamicDepth:
		why = orbweaver.Reason{
			Rule: RuleAllowance, Evidence: strconv.Itoa(max(allowance, 0)) + " left", Weight: leftScore(allowance),
		}
		j.Drop = allowance < 0
	}
	return outweighed(j, why)
}

// outweighed returns a judgement whose score is that of a single reason.
func outweighed(j orbweaver.Judgement, why orbweaver.Reason) orbweaver.Judgement {
	reasons := make([]orbweaver.Reason, 1, 1+len(j.Reasons))
	reasons[0] = why
	for _, r := range j.Reasons {
		r.Weight = 0
		reasons = append(reasons, r)
	}
	j.Score, j.Reasons = why.Weight, reasons
	return j
}

// leftScore increases with the links that a path may still go, so that the longer of two paths to a request
// has precedence: from 1/2 at 0 towards 1.
func leftScore(allowance int) float64 {
	a := float64(max(allowance, 0))
	return (a + 1) / (a + 2)
}

// after returns the number of links a path may go beyond the targets of a page's links; if negative, they are
// not followed. A path starts with Depth; RDF adds Grow, every other page takes one: without RDF it ends
// Depth links from its seed. A sitemap changes nothing. It is 0 for the other methods.
func (f *Focus) after(request orbweaver.Request, class string) int {
	if f.opts.Method != DynamicDepth {
		return 0
	}
	allowance := f.opts.Depth
	if kept, ok := readNote(request.Note); ok {
		allowance = kept.allowance
	}
	switch {
	case request.Purpose == orbweaver.ForSitemap:
		return allowance
	case class == ClassR:
		return min(allowance+f.opts.Grow, maxAllowance)
	}
	return allowance - 1
}

// domainKey is the prefix of pay-level domains' keys.
const domainKey = "domain:"

// domainAt returns the pay-level domain of a location.
func domainAt(at location) string {
	return weburl.PayLevelDomain(weburl.Hostname("http://" + at.folders))
}

// domains counts what pay-level domains, or hosts, returned.
type domains struct {
	list     []domain // in order of first occurrence
	index    map[string]int
	requests int64 // to all of them
}

type domain struct {
	name          string
	rdf, requests int64
	reported      float64 // the worth at the last reranking
}

// maxDomains bounds the domains that are distinguished; others count as never requested.
const maxDomains = 1 << 17

// leastMove is the change in worth that causes a reranking, so that a domain with many requests is not
// reranked at each of them.
const leastMove = 1.0 / 32

func newDomains() domains { return domains{index: map[string]int{}} }

func (d *domains) put(one domain) {
	d.requests += one.requests
	d.index[one.name] = len(d.list)
	d.list = append(d.list, one)
}

// share returns (rdf+1)/(requests+2), strictly between 0 and 1, and one half before the first request.
func (d domain) share() float64 { return float64(d.rdf+1) / float64(d.requests+2) }

// add counts a request to a domain and reports whether its worth changed.
func (d *domains) add(name string, rdf bool, worth func(domain) float64) bool {
	i, known := d.index[name]
	if !known {
		if len(d.list) == maxDomains || len(name) > maxPattern {
			return false
		}
		i = len(d.list)
		d.put(domain{name: name, reported: worth(domain{})})
	}
	d.requests++
	one := &d.list[i]
	if one.requests++; rdf {
		one.rdf++
	}
	now := worth(*one)
	if math.Abs(now-one.reported) < leastMove {
		return false
	}
	one.reported = now
	return true
}

// why returns the worth of a domain as last reported.
func (d *domains) why(name string, worth func(domain) float64) orbweaver.Reason {
	i, known := d.index[name]
	if !known {
		return orbweaver.Reason{Rule: RuleDomain, Evidence: name + ": untried", Weight: worth(domain{})}
	}
	one := d.list[i]
	evidence := name + ": " + strconv.FormatInt(one.rdf, 10) + " of " + strconv.FormatInt(one.requests, 10)
	return orbweaver.Reason{Rule: RuleDomain, Evidence: evidence, Weight: one.reported}
}
