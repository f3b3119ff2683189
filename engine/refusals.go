package engine

import (
	"math"

	"orbweaver"
)

// refusals are the links that are not followed, for the next batch. Scope and robots.txt are asked
// once a URL; what they refused is remembered in some twenty bytes, so that each further link to it
// counts.
type refusals struct {
	met   []orbweaver.Refusal
	kinds []kind
	known map[kind]uint16
	of    map[uint64]uint16 // by request: its kind
}

// A kind is what refuses a URL for good.
type kind struct{ reason, rule string }

// maxKinds bounds the rules that are told apart.
const maxKinds = math.MaxUint16

// take returns what was met since the last batch.
func (r *refusals) take() []orbweaver.Refusal {
	met := r.met
	r.met = nil
	if n := len(met); n > 0 {
		r.met = make([]orbweaver.Refusal, 0, n) // the next batch may well be as large
	}
	return met
}

func (r *refusals) add(refusal orbweaver.Refusal) { r.met = append(r.met, refusal) }

// dropped notes a link that the focus does not follow, with its heaviest reason.
func (r *refusals) dropped(p orbweaver.Proposal) {
	refusal := orbweaver.Refusal{Reason: orbweaver.RefusedDropped, URL: p.URL, Parent: p.Parent}
	weight := math.Inf(-1)
	for _, reason := range p.Reasons {
		if reason.Weight > weight {
			weight, refusal.Rule, refusal.Evidence = reason.Weight, reason.Rule, reason.Evidence
		}
	}
	r.add(refusal)
}

// cut notes the links of a page of which the focus follows none: the other links that a focus does not
// propose are its own affair.
func (r *refusals) cut(p *orbweaver.Page) {
	if p.NoFollow {
		return
	}
	for i := range p.Links {
		if l := &p.Links[i]; l.To != "" && l.To != p.URL && !l.NoFollow() {
			r.add(orbweaver.Refusal{Reason: orbweaver.RefusedDropped, URL: l.To, Parent: p.URL})
		}
	}
}

// unfollowed notes the links that a page asks not to follow.
func (r *refusals) unfollowed(p *orbweaver.Page) {
	for i := range p.Links {
		if l := &p.Links[i]; l.To != "" && l.To != p.URL && (p.NoFollow || l.Rel != "" && l.NoFollow()) {
			r.add(orbweaver.Refusal{Reason: orbweaver.RefusedNoFollow, URL: l.To, Parent: p.URL})
		}
	}
}

// refuse notes that scope, or robots.txt, lets a request never be made.
func (c *Crawl) refuse(id uint64, request orbweaver.Request, rule string) {
	k := kind{orbweaver.RefusedScope, rule}
	if c.cfg.InScope != nil && c.cfg.InScope(request.URL) {
		k.reason = orbweaver.RefusedRobots
	}
	c.refuseFor(id, request, k)
}

// refuseFor notes that a request is never made.
func (c *Crawl) refuseFor(id uint64, request orbweaver.Request, k kind) {
	c.refusals.remember(id, k)
	c.refusals.again(id, request)
}

// remember keeps why a request is never made. Beyond maxKinds rules it is not kept.
func (r *refusals) remember(id uint64, k kind) {
	at, ok := r.known[k]
	switch {
	case !ok && len(r.kinds) == maxKinds:
		return
	case !ok:
		if r.known == nil {
			r.known, r.of = map[kind]uint16{}, map[uint64]uint16{}
		}
		at = uint16(len(r.kinds))
		r.kinds, r.known[k] = append(r.kinds, k), at
	}
	r.of[id] = at
}

// again notes a link to a request that is never made; others, which were made, are none of its
// business.
func (r *refusals) again(id uint64, request orbweaver.Request) {
	if at, ok := r.of[id]; ok {
		k := r.kinds[at]
		r.add(orbweaver.Refusal{Reason: k.reason, Rule: k.rule, URL: request.URL, Parent: request.Parent})
	}
}
