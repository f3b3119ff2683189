package replay

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/weburl"
)

// A list holds all URLs of an archive, in byte order. It is immutable.
type list struct {
	blob  []byte
	ends  []int64 // of each URL in the blob
	hosts []host  // by name
}

// A host is the part of a list on one host.
type host struct {
	Name  string // with scheme and port
	Count int
	Home  string // the first URL of the host
}

// newList returns a list of URLs, which must be sorted and distinct.
func newList(urls iter.Seq[string]) (*list, error) {
	l := &list{}
	known := map[string]int{}
	last := ""
	for url := range urls {
		if l.len() > 0 && url <= last {
			return nil, fmt.Errorf("replay: %.200q comes after %.200q: URLs are out of order", url, last)
		}
		last = url
		l.blob = append(l.blob, url...)
		l.ends = append(l.ends, int64(len(l.blob)))
		name := weburl.Host(url)
		i, ok := known[name]
		if !ok {
			i = len(l.hosts)
			known[strings.Clone(name)] = i
			l.hosts = append(l.hosts, host{Name: strings.Clone(name), Home: strings.Clone(url)})
		}
		l.hosts[i].Count++
	}
	l.blob = slices.Clip(l.blob)
	order.By(l.hosts, func(a, b host) int { return cmp.Compare(a.Name, b.Name) })
	return l, nil
}

func (l *list) len() int { return len(l.ends) }

// bytesAt is the i-th URL.
func (l *list) bytesAt(i int) []byte {
	start := int64(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.blob[start:l.ends[i]]
}

// Bounds on a search.
const (
	maxWords    = 8
	maxSearched = 1000 // rows, of hosts as of URLs
)

// search returns the first URLs that contain all words, ignoring case, and the number of all such URLs. When
// ctx ends it returns what it has.
func (l *list) search(ctx context.Context, query string) (found []string, total int) {
	words := strings.Fields(strings.ToLower(query))
	words = words[:min(len(words), maxWords)]
	var lower []byte
	for i := range l.ends {
		if i%4096 == 0 && ctx.Err() != nil {
			break
		}
		url := l.bytesAt(i)
		lower = appendLower(lower[:0], url)
		if slices.ContainsFunc(words, func(word string) bool { return !bytes.Contains(lower, []byte(word)) }) {
			continue
		}
		if total++; total <= maxSearched {
			found = append(found, string(url))
		}
	}
	return found, total
}

func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// nearest returns up to n URLs that share the longest prefix with a URL, without its scheme; the longest
// first.
func (l *list) nearest(url string, n int) []string {
	type neighbour struct {
		url   string
		alike int
	}
	_, rest, _ := strings.Cut(url, "://")
	var near []neighbour
	for _, scheme := range []string{"http://", "https://"} {
		at := sort.Search(l.len(), func(i int) bool { return string(l.bytesAt(i)) >= scheme+rest })
		for i := max(at-n, 0); i < min(at+n, l.len()); i++ {
			candidate := string(l.bytesAt(i))
			_, path, _ := strings.Cut(candidate, "://")
			known := slices.ContainsFunc(near, func(k neighbour) bool { return k.url == candidate })
			if alike := commonPrefix(path, rest); alike > 0 && !known {
				near = append(near, neighbour{candidate, alike})
			}
		}
	}
	order.Stably(near, func(a, b neighbour) int { return cmp.Compare(b.alike, a.alike) })
	var urls []string
	for _, k := range near[:min(len(near), n)] {
		urls = append(urls, k.url)
	}
	return urls
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
