package eval

import (
	"encoding/binary"
	"hash/fnv"
	"net/http"

	"orbweaver/ledger"
)

// A standing is what is counted of a page: its last line's, for a refresh writes later lines about
// pages that are known.
type standing struct {
	host     uint32 // in the tally's numbering
	depth    uint8
	band     uint8
	form     uint8 // of which Accept the line was: other forms of a page are no later word of it
	accepted bool
	scripted bool
	gone     bool // it was a page, and is none any more
}

// standings keep a standing by URL, at 30 to 60 bytes each, however long the URLs are: as in a urlSet,
// 64 bits of a hash stand for them.
type standings struct {
	places map[uint64]uint32
	all    []standing
	set    urlSet // for its hash alone
}

// of returns the standing of a URL, and whether there was one. It may be written to until the next
// call; a new one is zero.
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

// formOf tells the forms of a page apart.
func formOf(accept string) uint8 {
	if accept == "" {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(accept)) // never fails
	return uint8(binary.BigEndian.Uint32(h.Sum(nil))%255 + 1)
}

// isKept reports whether a line says that a page is as it was.
func isKept(l *ledger.Line) bool {
	return l.Status == http.StatusNotModified && l.Error == "" && l.Redirect == "" && l.Query == ""
}

// outranks reports whether a line of another form says more of a page than what stands.
func (s *standing) outranks(l *ledger.Line) bool {
	return !s.gone && (s.accepted || !l.Accepted) && (s.accepted && !l.Accepted || int(s.band) >= bandOf(l.Score))
}
