package linkeddata

import (
	"errors"
	"slices"

	"orbweaver"
)

// RulePatternRecord gives a link that looks like RDF the class H, and a score behind all others: what
// has its pattern was asked for, and was not there.
const RulePatternRecord = "pattern-record"

// scoreFailed is the score of a link whose pattern failed, within the band of H.
const scoreFailed = scoreH / 2

// maxFailed is how many of a pattern fail, RDF never coming between, before the others are not believed.
// Where the class R is right in 57 of 100 links, the least that the paper reports (Table I), that many in
// a row happen once in a thousand times.
const maxFailed = 8

// records are the other side of S_HR: by the patterns of similar, what looked like RDF and failed since
// RDF came last. So one document that names a thousand dead addresses costs a few requests, and not a
// thousand before the first page of HTML.
type records struct {
	list  []record // in the order learned
	index map[string]int
}

// A record is that of a pattern: what those that failed differ in, as hashes, at most maxFailed.
type record struct {
	key    string // of the requests of the pattern
	failed []uint64
}

func newRecords() records { return records{index: map[string]int{}} }

func (r *records) put(one record) {
	r.index[one.key] = len(r.list)
	r.list = append(r.list, one)
}

// fail counts a request of a pattern, and reports whether the pattern is not believed from now on.
func (r *records) fail(key, value string) bool {
	i, known := r.index[key]
	if !known {
		if len(r.list) == maxPatterns || len(key) > maxPattern {
			return false
		}
		i = len(r.list)
		r.put(record{key: key})
	}
	one := &r.list[i]
	if h := hash(value); len(one.failed) < maxFailed && !slices.Contains(one.failed, h) {
		one.failed = append(one.failed, h)
		return len(one.failed) == maxFailed
	}
	return false
}

// clear forgets what failed, and reports whether the pattern was not believed.
func (r *records) clear(key string) bool {
	was := r.bad(key)
	if i, known := r.index[key]; known {
		r.list[i].failed = nil
	}
	return was
}

// bad reports whether a pattern is not believed.
func (r *records) bad(key string) bool {
	i, known := r.index[key]
	return known && len(r.list[i].failed) == maxFailed
}

// find returns the pattern of a location that is not believed.
func (r *records) find(at location) (pattern string, ok bool) {
	if len(r.list) == 0 {
		return "", false
	}
	for _, key := range at.keys() {
		if r.bad(key) {
			return key[len(patternKey):], true
		}
	}
	return "", false
}

// record learns from a request's outcome: RDF arrived, under any of its addresses; or nothing was found where RDF was
// expected, which counts against the address in the link. It returns the keys of requests to rank again.
func (f *Focus) record(o orbweaver.Outcome, class string) (stale []string) {
	r := o.Request
	all := append(r.Redirects[:len(r.Redirects):len(r.Redirects)], r.URL)
	if class == ClassR {
		for _, url := range all {
			for _, key := range locate(url).keys() {
				if f.records.clear(key) {
					stale = append(stale, key)
				}
			}
		}
		return stale
	}
	if o.Predicted.Class != ClassR || !errors.Is(o.Err, orbweaver.ErrAbsent) && !errors.Is(o.Err, orbweaver.ErrStatus) {
		return nil
	}
	at := locate(all[0])
	if f.records.fail(at.fileKey(), at.file) {
		stale = append(stale, at.fileKey())
	}
	if at.above != "" && f.records.fail(at.folderKey(), at.last) {
		stale = append(stale, at.folderKey())
	}
	return stale
}
