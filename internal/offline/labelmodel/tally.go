package labelmodel

import (
	"fmt"
	"maps"
	"slices"
)

// tally counts the documents of a stream by outcome.
type tally struct {
	Documents int64            `json:"documents"` // learned
	Empty     int64            `json:"empty"`     // without text
	Twice     int64            `json:"twice"`     // same words as an earlier document
	Wordless  int64            `json:"wordless"`  // without a usable term
	Cut       int64            `json:"cut"`       // longer than maxText; learned
	Languages map[string]int64 `json:"languages"` // of the learned documents; "": unknown
}

func (t *tally) learned(lang string) {
	t.Documents++
	if t.Languages == nil {
		t.Languages = map[string]int64{}
	}
	t.Languages[lang]++
}

// majority returns the most frequent language, and the number of documents in another known language.
func (t *tally) majority() (lang string, others int64) {
	for _, l := range slices.Sorted(maps.Keys(t.Languages)) {
		if n := t.Languages[l]; l != "" {
			others += n
			if lang == "" || n > t.Languages[lang] {
				lang = l
			}
		}
	}
	return lang, others - t.Languages[lang]
}

// String returns the counts as a list.
func (t *tally) String(failed int) string {
	s := fmt.Sprintf("%d documents", t.Documents)
	lang, others := t.majority()
	for _, part := range []struct {
		n    int64
		what string
	}{
		{others, fmt.Sprintf("of them in another language than most (%s)", lang)}, {t.Cut, "of them too long and cut"},
		{t.Empty, "without text"}, {t.Twice, "repeated"}, {t.Wordless, "without a usable term"}, {int64(failed), "not readable"},
	} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return s
}

// maxSeen bounds the documents compared to find repetitions; the latest ones are kept.
const maxSeen = 1 << 20

// recent holds the checksums of the latest documents, some 60 bytes each.
type recent struct {
	all  map[[16]byte]struct{}
	ring [][16]byte
	next int
}

// add adds a checksum. It returns false if the checksum is among the latest.
func (r *recent) add(sum [16]byte) bool {
	if _, known := r.all[sum]; known {
		return false
	}
	if r.all == nil {
		r.all = map[[16]byte]struct{}{}
	}
	if len(r.ring) < maxSeen {
		r.ring = append(r.ring, sum)
	} else {
		delete(r.all, r.ring[r.next])
		r.ring[r.next] = sum
		r.next = (r.next + 1) % maxSeen
	}
	r.all[sum] = struct{}{}
	return true
}
