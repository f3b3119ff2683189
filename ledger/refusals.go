package ledger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

const (
	sampleSize = 1000 // links in a sample
	maxRules   = 256  // most rules of a reason with their own counter
	maxKept    = 2048 // bytes stored of each text of a link
	shownHosts = 10   // hosts in a summary
	shownLinks = 3    // examples in a summary
)

// A trace counts the links that are not followed for one reason, by rule, and keeps a uniform sample of them
// (Li 1994, algorithm L). The sample depends only on the reason and the order of the links.
type trace struct {
	reason string
	n      int64 // links so far
	next   int64 // the next link that enters the sample
	draws  uint64
	w      float64 // see Li
	rules  map[string]*counter
	best   step.Refusal   // of the highest score, the first of equals
	sample []step.Refusal // of no more than sampleSize

	bettered bool       // best changed since the last batch
	last     *counter   // of the previous link
	counted  []*counter // since the last batch
	drawn    []int      // indexes of the sample filled since
}

// A counter counts the links that one rule refused.
type counter struct {
	rule    string
	links   int64
	touched bool // since the last batch
}

// traceOf returns the trace of a reason.
func (l *Ledger) traceOf(reason string) *trace {
	for _, t := range l.traces {
		if t.reason == reason {
			return t
		}
	}
	t := &trace{reason: reason, w: 1, rules: map[string]*counter{}}
	l.traces = append(l.traces, t)
	order.By(l.traces, func(a, b *trace) int { return cmp.Compare(a.reason, b.reason) })
	return t
}

// counter returns the counter of a rule; rules beyond maxRules share that of the empty rule.
func (t *trace) counter(rule string) *counter {
	rule = rule[:min(len(rule), maxKept)]
	c, known := t.rules[rule]
	if !known && len(t.rules) >= maxRules {
		rule = ""
		c, known = t.rules[rule]
	}
	if !known {
		c = &counter{rule: strings.Clone(rule)}
		t.rules[c.rule] = c
	}
	return c
}

// add counts a link.
func (t *trace) add(r step.Refusal) {
	t.n++
	if r.Score > t.best.Score {
		t.best, t.bettered = brief(r), true
	}
	if t.last == nil || t.last.rule != r.Rule {
		t.last = t.counter(r.Rule)
	}
	if t.last.links++; !t.last.touched {
		t.last.touched = true
		t.counted = append(t.counted, t.last)
	}
	switch {
	case t.n <= sampleSize:
		t.sample = append(t.sample, brief(r))
		t.drawn = append(t.drawn, int(t.n-1))
		if t.n == sampleSize {
			t.skip()
		}
	case t.n == t.next:
		at := int(t.random() * sampleSize)
		t.sample[at] = brief(r)
		t.drawn = append(t.drawn, at)
		t.skip()
	}
}

// skip draws the next link that enters the sample.
func (t *trace) skip() {
	t.w *= math.Exp(math.Log(t.random()) / sampleSize)
	gap := math.Floor(math.Log(t.random()) / math.Log1p(-t.w))
	t.next = t.n + 1 + int64(min(gap, math.MaxInt32))
}

// random draws a number between 0 and 1, both excluded.
func (t *trace) random() float64 {
	t.draws++
	r := rand.New(rand.NewPCG(xxhash.Sum64String(t.reason), t.draws))
	return (float64(r.Uint64()>>12) + 0.5) / (1 << 52)
}

// brief bounds the texts of a link.
func brief(r step.Refusal) step.Refusal {
	for _, s := range [...]*string{&r.Rule, &r.Evidence, &r.URL, &r.Parent} {
		*s = strings.Clone((*s)[:min(len(*s), maxKept)]) // a substring would keep a whole page in memory
	}
	return r
}

// refusals counts the refused links of a batch and writes the changes.
func (l *Ledger) refusals(w *writer, refusals []step.Refusal) {
	var t *trace
	for _, r := range refusals {
		if t == nil || t.reason != r.Reason {
			t = l.traceOf(r.Reason)
		}
		t.add(r)
	}
	for _, t := range l.traces {
		if len(t.counted) > 0 {
			w.trace(t)
		}
	}
}

// The parts of a trace in the database, after its reason.
const (
	partCount  = 'n'
	partRule   = 'r' // rule → links
	partSample = 's' // place → link
	partBest   = 'b' // score and link
)

// part returns the prefix of the keys of a part.
func part(reason string, p byte) []byte {
	return append(append([]byte{tableRefusal}, reason...), 0, p)
}

