package quads

// Narrow leaves so few bits of the names of terms that they collide.
func (s *Store) Narrow(mask uint64) { s.mask = mask }

// Narrow leaves so few bits of the names of terms that they collide.
func (m *Memory) Narrow(mask uint64) { m.naming.mask = mask }
