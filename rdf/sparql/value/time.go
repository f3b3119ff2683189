package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"orbweaver/rdf"
)

const day = 24 * 60 * 60 // seconds

// maxYearDigits bounds years, so that seconds fit in 64 bits.
const maxYearDigits = 9

// A clock is a dateTime split into its fields, in its time zone.
type clock struct {
	year                int64
	month, day          int
	hour, minute, whole int // whole seconds
	nanos               uint32
	zone                int16
}

// decodeTime reads a dateTime, date or time.
func (v *Value) decodeTime() bool {
	s := v.value
	c := clock{year: 1970, month: 1, day: 1}
	ok := true
	if v.class != timeOfDay {
		s, ok = c.readDate(s)
	}
	if v.class == dateTime && ok {
		if s, ok = strings.CutPrefix(s, "T"); !ok {
			return false
		}
	}
	if v.class != date && ok {
		s, ok = c.readTime(s)
	}
	if !ok {
		return false
	}
	if c.zone, ok = readZone(s); !ok {
		return false
	}
	v.set(c)
	return true
}

// set sets the time.
func (v *Value) set(c clock) {
	v.zone, v.scale = c.zone, c.nanos
	v.n = daysFrom(c.year, c.month, c.day)*day + int64(c.hour)*3600 + int64(c.minute)*60 + int64(c.whole)
	if v.class == timeOfDay {
		v.n %= day // 24:00:00 is 00:00:00
	}
	if c.zone != noZone {
		v.n -= int64(c.zone) * 60
	}
}

// clock splits a time into fields.
func (v Value) clock() clock {
	n := v.n
	if v.zone != noZone {
		n += int64(v.zone) * 60
	}
	days := n / day
	if n%day < 0 {
		days--
	}
	rest := int(n - days*day)
	c := clock{hour: rest / 3600, minute: rest / 60 % 60, whole: rest % 60, nanos: v.scale, zone: v.zone}
	c.year, c.month, c.day = dateOf(days)
	return c
}

// pair reads two digits.
func pair(s string) (n int, rest string, ok bool) {
	if len(s) < 2 || !isDigits(s[:2]) {
		return 0, s, false
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), s[2:], true
}

// pairBehind reads a mark and two digits.
func pairBehind(mark, s string) (n int, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, mark); !ok {
		return 0, s, false
	}
	return pair(rest)
}

// readDate reads year, month and day, and returns what follows.
func (c *clock) readDate(s string) (rest string, ok bool) {
	unsigned := strings.TrimPrefix(s, "-")
	year, _, ok := strings.Cut(unsigned, "-")
	if !ok || len(year) < 4 || len(year) > maxYearDigits || len(year) > 4 && year[0] == '0' || !isDigits(year) {
		return s, false
	}
	c.year, _ = strconv.ParseInt(year, 10, 64) // at most nine digits
	if len(unsigned) < len(s) {
		c.year = -c.year
	}
	if c.month, rest, ok = pairBehind("-", unsigned[len(year):]); !ok || c.month < 1 || c.month > 12 {
		return s, false
	}
	if c.day, rest, ok = pairBehind("-", rest); !ok || c.day < 1 || c.day > daysIn(c.year, c.month) {
		return s, false
	}
	return rest, true
}

// readTime reads hours, minutes and seconds, and returns the rest. It keeps nine digits of a fraction.
func (c *clock) readTime(s string) (rest string, ok bool) {
	if c.hour, rest, ok = pair(s); !ok || c.hour > 24 {
		return s, false
	}
	if c.minute, rest, ok = pairBehind(":", rest); !ok || c.minute > 59 {
		return s, false
	}
	if c.whole, rest, ok = pairBehind(":", rest); !ok || c.whole > 59 {
		return s, false
	}
	if after, fractional := strings.CutPrefix(rest, "."); fractional {
		if c.nanos, rest, ok = nanos(after); !ok {
			return s, false
		}
	}
	if c.hour == 24 && (c.minute > 0 || c.whole > 0 || c.nanos > 0) {
		return s, false
	}
	return rest, true
}

// nanos reads a fraction of seconds.
func nanos(s string) (n uint32, rest string, ok bool) {
	end := 0
	for ; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		if end < 9 {
			n = n*10 + uint32(s[end]-'0')
		}
	}
	for i := end; i < 9; i++ {
		n *= 10
	}
	return n, s[end:], end > 0
}

