package discover

import (
	"cmp"
	"fmt"
	"math"

	"orbweaver"
	"orbweaver/internal/order"
)

// Constants of the bandit.
const (
	full    = 5    // accepted pages by which a page has the full reward
	optimal = 0.5  // reward of kinds that were never tried
	shrink  = 2.0  // pages that the kind at all hosts stands for, and optimal for that
	rests   = 0.05 // reward below which a kind is probed no more: one accepted page by four probes
	mostOf  = 4096 // arms
	held    = 8192 // pages whose links still count
	tries   = 64   // arms looked at for one probe
)

// An arm is a kind of requests at one host, or in one directory of a host.
type arm struct {
	Pages  int64 `json:"pages"`           // fetched
	Led    int64 `json:"led"`             // accepted pages that they led to, of one page at most full
	Lists  int64 `json:"lists,omitempty"` // of Place: pages with the shape of a list
	Shaped int64 `json:"shaped,omitempty"`
}

// A lead counts the accepted pages that a page led to.
type lead struct {
	Page uint64 `json:"page"` // hash of its URL
	Key  string `json:"key"`
	Led  int8   `json:"led"`
}

// arm returns the arm of a key, which is new if there is room; nil if there is none.
func (s *state) arm(key string) *arm {
	a := s.Arms[key]
	if a == nil && len(s.Arms) < mostOf {
		a = &arm{}
		s.Arms[key] = a
	}
	return a
}

// fetched counts a page of an arm.
func (s *state) fetched(key, url string) {
	a := s.arm(key)
	if a == nil {
		return
	}
	a.Pages++
	if total := s.kind(kindOfKey(key)); total != nil {
		total.Pages++
	}
	s.lead(lead{Page: hash(url), Key: key})
}

// kind returns the arm of a kind at all hosts.
func (s *state) kind(kind string) *arm {
	if s.Kinds[kind] == nil {
		s.Kinds[kind] = &arm{}
	}
	return s.Kinds[kind]
}

// lead holds a page in the place of the oldest.
func (s *state) lead(l lead) {
	if len(s.Leads) < held {
		s.Leads = append(s.Leads, l)
		s.at[l.Page] = len(s.Leads) - 1
		return
	}
	if was := s.Leads[s.Oldest]; s.at[was.Page] == s.Oldest {
		delete(s.at, was.Page)
	}
	s.Leads[s.Oldest], s.at[l.Page] = l, s.Oldest
	s.Oldest = (s.Oldest + 1) % held
}

// credit rewards the page by whose link an accepted page waited.
func (s *state) credit(r orbweaver.Request) {
	at, ok := s.at[hash(r.Parent)]
	if !ok || r.Parent == "" {
		return
	}
	l := &s.Leads[at]
	kind := kindOfKey(l.Key)
	if kind == Search {
		s.host(hostOfKey(l.Key)).Won++
	}
	if kind == Engine || kind == Endpoint {
		s.service(kind).Won++
	}
	if l.Led >= full {
		return
	}
	l.Led++
	s.kind(kind).Led++
	if a := s.arm(l.Key); a != nil {
		a.Led++
	}
}

// shaped counts the shape of a page of an arm.
func (s *state) shaped(key, shape string) {
	if a := s.arm(key); a != nil {
		if a.Shaped++; shape == shapeIndex {
			a.Lists++
		}
	}
}

// isPlaceOfLists reports whether most pages of a directory have the shape of a list.
func (a *arm) isPlaceOfLists() bool { return 2*a.Lists > a.Shaped }

// reward returns the mean reward of an arm, from 0 to 1, under the mean of its kind.
func (a *arm) reward(kind float64) float64 {
	return (float64(a.Led)/full + shrink*kind) / (float64(a.Pages) + shrink)
}

// best returns the keys of the arms that are worth a probe, by their upper confidence bounds.
func (s *state) best() []string {
	type bound struct {
		key string
		ucb float64
	}
	var all []bound
	turns := 1.0
	for _, a := range s.Arms {
		turns += float64(a.Pages)
	}
	for key, a := range s.Arms {
		kind := kindOfKey(key)
		if kind == Place && !a.isPlaceOfLists() {
			continue
		}
		mean := a.reward(s.kind(kind).reward(optimal))
		if mean < rests {
			continue
		}
		all = append(all, bound{key, mean + math.Sqrt(2*math.Log(turns)/(float64(a.Pages)+shrink))/full})
	}
	order.By(all, func(a, b bound) int { return cmp.Or(cmp.Compare(b.ucb, a.ucb), cmp.Compare(a.key, b.key)) })
	var keys []string
	for _, b := range all[:min(len(all), tries)] {
		keys = append(keys, b.key)
	}
	return keys
}

// says describes an arm for a reason.
func (s *state) says(key string) string {
	a := s.Arms[key]
	if a == nil {
		a = &arm{}
	}
	kind := s.kind(kindOfKey(key))
	return fmt.Sprintf("%s of %s: %d pages led to %d accepted; at all hosts %d to %d", kindOfKey(key), hostOfKey(key), a.Pages, a.Led, kind.Pages, kind.Led)
}
