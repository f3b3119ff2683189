package search

// Narrow makes segments of so few documents that tests see many.
func (s *Store) Narrow(waiting, segment, listBytes int) {
	s.limits.waitingDocs, s.limits.segmentDocs, s.limits.listBytes = waiting, segment, listBytes
}
