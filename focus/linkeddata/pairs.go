package linkeddata

// pairs are a map of hashes to hashes that keeps the order in which they came.
type pairs struct {
	list []uint64 // keys, in the order met
	to   map[uint64]uint64
	most int // what is met beyond is not remembered
}

func newPairs(most int) pairs { return pairs{to: map[uint64]uint64{}, most: most} }

// set gives a key a value, in place of another if there is one.
func (p *pairs) set(key, value uint64) {
	if !p.has(key) {
		if len(p.list) == p.most {
			return
		}
		p.list = append(p.list, key)
	}
	p.to[key] = value
}

// add gives a key a value unless it has one.
func (p *pairs) add(key, value uint64) {
	if !p.has(key) {
		p.set(key, value)
	}
}

func (p *pairs) has(key uint64) bool {
	_, ok := p.to[key]
	return ok
}
