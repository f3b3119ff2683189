package spotlight

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"orbweaver/internal/step"
)

// longestWish is how long a server is left alone by its own wish, at most.
const longestWish = time.Hour

// A rest is when a server is left alone: for a length after so many failures in a row, and after each
// one that follows, until it answers; or for as long as it says. It belongs to whoever has the slot.
type rest struct {
	most   int
	length time.Duration

	failed int // in a row
	until  time.Time
}

// left is the remaining backoff; 0 or less: the server may be called.
func (r *rest) left(now time.Time) time.Duration { return r.until.Sub(now) }

// note takes up how a call went.
func (r *rest) note(now time.Time, err error) {
	if err == nil {
		r.failed = 0
		return
	}
	var length time.Duration
	if r.failed++; r.failed >= r.most {
		length = r.length
	}
	var e *Error
	if errors.As(err, &e) {
		length = max(length, e.after)
	}
	r.until = now.Add(length)
}

// retryAfter is how long a server that says 429 or 503 wants to be left alone, in seconds of
// Retry-After; 0: it does not say.
func retryAfter(response *step.Response) time.Duration {
	if response.Status != 429 && response.Status != 503 {
		return 0
	}
	seconds, err := strconv.ParseUint(strings.TrimSpace(response.Header.Get("Retry-After")), 10, 31)
	if err != nil {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, longestWish)
}
