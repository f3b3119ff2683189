package judge

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/weburl"
)

const (
	MaxNear      = 3   // maximum number of suggested URLs
	nearKept     = 256 // candidates for the edit distance
	maxCompared  = 512 // compared bytes of a URL
	likelyEnough = 2   // at most 1/likelyEnough of a URL on another host may differ
)

// Nearest finds the URLs most similar to a given one. One pass over all URLs keeps nearKept candidates by stretch; Best
// ranks these by edit distance. The time is linear in the number of offered URLs.
type Nearest struct {
	url  string
	host string
	list []candidate // by stretch, at most nearKept
}

// A candidate is a URL with its distance to the given one.
type candidate struct {
	url      string
	distance int
}

// NewNearest returns an empty collection of the URLs nearest to url.
func NewNearest(url string) *Nearest {
	return &Nearest{url: strings.Clone(url[:min(len(url), maxCompared)]), host: weburl.Hostname(url)}
}

// Offer considers a URL.
func (n *Nearest) Offer(url string) {
	c := candidate{url, stretch(n.url, url[:min(len(url), maxCompared)])}
	if len(n.list) == nearKept && c.distance >= n.list[nearKept-1].distance {
		return
	}
	at, _ := slices.BinarySearchFunc(n.list, c.distance+1, func(c candidate, d int) int { return cmp.Compare(c.distance, d) })
	if len(n.list) == nearKept {
		n.list = n.list[:nearKept-1]
	}
	n.list = slices.Insert(n.list, at, c)
}

// Best returns up to most URLs, nearest first, of equals the one offered first. A URL on another host must match by at
// least half, because otherwise it is hardly a misspelling.
func (n *Nearest) Best(most int) []string {
	near := slices.Clone(n.list)
	for i := range near {
		near[i].distance = edits(n.url, near[i].url[:min(len(near[i].url), maxCompared)])
	}
	order.Stably(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var urls []string
	for _, c := range near {
		if len(urls) < most && (weburl.Hostname(c.url) == n.host || c.distance*likelyEnough <= len(n.url)-len("http://")) {
			urls = append(urls, c.url)
		}
	}
	return urls
}

// stretch returns the length of the longer text without the common prefix and the common suffix, in bytes.
func stretch(a, b string) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	start := 0
	for start < len(a) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return len(b) - start - end
}

// edits returns the Levenshtein distance of two texts, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
