package trap

import "strings"

// Plausible years of pages.
const (
	firstYear = 1000
	lastYear  = 2100
)

// withoutDate appends the shape of a URL with a date: in its query, or at the end of its path if nothing
// follows. possible: the year is plausible.
func (u *parts) withoutDate(b []byte) (key []byte, dated, possible bool) {
	b = append(append(b, 'd'), u.host...)
	possible = true
	path := u.segments()
	n, year := dateAtEnd(path)
	if n > 0 {
		dated, possible = true, isTime(year)
		path = path[:len(path)-n]
		b = append(b, byte('0'+n))
	}
	for _, segment := range path {
		b = append(append(b, '/'), segment...)
	}
	for query := u.query; query != ""; {
		var one string
		one, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(one, "=")
		if year, ok := dateIn(name, value); ok {
			dated, possible = true, possible && isTime(year)
			one = name
		}
		b = append(append(b, '&'), one...)
	}
	return b, dated, possible
}

// isTime reports whether a year is plausible; 0: no year is known.
func isTime(year int) bool { return year == 0 || year >= firstYear && year <= lastYear }

// dateAtEnd returns the number of segments of the date at the end of a path, and its year; 0: none. A year
// alone is no date: many sections are named so.
func dateAtEnd(path []string) (n, year int) {
	last := func(i int) string {
		if i > len(path) {
			return ""
		}
		return path[len(path)-i]
	}
	if year, parts := dashed(last(1)); parts > 1 {
		return 1, year
	}
	if isMonth(last(1)) && isYear(last(2)) {
		return 2, number(last(2))
	}
	if isDay(last(1)) && isMonth(last(2)) && isYear(last(3)) {
		return 3, number(last(3))
	}
	return 0, 0
}

// dateIn reports whether a parameter is a date, or a part of one.
func dateIn(name, value string) (year int, ok bool) {
	if year, parts := dashed(value); parts > 1 {
		return year, true
	}
	if value == "" || len(value) > 8 || !isDigits(value) {
		return 0, false
	}
	switch strings.ToLower(name) {
	case "year", "yr", "yyyy":
		return number(value), true
	case "month", "mon", "mm", "day", "week", "date", "ym", "yyyymm", "yyyymmdd", "cal", "cal_m", "cal_y", "calmonth", "calyear":
		if len(value) >= 6 {
			return number(value[:4]), true
		}
		return 0, true
	}
	return 0, false
}

// dashed reads 2026-11 and 2026-11-02, and the same with dots or W for weeks; parts is the number of parts, 0
// if s is no date.
func dashed(s string) (year, parts int) {
	if len(s) < 6 || len(s) > 10 || !isYear(s[:4]) || s[4] != '-' && s[4] != '.' {
		return 0, 0
	}
	rest := strings.TrimPrefix(s[5:], "W")
	month, day, more := strings.Cut(rest, s[4:5])
	if !isDay(month) && !isMonth(month) || more && !isDay(day) {
		return 0, 0
	}
	return number(s[:4]), 2
}

func isYear(s string) bool  { return len(s) == 4 && isDigits(s) }
func isMonth(s string) bool { return len(s) > 0 && len(s) <= 2 && isDigits(s) && number(s) <= 12 }
func isDay(s string) bool   { return len(s) > 0 && len(s) <= 2 && isDigits(s) && number(s) <= 53 }

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// number reads a few digits.
func number(digits string) (n int) {
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}
