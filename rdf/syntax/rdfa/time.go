package rdfa

import "strings"

// timeType returns the datatype of a <time> value by its form, or "".
func timeType(s string) string {
	switch {
	case isDuration(s):
		return xsdNS + "duration"
	case strings.Contains(s, "T"):
		date, time, _ := strings.Cut(s, "T")
		if rest, ok := cutDate(date, 3); ok && rest == "" && isTime(time) {
			return xsdNS + "dateTime"
		}
		return ""
	case isTime(s):
		return xsdNS + "time"
	}
	for parts, name := range []string{1: "gYear", 2: "gYearMonth", 3: "date"} {
		if rest, ok := cutDate(s, parts); ok && parts > 0 && isZone(rest) {
			return xsdNS + name
		}
	}
	return ""
}

// cutDate cuts a date off s: a year of four digits or more, and month and day if parts is 2 or 3.
func cutDate(s string, parts int) (rest string, ok bool) {
	s = strings.TrimPrefix(s, "-")
	n := digits(s)
	if n < 4 {
		return s, false
	}
	s = s[n:]
	for range parts - 1 {
		if len(s) < 3 || s[0] != '-' || digits(s[1:3]) != 2 {
			return s, false
		}
		s = s[3:]
	}
	return s, true
}

// isTime reports whether s is hh:mm:ss, with an optional fraction and zone.
func isTime(s string) bool {
	if len(s) < 8 || digits(s) != 2 || s[2] != ':' || digits(s[3:]) != 2 || s[5] != ':' || digits(s[6:]) != 2 {
		return false
	}
	s = s[8:]
	if fraction, has := strings.CutPrefix(s, "."); has {
		n := digits(fraction)
		if n == 0 {
			return false
		}
		s = fraction[n:]
	}
	return isZone(s)
}

// isZone reports whether s is empty, Z or an offset.
func isZone(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	return len(s) == 6 && (s[0] == '+' || s[0] == '-') && digits(s[1:]) == 2 && s[3] == ':' && digits(s[4:]) == 2
}

// isDuration reports whether s is a duration of XML Schema.
func isDuration(s string) bool {
	s, ok := strings.CutPrefix(strings.TrimPrefix(s, "-"), "P")
	if !ok || s == "" || strings.HasSuffix(s, "T") {
		return false
	}
	date, time, _ := strings.Cut(s, "T")
	return inUnits(date, "YMD", false) && inUnits(time, "HMS", true)
}

// inUnits reports whether s is a sequence of numbers with units, each unit at most once and in order.
func inUnits(s, units string, fraction bool) bool {
	for s != "" {
		n := digits(s)
		if n == 0 {
			return false
		}
		if rest, dot := strings.CutPrefix(s[n:], "."); dot && fraction {
			m := digits(rest)
			if m == 0 || !strings.HasPrefix(rest[m:], "S") {
				return false
			}
			n += 1 + m
		}
		if n == len(s) {
			return false
		}
		unit := strings.IndexByte(units, s[n])
		if unit < 0 {
			return false
		}
		s, units = s[n+1:], units[unit+1:]
	}
	return true
}

// digits returns how many digits s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
