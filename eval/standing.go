package eval

import (
	"encoding/binary"
	"hash/fnv"
	"net/http"

	"orbweaver/ledger"
)

// A standing is the counted state of a page, from its last line: a refresh writes later lines for known pages.
type standing struct {
	host     uint32 // index in the tally
	depth    uint8
	band     uint8
	form     uint8 // hash of the line's Accept: lines of other forms do not replace it
	accepted bool
	scripted bool
	made     made   // by its scripts
	parts    uint8  // of a blend; 0: there is none
	set      uint16 // of these, bits of those that accept it
	gone     bool   // it was a page and no longer is
}

// standings map URLs to standings, at 30 to 60 bytes each, regardless of URL length: as in a urlSet, 64 bits of
// a hash represent a URL.
type standings struct {
	places map[uint64]uint32
	all    []standing
	set    urlSet // for its hash alone
}

// of returns the standing of a URL, and whether it existed. It is valid until the next call; a new one is zero.
func (s *standings) of(url string, add bool) (*standing, bool) {
	key := s.set.key(url)
	if at, ok := s.places[key]; ok {
		return &s.all[at], true
	}
	if !add {
		return nil, false
	}
	if s.places == nil {
		s.places = map[uint64]uint32{}
	}
	s.places[key] = uint32(len(s.all))
	s.all = append(s.all, standing{})
	return &s.all[len(s.all)-1], false
}

// formOf hashes the form of a page.
func formOf(accept string) uint8 {
	if accept == "" {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(accept)) // never fails
	return uint8(binary.BigEndian.Uint32(h.Sum(nil))%255 + 1)
}

// isKept reports whether a line says that a page is unchanged.
func isKept(l *ledger.Line) bool {
	return l.Status == http.StatusNotModified && l.Error == "" && l.Redirect == "" && l.Query == ""
}

// outranks reports whether a line of another form replaces the current one.
func (s *standing) outranks(l *ledger.Line) bool {
	return !s.gone && (s.accepted || !l.Accepted) && (s.accepted && !l.Accepted || int(s.band) >= bandOf(l.Score))
}
