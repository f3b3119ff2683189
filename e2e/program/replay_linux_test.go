//go:build e2e

package program_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
)

// TestReplayEnds: Ctrl-C ends a replay in good order, and until then it answers.
func TestReplayEnds(t *testing.T) {
	c := program(t, t.TempDir(), "replay", filepath.Join(realdata.Root(t), "examples/demo.warc.gz"), "--listen", "127.0.0.1:0")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	page := ""
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Ctrl-C") {
		if url, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "a page"); found {
			page = strings.TrimSpace(url)
		}
	}
	resp, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `href="/web/http://`) {
		t.Errorf("%s: %d, %v\n%s", page, resp.StatusCode, err, body)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

func TestReplayMisused(t *testing.T) {
	for _, args := range [][]string{{"replay"}, {"replay", "x.warc.gz", "--absent", "200"}, {"replay", "none.warc.gz"}} {
		if status, _, stderr := execute(t, args...); status != exitInput || stderr == "" {
			t.Errorf("%v: status %d, %q", args, status, stderr)
		}
	}
}
