package value

import (
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// decodeDuration reads a dayTimeDuration or yearMonthDuration.
func (v *Value) decodeDuration() bool {
	s, negative := strings.CutPrefix(v.value, "-")
	s, ok := strings.CutPrefix(s, "P")
	if !ok || s == "" {
		return false
	}
	units := "YM"
	if v.class == dayTime {
		units = "DTHMS"
	}
	if strings.HasSuffix(s, "T") || !v.decodeUnits(s, units) {
		return false
	}
	if negative {
		v.n, v.scale = opposite(v.n, v.scale)
	}
	return true
}

// opposite negates a number of seconds and nanoseconds. Nanoseconds are never negative and count forward from
// the seconds, so that durations sort like times.
func opposite(n int64, nanos uint32) (int64, uint32) {
	if nanos > 0 {
		return -n - 1, 1e9 - nanos
	}
	return -n, 0
}

// weight returns the seconds, or months, of a unit.
func weight(unit byte, c class) int64 {
	switch {
	case unit == 'Y':
		return 12
	case unit == 'D':
		return day
	case unit == 'H':
		return 60 * 60
	case unit == 'M' && c == dayTime:
		return 60
	}
	return 1
}

// decodeUnits reads numbers with units in the given order; "T" has no number.
func (v *Value) decodeUnits(s, units string) bool {
	for s != "" {
		if strings.HasPrefix(s, "T") {
			i := strings.IndexByte(units, 'T')
			if i < 0 {
				return false
			}
			s, units = s[1:], units[i+1:]
			continue
		}
		end := 0
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		number, rest := s[:end], s[end:]
		if end == 0 || end > 11 || rest == "" {
			return false
		}
		if rest[0] == '.' {
			var ok bool
			if v.scale, rest, ok = nanos(rest[1:]); !ok || rest != "S" {
				return false
			}
		}
		i := strings.IndexByte(units, rest[0])
		if i < 0 || strings.Contains(units[:i], "T") {
			return false
		}
		n, _ := strconv.ParseInt(number, 10, 64) // at most eleven digits
		v.n += n * weight(rest[0], v.class)
		s, units = rest[1:], units[i+1:]
	}
	return true
}

// newDayTime returns a duration of seconds.
func newDayTime(seconds int64) Value { return Value{kind: rdf.Literal, class: dayTime, n: seconds} }

// durationText returns the canonical form of a duration.
func (v Value) durationText() string {
	var b strings.Builder
	n, nanos := v.n, v.scale
	if n < 0 {
		b.WriteByte('-')
		n, nanos = opposite(n, nanos)
	}
	b.WriteByte('P')
	part := func(n int64, unit string) {
		if n > 0 {
			b.WriteString(strconv.FormatInt(n, 10) + unit)
		}
	}
	if v.class == yearMonth {
		part(n/12, "Y")
		if part(n%12, "M"); n == 0 {
			b.WriteString("0M")
		}
		return b.String()
	}
	part(n/day, "D")
	if n%day == 0 && nanos == 0 && n > 0 {
		return b.String()
	}
	b.WriteByte('T')
	part(n/3600%24, "H")
	part(n/60%60, "M")
	if seconds := n % 60; seconds > 0 || nanos > 0 || n == 0 {
		b.WriteString(strconv.FormatInt(seconds, 10) + fraction(nanos) + "S")
	}
	return b.String()
}
