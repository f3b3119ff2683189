package addresses

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// times are those of most tests.
func times() Times { return Times{Grant: 10 * time.Second, Slack: 5 * time.Second} }

// at is an address.
const at = "192.0.2.1:80"

// A room is workers in one time, whose letters a test carries. Their names are a, b and so on; all desks are a's.
type room struct {
	t       *testing.T
	now     time.Time
	workers map[string]*Exchange
	desk    Desk
	owner   string
	cut     map[string]bool // workers whose letters are lost, and who get none
	letters int
}

// Desk implements Crew.
func (r *room) Desk(string) (string, uint64) { return r.owner, r.desk.Epoch }

// A seat is the Crew of one worker.
type seat struct {
	*room
	name string
}

func (s seat) Open(string) (Desk, bool) { return s.desk, s.owner == s.name }

func newRoom(t *testing.T, names ...string) *room {
	r := &room{t: t, now: time.Unix(1e9, 0), workers: map[string]*Exchange{}, owner: names[0], desk: Desk{Epoch: 1}, cut: map[string]bool{}}
	for _, name := range names {
		r.join(name, "1")
	}
	return r
}

// join begins a session of a worker.
func (r *room) join(name, session string) {
	r.workers[name] = New(name, session, times(), seat{r, name}, r.now)
}

// carry carries letters until there are none.
func (r *room) carry() {
	r.t.Helper()
	for more := true; more; {
		more = false
		for _, name := range []string{"a", "b", "c"} {
			x := r.workers[name]
			if x == nil {
				continue
			}
			letters, _ := x.Letters(r.now)
			for _, l := range letters {
				more = true
				r.letters++
				if r.cut[name] || r.cut[l.To] || r.workers[l.To] == nil {
					continue
				}
				if err := r.workers[l.To].Take(l.Body, r.now); err != nil {
					r.t.Fatal(err)
				}
			}
		}
	}
}

// pass lets time pass, in steps in which letters arrive.
func (r *room) pass(d time.Duration) {
	r.t.Helper()
	for end := r.now.Add(d); r.now.Before(end); {
		r.now = earlier(r.now.Add(50*time.Millisecond), end)
		r.carry()
	}
}

// claim claims an address, and checks whether it is got.
func (r *room) claim(name string, want bool) {
	r.t.Helper()
	until, ok := r.workers[name].Claim(at, time.Second, r.now)
	if ok != want || !ok && !until.After(r.now) {
		r.t.Fatalf("%s at %v: %v until %v, want %v", name, r.now.Sub(time.Unix(1e9, 0)), ok, until.Sub(r.now), want)
	}
}

// get claims an address after the answer of its desk.
func (r *room) get(name string, want bool) {
	r.t.Helper()
	r.workers[name].Claim(at, time.Second, r.now)
	r.carry()
	if r.workers[name].holds[at].turns == 0 {
		r.claim(name, want)
	}
}

// turn is a whole turn, whose request starts now.
func (r *room) turn(name string) {
	r.t.Helper()
	r.get(name, true)
	r.workers[name].Release(at, r.now, r.now)
	r.carry()
}

// TestAlone: who has the desk gets an address at once, without a letter, and again and again.
func TestAlone(t *testing.T) {
	r := newRoom(t, "a")
	for range 100 {
		r.claim("a", true)
		r.workers["a"].Release(at, r.now, r.now)
		r.pass(time.Second)
	}
	if r.letters > 0 {
		t.Errorf("%d letters", r.letters)
	}
}

// TestNoDelay: where nobody waits, nobody asks.
func TestNoDelay(t *testing.T) {
	r := newRoom(t, "a", "b")
	if _, ok := r.workers["b"].Claim(at, 0, r.now); !ok {
		t.Error("not claimed")
	}
	asks, desks := r.workers["b"].size()
	if asks+desks > 0 {
		t.Errorf("%d asks, %d desks", asks, desks)
	}
}

// TestHandOver: another worker gets an address a delay after the last start of the one before, and not while that one has a turn.
func TestHandOver(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.get("b", true)
	r.get("c", false)
	r.pass(1500 * time.Millisecond)
	r.get("c", false)
	r.workers["b"].Release(at, r.now.Add(-300*time.Millisecond), r.now)
	r.carry()
	r.get("c", false)
	r.pass(600 * time.Millisecond)
	r.get("c", false)
	r.pass(100 * time.Millisecond)
	r.claim("c", true)
}

