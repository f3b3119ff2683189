package linkeddata

// pairs is a map from hashes to hashes that preserves insertion order.
type pairs struct {
	list []uint64 // keys, in insertion order
	to   map[uint64]uint64
	most int // capacity; later keys are dropped
}

func newPairs(most int) pairs { return pairs{to: map[uint64]uint64{}, most: most} }

// set sets the value of a key, replacing an earlier one.
func (p *pairs) set(key, value uint64) {
	if !p.has(key) {
		if len(p.list) == p.most {
			return
		}
		p.list = append(p.list, key)
	}
	p.to[key] = value
}

// add sets the value of a key that has none.
func (p *pairs) add(key, value uint64) {
	if !p.has(key) {
		p.set(key, value)
	}
}

func (p *pairs) has(key uint64) bool {
	_, ok := p.to[key]
	return ok
}
