//go:build e2e

package program_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// A killable is a studio in a process of its own.
type killable struct {
	cmd *exec.Cmd
	url string
}

// studioOf starts the studio of a folder, which runs three crawls at once.
func studioOf(t *testing.T, folder string) killable {
	t.Helper()
	c := program(t, folder, "studio", "--listen", "127.0.0.1:0", "--at-once", "3", "--spare", "0 B")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return killable{c, strings.TrimSuffix(regexp.MustCompile(`http://\S+`).FindString(line), "/")}
}

// ask sends a request to the studio's API and decodes the answer; false if nobody answers.
func (k killable) ask(t *testing.T, method, path string, into any) bool {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, k.url+"/api/v1"+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || into == nil {
		return err == nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return true
}

// follow reads outcomes after number n, up to the last or until the connection breaks.
func (k killable) follow(ctx context.Context, t *testing.T, id string, n, last int64, see func(int64)) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url+"/api/v1/crawls/"+id+"/events", http.NoBody)
	if err != nil {
		t.Error(err)
		return
	}
	r.Header.Set("Last-Event-ID", fmt.Sprint(n))
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 64<<20)
	for n < last && lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		var part struct {
			Pages []struct{ N int64 }
		}
		if !ok || json.Unmarshal([]byte(text), &part) != nil {
			continue
		}
		for _, p := range part.Pages {
			see(p.N)
			n = p.N
		}
	}
}

// TestStudioKilled: a studio that runs three crawls is killed in the middle of them, three times. Each time it is back they go on, and
// in the end each is what it is undisturbed. A client that follows one misses no outcome and sees none twice.
func TestStudioKilled(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz")
	folder := t.TempDir()
	names := []string{"one", "two", "three"}
	for i, name := range names {
		write(t, filepath.Join(folder, name+".yaml"), fmt.Sprintf(`seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://example.org/computing#Computing"}}
limits: {requests: %d}
`, filepath.Join(data, "wikispeedia.warc.gz"), filepath.Join(realdata.Root(t), "examples/wikispeedia/computing.ttl"), 900+100*i))
	}
	type crawl struct {
		ID, State string
		Status    struct{ Progress struct{ Requests int64 } }
	}
	k := studioOf(t, folder)
	for _, name := range names {
		k.ask(t, http.MethodPost, "/crawls/"+name+"/start", nil)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	next, back, done := int64(1), make(chan killable, 1), make(chan struct{})
	go func() {
		defer close(done)
		for studio := k; next <= 900; {
			studio.follow(ctx, t, "one", next-1, 900, func(n int64) {
				if n != next {
					t.Errorf("outcome %d comes where %d is due", n, next)
				}
				next = n + 1
			})
			select {
			case studio = <-back:
			case <-ctx.Done():
				return
			case <-time.After(10 * time.Millisecond): // the crawl has just ended, or the studio
			}
		}
	}()
	kills := 0
	for at := int64(100); ; {
		var all struct{ Crawls []crawl }
		if !k.ask(t, http.MethodGet, "/crawls", &all) {
			t.Fatal("the studio is gone")
		}
		ended, least := 0, int64(1<<62)
		for _, c := range all.Crawls {
			if least = min(least, c.Status.Progress.Requests); c.State == "ended" {
				ended++
			}
		}
		if ended == len(names) {
			break
		}
		if least >= at && kills < 3 {
			if err := k.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = k.cmd.Wait()
			k = studioOf(t, folder)
			back <- k
			kills, at = kills+1, least+150
		}
		<-time.After(20 * time.Millisecond) // a look at all crawls takes the studio's time from them
	}
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Errorf("the client waits for outcome %d", next)
	}
	stop()
	if kills == 0 {
		t.Error("it was never killed: the test shows nothing")
	}
	whole := t.TempDir()
	for _, name := range names {
		text := read(t, filepath.Join(folder, name+".yaml"))
		write(t, filepath.Join(whole, name+".yaml"), string(text))
		if out, err := program(t, whole, "crawl", name+".yaml").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		journal := filepath.Join("crawls", name, ledger.JournalFile)
		if string(read(t, filepath.Join(whole, journal))) != string(read(t, filepath.Join(folder, journal))) {
			t.Errorf("crawl %s is not what it is undisturbed", name)
		}
	}
	t.Logf("%d times killed", kills)
}
