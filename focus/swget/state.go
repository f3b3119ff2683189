package swget

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
)

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 1 << 30

// A snapshot is the state of a search, without what can be derived from the visits.
type snapshot struct {
	Version    int            `json:"version"`
	Of         string         `json:"of"` // digest of expression, start nodes and limits
	Nodes      []savedNode    `json:"nodes"`
	Properties []string       `json:"properties,omitempty"`
	Visits     [][6]int32     `json:"visits"` // node, state, origin, parent, property, 1 if inverse
	Current    []int32        `json:"current,omitempty"`
	Next       []int32        `json:"next,omitempty"`
	Late       []int32        `json:"late,omitempty"`
	Omitted    [2]int64       `json:"omitted"`
	Cut        map[string]int `json:"cut,omitempty"`
}

type savedNode struct {
	IRI      string `json:"iri"`
	Why      string `json:"why,omitempty"`
	Document string `json:"document,omitempty"`
	Asked    bool   `json:"asked,omitempty"`
	Saved    bool   `json:"saved,omitempty"`
}

// Snapshot writes the search: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := snapshot{
		Version: snapshotVersion, Of: f.digest, Properties: f.properties, Current: f.current, Next: f.next, Late: f.late, Omitted: f.omitted, Cut: f.cut,
		Nodes: make([]savedNode, len(f.nodes)), Visits: make([][6]int32, len(f.visits)),
	}
	for i := range f.nodes {
		n := &f.nodes[i]
		s.Nodes[i] = savedNode{n.iri, n.why, n.document, n.asked, n.saved}
	}
	for i, v := range f.visits {
		s.Visits[i] = [6]int32{v.node, v.state, v.origin, v.parent, v.property}
		if v.inverse {
			s.Visits[i][5] = 1
		}
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("swget focus: snapshot: %w", err)
	}
	return nil
}

// Restore replaces the search by a snapshot. An invalid snapshot leaves the focus unchanged and returns an
// error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it was made with another
// expression, start node or limit.
func (f *Focus) Restore(r io.Reader) error {
	var s snapshot
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return fmt.Errorf("swget focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version == snapshotVersion && s.Of != f.digest {
		return fmt.Errorf("swget focus: the crawl began with another expression, start node or limit: %w", orbweaver.ErrForeign)
	}
	before := f.search
	if s.Version != snapshotVersion || !f.restore(s) {
		f.search = before
		return fmt.Errorf("swget focus: snapshot of version %d: %w", s.Version, orbweaver.ErrDamaged)
	}
	return nil
}

// restore rebuilds a search from a snapshot; false if that is inconsistent.
func (f *Focus) restore(s snapshot) bool {
	f.search = newSearch()
	for _, p := range s.Properties {
		f.propertyOf(p)
	}
	fine := len(s.Nodes) <= f.opts.MaxNodes && len(s.Visits) <= f.opts.MaxVisits && len(s.Properties) == len(f.properties)
	for i := 0; fine && i < len(s.Nodes); i++ {
		fine = f.restoreNode(s.Nodes[i])
	}
	for i := 0; fine && i < len(s.Visits); i++ {
		fine = f.restoreVisit(s.Visits[i])
	}
	for i := 0; fine && i < len(f.nodes); i++ {
		fine = len(f.nodes[i].visits) > 0
	}
	for _, at := range slices.Concat(s.Current, s.Next, s.Late) {
		fine = fine && within(at, len(f.visits))
	}
	maps.Copy(f.cut, s.Cut)
	f.current, f.next, f.late, f.omitted = s.Current, s.Next, s.Late, s.Omitted
	return fine
}

func (f *Focus) restoreNode(saved savedNode) bool {
	if _, twice := f.byIRI[saved.IRI]; twice {
		return false
	}
	f.addNode(node{iri: saved.IRI})
	n := &f.nodes[len(f.nodes)-1]
	if n.url == "" { // the reason is known
		return saved.Document == "" && saved.Why == n.why
	}
	n.why, n.document, n.asked, n.saved = saved.Why, saved.Document, saved.Asked, saved.Saved
	if n.asked {
		f.asked[n.url] = struct{}{}
	}
	return n.why == "" || n.document == ""
}

func (f *Focus) restoreVisit(of [6]int32) bool {
	v := visit{node: of[0], state: of[1], origin: of[2], parent: of[3], property: of[4], inverse: of[5] == 1}
	at := int32(len(f.visits))
	if !within(v.node, len(f.nodes)) || !within(v.state, f.walks.Len()) || !within(v.origin, len(f.from)) ||
		v.parent < -1 || v.parent >= at || v.property < -1 || v.property >= int32(len(f.properties)) ||
		v.property >= 0 && v.parent < 0 || of[5] != 0 && of[5] != 1 {
		return false
	}
	if v.parent >= 0 {
		v.level = f.visits[v.parent].level
	}
	if v.property >= 0 {
		v.level++
	}
	id := identity{v.node, v.state, v.origin}
	if _, twice := f.met[id]; twice {
		return false
	}
	f.met[id] = struct{}{}
	f.visits = append(f.visits, v)
	f.nodes[v.node].visits = append(f.nodes[v.node].visits, at)
	return true
}

// within reports whether a position is valid in a list of length many.
func within(at int32, many int) bool { return 0 <= at && int(at) < many }
