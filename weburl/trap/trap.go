// Package trap recognizes by its form a URL in a crawler trap: a part of a site with infinitely many URLs, where each
// page is generated from its URL and links to more.
//
// Some URLs are refused for themselves: a path that repeats itself, a query of dozens of parameters. Others are
// suspects: a day of a calendar is worth a look, and so are ten, but not ten thousand. Of suspects, as many are
// admitted as a budget allows, by shape and by host. Whether a site's numbered items come to an end is not asked:
// there are those that have millions.
//
// What is admitted depends on the URLs that were admitted before, in any order, and on nothing else: notified of them
// again (Note), a guard decides as if there had been no interruption. It knows URLs in the canonical form of package
// weburl and takes about a hundred nanoseconds for one that is no suspect.
package trap

import "github.com/cespare/xxhash/v2"

// The rules.
const (
	LongURL        = "long-url"            // of more than MaxLength bytes
	DeepPath       = "deep-path"           // of more than MaxSegments segments
	ManyParameters = "many-parameters"     // more than MaxParameters of them
	PathRepetition = "path-repetition"     // a segment, or a run of them, that comes again and again
	SessionID      = "session-id"          // another URL agrees with it but for the session id
	Permutation    = "permuted-parameters" // another URL has the same parameters in another order
	Calendar       = "calendar"            // dates of one shape, beyond the budget, or of no time
	Endless        = "endless-parameters"  // queries to one path, beyond the budget
	HostBudget     = "host-budget"         // suspects of one host, beyond the budget
)

// Options are budgets and limits; zero stands for the default.
type Options struct {
	MaxLength     int // bytes; 2000
	MaxSegments   int // of a path; 30
	MaxParameters int // of a query; 20

	Dates   int32 // URLs with a date, of one shape and host; 366
	Queries int32 // different queries of three parameters and more to one path; 1000
	Values  int32 // different queries of one or two; 20 000
	Host    int32 // suspects of a host, those of Values aside; 5000
}

// maxKnown bounds what a guard remembers, in entries of some twenty bytes. Beyond, a suspect of a new
// shape is refused.
const maxKnown = 2 << 20

// A Guard decides on URLs in the order in which they are met. It is not safe for concurrent use.
type Guard struct {
	opts  Options
	known map[uint64]int32 // by what was counted, hashed: how many were admitted
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

// A count is one of the things that a suspect counts for.
type count struct {
	key    uint64
	budget int32
	rule   string
}

// Admit decides on a URL that was not admitted before. rule says why it is refused; what was refused once is
// refused again.
func (g *Guard) Admit(url string) (ok bool, rule string) {
	u, ok := split(url, g.opts.MaxSegments)
	if !ok {
		return true, "" // of no kind that is known here
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

// Note counts a URL that was admitted before, by another guard; the order does not matter.
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

// itself is the rule by which a URL is refused for itself.
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

// counts are what a suspect counts for; none for what is no suspect. A date of no time is refused.
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
