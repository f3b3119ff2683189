package eval

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A linkClass is a class of LinkClasses, from 1, or the state of a URL without one.
type linkClass uint8

const (
	unmet linkClass = iota // it has no line
	classR
	classHR
	classH
	classN
	html    // HTML not known to link to RDF or not
	moved   // a redirect
	absent  // missing in the archive
	refused // not requested, or a redirect to such a URL
)

// classOf returns the class of a name; unmet for an unknown name.
func classOf(name string) linkClass {
	classes := LinkClasses()
	return linkClass(slices.Index(classes[:], name) + 1)
}

// A followed is the record of a request: 12 bytes.
type followed struct {
	host      uint32 // index in the tally
	more      uint32 // the set of rules that predicted it; of a redirect, the index of its target
	predicted linkClass
	truth     linkClass
	is        followedIs
}

// followedIs are facts of a request.
type followedIs uint8

const (
	isAsked    followedIs = 1 << iota // there was a request
	isAnswered                        // with 2xx
	isHTML                            // its class follows from the graph
)

// set sets or removes a fact.
func (f *followed) set(fact followedIs, holds bool) {
	if f.is &^= fact; holds {
		f.is |= fact
	}
}

// A linkHost is a host with requests.
type linkHost struct {
	name   string
	domain uint32 // index in the tally
}

// A linkTally collects requests and their classes from lines.
type linkTally struct {
	LinkOptions
	lines    int
	predicts bool // a line has a predicted class

	keys       urlSet            // for its hash alone
	places     map[uint64]uint32 // by key of URL and form: place in all
	all        []followed
	negotiated map[uint32]struct{} // indexes of URLs of which another form is RDF
	open       map[uint64]bool     // answers of a graph about URLs without a line

	domains map[string]uint32
	names   []string // of domains
	hosts   map[string]uint32
	hosted  []linkHost // by number
	host    uint32     // the last one

	rules   map[string]int // a bit of a set each
	ruled   []string       // by bit
	sets    map[uint64]uint32
	setList []uint64
}

func newLinkTally(o LinkOptions) *linkTally {
	return &linkTally{LinkOptions: o, places: map[uint64]uint32{}, negotiated: map[uint32]struct{}{}, open: map[uint64]bool{},
		domains: map[string]uint32{}, hosts: map[string]uint32{}, rules: map[string]int{}, sets: map[uint64]uint32{}}
}

// add adds a line. Of several lines of one request the last determines the true class, the first the predicted
// one.
func (t *linkTally) add(l *ledger.Line) {
	t.lines++
	if l.Query != "" {
		return
	}
	at := t.place(l.URL, l.Accept)
	f, truth := t.all[at], t.truthOf(l)
	if f.truth == unmet || f.truth == moved {
		f.predicted, f.more = unmet, 0
		if l.Predicted != nil {
			f.predicted, f.more = classOf(l.Predicted.Class), t.set(l.Predicted.Rules)
			t.predicts = t.predicts || f.predicted != unmet
		}
	}
	if truth == moved {
		f.more = t.place(l.Redirect, "")
	}
	f.truth, f.host = truth, t.hostOf(l.URL)
	if truth != refused || l.Status != 0 {
		f.is |= isAsked
	}
	f.set(isAnswered, isPage(l) || isKept(l))
	f.set(isHTML, truth == html && l.Accept == "") // the graph knows no other forms
	t.all[at] = f
	if truth == classR && l.Accept != "" {
		t.negotiated[t.place(l.URL, "")] = struct{}{}
	}
}

// place returns the index of a request, a new one if necessary.
func (t *linkTally) place(url, accept string) uint32 {
	if accept != "" {
		url += " " + accept
	}
	key := t.keys.key(url)
	at, ok := t.places[key]
	if !ok {
		at = uint32(len(t.all))
		t.places[key], t.all = at, append(t.all, followed{})
	}
	return at
}

// truthOf is the class of a line's URL.
func (t *linkTally) truthOf(l *ledger.Line) linkClass {
	switch {
	case l.Error == orbweaver.ErrScope || l.Error == orbweaver.ErrRobots || l.Error == orbweaver.ErrTrap || l.Error == step.ErrSource:
		return refused
	case l.Error == orbweaver.ErrAbsent:
		return absent
	case l.Error != "":
		return classN
	case l.Redirect != "":
		return moved
	}
	switch classOf(l.Class) {
	case classR:
		return classR
	case classH, classHR: // as known when the page was judged
		if t.Embedded && slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == "embedded" }) {
			return classHR
		}
		return html
	}
	return classN
}

// isUndecided reports whether the class of a line needs the graph.
func (t *linkTally) isUndecided(l *ledger.Line) bool {
	if l.Query != "" || l.Accept != "" {
		return false
	}
	f := t.all[t.place(l.URL, "")]
	return f.is&isHTML != 0 && f.predicted != unmet
}

// hostOf returns the number of a URL's host.
func (t *linkTally) hostOf(url string) uint32 {
	name := weburl.Hostname(url)
	if len(t.hosted) > 0 && t.hosted[t.host].name == name {
		return t.host
	}
	id, ok := t.hosts[name]
	if !ok {
		id = uint32(len(t.hosted))
		name = strings.Clone(name) // or the map would keep whole URLs alive
		t.hosts[name], t.hosted = id, append(t.hosted, linkHost{name, t.domainOf(name)})
	}
	t.host = id
	return id
}

// domainOf returns the number of a host's pay-level domain.
func (t *linkTally) domainOf(host string) uint32 {
	name := weburl.PayLevelDomain(host)
	id, ok := t.domains[name]
	if !ok {
		id = uint32(len(t.names))
		name = strings.Clone(name)
		t.domains[name], t.names = id, append(t.names, name)
	}
	return id
}

// set returns the number of a set of rules; rules after the first 64 are left out.
func (t *linkTally) set(rules []string) uint32 {
	var set uint64
	for _, rule := range rules {
		if slices.Contains(t.Features, rule) {
			continue
		}
		bit, ok := t.rules[rule]
		if !ok {
			if len(t.ruled) == maxRules {
				continue
			}
			bit = len(t.ruled)
			t.rules[rule], t.ruled = bit, append(t.ruled, rule)
		}
		set |= 1 << bit
	}
	number, ok := t.sets[set]
	if !ok {
		number = uint32(len(t.setList))
		t.sets[set], t.setList = number, append(t.setList, set)
	}
	return number
}
