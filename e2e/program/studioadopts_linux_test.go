//go:build e2e

package program_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestStudioAdopts: a crawl that the command line runs in the folder of a studio is shown, steered and left alone there; when it has been
// stopped, the studio goes on with it.
func TestStudioAdopts(t *testing.T) {
	w := slowWeb(t)
	folder := slowCrawl(t, w, longDelay)
	k := studioOf(t, folder)
	type crawl struct {
		State     string
		Elsewhere bool
		Status    struct{ Progress struct{ Requests int64 } }
	}
	is := func(state string, elsewhere bool) {
		t.Helper()
		for begun := time.Now(); ; {
			var c crawl
			if k.ask(t, http.MethodGet, "/crawls/f", &c); c.State == state && c.Elsewhere == elsewhere {
				return
			}
			if time.Since(begun) > time.Minute {
				t.Fatalf("it is %+v, not %s", c, state)
			}
		}
	}
	refused := func(method, path, why string) {
		t.Helper()
		var p struct {
			Status int
			Detail string
		}
		if k.ask(t, method, path, &p); p.Status != http.StatusConflict || !strings.Contains(p.Detail, why) {
			t.Errorf("%s %s: %+v", method, path, p)
		}
	}
	status, printed := whileCrawling(t, folder, w, 3, 0, func(*exec.Cmd) {
		is("running", true)
		refused(http.MethodPost, "/crawls/f/start", "another process runs it")
		refused(http.MethodDelete, "/crawls/f", "stop it first")
		k.ask(t, http.MethodPost, "/crawls/f/pause", nil)
		is("paused", true)
		var pages struct{ Pages []struct{ URL string } }
		if k.ask(t, http.MethodGet, "/crawls/f/pages", &pages); len(pages.Pages) == 0 {
			t.Error("it has no pages")
		}
		k.ask(t, http.MethodPost, "/crawls/f/resume", nil)
		is("running", true)
		k.ask(t, http.MethodPost, "/crawls/f/stop", nil)
	})
	if status != exitInterrupted {
		t.Fatalf("exit status %d: %s", status, printed)
	}
	is("stopped", false)
	k.ask(t, http.MethodPost, "/crawls/f/start", nil)
	is("running", false)
	k.ask(t, http.MethodPost, "/crawls/f/stop", nil)
	is("stopped", false)
}
