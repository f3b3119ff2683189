package compare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/order"
	"orbweaver/internal/survey"
)

// lot is one task of a comparison, which each focus crawls once: a truth and seeds. A comparison without
// items has one lot.
type lot struct {
	item      string // URL of the item; empty in a comparison without items
	seeds     []string
	truth     eval.Truth
	reachable int // relevant pages reachable from the seeds
}

// drawing describes how items were drawn.
type drawing struct {
	candidates int // pages eligible as items
	barren     int // items replaced because no relevant page was reachable
	reached    int // documents reachable from the seeds of any item
}

// draw sets the lots: the one of the file, or those of the drawn items.
func (c *comparison) draw(ctx context.Context) error {
	s := c.survey
	if s.Likeness == nil {
		c.lots = []lot{{seeds: c.file.Seeds.URLs, truth: s.Truth, reachable: s.Reachable}}
		return nil
	}
	each := c.file.Each
	candidates := candidates(s, c.file.Seeds.URLs)
	c.drawn.candidates = len(candidates)
	var seeds []string
	for _, url := range Shuffled(candidates, each.Seed) {
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if len(c.lots) == each.Items {
			break
		}
		l := lotOf(s, url, c.file.Seeds.URLs, c.file.Truth)
		if l.reachable == 0 {
			c.drawn.barren++
			continue
		}
		c.lots, seeds = append(c.lots, l), append(seeds, l.seeds...)
	}
	if len(c.lots) < each.Items {
		return fmt.Errorf("each: %d items are wanted, but of %d pages that could be one (HTML, at least %d words, within reach) "+
			"only %d have another page %s that can be reached (%w)",
			each.Items, len(candidates), survey.ItemWords, len(c.lots), relevantBy(c.file.Truth), orbweaver.ErrInput)
	}
	c.drawn.reached = s.Graph.Reachable(s.Starts(seeds)).Len()
	return nil
}

// relevantBy describes what makes a page relevant to an item.
func relevantBy(t *crawlfile.Truth) string {
	if t.Of != "" {
		return "of the same topic"
	}
	return fmt.Sprintf("above the cosine of %g", *t.Cosine)
}

// candidates returns the pages eligible as items: those with enough text that are reachable from the
// seeds, or all with enough text if every item has its own seeds.
func candidates(s *survey.Survey, seeds []string) []string {
	items := slices.Clone(s.Items)
	if s.Topics != nil {
		items = slices.DeleteFunc(items, func(url string) bool { return !s.Topics.Has(url) })
	}
	if len(seeds) == 0 {
		return items
	}
	reachable := s.Graph.Reachable(s.Starts(seeds))
	return slices.DeleteFunc(items, func(url string) bool { return !reachable.Has(url) })
}

// lotOf builds the truth of an item. Without seeds, the item's links are the seeds.
func lotOf(s *survey.Survey, item string, seeds []string, truth *crawlfile.Truth) lot {
	l := lot{item: item, seeds: seeds}
	if s.Topics != nil {
		l.truth = s.Topics.Of(item)
	} else {
		l.truth = s.Likeness.Above(item, *truth.Cosine)
	}
	if len(seeds) == 0 {
		l.seeds = s.Graph.Links(item)
	}
	l.reachable = s.Graph.Reachable(s.Starts(l.seeds)).Relevant(l.truth)
	return l
}

// Shuffled returns URLs in an order determined by the SHA-256 of seed and URL. The draw therefore does not
// depend on the order of the archive, and adding a page does not change the order of the others.
func Shuffled(urls []string, seed int64) []string {
	type ticket struct {
		hash [sha256.Size]byte
		url  string
	}
	tickets := make([]ticket, len(urls))
	for i, url := range urls {
		key := binary.LittleEndian.AppendUint64(nil, uint64(seed))
		tickets[i] = ticket{sha256.Sum256(append(key, url...)), url}
	}
	order.By(tickets, func(a, b ticket) int {
		return cmp.Or(slices.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.url, b.url))
	})
	order := make([]string, len(tickets))
	for i, t := range tickets {
		order[i] = t.url
	}
	return order
}
