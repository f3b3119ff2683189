package spell

import "unicode/utf8"

// prefix is the number of leading letters whose deletes are indexed; later letters count in the distance only.
const prefix = 7

// deletes is the index of frequent words: it maps the hash of a word's prefix with up to two letters deleted to the
// words' indexes. Deletes may collide; the distance decides.
type deletes struct {
	heads map[uint64]int32 // by hash: the last link, from 1
	links []link
}

type link struct{ word, next int32 }

func newDeletes() deletes { return deletes{heads: map[uint64]int32{}} }

// add indexes a word.
func (d *deletes) add(word string, at int32) {
	var l letters
	if !l.read(word) {
		return
	}
	var h remains
	for _, hash := range h.of(l.prefix()) {
		d.links = append(d.links, link{at, d.heads[hash]})
		d.heads[hash] = int32(len(d.links))
	}
}

// letters are the letters of a word and their number.
type letters struct {
	r [maxLetters]rune
	n int
}

// read decodes a word; false: too long, or not UTF-8.
func (l *letters) read(word string) bool {
	l.n = 0
	for _, r := range word {
		if l.n == maxLetters || r == utf8.RuneError {
			return false
		}
		l.r[l.n] = r
		l.n++
	}
	return l.n > 0
}

func (l *letters) word() []rune   { return l.r[:l.n] }
func (l *letters) prefix() []rune { return l.r[:min(l.n, prefix)] }

// remains are the distinct hashes of a prefix with zero, one or two letters deleted: at most 1 + 7 + 21.
type remains struct {
	hashes [1 + prefix + prefix*(prefix-1)/2]uint64
	n      int
}

// of returns the hashes for the letters.
func (h *remains) of(p []rune) []uint64 {
	h.n = 0
	h.put(p, -1, -1)
	for i := range p {
		h.put(p, i, -1)
		for j := i + 1; j < len(p); j++ {
			h.put(p, i, j)
		}
	}
	return h.hashes[:h.n]
}

// put adds the hash (FNV-1a, a letter a step) of the letters without those at i and j.
func (h *remains) put(p []rune, i, j int) {
	hash := uint64(14695981039346656037)
	for k, r := range p {
		if k != i && k != j {
			hash = (hash ^ uint64(r)) * 1099511628211
		}
	}
	for _, other := range h.hashes[:h.n] {
		if other == hash {
			return
		}
	}
	h.hashes[h.n] = hash
	h.n++
}

// distance returns the edit distance of a and b, capped at 3.
func distance(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if len(a)-len(b) > maxDistance || len(b)-len(a) > maxDistance {
		return maxDistance + 1
	}
	var rows [3][maxLetters + 1]int // of the table's last three rows
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		above, row := &rows[(i+2)%3], &rows[i%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			n := min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, rows[(i+1)%3][j-2]+1)
			}
			row[j] = n
			least = min(least, n)
		}
		if least > maxDistance {
			return maxDistance + 1
		}
	}
	return min(rows[len(a)%3][len(b)], maxDistance+1)
}
