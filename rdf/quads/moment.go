package quads

import (
	"strconv"
	"time"
)

const (
	xsdDateTime = "http://www.w3.org/2001/XMLSchema#dateTime"
	xsdDate     = "http://www.w3.org/2001/XMLSchema#date"
)

// A moment is milliseconds of UTC since the start of the year -1, then how many digits of the second's
// fraction are written, then the zone as written. What has no zone is ordered as if it were of UTC.
const (
	zoneBits = 7
	fracBits = 2
	yearZero = -62198755200 // seconds: the year -1, below any that is written, whatever its zone

	noZone   = 0
	zulu     = 1
	zoneZero = 58 // +00:00; one more for each quarter of an hour
	maxZone  = 56 // quarters: 14:00
)

// inlineMoment reads YYYY-MM-DD, for a dateTime Thh:mm:ss and a fraction too, and a zone.
func inlineMoment(kind Kind, s string) (ID, bool) {
	var f [6]int // year to second
	rest, ok := fields(s, &f, 3, "--")
	if ok && kind == KindDateTime {
		if rest == "" || rest[0] != 'T' {
			return 0, false
		}
		clock := [6]int{}
		rest, ok = fields(rest[1:], &clock, 3, "::")
		copy(f[3:], clock[:3])
	}
	if !ok {
		return 0, false
	}
	t := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, time.UTC)
	if t.Year() != f[0] || t.Month() != time.Month(f[1]) || t.Day() != f[2] || f[3] > 23 || f[4] > 59 || f[5] > 59 {
		return 0, false
	}
	millis, written := 0, 0
	if kind == KindDateTime {
		if millis, written, rest, ok = fraction(rest); !ok {
			return 0, false
		}
	}
	zone, ok := parseZone(rest)
	if !ok {
		return 0, false
	}
	seconds := t.Unix() - yearZero - zoneSeconds(zone)
	v := uint64(seconds*1000+int64(millis))<<fracBits | uint64(written)
	return newID(kind, v<<zoneBits|zone), true
}

// fields reads numbers of two digits, the first of four where separators are those of a date.
func fields(s string, into *[6]int, n int, separators string) (rest string, ok bool) {
	for i := range n {
		width := 2
		if i == 0 && separators[0] == '-' {
			width = 4
		}
		if i > 0 {
			if s == "" || s[0] != separators[i-1] {
				return s, false
			}
			s = s[1:]
		}
		if len(s) < width {
			return s, false
		}
		for _, c := range []byte(s[:width]) {
			if c < '0' || c > '9' {
				return s, false
			}
			into[i] = into[i]*10 + int(c-'0')
		}
		s = s[width:]
	}
	return s, true
}

// fraction reads up to three digits behind a point, or nothing.
func fraction(s string) (millis, written int, rest string, ok bool) {
	if s == "" || s[0] != '.' {
		return 0, 0, s, true
	}
	s = s[1:]
	for written < len(s) && s[written] >= '0' && s[written] <= '9' {
		if written == 3 {
			return 0, 0, s, false
		}
		millis = millis*10 + int(s[written]-'0')
		written++
	}
	for range 3 - written {
		millis *= 10
	}
	return millis, written, s[written:], written > 0
}

func parseZone(s string) (zone uint64, ok bool) {
	switch {
	case s == "":
		return noZone, true
	case s == "Z":
		return zulu, true
	case len(s) != 6 || s[0] != '+' && s[0] != '-':
		return 0, false
	}
	var f [6]int
	if _, ok := fields(s[1:], &f, 2, ":"); !ok || f[1] > 59 || f[1]%15 != 0 {
		return 0, false
	}
	quarters := f[0]*4 + f[1]/15
	if quarters > maxZone || quarters == 0 && s[0] == '-' {
		return 0, false
	}
	if s[0] == '-' {
		quarters = -quarters
	}
	return uint64(zoneZero + quarters), true
}

// zoneSeconds is how far a zone's clocks are ahead of UTC.
func zoneSeconds(zone uint64) int64 {
	if zone == noZone || zone == zulu {
		return 0
	}
	return (int64(zone) - zoneZero) * 15 * 60
}

func moment(kind Kind, v uint64) (string, bool) {
	zone, written := v&(1<<zoneBits-1), int(v>>zoneBits&(1<<fracBits-1))
	if zone > zoneZero+maxZone {
		return "", false
	}
	instant := int64(v >> (zoneBits + fracBits))
	t := time.Unix(instant/1000+yearZero+zoneSeconds(zone), instant%1000*1e6).UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return "", false
	}
	b := make([]byte, 0, 32)
	if kind == KindDate {
		b = t.AppendFormat(b, "2006-01-02")
	} else {
		b = t.AppendFormat(b, "2006-01-02T15:04:05.000")
		b = b[:len(b)-4+written]
		if written > 0 {
			b = b[:len(b)+1]
		}
	}
	switch {
	case zone == zulu:
		b = append(b, 'Z')
	case zone != noZone:
		b = appendZone(b, int(zone)-zoneZero)
	}
	return string(b), true
}

func appendZone(b []byte, quarters int) []byte {
	sign := byte('+')
	if quarters < 0 {
		sign, quarters = '-', -quarters
	}
	b = append(b, sign)
	b = append(b, strconv.Itoa(100 + quarters/4)[1:]...)
	b = append(b, ':')
	return append(b, strconv.Itoa(100 + quarters%4*15)[1:]...)
}
