package ledger

// Repeats finds texts again, exactly and nearly, as a ledger finds pages: near are texts whose simhashes differ in at most three bits. The zero
// value has seen none. One goroutine uses it; it takes 43 bytes a text.
type Repeats struct {
	seen *duplicates
	n    int64
}

// Add adds a text, by a hash of it and its simhash (text.Simhash; 0: none), unless it repeats an earlier one: then it returns that one's number,
// from 1 in the order in which texts were added, and whether the two are the same or nearly so. number is 0 of a text that was added.
func (r *Repeats) Add(hash, simhash uint64) (number int64, near bool) {
	if r.seen == nil {
		r.seen = newDuplicates()
	}
	if n, ok := r.seen.same(hash); ok {
		return n, false
	}
	if n, ok := r.seen.near(simhash); ok {
		return n, true
	}
	r.n++
	r.seen.put(r.n, hash, simhash)
	return 0, false
}