// TestNotStarted: a turn without a start keeps nobody.
func TestNotStarted(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.get("b", true)
	r.get("c", false)
	r.workers["b"].Release(at, time.Time{}, r.now)
	r.get("c", false)
	r.pass(idle)
	r.claim("c", true)
}

// TestFewTurns: while others wait, a holder with requests has turns for a while, then goes behind them.
func TestFewTurns(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	turns := ""
	for range 600 {
		for _, name := range []string{"b", "c"} {
			if _, ok := r.workers[name].Claim(at, 100*time.Millisecond, r.now); ok {
				if !strings.HasSuffix(turns, name) {
					turns += name
				}
				r.workers[name].Release(at, r.now, r.now)
			}
		}
		r.pass(10 * time.Millisecond)
	}
	if len(turns) < 4 || len(turns) > 8 {
		t.Errorf("turns %s", turns)
	}
}

// TestRenewal: a grant in use never ends, and costs few letters; one that is not used is given back.
func TestRenewal(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("b")
	before := r.letters
	for range 100 {
		r.pass(time.Second)
		r.claim("b", true)
		r.workers["b"].Release(at, r.now, r.now)
	}
	if n := r.letters - before; n > 60 {
		t.Errorf("%d letters in 100 s", n)
	}
	r.pass(8 * time.Second)
	r.turn("c")
	if e := r.workers["a"].desks[at]; e.holder.worker != "c" {
		t.Errorf("held by %v", e.holder)
	}
}

// TestLongRequest: the grant of a request in flight is renewed for as long as it takes.
func TestLongRequest(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.get("b", true)
	for range 60 {
		r.pass(time.Second)
		r.get("c", false)
	}
	r.workers["b"].Release(at, r.now.Add(-time.Minute), r.now)
	r.get("c", true)
}

// TestExpiry: the address of a worker that is cut off is another's when its grant is over for sure, and a delay has passed; the worker itself does without before.
func TestExpiry(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("b")
	r.cut["b"] = true
	began := r.now
	for lost := (time.Time{}); ; r.pass(100 * time.Millisecond) {
		x := r.workers["b"]
		if _, ok := x.Claim(at, time.Second, r.now); ok {
			x.Release(at, r.now, r.now)
		} else if lost.IsZero() {
			lost = r.now
		}
		if _, ok := r.workers["c"].Claim(at, time.Second, r.now); !ok {
			continue
		}
		if a, c := lost.Sub(began), r.now.Sub(began); a < 9*time.Second || a > 10100*time.Millisecond || c < 16*time.Second || c > 16500*time.Millisecond {
			t.Errorf("one lost it after %v, the other had it after %v", a, c)
		}
		return
	}
}

// TestAgain: a worker that begins again under its name does not know what it asked before, and waits like others.
func TestAgain(t *testing.T) {
	r := newRoom(t, "a", "b")
	r.turn("b")
	r.join("b", "2")
	r.get("b", false)
	for n := 1; n < 163; n++ {
		r.pass(100 * time.Millisecond)
		if _, ok := r.workers["b"].Claim(at, time.Second, r.now); ok != (n >= 160) {
			t.Fatalf("after %v s: %v", float64(n)/10, ok)
		}
	}
}

// TestValid: a request may not begin when its grant is over, and may when it holds again.
func TestValid(t *testing.T) {
	r := newRoom(t, "a", "b")
	r.get("b", true)
	x := r.workers["b"]
	r.cut["b"] = true
	r.pass(9 * time.Second)
	if !x.Valid(at, r.now) {
		t.Error("over too early")
	}
	r.pass(2 * time.Second)
	if x.Valid(at, r.now) {
		t.Error("not over")
	}
	r.cut["b"] = false
	r.pass(600 * time.Millisecond)
	if !x.Valid(at, r.now) {
		t.Error("not had again")
	}
}

