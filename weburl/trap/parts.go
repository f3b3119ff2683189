package trap

import (
	"slices"
	"strings"
)

// maxSplit is the number of segments of a path that are examined.
const maxSplit = 64

// parts are the parts of a canonical URL.
type parts struct {
	host  string // scheme and host, with the port
	path  string // from the first slash
	query string // behind the "?"

	row  [maxSplit]string
	n    int
	deep bool // it has more segments than requested
}

// split splits a URL; false if it has no host.
func split(url string, most int) (u parts, ok bool) {
	at := strings.Index(url, "://")
	if at < 0 {
		return u, false
	}
	rest := url[at+3:]
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		u.host = url
		return u, true
	}
	u.host = url[:at+3+end]
	rest, _, _ = strings.Cut(rest[end:], "#")
	u.path, u.query, _ = strings.Cut(rest, "?")
	for path := u.path; path != ""; {
		segment := strings.TrimPrefix(path, "/")
		slash := strings.IndexByte(segment, '/')
		if slash < 0 {
			slash = len(segment)
		}
		path = segment[slash:]
		if slash == 0 {
			continue
		}
		if u.n == min(most, maxSplit) {
			u.deep = true
			break
		}
		u.row[u.n] = segment[:slash]
		u.n++
	}
	return u, true
}

func (u *parts) segments() []string { return u.row[:u.n] }

// parameters counts those of the query.
func (u *parts) parameters() int {
	if u.query == "" {
		return 0
	}
	return strings.Count(u.query, "&") + 1
}

// sorted appends the URL with sorted query parameters.
func (u *parts) sorted(b []byte) []byte {
	list := strings.Split(u.query, "&")
	slices.Sort(list)
	b = append(append(append(b, 'o'), u.host...), u.path...)
	for _, p := range list {
		b = append(append(b, '&'), p...)
	}
	return b
}

const (
	longestRun   = 4 // longest run of segments that is tested for repetition
	repeatedRun  = 3 // consecutive repetitions that are too many
	repeatedWord = 4 // occurrences of a word in a path that are too many
)

// repeats reports whether a path repeats itself. Numbers and single letters, as in dates and indexes, repeat by
// chance and do not count alone.
func repeats(path []string) bool {
	if len(path) < repeatedRun {
		return false
	}
	for length := 1; length <= longestRun && length*repeatedRun <= len(path); length++ {
		same := 0 // consecutive segments equal to those length before
		for i := length; i < len(path); i++ {
			if path[i] != path[i-length] {
				same = 0
				continue
			}
			if same++; same >= length*(repeatedRun-1) && slices.ContainsFunc(path[i-length+1:i+1], isWord) {
				return true
			}
		}
	}
	for i := 0; i+repeatedWord <= len(path); i++ {
		n := 1
		for _, other := range path[i+1:] {
			if other == path[i] {
				n++
			}
		}
		if n >= repeatedWord && isWord(path[i]) {
			return true
		}
	}
	return false
}

// isWord reports whether a segment is more than a number or a letter.
func isWord(segment string) bool {
	return len(segment) > 1 && strings.Trim(segment, "0123456789.-_") != ""
}
