//go:build e2e

package program_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver/internal/realdata"
)

// TestClusterTutorial: the commands of docs/tutorial/cluster.md work as they stand in one shell, but for the servers of the sites and the numbers of ports, which are free
// ones; and what the page shows of their output is there, line by line.
func TestClusterTutorial(t *testing.T) {
	t.Parallel()
	folder, tutorials := t.TempDir(), filepath.Join(realdata.Root(t), "docs", "tutorial")
	ports := freePorts(t, 6)
	here := strings.NewReplacer(":8000", fmt.Sprint(":", serveSites(t, filepath.Join(folder, "site"))),
		":4222", fmt.Sprint(":", ports[0]), ":4223", fmt.Sprint(":", ports[1]), ":4224", fmt.Sprint(":", ports[2]),
		":6222", fmt.Sprint(":", ports[3]), ":6223", fmt.Sprint(":", ports[4]), ":6224", fmt.Sprint(":", ports[5]))
	s := startShell(t, folder)
	for _, block := range blocks.FindAllStringSubmatch(string(read(t, filepath.Join(tutorials, "first-crawl.md"))), -1) {
		if script := block[3]; block[2] == "sh" && strings.Contains(script, "<<END\n") { // the site and the crawl file
			s.run(t, here.Replace(script))
		}
	}
	ran := 0
	for _, block := range blocks.FindAllStringSubmatch(string(read(t, filepath.Join(tutorials, "cluster.md"))), -1) {
		switch comment, language, text := block[1], block[2], here.Replace(block[3]); {
		case comment == "not run: tutorial":
			s.run(t, text)
			ran++
		case language == "text":
			for line := range strings.Lines(text) {
				s.said(t, strings.TrimRight(line, "\n"))
			}
		}
	}
	for i := range 3 {
		if page := here.Replace(fmt.Sprintf("http://127.0.0.%d:8000/soaring.html", i+1)); !strings.Contains(strings.Join(s.seen, "\n"), "  "+page) {
			t.Errorf("%s is not listed", page)
		}
	}
	_ = s.in.Close()
	for range s.lines { // until nodes, which write there too, have ended
	}
	if err := s.c.Wait(); err != nil || ran != unrun["tutorial"].blocks {
		t.Errorf("%d blocks: %v", ran, err)
	}
}

// serveSites serves a folder at three addresses of this machine, at one port.
func serveSites(t *testing.T, folder string) (port int) {
	t.Helper()
	for range 100 { // the port may be taken at the other addresses
		var all []net.Listener
		for i := range 3 {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:%d", i+1, port))
			if err != nil {
				break
			}
			all, port = append(all, l), l.Addr().(*net.TCPAddr).Port
		}
		for _, l := range all {
			if len(all) < 3 {
				l.Close()
				port = 0
				continue
			}
			s := &http.Server{Handler: http.FileServerFS(os.DirFS(folder))}
			go func() { _ = s.Serve(l) }()
			t.Cleanup(func() { s.Close() })
		}
		if port != 0 {
			return port
		}
	}
	t.Fatal("no port is free at three addresses")
	return 0
}

// A shell reads commands like those of a terminal.
type shell struct {
	c     *exec.Cmd
	in    io.WriteCloser
	lines chan string // of it, and of all that it began
	seen  []string
}

// startShell starts one in a folder. To it, orbweaver is this test. It ends, with all that it began, after ten minutes, and with the test.
func startShell(t *testing.T, folder string) *shell {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(binary, filepath.Join(bin, "orbweaver")); err != nil {
		t.Fatal(err)
	}
	s := &shell{c: exec.Command("bash"), lines: make(chan string, 1000)}
	s.c.Dir, s.c.SysProcAttr = folder, &syscall.SysProcAttr{Setpgid: true}
	s.c.Env = append(os.Environ(), asProgram+"=1", "PATH="+bin+":"+os.Getenv("PATH"))
	if s.in, err = s.c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.c.Stderr = s.c.Stdout
	if err := s.c.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() { _ = syscall.Kill(-s.c.Process.Pid, syscall.SIGKILL) }
	late := time.AfterFunc(10*time.Minute, end)
	t.Cleanup(func() { late.Stop(); end() })
	go func() {
		for text := bufio.NewScanner(out); text.Scan(); {
			s.lines <- text.Text()
		}
		close(s.lines)
	}()
	return s
}

// run runs commands, and waits until those that are not in the background have ended.
func (s *shell) run(t *testing.T, script string) {
	t.Helper()
	const done = "these commands have ended"
	if _, err := fmt.Fprintf(s.in, "%s\necho %s with status $?\n", script, done); err != nil {
		t.Fatal(err)
	}
	if line := s.said(t, done); line != done+" with status 0" {
		t.Fatalf("%s%s\n%s", script, line, strings.Join(s.seen, "\n"))
	}
	s.seen = s.seen[:len(s.seen)-1]
}

// said waits for a line that begins so, unless there was one.
func (s *shell) said(t *testing.T, begins string) string {
	t.Helper()
	for i := 0; ; i++ {
		if i == len(s.seen) {
			line, ok := <-s.lines
			if !ok {
				t.Fatalf("no line says %q:\n%s", begins, strings.Join(s.seen, "\n"))
			}
			s.seen = append(s.seen, line)
		}
		if strings.HasPrefix(s.seen[i], begins) {
			return s.seen[i]
		}
	}
}
