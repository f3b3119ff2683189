package judge

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/weburl"
)

const (
	MaxNear      = 3   // URLs suggested
	nearKept     = 256 // URLs that are looked at closely
	maxCompared  = 512 // bytes of a URL that are compared
	likelyEnough = 2   // one part in so many of a URL of another host may differ
)

// Nearest collects the URLs that look most like one: in one pass those that differ from it within the
// shortest stretch, and of these, at the end, those of the shortest edit distance. The time is linear
// in what is offered.
type Nearest struct {
	url  string
	host string
	list []candidate // by stretch, at most nearKept
}

// A candidate is a URL and how far it is from the one that was wanted.
type candidate struct {
	url      string
	distance int
}

// NewNearest returns what keeps the URLs that are nearest to one.
func NewNearest(url string) *Nearest {
	return &Nearest{url: strings.Clone(url[:min(len(url), maxCompared)]), host: weburl.Hostname(url)}
}

// Offer takes a URL.
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

// Best returns up to most URLs, nearest first, of equals the one offered first. One of another host
// must be like it by half at least: else it is nothing that somebody meant.
func (n *Nearest) Best(most int) []string {
	near := slices.Clone(n.list)
	for i := range near {
		near[i].distance = edits(n.url, near[i].url[:min(len(near[i].url), maxCompared)])
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var urls []string
	for _, c := range near {
		if len(urls) < most && (weburl.Hostname(c.url) == n.host || c.distance*likelyEnough <= len(n.url)-len("http://")) {
			urls = append(urls, c.url)
		}
	}
	return urls
}

// stretch is how many bytes lie between what two texts begin and end with alike.
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

// edits is the edit distance of two texts (Levenshtein), in bytes.
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
