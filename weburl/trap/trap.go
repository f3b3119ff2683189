// Package trap recognizes URLs of crawler traps by their form. A trap is a part of a site with infinitely many
// URLs, where each page is generated from its URL and links to more.
//
// Some URLs are refused on their own: a path that repeats itself, a query of dozens of parameters. Others are
// suspects: ten days of a calendar are worth fetching, ten thousand are not. A budget by shape and by host
// bounds the admitted suspects. Numbered items are not suspects: some sites have millions.
//
// A decision depends only on the set of URLs admitted before, not on their order: after Note of the same URLs,
// a new guard decides as the old one. URLs must be in the canonical form of package weburl. A URL that is no
// suspect takes about a hundred nanoseconds.
package trap

import "github.com/cespare/xxhash/v2"

// The rules.
const (
	LongURL        = "long-url"            // of more than MaxLength bytes
	DeepPath       = "deep-path"           // of more than MaxSegments segments
	ManyParameters = "many-parameters"     // more than MaxParameters of them
	PathRepetition = "path-repetition"     // a repeated segment, or a repeated run of segments
	SessionID      = "session-id"          // another URL differs only in the session id
	Permutation    = "permuted-parameters" // another URL has the same parameters in another order
	Calendar       = "calendar"            // dates of one shape, beyond the budget, or implausible
	Endless        = "endless-parameters"  // queries to one path, beyond the budget
	HostBudget     = "host-budget"         // suspects of one host, beyond the budget
)

// Options are budgets and limits; zero means the default.
type Options struct {
	MaxLength     int // bytes; 2000
	MaxSegments   int // of a path; 30
	MaxParameters int // of a query; 20

	Dates   int32 // URLs with a date, of one shape and host; 366
	Queries int32 // different queries of three or more parameters to one path; 1000
	Values  int32 // different queries of one or two; 20 000
	Host    int32 // suspects per host, except those of Values; 5000
}

// maxKnown bounds the state of a guard, in entries of about twenty bytes. Beyond it, suspects of new shapes are
// refused.
const maxKnown = 2 << 20

// A Guard decides on URLs in the order in which they are found. It is not safe for concurrent use.
type Guard struct {
	opts  Options
	known map[uint64]int32 // hash of a counted property → admitted URLs
}

// New returns a guard.
func New(opts Options) *Guard {
	for _, o := range [...]struct {
		have *int
		not  int
	}{{&opts.MaxLength, 2000}, {&opts.MaxSegments, 30}, {&opts.MaxParameters, 20}} {
		if *o.have == 0 {
			*o.have = o.not
		}
	}
	for _, o := range [...]struct {
		have *int32
		not  int32
	}{{&opts.Dates, 366}, {&opts.Queries, 1000}, {&opts.Values, 20_000}, {&opts.Host, 5000}} {
		if *o.have == 0 {
			*o.have = o.not
		}
	}
	return &Guard{opts: opts, known: map[uint64]int32{}}
}

// A count is one budget that a suspect counts against.
type count struct {
	key    uint64
	budget int32
	rule   string
}

// Admit decides on a URL that was not admitted before. rule is the reason for a refusal; a refused URL stays
// refused.
func (g *Guard) Admit(url string) (ok bool, rule string) {
	u, ok := split(url, g.opts.MaxSegments)
	if !ok {
		return true, "" // no suspect
	}
	if rule = g.itself(url, &u); rule != "" {
		return false, rule
	}
	var room [5]count
	counts, rule := g.counts(&u, room[:0])
	if rule != "" {
		return false, rule
	}
	for _, c := range counts {
		n, known := g.known[c.key]
		switch {
		case n >= c.budget:
			return false, c.rule
		case !known && len(g.known) >= maxKnown:
			return false, HostBudget
		}
	}
	g.add(counts)
	return true, ""
}

// Note counts a URL that another guard admitted before; the order does not matter.
func (g *Guard) Note(url string) {
	u, ok := split(url, g.opts.MaxSegments)
	if !ok || u.deep {
		return
	}
	var room [5]count
	counts, _ := g.counts(&u, room[:0])
	g.add(counts)
}

func (g *Guard) add(counts []count) {
	for _, c := range counts {
		if n, known := g.known[c.key]; known || len(g.known) < maxKnown {
			g.known[c.key] = n + 1
		}
	}
}

// itself is the rule that refuses a URL on its own.
func (g *Guard) itself(url string, u *parts) string {
	switch {
	case len(url) > g.opts.MaxLength:
		return LongURL
	case u.deep:
		return DeepPath
	case u.parameters() > g.opts.MaxParameters:
		return ManyParameters
	case repeats(u.segments()):
		return PathRepetition
	}
	return ""
}

// counts are the budgets of a suspect; none for other URLs. An implausible date is refused.
func (g *Guard) counts(u *parts, counts []count) ([]count, string) {
	var room [512]byte
	b := room[:0]
	suspect := false
	if key, ok := u.withoutSession(b); ok {
		counts = append(counts, count{xxhash.Sum64(key), 1, SessionID})
		suspect = true
	}
	if key, dated, possible := u.withoutDate(b); dated {
		if !possible {
			return nil, Calendar
		}
		counts = append(counts, count{xxhash.Sum64(key), g.opts.Dates, Calendar})
		suspect = true
	}
	if n := u.parameters(); n > 0 {
		budget := g.opts.Values
		if n > 2 {
			budget, suspect = g.opts.Queries, true
		}
		if n > 1 {
			counts = append(counts, count{xxhash.Sum64(u.sorted(b)), 1, Permutation})
		}
		b = append(append(append(b, 'q', byte(min(n, 3))), u.host...), u.path...)
		counts = append(counts, count{xxhash.Sum64(b), budget, Endless})
	}
	if suspect {
		b = append(append(room[:0], 'h'), u.host...)
		counts = append(counts, count{xxhash.Sum64(b), g.opts.Host, HostBudget})
	}
	return counts, ""
}
