package discover

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// mostHosts is the number of hosts whose search and navigation are known.
const mostHosts = 1024

// A state is what a Discoverer has learned. Its exported fields are its snapshot.
type state struct {
	Version  int              `json:"version"`
	Arms     map[string]*arm  `json:"arms"`  // by key
	Kinds    map[string]*arm  `json:"kinds"` // at all hosts
	Leads    []lead           `json:"leads"`
	Oldest   int              `json:"oldest"`
	Hosts    map[string]*site `json:"hosts"`
	Services map[string]*site `json:"services"` // by kind
	Words    *words           `json:"words"`

	at map[uint64]int // hash of a page → its place in Leads, the latest
}

// A site is a host with a search, or a service that is asked.
type site struct {
	Links    *sketch  `json:"links,omitempty"`    // of the latest page
	Template string   `json:"template,omitempty"` // with {searchTerms}
	Asked    []string `json:"asked,omitempty"`
	Answered int      `json:"answered,omitempty"`
	Won      int      `json:"won,omitempty"`    // accepted pages that answers led to
	Looked   bool     `json:"looked,omitempty"` // its description was asked for
}

// version is that of the snapshot.
const version = 1

func newState() state {
	s := state{Version: version, Arms: map[string]*arm{}, Kinds: map[string]*arm{}, Hosts: map[string]*site{}, Services: map[string]*site{}, at: map[uint64]int{}}
	s.Words = newWords()
	return s
}

// host returns what is known of a host. Beyond the bound it is not kept.
func (s *state) host(host string) *site {
	h := s.Hosts[host]
	if h == nil {
		h = &site{}
		if len(s.Hosts) < mostHosts {
			s.Hosts[host] = h
		}
	}
	return h
}

// service returns what is known of a service.
func (s *state) service(kind string) *site {
	if s.Services[kind] == nil {
		s.Services[kind] = &site{}
	}
	return s.Services[kind]
}

// hostOfKey returns the host or directory of a key.
func hostOfKey(key string) string {
	_, at, _ := strings.Cut(strings.TrimPrefix(key, "probe:"), " ")
	return at
}

// answered counts the answer to a query, or its failure.
func (s *state) answered(r orbweaver.Request) {
	if r.Via == nil || r.Via.Origin != orbweaver.FromSearch || r.Via.Anchor == "" {
		return
	}
	if r.Via.Rel == Search {
		s.host(weburl.Host(r.URL)).Answered++
		return
	}
	s.service(r.Via.Rel).Answered++
}

// shapeOf returns the shape of a page, by its links and those of the page before of its host.
func (s *state) shapeOf(p *orbweaver.Page) string {
	h := s.host(weburl.Host(p.URL))
	l := listingOf(p, h.Links)
	h.Links = &l.links
	return l.shape(len(p.Text))
}

// Snapshot writes the state.
func (d *Discoverer) Snapshot(w io.Writer) error {
	return json.NewEncoder(w).Encode(d.state)
}

// Restore reads a state.
func (d *Discoverer) Restore(r io.Reader) error {
	s := newState()
	s.Version = 0 // a file that names none is of another
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("discoveries: %w", err)
	}
	if s.Version != version || s.Words == nil || s.Words.Counts == nil {
		return errors.New("discoveries: of another version")
	}
	for i, l := range s.Leads {
		s.at[l.Page] = i
	}
	d.state, d.proposed = s, nil
	return nil
}