// TestNewDesk: who has a desk that another had before grants nothing until grants of that one are over, but to who has one.
func TestNewDesk(t *testing.T) {
	for _, adopts := range []bool{true, false} {
		r := newRoom(t, "a", "b", "c")
		if adopts {
			r.turn("b")
		}
		r.owner, r.desk = "c", Desk{Epoch: 2, Since: r.now, Inherited: true}
		delete(r.workers, "a")
		took := map[bool]int{}
		for step := range 200 {
			r.pass(100 * time.Millisecond)
			x := r.workers["b"]
			if _, ok := x.Claim(at, time.Second, r.now); ok {
				x.Release(at, r.now, r.now)
				took[step < 158]++
			}
		}
		if (took[true] > 0) != adopts || took[false] == 0 {
			t.Errorf("adopts %v: turns %v", adopts, took)
		}
		if e := r.workers["c"].desks[at]; e == nil || e.holder.worker != "b" {
			t.Errorf("adopts %v: %+v", adopts, e)
		}
	}
}

// TestTwoDesks: while another may believe that it has the desk, who has it takes nobody's word for a grant.
func TestTwoDesks(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("b")
	r.owner, r.desk = "c", Desk{Epoch: 2, Since: r.now.Add(12 * time.Second), Inherited: true}
	for step := range 300 {
		r.pass(100 * time.Millisecond)
		x := r.workers["b"]
		if _, ok := x.Claim(at, time.Second, r.now); ok {
			x.Release(at, r.now, r.now)
		}
		e := r.workers["c"].desks[at]
		if granted := e != nil && e.holder.worker != ""; granted != (step >= 279) && (step < 278 || step > 281) {
			t.Fatalf("after %d steps: %+v", step, e)
		}
	}
}

// TestClosedDesk: a desk that is another's by now answers nobody, and forgets.
func TestClosedDesk(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("b")
	old := r.workers["a"]
	r.owner, r.desk = "c", Desk{Epoch: 2, Since: r.now, Inherited: true}
	old.serve(party{"c", "1"}, item{kind: ask, address: at, epoch: 1, serial: 5, span: time.Second}, r.now)
	if letters, _ := old.Letters(r.now.Add(sweepPause)); len(letters) > 0 || len(old.desks) > 0 {
		t.Errorf("%d letters, %d addresses", len(letters), len(old.desks))
	}
}

// TestLostRelease: a release that was lost is told again when the desk asks for it.
func TestLostRelease(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.get("b", true)
	r.get("c", false)
	r.pass(1100 * time.Millisecond)
	r.cut["b"] = true
	r.workers["b"].Release(at, r.now, r.now)
	r.carry()
	r.cut["b"] = false
	r.pass(950 * time.Millisecond)
	r.get("c", false)
	r.pass(600 * time.Millisecond)
	r.claim("c", true)
}

// TestLateLetters: letters of an earlier turn, and repeated ones, change nothing of a later one.
func TestLateLetters(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("b")
	x, b := r.workers["a"], party{"b", "1"}
	first := r.workers["b"].holds[at].asked
	r.pass(8 * time.Second) // it gives it back
	r.get("b", true)
	e := x.desks[at]
	for _, i := range []item{
		{kind: release, address: at, epoch: 1, serial: first},
		{kind: ask, address: at, epoch: 1, serial: first, span: time.Second},
		{kind: release, address: at, epoch: 0, serial: 1 << 40},
	} {
		x.serve(b, i, r.now)
		if e.holder != b || e.serial <= first || len(e.queue) > 0 {
			t.Fatalf("after %+v: %+v", i, e)
		}
	}
	h := r.workers["b"].holds[at]
	until := h.until
	r.workers["b"].take(party{"a", "1"}, "1", item{kind: grant, address: at, serial: first}, r.now)
	r.workers["b"].take(party{"a", "1"}, "1", item{kind: recall, address: at, serial: first}, r.now)
	r.workers["b"].take(party{"a", "1"}, "0", item{kind: recall, address: at, serial: h.granted}, r.now)
	if h.until != until || h.recalled {
		t.Errorf("%+v", h)
	}
	r.workers["b"].Release(at, r.now, r.now)
	r.pass(8 * time.Second)
	x.serve(b, item{kind: ask, address: at, epoch: 1, serial: e.void, span: time.Second}, r.now)
	if e.holder.worker != "" || len(e.queue) > 0 {
		t.Errorf("a late ask: %+v", e)
	}
}

