package gate

import (
	"container/list"
	"encoding/json"
	"fmt"
	"hash/maphash"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/fetch/scratch"
)

// rulesBudget is the memory budget for rules in bytes. A host costs the size of its robots.txt plus hostCost.
const (
	rulesBudget = 32 << 20
	hostCost    = 512
)

// A rulebook is an LRU cache of the rules of all hosts. Of evicted rules it keeps the position of the stored answer, so
// that it can parse them again. It is not safe for concurrent use.
type rulebook struct {
	read   func(host string) (rules *robots.Rules, size int) // rereads evicted rules; nil: they are in the file
	open   func() (scratch.File, error)                      // opens the file; nil without read: no eviction
	budget int                                               // bytes

	seed   maphash.Seed
	known  scratch.Map // host hash → position of its answer in the file
	file   scratch.File
	end    int64
	recent map[string]*list.Element
	order  list.List // of *ruling, most recently used first
	size   int
}

// A ruling is the rules of a host.
type ruling struct {
	host  string
	rules *robots.Rules
	size  int
}

// stored is the serialized answer from which the rules of a host are parsed.
type stored struct {
	Status  int               `json:"status,omitempty"`
	Body    []byte            `json:"body,omitempty"`
	Failure orbweaver.Failure `json:"failure,omitempty"`
	Hops    int               `json:"hops,omitempty"`
}

func newRulebook() *rulebook {
	return &rulebook{budget: rulesBudget, seed: maphash.MakeSeed(), recent: map[string]*list.Element{}}
}

// get returns the rules of a host, and whether they are known. Rules that cannot be reread disallow everything.
func (b *rulebook) get(host, agent string) (*robots.Rules, bool) {
	if e, ok := b.recent[host]; ok {
		b.order.MoveToFront(e)
		return e.Value.(*ruling).rules, true
	}
	at, known, err := b.known.Get(maphash.String(b.seed, host))
	if err == nil && !known {
		return nil, false
	}
	var rules *robots.Rules
	size := 0
	switch {
	case err != nil:
	case b.read != nil:
		rules, size = b.read(host)
	default:
		rules, size, err = b.again(at, agent)
	}
	if err != nil {
		rules = robots.Disallowed(fmt.Sprintf("robots.txt cannot be read again: %v", err))
	}
	b.keep(host, rules, size)
	return rules, true
}

// put stores the rules of a host and the answer that they were parsed from.
func (b *rulebook) put(host string, rules *robots.Rules, a robots.Answer) {
	at, err := scratch.Value{}, error(nil)
	if b.open != nil && b.read == nil {
		at, err = b.store(a)
	}
	if err == nil {
		err = b.known.Put(maphash.String(b.seed, host), at)
	}
	if err != nil { // keep everything in memory from now on
		b.open = nil
	}
	b.keep(host, rules, len(a.Body))
}

// keep caches rules and evicts the least recently used ones beyond the budget.
func (b *rulebook) keep(host string, rules *robots.Rules, size int) {
	if e, ok := b.recent[host]; ok {
		b.size -= e.Value.(*ruling).size
		b.order.Remove(e)
	}
	r := &ruling{host, rules, size + len(host) + hostCost}
	b.recent[host] = b.order.PushFront(r)
	for b.size += r.size; b.size > b.budget && b.order.Len() > 1 && (b.read != nil || b.open != nil); {
		last := b.order.Remove(b.order.Back()).(*ruling)
		delete(b.recent, last.host)
		b.size -= last.size
	}
}

// store writes an answer to the file.
func (b *rulebook) store(a robots.Answer) (at scratch.Value, err error) {
	if b.file == nil {
		if b.file, err = b.open(); err != nil {
			return at, err
		}
	}
	content, err := json.Marshal(stored{a.Status, a.Body[:min(len(a.Body), robots.MaxSize)], orbweaver.FailureOf(a.Err), a.Hops})
	if err == nil {
		_, err = b.file.Write(content)
	}
	at = scratch.Value{uint64(b.end), uint64(len(content))}
	b.end += int64(len(content))
	return at, err
}

// again reads an answer from the file.
func (b *rulebook) again(at scratch.Value, agent string) (*robots.Rules, int, error) {
	content := make([]byte, at[1])
	if _, err := b.file.ReadAt(content, int64(at[0])); err != nil {
		return nil, 0, err
	}
	var s stored
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, 0, err
	}
	a := robots.Answer{Status: s.Status, Body: s.Body, Hops: s.Hops}
	if s.Failure != "" {
		a.Err = s.Failure
	}
	return robots.Judge(a, agent).Rules, len(s.Body), nil
}
