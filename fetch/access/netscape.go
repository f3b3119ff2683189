package access

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/coding/charset"
)

// readNetscape reads a cookie file as curl and browsers write it: a cookie a line, its seven fields separated by tabs: domain,
// whether subdomains get it, path, whether https alone gets it, expiry in seconds since 1970 (0: with the session), name,
// value. #HttpOnly_ may stand before the domain; other lines that begin with # are comments. Cookies that have expired are
// left out. Errors name the line, never its value, and wrap orbweaver.ErrInput.
func readNetscape(name string, from io.Reader, now time.Time) ([]setting, error) {
	var all []setting
	lines := bufio.NewScanner(charset.NewReader(from))
	lines.Buffer(nil, 64<<10)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		text, only := strings.CutPrefix(strings.TrimRight(line, "\r"), "#HttpOnly_")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		fields := strings.Split(text, "\t")
		if len(fields) == 6 { // some write no field for an empty value
			fields = append(fields, "")
		}
		if len(fields) != 7 {
			return nil, fmt.Errorf("%s:%d: has %d fields; a cookie has 7, separated by tabs (%w)", name, number, len(fields), orbweaver.ErrInput)
		}
		seconds, err := strconv.ParseFloat(fields[4], 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: the fifth field is no time of expiry (%w)", name, number, orbweaver.ErrInput)
		}
		if len(all) == maxCookies {
			return nil, fmt.Errorf("%s:%d: more than %d cookies (%w)", name, number, maxCookies, orbweaver.ErrInput)
		}
		host := strings.TrimPrefix(fields[0], ".")
		c := http.Cookie{Name: fields[5], Value: strings.Trim(fields[6], `"`), Path: fields[2], Secure: strings.EqualFold(fields[3], "TRUE"), HttpOnly: only}
		if strings.EqualFold(fields[1], "TRUE") {
			c.Domain = host
		}
		if seconds > 0 && seconds < 1<<40 {
			if c.Expires = time.Unix(int64(seconds), 0).UTC(); !c.Expires.After(now) {
				continue
			}
		}
		again, ok := parseCookie(written(&c), now)
		if !ok || host == "" || again.Name != c.Name || again.Value != c.Value {
			return nil, fmt.Errorf("%s:%d: no cookie can be like this (%w)", name, number, orbweaver.ErrInput)
		}
		scheme := "http"
		if c.Secure {
			scheme = "https"
		}
		all = append(all, setting{scheme + "://" + host + "/", written(&c)})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	return all, nil
}