// TestUnwanted: a grant that comes when nobody wants it any more is given back at once.
func TestUnwanted(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.turn("c")
	r.claim("b", false)
	r.carry()
	r.now = r.now.Add(1100 * time.Millisecond)
	r.carry()
	if e := r.workers["a"].desks[at]; e.holder.worker != "" {
		t.Errorf("held by %v", e.holder)
	}
	r.turn("c")
}

// TestQueue: who waits first is first, and who does not repeat its ask loses its place.
func TestQueue(t *testing.T) {
	r := newRoom(t, "a", "b", "c")
	r.get("a", true)
	r.get("b", false)
	r.get("c", false)
	waits := func() (names string) {
		for _, w := range r.workers["a"].desks[at].queue {
			names += w.worker
		}
		return names
	}
	if got := waits(); got != "bc" {
		t.Errorf("%s wait", got)
	}
	for range 25 {
		r.pass(100 * time.Millisecond)
		r.get("c", false)
	}
	if got := waits(); got != "c" {
		t.Errorf("%s wait", got)
	}
}

// TestForgets: nothing is kept of addresses that nobody asks.
func TestForgets(t *testing.T) {
	r := newRoom(t, "a", "b")
	for n := range 500 {
		address := fmt.Sprintf("192.0.2.1:%d", n)
		for range 2 {
			if _, ok := r.workers["b"].Claim(address, time.Second, r.now); ok {
				r.workers["b"].Release(address, r.now, r.now)
			}
			r.carry()
		}
	}
	if asks, _ := r.workers["b"].size(); asks != 500 {
		t.Errorf("%d asks", asks)
	}
	r.pass(20 * time.Second)
	asks, _ := r.workers["b"].size()
	_, desks := r.workers["a"].size()
	if asks+desks > 0 {
		t.Errorf("%d asks, %d desks", asks, desks)
	}
}

// TestBounds: long addresses, long queues and large letters are none of ours.
func TestBounds(t *testing.T) {
	r := newRoom(t, "a", "b")
	x := r.workers["a"]
	if _, ok := x.Claim(strings.Repeat("1", maxAddress+1), time.Second, r.now); !ok || len(x.holds) > 0 {
		t.Errorf("a long address: %v, %d", ok, len(x.holds))
	}
	r.get("a", true)
	for n := range 2 * maxQueue {
		x.serve(party{fmt.Sprint("w", n), "1"}, item{kind: ask, address: at, epoch: 1, serial: 1, span: time.Second}, r.now)
	}
	if n := len(x.desks[at].queue); n != maxQueue {
		t.Errorf("%d wait", n)
	}
	for n := range maxItems + 1 {
		r.workers["b"].Claim(fmt.Sprintf("192.0.2.2:%d", n), time.Second, r.now)
	}
	letters, _ := r.workers["b"].Letters(r.now)
	if len(letters) != 2 {
		t.Errorf("%d letters", len(letters))
	}
	for _, l := range letters {
		if err := x.Take(l.Body, r.now); err != nil {
			t.Error(err)
		}
	}
	large := encode(letter{from: party{"b", "1"}, items: slices.Repeat([]item{{kind: ask, address: at}}, maxItems+1)})
	if x.Take(large, r.now) == nil {
		t.Error("a large letter is taken")
	}
}

// FuzzLetter: whatever comes is read or refused, and what is read is what was written.
func FuzzLetter(f *testing.F) {
	f.Add(encode(letter{from: party{"a", "1"}, to: "2", items: []item{
		{kind: ask, flag: true, address: at, epoch: 7, serial: 1 << 40, span: time.Second}, {kind: grant, address: "[2001:db8::1]:443", serial: 3},
	}}))
	f.Add([]byte{version, 1, 'a', 1, 'b', 0, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		l, err := decode(body)
		if err != nil {
			return
		}
		same, err := decode(encode(l))
		if err != nil || same.from != l.from || same.to != l.to || !slices.Equal(same.items, l.items) {
			t.Errorf("%+v, %v, want %+v", same, err, l)
		}
		r := newRoom(t, "a", "b")
		if err := r.workers["a"].Take(body, r.now); err != nil {
			t.Error(err)
		}
		r.workers["a"].Letters(r.now)
	})
}

// size returns of how many addresses something is known, as one that asks and as a desk.
func (x *Exchange) size() (asks, desks int) { return len(x.holds), len(x.desks) }
