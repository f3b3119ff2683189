package access

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// longestLife is how long browsers keep a cookie at most (RFC 6265bis, section 5.5).
const longestLife = 400 * 24 * time.Hour

// parseCookie reads a Set-Cookie header as RFC 6265bis, section 5.6, has it, which takes more than a server may send: no
// name, a value in UTF-8, quotes that are part of the value. Expires is absolute, Max-Age minus one for a cookie that is
// over. ok is false for what browsers ignore.
func parseCookie(line string, now time.Time) (c *http.Cookie, ok bool) {
	if len(line) > maxSetting || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return nil, false
	}
	pair, attributes, _ := strings.Cut(line, ";")
	name, value, named := strings.Cut(pair, "=")
	if !named {
		name, value = "", pair
	}
	c = &http.Cookie{Name: trimmed(name), Value: trimmed(value)}
	if c.Name == "" && c.Value == "" {
		return nil, false
	}
	for attributes != "" {
		var one string
		one, attributes, _ = strings.Cut(attributes, ";")
		key, value, _ := strings.Cut(one, "=")
		setAttribute(c, strings.ToLower(trimmed(key)), trimmed(value))
	}
	if c.MaxAge > 0 {
		c.Expires, c.MaxAge = now.Add(time.Duration(min(c.MaxAge, int(longestLife/time.Second)))*time.Second).UTC(), 0
	}
	if latest := now.Add(longestLife).UTC(); c.Expires.After(latest) {
		c.Expires = latest
	}
	if c.MaxAge == 0 && !c.Expires.IsZero() && !c.Expires.After(now) {
		c.MaxAge = -1
	}
	return c, true
}

// trimmed returns s without blanks and tabs about it.
func trimmed(s string) string { return strings.Trim(s, " \t") }

// setAttribute sets an attribute; the last one of a name counts. Others, and values that mean nothing, are ignored.
func setAttribute(c *http.Cookie, name, value string) {
	switch name {
	case "expires":
		if at, ok := cookieDate(value); ok {
			c.Expires = at
		}
	case "max-age":
		if seconds, err := strconv.Atoi(value); err == nil || strings.Trim(strings.TrimPrefix(value, "-"), "0123456789") == "" && value != "" && value != "-" {
			if c.MaxAge = seconds; seconds <= 0 {
				c.MaxAge = -1
			}
		}
	case "domain":
		c.Domain = strings.ToLower(strings.TrimPrefix(value, "."))
	case "path":
		if c.Path = value; !strings.HasPrefix(value, "/") {
			c.Path = ""
		}
	case "secure":
		c.Secure = true
	case "httponly":
		c.HttpOnly = true
	}
}

// written returns a cookie as a Set-Cookie header that parseCookie reads.
func written(c *http.Cookie) string {
	line := c.Name + "=" + c.Value
	if c.Path != "" {
		line += "; Path=" + c.Path
	}
	if c.Domain != "" {
		line += "; Domain=" + c.Domain
	}
	if !c.Expires.IsZero() {
		line += "; Expires=" + c.Expires.UTC().Format(http.TimeFormat)
	}
	if c.HttpOnly {
		line += "; HttpOnly"
	}
	if c.Secure {
		line += "; Secure"
	}
	return line
}

// mayStand reports whether a URL may set a cookie: Secure ones are set over https alone, and the prefixes of names promise
// what they say (RFC 6265bis, section 4.1.3 and 5.7). Without a name the value must not look like such a one.
func mayStand(c *http.Cookie, from *url.URL) bool {
	if c.Secure && !isSecure(from) {
		return false
	}
	name := strings.ToLower(c.Name)
	if name == "" {
		name = strings.ToLower(c.Value)
	}
	switch {
	case strings.HasPrefix(name, "__secure-"):
		return c.Name != "" && c.Secure
	case strings.HasPrefix(name, "__host-"):
		return c.Name != "" && c.Secure && c.Path == "/" && c.Domain == ""
	}
	return true
}

// isSecure reports whether nobody between can read or change what goes to a URL: https, or this machine.
func isSecure(at *url.URL) bool {
	host := strings.TrimSuffix(strings.ToLower(at.Hostname()), ".")
	address, err := netip.ParseAddr(host)
	return at.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback()
}

// months are the first letters of months in cookie dates.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// cookieDate reads a date by the algorithm of RFC 6265bis, section 5.1.1, which takes any order of its parts.
func cookieDate(s string) (at time.Time, ok bool) {
	clock, day, month, year := "", 0, 0, -1
	for token := range strings.FieldsFuncSeq(s, isDelimiter) {
		number, digits := leadingNumber(token)
		switch {
		case clock == "" && strings.Count(token, ":") == 2:
			clock = token
		case day == 0 && (digits == 1 || digits == 2):
			day = number
		case month == 0 && len(token) >= 3 && strings.Index(months, strings.ToLower(token[:3]))%3 == 0:
			month = strings.Index(months, strings.ToLower(token[:3]))/3 + 1
		case year < 0 && digits >= 2 && digits <= 4:
			year = number
		}
	}
	switch {
	case year >= 70 && year <= 99:
		year += 1900
	case year >= 0 && year <= 69:
		year += 2000
	}
	var hms [3]int
	for i, part := range strings.SplitN(clock, ":", 3) {
		number, digits := leadingNumber(part)
		if hms[i] = number; digits < 1 || digits > 2 {
			return at, false
		}
	}
	if day < 1 || day > 31 || month == 0 || year < 1601 || clock == "" || hms[0] > 23 || hms[1] > 59 || hms[2] > 59 {
		return at, false
	}
	at = time.Date(year, time.Month(month), day, hms[0], hms[1], hms[2], 0, time.UTC)
	return at, at.Day() == day
}

// isDelimiter reports whether a character stands between the parts of a cookie date.
func isDelimiter(r rune) bool {
	return r == '\t' || r >= ' ' && r <= '/' || r >= ';' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
}

// leadingNumber returns the number that a text begins with, and its digits; at most five are read.
func leadingNumber(s string) (number, digits int) {
	for digits < min(len(s), 5) && s[digits] >= '0' && s[digits] <= '9' {
		number = 10*number + int(s[digits]-'0')
		digits++
	}
	return number, digits
}
