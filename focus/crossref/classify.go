package crossref

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/order"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// take learns from an item and returns it; what judging it found is used again. Labels change only where they are learned.
func (f *Focus) take(d item.Draft, url string, at time.Time) (item.Item, error) {
	if f.opts.NoLabels {
		return f.model.Terms.TakeWeighed(d, f.judged.weighed), nil
	}
	it, changes := f.model.LearnWeighed(url, at, d, f.judged.weighed)
	if f.opts.Changed != nil && len(changes) > 0 {
		return it, f.opts.Changed(changes)
	}
	return it, nil
}

// A classified item has its labels at one moment.
type classified struct {
	held     []labels.Held
	vector   vector // by numbers of keys
	inferred int    // number of its labels that are not among its terms
}

// classify returns the labels of an item by the current model.
func (f *Focus) classify(main []item.Term) (c classified) {
	if f.opts.NoLabels || len(main) == 0 {
		return c
	}
	c.held = f.model.Labels.Classify(f.model.Item("", time.Time{}, main))
	for _, h := range c.held {
		if h.By != labels.ByTerm {
			c.inferred++
		}
		c.vector = append(c.vector, dim{number(h.Label), float32(h.Strength)})
	}
	c.vector = c.vector.sorted()
	return c
}

// number returns the dimension of a label in vectors: a hash of its key.
func number(key string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return h.Sum32()
}

// inCommon names the n labels that contribute most to an item's cosine with a layer.
func (c *classified) inCommon(m *stream.Model, l *layer, n int) string {
	shared := slices.DeleteFunc(slices.Clone(c.held), func(h labels.Held) bool { return l.labels[number(h.Label)] == 0 })
	order.Stably(shared, func(a, b labels.Held) int {
		return cmp.Compare(b.Strength*l.labels[number(b.Label)], a.Strength*l.labels[number(a.Label)])
	})
	names := make([]string, 0, n)
	for _, h := range shared[:min(n, len(shared))] {
		names = append(names, m.Show(h.Label))
	}
	return strings.Join(names, ", ")
}
