package spotlight_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/spotlight"
)

// TestRest: after three failures in a row the server is left alone for a minute, then one call tells
// whether it is for another; what is kept is read all the while.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := inMemory(t)
		o.Failures, o.Rest, o.Kept = 3, time.Minute, &memory{all: map[string]string{}}
		c := newClient(t, o)
		expect := func(text string, want spotlight.Tally, class error) {
			t.Helper()
			if _, got, err := c.Annotate(t.Context(), text); got != want || !errors.Is(err, class) {
				t.Errorf("%s: %+v, %v", text, got, err)
			}
		}
		expect("a", spotlight.Tally{Asked: 1}, nil)
		f.say(says(502, "", ""))
		expect("b\n\nc", spotlight.Tally{Asked: 2, Failed: 2}, spotlight.ErrUnavailable)
		f.say(nil)
		expect("d", spotlight.Tally{Asked: 1}, nil) // and the row is broken
		f.say(says(400, "", ""))
		expect("e\n\nf\n\ng\n\nh\n\na", spotlight.Tally{Asked: 3, Kept: 1, Failed: 4}, spotlight.ErrRefused)
		f.say(nil)
		<-time.After(59 * time.Second)
		expect("e\n\nd", spotlight.Tally{Kept: 1, Failed: 1}, spotlight.ErrResting)
		expect("e", spotlight.Tally{Failed: 1}, orbweaver.ErrGaveUp)
		f.say(says(502, "", ""))
		<-time.After(time.Second)
		expect("e\n\nf", spotlight.Tally{Asked: 1, Failed: 2}, spotlight.ErrUnavailable)
		f.say(nil)
		<-time.After(time.Minute)
		expect("e\n\nf", spotlight.Tally{Asked: 2}, nil)
		f.say(says(502, "", ""))
		expect("i\n\nj", spotlight.Tally{Asked: 2, Failed: 2}, spotlight.ErrUnavailable)
	})
}

// TestRetryAfter: a server is left alone for as long as it says, but for no more than an hour.
func TestRetryAfter(t *testing.T) {
	for _, tc := range []struct {
		status int
		says   string
		want   time.Duration
	}{
		{429, "90", 90 * time.Second},
		{503, " 7 ", 7 * time.Second},
		{503, "99999999", time.Hour},
		{503, "-5", 0},
		{503, "Fri, 31 Dec 1999 23:59:59 GMT", 0},
		{500, "90", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, o := inMemory(t)
			f.say(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", tc.says)
				w.WriteHeader(tc.status)
			})
			c := newClient(t, o)
			c.Annotate(t.Context(), "a")
			if tc.want > 0 {
				<-time.After(tc.want - 1)
				if c.Annotate(t.Context(), "a"); f.asked() != 1 {
					t.Errorf("%d, %q: asked again before %v", tc.status, tc.says, tc.want)
				}
				<-time.After(1)
			}
			if c.Annotate(t.Context(), "a"); f.asked() != 2 {
				t.Errorf("%d, %q: not asked again after %v", tc.status, tc.says, tc.want)
			}
		})
	}
}
