package eval

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"orbweaver/ledger"
)

// A LinkCount is MeasureLinks for a crawl that goes on: lines are added as they come, and counted once however often figures are
// asked for. It needs about 40 bytes per line. It is not safe for concurrent use.
type LinkCount struct{ t *linkTally }

// NewLinkCount returns a count without lines.
func NewLinkCount(o LinkOptions) *LinkCount { return &LinkCount{newLinkTally(o)} }

// Add counts the next line. It reports whether the class of its page follows from the graph: then Decide is to be given its URL.
func (c *LinkCount) Add(l *ledger.Line) bool {
	c.t.add(l)
	return c.t.isUndecided(l)
}

// Decide determines the classes of pages of HTML by the graph, as it is now; of those not given the earlier class remains.
func (c *LinkCount) Decide(pages iter.Seq2[string, error], graph Graph) error {
	clear(c.t.open) // what was refused may have come to wait
	var some []string
	for url, err := range pages {
		if err != nil {
			return err
		}
		if some = append(some, url); len(some) < pagesATurn {
			continue
		}
		if err := c.t.decide(some, graph); err != nil {
			return err
		}
		some = some[:0]
	}
	return c.t.decide(some, graph)
}

// Figures returns the figures of all lines; nil if none has a predicted class.
func (c *LinkCount) Figures() *LinkFigures {
	if !c.t.predicts {
		return nil
	}
	return c.t.figures()
}

// A HostLinks is the requests to a host, and the links that led there.
type HostLinks struct {
	Host string
	DomainLinks
	Actual [4][4]int // as in LinkFigures
	Truly  [4]int    // links of a true class, whatever was predicted
}

// Hosts returns at most limit hosts after skip others, those with most requests first, equals by name, and their number in all. A name
// selects the hosts that contain it.
func (c *LinkCount) Hosts(name string, skip, limit int) (hosts []HostLinks, total int) {
	t := c.t
	requests := make([]int, len(t.hosted))
	for i := range t.all {
		if t.all[i].truth != unmet && t.all[i].is&isAsked != 0 {
			requests[t.all[i].host]++
		}
	}
	var order []uint32
	for i := range t.hosted {
		if requests[i] > 0 && strings.Contains(t.hosted[i].name, name) {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(requests[b], requests[a]), strings.Compare(t.hosted[a].name, t.hosted[b].name))
	})
	total = len(order)
	order = order[min(max(skip, 0), total):]
	order = order[:min(max(limit, 0), len(order))]
	parts := map[uint32]*part{}
	for _, at := range order {
		parts[at] = new(part)
	}
	for i := range t.all {
		if p := parts[t.all[i].host]; p != nil && t.all[i].truth != unmet {
			p.add(t.all[i], 0)
		}
	}
	for _, at := range order {
		p := parts[at]
		p.Domain = t.names[t.hosted[at].domain]
		hosts = append(hosts, HostLinks{t.hosted[at].name, p.DomainLinks, p.actual, p.truly})
	}
	return hosts, total
}
