//go:build e2e

package program_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver/internal/realdata"
)

// The sizes of the lists that the scripts of the cases make.
const (
	listPages     = 60
	listItems     = 3 * listPages
	streamMembers = 5 * listPages
)

// toPort has a crawl file of the case name another port of this machine.
func (c *tried) toPort(file string, was, port int) {
	path := filepath.Join(c.folder, file)
	write(c.T, path, strings.ReplaceAll(string(read(c.T, path)), ":"+strconv.Itoa(was), ":"+strconv.Itoa(port)))
}

// pythonServes starts a script of the case with a free port and arguments, and returns the port once it
// answers there.
func (c *tried) pythonServes(script string, args ...string) (port int) {
	c.Helper()
	python(c.T)
	port = freePorts(c.T, 1)[0]
	args = append([]string{filepath.Join(c.folder, script), strconv.Itoa(port)}, args...)
	command := exec.CommandContext(c.Context(), "python3", args...)
	if err := command.Start(); err != nil {
		c.Fatal(err)
	}
	dead := make(chan error, 1)
	go func() { dead <- command.Wait() }()
	c.Cleanup(func() { _ = command.Process.Kill(); <-dead })
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			conn.Close()
			return port
		}
		select {
		case err := <-dead:
			dead <- err
			c.Fatalf("%s: %v", script, err)
		case <-again.C:
		}
	}
}

func pagedList(c *tried) {
	python(c.T)
	folder := c.TempDir()
	command := exec.CommandContext(c.Context(), "python3", filepath.Join(c.folder, "pag.py"), folder)
	if out, err := command.CombinedOutput(); err != nil {
		c.Fatalf("%v: %s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	c.toPort("pag.yaml", 8146, server.Listener.Addr().(*net.TCPAddr).Port)
	list, item := regexp.MustCompile(`/list\d+\.html$`), regexp.MustCompile(`/g\d+_\d+\.html$`)
	pages, items := 0, 0
	for _, l := range c.crawl("pag.yaml") {
		switch {
		case l.Status != http.StatusOK:
		case list.MatchString(l.URL):
			pages++
		case item.MatchString(l.URL):
			items++
		}
	}
	c.see("%d of %d pages, %d of %d items", pages, listPages, items, listItems)
	c.right(pages == listPages && items == listItems, "the list is not whole")
}

func eventStream(c *tried) {
	port := c.pythonServes("ldes.py", strconv.Itoa(listPages))
	c.toPort("ldes.yaml", 8142, port)
	pages := map[string]bool{}
	for _, l := range c.crawl("ldes.yaml") {
		if l.Status == http.StatusOK && strings.Contains(l.URL, "/feed?page=") {
			pages[l.URL] = true
		}
	}
	out := c.ask("query", "out", "--format", "csv",
		"SELECT (COUNT(DISTINCT ?m) AS ?n) { GRAPH ?g { ?s <https://w3id.org/tree#member> ?m } }")
	members, err := strconv.Atoi(lastLine(strings.TrimSpace(out)))
	c.see("%d of %d pages, %d of %d members", len(pages), listPages, members, streamMembers)
	c.right(err == nil && len(pages) == listPages && members == streamMembers, "the stream is not whole")
}

// modelJudges wants of a server of a mode the same verdicts as of one that answers every time with JSON alone.
func modelJudges(mode string) func(c *tried) {
	return func(c *tried) {
		examples := filepath.Join(realdata.Root(c.T), "examples")
		if err := os.Symlink(examples, filepath.Join(c.folder, "examples")); err != nil {
			c.Fatal(err)
		}
		all, none := c.modelVerdicts(mode)
		c.right(len(none) == 0, "no verdict: %s", strings.Join(none, "; "))
		plain, _ := c.modelVerdicts("plain")
		c.see("%d pages judged, %d without a verdict", len(all), len(none))
		c.right(len(all) > 10 && maps.Equal(all, plain),
			"%d verdicts are not those of a server that always answers, %d", len(all), len(plain))
	}
}

// modelVerdicts crawls anew, and returns the score of each page that was judged, and why others were not.
func (c *tried) modelVerdicts(mode string) (scores map[string]float64, none []string) {
	file := mode + ".yaml"
	write(c.T, filepath.Join(c.folder, file), string(read(c.T, filepath.Join(c.source, "llm-flaky.yaml"))))
	c.toPort(file, 8143, c.pythonServes("fakellm.py", mode))
	if err := os.RemoveAll(filepath.Join(c.folder, "out")); err != nil {
		c.Fatal(err)
	}
	scores = map[string]float64{}
	for _, l := range c.crawl(file) {
		for _, r := range l.Reasons {
			switch {
			case r.Rule == "no-answer":
				none = append(none, r.Evidence)
			case strings.HasPrefix(r.Rule, "judge:"):
				scores[l.URL] = l.Score
			}
		}
	}
	slices.Sort(none)
	return scores, slices.Compact(none)
}
