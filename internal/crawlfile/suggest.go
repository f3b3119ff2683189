package crawlfile

import "strings"

// nearest returns the word that the user most likely meant, or "" if none is near. It allows one edit per three letters
// and ignores hyphens and case.
func nearest(written string, words []string) string {
	const longest = 40
	if len(written) > longest {
		return ""
	}
	plain := strings.ReplaceAll(strings.ToLower(written), "-", "_")
	best, fewest := "", max(1, len(plain)/3)+1
	for _, word := range words {
		if slips := distance(plain, word); slips < fewest {
			best, fewest = word, slips
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b: the number of letters to insert, delete, replace or
// swap with their neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
