package linkeddata

import (
	"errors"
	"slices"

	"orbweaver"
)

// RulePatternRecord gives a link that looks like RDF the class H and the lowest score: URLs of its pattern
// were requested and failed.
const RulePatternRecord = "pattern-record"

// scoreFailed is the score of a link whose pattern failed, within the band of H.
const scoreFailed = scoreH / 2

// maxFailed is the number of consecutive failures of a pattern after which further links of it are
// distrusted. If class R is right for 57 of 100 links, the lowest precision that the paper reports (Table I),
// that many consecutive failures occur by chance once in a thousand cases.
const maxFailed = 8

// records is the counterpart of S_HR: by the patterns of similar, the links that looked like RDF and failed
// since the pattern last led to RDF. A document that names a thousand dead URLs thus costs a few requests
// instead of a thousand before the first HTML page.
type records struct {
	list  []record // in order of first occurrence
	index map[string]int
}

// A record holds the failures of a pattern: hashes of the parts in which they differ, at most maxFailed.
type record struct {
	key    string // key of the pattern's requests
	failed []uint64
}

func newRecords() records { return records{index: map[string]int{}} }

func (r *records) put(one record) {
	r.index[one.key] = len(r.list)
	r.list = append(r.list, one)
}

// fail counts a failed request and reports whether its pattern becomes distrusted.
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

// clear resets the failures of a pattern and reports whether it was distrusted.
func (r *records) clear(key string) bool {
	was := r.bad(key)
	if i, known := r.index[key]; known {
		r.list[i].failed = nil
	}
	return was
}

// bad reports whether a pattern is distrusted.
func (r *records) bad(key string) bool {
	i, known := r.index[key]
	return known && len(r.list[i].failed) == maxFailed
}

// find returns the distrusted pattern of a location, if any.
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

// record learns from a request's outcome: RDF arrived, under any of its URLs; or it was expected and not
// found, which counts against the URL in the link. It returns the keys of requests to rerank.
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
	if o.Predicted.Class != ClassR && !doubts(o.Predicted) || !errors.Is(o.Err, orbweaver.ErrAbsent) && !errors.Is(o.Err, orbweaver.ErrStatus) {
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

// missed returns the number of URLs beside a location that looked like RDF and failed since one led there, 0..maxFailed.
func (r *records) missed(at location) int {
	i, known := r.index[at.fileKey()]
	if !known {
		return 0
	}
	return len(r.list[i].failed)
}
