package quads

import (
	"fmt"
	"slices"
)

// Narrow leaves so few bits of the names of terms that they collide.
func (s *Store) Narrow(mask uint64) { s.mask = mask }

// Narrow leaves so few bits of the names of terms that they collide.
func (m *Memory) Narrow(mask uint64) { m.naming.mask = mask }

// Made returns how many columns there are of the store as it is now.
func (s *Store) Made() (n int) {
	if e := s.columns.current; e != nil {
		for _, d := range e.demands {
			if d.column != nil {
				n++
			}
		}
	}
	return n
}

// Used returns how many bytes the columns take.
func (s *Store) Used() (n int64) {
	for _, d := range s.columns.current.demands {
		if d.column != nil {
			n += d.column.bytes()
		}
	}
	return n
}

// CheckColumn makes a column of pairs, and that turned, and looks each up.
func CheckColumn(pairs [][2]ID) error {
	slices.SortFunc(pairs, comparePairs)
	pairs = slices.Compact(pairs)
	c := &Column{}
	for _, p := range pairs {
		c.add(p[0], p[1])
	}
	c.finish()
	again := c.turned().turned()
	for name, c := range map[string]*Column{"made": c, "turned twice": again} {
		var got [][2]ID
		for i := range c.Len() {
			k, values := c.At(i)
			if at, ok := c.find(k); !ok || at != i {
				return fmt.Errorf("%s: key %d is at %d, %v", name, i, at, ok)
			}
			for j := range c.Len() {
				if at, ok := c.near(j, k); !ok || at != i {
					return fmt.Errorf("%s: key %d from %d is at %d, %v", name, i, j, at, ok)
				}
			}
			if at, ok := c.find(k + 1); ok && c.keys[at] != k+1 {
				return fmt.Errorf("%s: %d is found at %d", name, k+1, at)
			}
			for _, v := range values {
				got = append(got, [2]ID{k, v})
			}
		}
		if !slices.Equal(got, pairs) {
			return fmt.Errorf("%s: %v is not %v", name, got, pairs)
		}
	}
	return nil
}
