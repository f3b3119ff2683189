package recrawl

import (
	"strconv"
	"strings"
	"time"
)

// A calendar is a cron expression: the values of each field that match, one bit each.
type calendar struct {
	minutes, hours, days, months, weekdays uint64
	anyDay, anyWeekday                     bool // the field says nothing: of two that say something one suffices
	where                                  *time.Location
}

// searched is how many years ahead a moment is looked for.
const searched = 5

// Next returns the first moment after t. An hour that clocks skip has none, and one that they repeat has each twice.
func (c *calendar) Next(t time.Time) time.Time {
	t = t.In(c.where)
	t = t.Add(time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	for last := t.Year() + searched; t.Year() <= last; {
		next := t
		switch {
		case c.months>>uint(t.Month())&1 == 0:
			next = time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, c.where)
		case !c.has(t):
			next = time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, c.where)
		case c.hours>>uint(t.Hour())&1 == 0:
			next = t.Add(time.Duration(60-t.Minute()) * time.Minute)
		case c.minutes>>uint(t.Minute())&1 == 0:
			next = t.Add(time.Minute)
		default:
			return t
		}
		if !next.After(t) { // where clocks skip midnight
			next = t.Add(time.Hour)
		}
		t = next
	}
	return time.Time{}
}

// has reports whether the day of t matches.
func (c *calendar) has(t time.Time) bool {
	day, weekday := c.days>>uint(t.Day())&1 == 1, c.weekdays>>uint(t.Weekday())&1 == 1
	if c.anyDay || c.anyWeekday {
		return day && weekday
	}
	return day || weekday
}

// parseCalendar reads five fields, or a name; false: it is neither.
func parseCalendar(text string, where *time.Location) (*calendar, bool) {
	switch strings.ToLower(text) {
	case "@yearly", "@annually":
		text = "0 0 1 1 *"
	case "@monthly":
		text = "0 0 1 * *"
	case "@weekly":
		text = "0 0 * * 0"
	case "@daily", "@midnight":
		text = "0 0 * * *"
	case "@hourly":
		text = "0 * * * *"
	}
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return nil, false
	}
	c := &calendar{where: where}
	var any bool
	for i, f := range []struct {
		to          *uint64
		any         *bool
		first, last uint64
		names       string // of three letters each, from the first on
	}{
		{&c.minutes, &any, 0, 59, ""}, {&c.hours, &any, 0, 23, ""}, {&c.days, &c.anyDay, 1, 31, ""},
		{&c.months, &any, 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"}, {&c.weekdays, &c.anyWeekday, 0, 6, "sunmontuewedthufrisat"},
	} {
		for part := range strings.SplitSeq(fields[i], ",") {
			values, all := parsePart(strings.ToLower(part), f.first, f.last, f.names)
			if values == 0 {
				return nil, false
			}
			*f.to |= values
			*f.any = *f.any || all
		}
	}
	return c, true
}

// parsePart reads a part of a field: *, a value, or a range, perhaps with /STEP. No values: it is none. All: it is *.
func parsePart(part string, first, last uint64, names string) (values uint64, all bool) {
	span, by, stepped := strings.Cut(part, "/")
	step := uint64(1)
	if stepped {
		var err error
		if step, err = strconv.ParseUint(by, 10, 16); err != nil || step == 0 {
			return 0, false
		}
	}
	from, to, ranged := strings.Cut(span, "-")
	low, high := first, last
	switch {
	case span == "*", span == "?":
		all = step == 1
	default:
		var ok bool
		if low, ok = parseValue(from, first, names); !ok {
			return 0, false
		}
		if ranged {
			if high, ok = parseValue(to, first, names); !ok {
				return 0, false
			}
		} else if !stepped {
			high = low
		}
	}
	if low < first || high > last || low > high {
		return 0, false
	}
	for v := low; v <= high; v += step {
		values |= 1 << v
	}
	return values, all
}

func parseValue(text string, first uint64, names string) (uint64, bool) {
	if at := strings.Index(names, text); len(text) == 3 && at >= 0 && at%3 == 0 {
		return first + uint64(at/3), true
	}
	v, err := strconv.ParseUint(text, 10, 16)
	return v, err == nil
}
