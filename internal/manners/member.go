package manners

import "time"

// busyWait is when a page is asked again that another process was reading or writing.
const busyWait = 5 * time.Millisecond

// A Member is a crawl as a registry knows it. A Member must be used by one goroutine.
type Member struct {
	registry *Registry
	tell     func(error)
	told     bool

	// Under the lock of the registry.
	id     int64             // 0: it has claimed nothing yet
	turns  map[string]int    // by place
	given  map[string]waiter // the latest turn, by place: since when it waited, and when it was given
	unsaid map[string]note   // what could not be written so far, by place
	later  *time.Timer       // writes it; nil: nothing is unsaid
}

// Claim asks for a turn at a place, whose starts this crawl keeps delay apart. Without ok, until is when it is worth
// asking again, after now. A turn lasts until Release; a crawl may have several at a place.
func (m *Member) Claim(place string, delay time.Duration, now time.Time) (until time.Time, ok bool) {
	r := m.registry
	r.mu.Lock()
	if m.id == 0 {
		m.id = r.enter()
	}
	at := now.UnixNano()
	var w waiter
	err := r.update(keyOf(place), func(known *record) {
		w, ok = known.claim(claimant{m.id, r.process, int64(delay)}, at, r.store.alive)
	})
	if ok {
		m.turns[place]++
		m.given[place] = w
	}
	failure := r.failure
	r.mu.Unlock()
	m.say(failure)
	if err != nil {
		return now.Add(busyWait), false
	}
	return now.Add(time.Duration(w.due - at)), ok
}

// corrected is added to a start that other processes learn of: they share the clock of the day, which is corrected while it runs, and no
// host may see a shorter delay for that.
const corrected = int64(time.Millisecond)

// Release ends a turn. start is when its request started, zero if it did not: then delay is after what time, counted from the turn, this crawl
// asks again, until when it keeps its place in the queue; zero if it will not.
func (m *Member) Release(place string, start time.Time, delay time.Duration) {
	var n note
	switch {
	case !start.IsZero():
		n.start, n.delay = start.UnixNano(), int64(delay)
		if m.registry.folder != nil && delay > 0 {
			n.start += corrected
		}
	case delay > 0:
		n.waits = m.given[place]
		n.waits.due += int64(delay)
	}
	m.note(place, n, 1)
}

// Rest says until when other crawls must leave a place alone, an hour at most. A later call replaces it.
func (m *Member) Rest(place string, until time.Time) {
	m.note(place, note{rest: until.UnixNano()}, 0)
}

// note takes note of what happened at a place, and ends some turns there.
func (m *Member) note(place string, n note, ended int) {
	r := m.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.id == 0 { // it has asked nobody
		return
	}
	if m.turns[place] -= ended; m.turns[place] <= 0 {
		delete(m.turns, place)
		delete(m.given, place)
	}
	before := m.unsaid[place]
	if n.start < before.start {
		n.start, n.delay = before.start, before.delay
	}
	if n.rest == 0 {
		n.rest = before.rest
	}
	if n.waits.member == 0 && n.start == 0 {
		n.waits = before.waits
	}
	m.write(place, n)
}

// write writes a note, or keeps it for later.
func (m *Member) write(place string, n note) {
	r := m.registry
	err := r.update(keyOf(place), func(known *record) { known.take(m.id, n, m.turns[place] == 0) })
	if err == nil {
		delete(m.unsaid, place)
		return
	}
	m.unsaid[place] = n
	if m.later == nil {
		m.later = time.AfterFunc(busyWait, m.sayLater)
	}
}

// sayLater writes what could not be written.
func (m *Member) sayLater() {
	m.registry.mu.Lock()
	defer m.registry.mu.Unlock()
	if m.later == nil { // closed meanwhile
		return
	}
	m.later = nil
	for place, n := range m.unsaid { // each by itself: in any order
		m.write(place, n)
	}
}

// say tells, once, why nothing is shared with other processes.
func (m *Member) say(failure error) {
	if failure != nil && !m.told {
		m.told = true
		m.tell(failure)
	}
}

// Close ends the membership. Requests whose turns have not ended count as started now.
func (m *Member) Close() {
	r := m.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.id == 0 {
		return
	}
	if m.later != nil {
		m.later.Stop()
		m.later = nil
	}
	for place := range m.turns { // each by itself: in any order
		m.unsaid[place] = note{start: time.Now().UnixNano(), rest: m.unsaid[place].rest}
	}
	clear(m.turns)
	for place, n := range m.unsaid {
		_ = r.update(keyOf(place), func(known *record) { known.take(m.id, n, true) }) // else it looks like the turn of a crawl that was killed
	}
	r.quit()
}
