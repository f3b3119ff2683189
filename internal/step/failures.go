package step

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"orbweaver"

	"orbweaver/internal/order"
)

// Failures counts outcomes without a page, or requests that failed otherwise.
type Failures struct {
	Reasons  map[orbweaver.Failure]int64
	Statuses map[int]int64 // those for orbweaver.ErrStatus by HTTP status; under 0, or missing: it is not known
}

// Add counts a failure; status is the HTTP status of the answer, 0 if there was none.
func (f *Failures) Add(reason orbweaver.Failure, status int) { f.AddMany(reason, status, 1) }

// AddMany is Add for n failures.
func (f *Failures) AddMany(reason orbweaver.Failure, status int, n int64) {
	if f.Reasons == nil {
		f.Reasons = map[orbweaver.Failure]int64{}
	}
	f.Reasons[reason] += n
	if reason == orbweaver.ErrStatus {
		if f.Statuses == nil {
			f.Statuses = map[int]int64{}
		}
		f.Statuses[status] += n
	}
}

// Clone returns a copy.
func (f *Failures) Clone() Failures {
	return Failures{maps.Clone(f.Reasons), maps.Clone(f.Statuses)}
}

// Total is the number of failures.
func (f *Failures) Total() (n int64) {
	for _, some := range f.Reasons { // sums of integers: in any order
		n += some
	}
	return n
}

// Answered says in words which HTTP statuses the answers had: "3 answered 404, 1 answered 503", the most frequent
// first; "" if there are none.
func (f *Failures) Answered() string {
	only := Failures{map[orbweaver.Failure]int64{orbweaver.ErrStatus: f.Reasons[orbweaver.ErrStatus]}, f.Statuses}
	return joinKinds(only.kinds(), len(f.Statuses)+1)
}

// Text says how many failures there are of which kinds, the most frequent first and the others as "…" behind most of
// them: "6: 3 answered 404, 2 timeout, 1 answered 503"; "none" without any.
func (f *Failures) Text(most int) string {
	switch kinds := f.kinds(); len(kinds) {
	case 0:
		return "none"
	case 1:
		return joinKinds(kinds, most)
	default:
		return fmt.Sprintf("%d: %s", f.Total(), joinKinds(kinds, most))
	}
}

// failuresOf are failures of one kind in words.
type failuresOf struct {
	n     int64
	words string
}

// kinds returns the kinds of failures, the most frequent first.
func (f *Failures) kinds() (all []failuresOf) {
	rest := f.Reasons[orbweaver.ErrStatus]
	for status, n := range f.Statuses { // sorted below by a total order
		if n = min(n, rest); n > 0 && status > 0 {
			all, rest = append(all, failuresOf{n, fmt.Sprintf("answered %d", status)}), rest-n
		}
	}
	for reason, n := range f.Reasons { // sorted below by a total order
		words := string(reason)
		if reason == orbweaver.ErrStatus {
			n, words = rest, "answered with an error"
		}
		if n > 0 {
			all = append(all, failuresOf{n, words})
		}
	}
	order.By(all, func(a, b failuresOf) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.words, b.words))
	})
	return all
}

func joinKinds(kinds []failuresOf, most int) string {
	var words []string
	for _, k := range kinds[:min(most, len(kinds))] {
		words = append(words, fmt.Sprintf("%d %s", k.n, k.words))
	}
	if len(kinds) > most {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}