// trace writes the changes of a trace.
func (w *writer) trace(t *trace) {
	b := binary.AppendVarint(w.scratch[:0], t.n)
	b = binary.AppendVarint(b, t.next)
	b = binary.AppendUvarint(b, t.draws)
	w.scratch = appendFloat(b, t.w)
	w.set(part(t.reason, partCount), w.scratch)
	for _, c := range t.counted {
		w.scratch = binary.AppendVarint(w.scratch[:0], c.links)
		w.set(append(part(t.reason, partRule), c.rule...), w.scratch)
		c.touched = false
	}
	for _, at := range t.drawn {
		r := t.sample[at]
		w.scratch = appendStrings(w.scratch[:0], []string{r.Rule, r.Evidence, r.URL, r.Parent})
		w.set(binary.BigEndian.AppendUint16(part(t.reason, partSample), uint16(at)), w.scratch)
	}
	if t.bettered {
		w.scratch = appendStrings(appendFloat(w.scratch[:0], t.best.Score), []string{t.best.URL, t.best.Parent})
		w.set(part(t.reason, partBest), w.scratch)
	}
	t.counted, t.drawn, t.bettered = t.counted[:0], t.drawn[:0], false
}

// loadRefusals reads the traces.
func (l *Ledger) loadRefusals() error {
	return l.scan([]byte{tableRefusal}, func(key, value []byte) error {
		at := bytes.IndexByte(key, 0)
		if at < 1 || at+1 >= len(key) {
			return fmt.Errorf("ledger: refusals: %w", orbweaver.ErrDamaged)
		}
		t, rest, d := l.traceOf(string(key[1:at])), key[at+2:], decoding(value)
		switch key[at+1] {
		case partCount:
			t.n, t.next, t.draws, t.w = d.int(), d.int(), d.uint(), d.float()
		case partRule:
			t.rules[string(rest)] = &counter{rule: string(rest), links: d.int()}
		case partBest:
			t.best.Score = d.float()
			if s := d.strings(); len(s) == 2 {
				t.best.URL, t.best.Parent = s[0], s[1]
			}
		case partSample: // in the order of their places
			s := d.strings()
			if len(s) != 4 || len(rest) != 2 || int(binary.BigEndian.Uint16(rest)) != len(t.sample) {
				return fmt.Errorf("ledger: refusals: %w", orbweaver.ErrDamaged)
			}
			t.sample = append(t.sample, step.Refusal{Reason: t.reason, Rule: s[0], Evidence: s[1], URL: s[2], Parent: s[3]})
		}
		_, err := done(&d, "refusals", t)
		return err
	})
}

// Refusal returns a link to a URL that was not followed, if it is in the reason's sample. Refusal, RefusalOn and
// Refused must be called from the goroutine that offers.
func (l *Ledger) Refusal(reason, url string) (step.Refusal, bool) {
	for _, t := range l.traces {
		for _, r := range t.sample {
			if t.reason == reason && r.URL == url {
				return r, true
			}
		}
	}
	return step.Refusal{}, false
}

// RefusalOn returns a link on a page that was not followed for a reason, if one is in the sample.
func (l *Ledger) RefusalOn(reason, page string) (step.Refusal, bool) {
	for _, t := range l.traces {
		for _, r := range t.sample {
			if t.reason == reason && r.Parent == page {
				return r, true
			}
		}
	}
	return step.Refusal{}, false
}

// Refused summarizes the links that were not followed, the most frequent reason first.
func (l *Ledger) Refused() []step.Refused {
	var all []step.Refused
	for _, t := range l.traces {
		all = append(all, t.summary())
	}
	order.Stably(all, func(a, b step.Refused) int { return cmp.Compare(b.Links, a.Links) })
	return all
}

// summary summarizes a trace.
func (t *trace) summary() step.Refused {
	r := step.Refused{Reason: t.reason, Links: t.n, Best: t.best.Score}
	if t.best.URL != RemovedURL {
		r.BestURL = t.best.URL
	}
	rules := make(map[string]int64, len(t.rules))
	for rule, c := range t.rules {
		rules[rule] = c.links
	}
	if len(rules) > 1 || rules[""] == 0 {
		r.Rules = tally(rules)
	}
	hosts := map[string]int64{}
	for _, link := range t.sample {
		if link.URL == RemovedURL {
			continue
		}
		hosts[weburl.Hostname(link.URL)]++
		if len(r.Examples) < shownLinks && !slices.Contains(r.Examples, link.URL) {
			r.Examples = append(r.Examples, link.URL)
		}
	}
	r.Hosts = tally(hosts)
	r.Hosts = r.Hosts[:min(len(r.Hosts), shownHosts)]
	for i := range r.Hosts {
		r.Hosts[i].Links = scaled(r.Hosts[i].Links, t.n)
	}
	return r
}

// scaled estimates how many of n links a count in the sample stands for; to two significant digits where the sample is
// not exhaustive.
func scaled(sampled, n int64) int64 {
	if n <= sampleSize {
		return sampled
	}
	estimate := float64(sampled) * float64(n) / sampleSize
	unit := math.Pow(10, max(math.Floor(math.Log10(estimate))-1, 0))
	return min(int64(math.Round(estimate/unit)*unit), n)
}

// tally lists counts, the largest first; equal ones by name.
func tally(counts map[string]int64) []step.Tally {
	list := make([]step.Tally, 0, len(counts))
	for name, n := range counts {
		list = append(list, step.Tally{Name: name, Links: n})
	}
	order.By(list, func(a, b step.Tally) int {
		return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Name, b.Name))
	})
	return list
}
