package linkeddata

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"orbweaver"
)

// RuleYield lowers the score of a link of class HR by how few of the latest pages of class HR on its host led to RDF that was not found before: a
// page that links to what is known, or that has only data of its own, leads to nothing new.
const RuleYield = "yield"

// latestPages bounds the pages of a host that count: at this number, the earlier ones count half.
const latestPages = 16

// yields counts, by host, the pages of class HR and those that led to RDF not found before.
type yields struct {
	list  []yield // in order of first occurrence
	index map[string]int
}

type yield struct {
	host       string
	led, pages int64  // led <= pages <= latestPages
	last       uint64 // hash of the last page that led to RDF
	reported   float64
}

func newYields() yields { return yields{index: map[string]int{}} }

// share returns (led+1)/(pages+1), above 0 and up to 1.
func (y yield) share() float64 { return float64(y.led+1) / float64(y.pages+1) }

// at returns the counts of a host, new ones if it has none; nil: there is no room.
func (y *yields) at(host string) *yield {
	i, known := y.index[host]
	if !known {
		if len(y.list) == maxDomains || len(host) > maxPattern {
			return nil
		}
		i = len(y.list)
		y.put(yield{host: host, reported: 1})
	}
	return &y.list[i]
}

func (y *yields) put(one yield) {
	y.index[one.host] = len(y.list)
	y.list = append(y.list, one)
}

// moved returns the key of a host's requests if its share has changed much.
func (y *yield) moved() (stale []string) {
	if y.pages == latestPages {
		y.led, y.pages = y.led/2, y.pages/2
	}
	if now := y.share(); math.Abs(now-y.reported) >= leastYield {
		y.reported = now
		return []string{hostKey + y.host}
	}
	return nil
}

// leastYield is the change of a share that causes a reranking.
const leastYield = 1.0 / 8

// page counts a page of class HR.
func (y *yields) page(url string) (stale []string) {
	one := y.at(hostOf(locate(url)))
	if one == nil {
		return nil
	}
	one.pages++
	return one.moved()
}

// arrived counts RDF that a page led to, once for documents in a row.
func (y *yields) arrived(url string) (stale []string) {
	one := y.at(hostOf(locate(url)))
	if one == nil || one.last == hash(url) {
		return nil
	}
	one.last = hash(url)
	one.led++
	one.pages = max(one.pages, one.led)
	return one.moved()
}

// byYield lowers the judgement of a link of class HR, down to the score of H.
func (f *Focus) byYield(j orbweaver.Judgement, at location) orbweaver.Judgement {
	i, known := f.yields.index[hostOf(at)]
	if !known || j.Class != ClassHR || j.Score <= scoreH {
		return j
	}
	one := f.yields.list[i]
	by := -(1 - one.reported) * min(scoreHR-scoreH, j.Score-scoreH)
	if by == 0 {
		return j
	}
	j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{
		Rule: RuleYield, Evidence: fmt.Sprintf("%s: %.0f %% of pages", one.host, 100*one.reported), Weight: by,
	})
	j.Score += by
	return j
}

func (y *yields) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(y.list)))
	for _, one := range y.list {
		b = binary.AppendUvarint(binary.AppendUvarint(appendString(b, one.host), uint64(one.led)), uint64(one.pages))
		b = binary.LittleEndian.AppendUint64(b, one.last)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(one.reported))
	}
	return b
}

func (r *stateReader) yields() yields {
	y := newYields()
	for n := r.length(maxDomains); n > 0 && !r.bad; n-- {
		one := yield{host: r.text(), led: r.number(), pages: r.number(), last: r.word(), reported: math.Float64frombits(r.word())}
		_, again := y.index[one.host]
		r.expect(!again && one.led <= one.pages && one.pages < latestPages && one.reported > 0 && one.reported <= 1)
		y.put(one)
	}
	return y
}
