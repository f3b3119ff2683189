package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A wallBy is a wall of a known vendor.
type wallBy struct{ error }

func (w wallBy) Unwrap() error { return w.error }
func (wallBy) Sender() string  { return "Sucuri" }

// An answer that is not the page is a failure of its kind: it is not judged, its links are not followed, and nothing
// is learned from it, nor in a later session.
func TestAnswersThatAreNotThePage(t *testing.T) {
	dir := t.TempDir()
	w := web{
		"http://a.test/":  "-\nhttp://a.test/1 0.9\nhttp://a.test/2 0.8",
		"http://a.test/1": "wall\nhttp://a.test/3 0.9", "http://a.test/2": "soft\nhttp://a.test/4 0.9",
		"http://a.test/3": "-\n", "http://a.test/4": "-\n",
	}
	check := func(_ *step.Response, payload []byte, _ *orbweaver.Page) error {
		switch {
		case strings.HasPrefix(string(payload), "wall"):
			return fmt.Errorf("read: %w", wallBy{step.ErrWall})
		case strings.HasPrefix(string(payload), "soft"):
			return fmt.Errorf("read: %w", step.ErrSoft404)
		}
		return nil
	}
	for session := range 2 {
		f := &judging{counting: *newCounting()}
		crawlWith(t, dir, func(cfg *engine.Config) {
			cfg.Focus, cfg.Fetch, cfg.Read, cfg.Check = f, w, likeReader{}, check
			cfg.Seeds = []string{"http://a.test/"}
		}, func(book *ledger.Ledger) {
			for url, want := range map[string]orbweaver.Failure{
				"http://a.test/1": step.ErrWall, "http://a.test/2": step.ErrSoft404,
			} {
				o, err := book.Outcome(url)
				if err != nil || o.Page != nil || o.Actual.Accepted || orbweaver.FailureOf(o.Err) != want {
					t.Errorf("%s: %+v, %v", url, o, err)
				}
				if by := o.Actual.Reasons; (len(by) == 1 && by[0].Rule == engine.RuleSender && by[0].Evidence == "Sucuri") != (want == step.ErrWall) {
					t.Errorf("%s: sent by %v", url, by)
				}
			}
		})
		if slices.ContainsFunc(f.learned, func(url string) bool { return url != "http://a.test/" }) {
			t.Errorf("session %d learned from %q", session, f.learned)
		}
		if session == 0 && !slices.Equal(f.judged, []string{"http://a.test/"}) {
			t.Errorf("judged %q", f.judged)
		}
	}
}
