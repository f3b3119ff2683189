package eval

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

const (
	shownAsked   = 200 // hosts whose account a report shows
	shownReasons = 8   // reasons of failure it shows of each
)

// askedView is the table of requests by host. The zero value shows nothing.
type askedView struct {
	Rows      []askedRow
	Hosts     int   // all of them
	Requests  int64 // made to all of them
	Rest      int   // hosts not shown
	RestAsked int64 // requests to these
	Short     int   // hosts with a gap shorter than their delay, shown or not
	Down      int   // hosts given up
}

// askedRow is a host's account as text.
type askedRow struct {
	Host, Address, Robots, Down   string
	Asked, Pages                  int64
	Gap, Delay, Bytes, Mean, Fail string
	Short                         bool
}

// viewAccounts sorts accounts by requests, equals by name.
func viewAccounts(accounts []step.Account) askedView {
	v := askedView{Hosts: len(accounts)}
	sorted := slices.Clone(accounts)
	order.By(sorted, func(a, b step.Account) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
	})
	for i := range sorted {
		a := &sorted[i]
		v.Requests += a.Asked
		if isShort(a) {
			v.Short++
		}
		if a.Down != "" {
			v.Down++
		}
		if i < shownAsked {
			v.Rows = append(v.Rows, rowOf(a))
			continue
		}
		v.Rest++
		v.RestAsked += a.Asked
	}
	return v
}

// isShort reports whether a gap was shorter than the host's delay: that is a defect.
func isShort(a *step.Account) bool { return a.Gap > 0 && a.Gap < a.Delay }

func rowOf(a *step.Account) askedRow {
	r := askedRow{
		Host: printable(a.Host, 100), Address: printable(a.Address, 60), Robots: printable(a.Robots, 100),
		Down: printable(string(a.Down), 40), Asked: a.Asked, Pages: a.Pages,
		Gap: "–", Delay: seconds(a.Delay), Bytes: size(a.Bytes), Mean: "–", Fail: failuresOf(a), Short: isShort(a),
	}
	if a.Gap > 0 {
		r.Gap = seconds(a.Gap)
	}
	if a.Busy > 0 && a.Asked > 0 {
		r.Mean = seconds(a.Busy / time.Duration(a.Asked))
	}
	return r
}

// failuresOf says how many failures a host had of which kinds; "" without any.
func failuresOf(a *step.Account) string {
	failed := step.Failures{Reasons: a.Failures}
	if failed.Total() == 0 {
		return ""
	}
	return printable(failed.Text(shownReasons), 400)
}

// seconds formats seconds to the millisecond, rounded down: a gap that is too short by less must not look long
// enough.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Truncate(time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// size formats bytes: three digits and a unit, by powers of 1000.
func size(n int64) string {
	units := [...]string{"B", "kB", "MB", "GB", "TB"}
	v, unit := float64(n), 0
	for v >= 999.5 && unit < len(units)-1 {
		v, unit = v/1000, unit+1
	}
	if unit == 0 || v >= 99.95 {
		return strconv.FormatFloat(v, 'f', 0, 64) + " " + units[unit]
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + " " + units[unit]
}
