package eval

import (
	"cmp"
	"strings"

	"orbweaver/internal/order"
)

// nearestTopics returns at most n of the names that are most similar to asked, nearest first. Topics are
// matched by prefix, so asked is compared with each name and with each of its dotted prefixes, by edit distance
// and without regard to case; equally near names are in byte order.
func nearestTopics(asked string, names []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	seen := map[string]struct{}{}
	var found []candidate
	for _, name := range names {
		for end := range prefixEnds(name) {
			prefix := name[:end]
			if _, ok := seen[prefix]; ok || len(prefix) > maxCompared {
				continue
			}
			seen[prefix] = struct{}{}
			found = append(found, candidate{prefix, editDistance(strings.ToLower(asked), strings.ToLower(prefix))})
		}
	}
	order.By(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	nearest := make([]string, 0, n)
	for _, c := range found[:min(n, len(found))] {
		nearest = append(nearest, c.name)
	}
	return nearest
}

// maxCompared bounds the length in bytes of strings compared by edit distance.
const maxCompared = 200

// prefixEnds yields the end of each dotted prefix of a name, and the end of the name.
func prefixEnds(name string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 1; i < len(name); i++ {
			if name[i] == '.' && !yield(i) {
				return
			}
		}
		yield(len(name))
	}
}

// editDistance returns the number of runes to insert, delete or replace to turn a into b (Levenshtein). Only
// the first 200 bytes of a count.
func editDistance(a, b string) int {
	from, to := []rune(a[:min(len(a), maxCompared)]), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range to {
			above := row[j+1]
			cost := diagonal
			if r != q {
				cost++
			}
			row[j+1] = min(cost, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(to)]
}
