package recrawl

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Times are the moments of rounds.
type Times interface {
	// Next returns the first moment after t; the zero time if there is none within five years.
	Next(t time.Time) time.Time
}

// Every returns times so far apart.
func Every(d time.Duration) Times { return every(d) }

type every time.Duration

func (e every) Next(t time.Time) time.Time { return t.Add(time.Duration(e)) }

// Least is the shortest time between two rounds, and between two visits of a page.
const Least = time.Minute

// ParseTimes reads times: a duration, as in 24h, or a cron expression of five fields (minute, hour, day of the month, month, day of the
// week) or one of @hourly, @daily, @weekly, @monthly and @yearly, in a time zone by its IANA name; empty: that of the machine.
func ParseTimes(text, zone string) (Times, error) {
	text = strings.TrimSpace(text)
	where := time.Local
	if zone != "" {
		var err error
		if where, err = time.LoadLocation(zone); err != nil {
			return nil, fmt.Errorf("%q is no time zone: write it as Europe/Berlin", zone)
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		if d < Least {
			return nil, fmt.Errorf("%s is less than %s", text, Least)
		}
		return Every(d), nil
	}
	parsed, ok := parseCalendar(text, where)
	if !ok {
		return nil, errTimes
	}
	if parsed.Next(time.Unix(0, 0)).IsZero() {
		return nil, errors.New("there is no such day")
	}
	return parsed, nil
}

var errTimes = errors.New(`write a duration, as in 24h, or five fields of cron, as in "0 3 * * *" for 3:00 each day, or @hourly, @daily, @weekly, @monthly or @yearly`)