// readZone reads a time zone, or none.
func readZone(s string) (zone int16, ok bool) {
	switch {
	case s == "":
		return noZone, true
	case s == "Z":
		return 0, true
	case s[0] != '+' && s[0] != '-':
		return 0, false
	}
	hours, rest, ok := pair(s[1:])
	if !ok {
		return 0, false
	}
	minutes, rest, ok := pairBehind(":", rest)
	zone = int16(hours*60 + minutes)
	if !ok || rest != "" || minutes > 59 || zone > 14*60 {
		return 0, false
	}
	if s[0] == '-' {
		zone = -zone
	}
	return zone, true
}

// daysIn returns the length of a month.
func daysIn(year int64, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4, month == 6, month == 9, month == 11:
		return 30
	}
	return 31
}

// An era is 400 years, the period of the calendar.
const (
	era       = 146097 // days
	eraOf1970 = 719468 // days from the first of March of the year 0 to 1970
)

// daysFrom returns the days from 1970 to a date. Years start in March here, so that leap days come
// last.
func daysFrom(year int64, month, dayOfMonth int) int64 {
	if month <= 2 {
		year--
	}
	eras := floor(year, 400)
	ofEra := year - eras*400
	ofYear := int64((153*((month+9)%12)+2)/5 + dayOfMonth - 1)
	return eras*era + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - eraOf1970
}

// dateOf is the inverse of daysFrom.
func dateOf(days int64) (year int64, month, dayOfMonth int) {
	days += eraOf1970
	eras := floor(days, era)
	ofEra := days - eras*era
	years := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := int(ofEra - (365*years + years/4 - years/100))
	m := (5*ofYear + 2) / 153
	month = (m+2)%12 + 1
	year = years + eras*400
	if month <= 2 {
		year++
	}
	return year, month, ofYear - (153*m+2)/5 + 1
}

// floor returns a / b, rounded down, for a positive b.
func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// timeText returns the lexical form of a dateTime, date or time.
func (v Value) timeText() string {
	c := v.clock()
	var b strings.Builder
	if v.class != timeOfDay {
		year := c.year
		if year < 0 {
			b.WriteByte('-')
			year = -year
		}
		fmt.Fprintf(&b, "%04d-%02d-%02d", year, c.month, c.day)
	}
	if v.class == dateTime {
		b.WriteByte('T')
	}
	if v.class != date {
		fmt.Fprintf(&b, "%02d:%02d:%02d%s", c.hour, c.minute, c.whole, fraction(c.nanos))
	}
	b.WriteString(zoneText(c.zone))
	return b.String()
}

// fraction returns nanoseconds as the shortest decimal fraction, with its point.
func fraction(nanos uint32) string {
	if nanos == 0 {
		return ""
	}
	return "." + strings.TrimRight(fmt.Sprintf("%09d", nanos), "0")
}

// zoneText returns a time zone in lexical form.
func zoneText(zone int16) string {
	switch {
	case zone == noZone:
		return ""
	case zone == 0:
		return "Z"
	case zone < 0:
		return fmt.Sprintf("-%02d:%02d", -zone/60, -zone%60)
	}
	return fmt.Sprintf("+%02d:%02d", zone/60, zone%60)
}

// ofTime converts a time.Time.
func ofTime(t time.Time) Value {
	v := Value{kind: rdf.Literal, class: dateTime, n: t.Unix(), scale: uint32(t.Nanosecond())}
	_, offset := t.Zone()
	v.zone = int16(offset / 60)
	return v
}

// compareTimes compares times of one class. A time with a zone and one without are comparable only if the
// order is the same for all zones of the latter: 14 hours to either side of UTC.
func compareTimes(a, b Value) (int, error) {
	if (a.zone == noZone) == (b.zone == noZone) {
		return orderTimes(a, b), nil
	}
	const reach = 14 * 60 * 60
	switch far := a.n - b.n; {
	case far > reach, far == reach && a.scale > b.scale:
		return 1, nil
	case far < -reach, far == -reach && a.scale < b.scale:
		return -1, nil
	}
	return 0, ErrType
}

// orderTimes compares times; those without a zone count as UTC.
func orderTimes(a, b Value) int {
	if c := order(a.n, b.n); c != 0 {
		return c
	}
	return order(a.scale, b.scale)
}
