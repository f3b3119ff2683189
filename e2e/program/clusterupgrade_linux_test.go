//go:build e2e

package program_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestClusterUpgraded: three nodes are ended one after the other in the middle of a crawl, and each is begun again with a program of another version. All pages are found, none twice.
func TestClusterUpgraded(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("builds the program twice: ORBWEAVER_EFFECT=all")
	}
	folder := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	programs := map[string]string{}
	for _, version := range []string{"v1.0", "v1.1"} {
		programs[version] = filepath.Join(folder, "orbweaver-"+version)
		c := exec.CommandContext(ctx, "go", "build", "-ldflags", "-X main.version="+version, "-o", programs[version], "..")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	run := func(version string, args ...string) *exec.Cmd {
		c := exec.CommandContext(ctx, programs[version], args...)
		c.Dir = folder
		c.Env = append(os.Environ(), "ORBWEAVER_MANNERS="+filepath.Join(folder, "hosts"))
		return c
	}
	web, finish := startWeb(t, shape{Hosts: 60, Pages: 60 * 60})
	clusterFile(t, folder, web, time.Second)
	ports := freePorts(t, 6)
	join := fmt.Sprintf("127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d", ports[3], ports[4], ports[5])
	begin := func(i int, version string) *exec.Cmd {
		c := run(version, "cluster", fmt.Sprint("node", i), "--name", fmt.Sprint("n", i), "--listen", fmt.Sprint("127.0.0.1:", ports[i]),
			"--listen-nodes", fmt.Sprint("127.0.0.1:", ports[3+i]), "--join", join)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	var nodes []*exec.Cmd
	var urls []string
	for i := range 3 {
		nodes, urls = append(nodes, begin(i, "v1.0")), append(urls, fmt.Sprint("127.0.0.1:", ports[i]))
	}
	url := strings.Join(urls, ",")
	works := func(line string) {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			out, _ := run("v1.0", "cluster", "status", url).CombinedOutput()
			if strings.Contains(string(out), line) {
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				t.Fatalf("no %q in %s", line, out)
			}
		}
	}
	for i := range 3 {
		works(fmt.Sprintf("n%d: works, has a server of the bus, orbweaver v1.0,", i))
	}
	var out bytes.Buffer
	crawl := run("v1.0", "crawl", "f.yaml", "--cluster", url)
	crawl.Stdout, crawl.Stderr = &out, &out
	if err := crawl.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range nodes {
		works("moving") // the crawl runs
		if err := nodes[i].Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = nodes[i].Wait() // it ends by the signal
		nodes[i] = begin(i, "v1.1")
		works(fmt.Sprintf("n%d: works, has a server of the bus, orbweaver v1.1,", i))
	}
	if err := crawl.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	wholeCrawl(t, folder, web, finish(), 0)
	for _, c := range nodes {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	}
}
