package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/sink"
)

// programs returns the folder of PostgreSQL's programs, or skips.
func programs(t *testing.T) string {
	t.Helper()
	if found, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil {
			found = real
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(found), "postgres")); err == nil {
			return filepath.Dir(found)
		}
	}
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin"); err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	t.Skip("no PostgreSQL: install the package postgresql")
	return ""
}

// A cluster is a PostgreSQL server of the test.
type cluster struct {
	bin, data, port string
	as              *syscall.SysProcAttr
	server          *exec.Cmd
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{bin: programs(t), as: &syscall.SysProcAttr{}}
	folder, err := os.MkdirTemp("", "orbweaver-pg-*") // the user of the server must reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	c.data = filepath.Join(folder, "data")
	if os.Getuid() == 0 { // as which PostgreSQL does not run
		other, err := user.Lookup("postgres")
		if err != nil {
			other, err = user.Lookup("nobody")
		}
		if err != nil {
			t.Skipf("the test is run by root, and there is no other user: %v", err)
		}
		uid, _ := strconv.Atoi(other.Uid)
		gid, _ := strconv.Atoi(other.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Skipf("the server cannot be another user's: %v", err)
		}
		c.as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	initdb := exec.CommandContext(t.Context(), filepath.Join(c.bin, "initdb"), "-D", c.data, "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C")
	initdb.SysProcAttr, initdb.Dir = c.as, folder
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Skipf("initdb: %v: %s", err, out)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.port = strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	c.start(t)
	t.Cleanup(func() { c.stop() })
	return c
}

// start starts the server and waits until it answers.
func (c *cluster) start(t *testing.T) {
	t.Helper()
	c.server = exec.Command(filepath.Join(c.bin, "postgres"), "-D", c.data, "-p", c.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
	c.server.SysProcAttr, c.server.Dir = c.as, filepath.Dir(c.data)
	if err := c.server.Start(); err != nil {
		t.Skipf("PostgreSQL does not start: %v", err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		ready := exec.CommandContext(t.Context(), filepath.Join(c.bin, "pg_isready"), "-h", "127.0.0.1", "-p", c.port, "-t", "1")
		if ready.Run() == nil {
			return
		}
	}
	t.Fatal("PostgreSQL does not answer")
}

// stop ends the server at once.
func (c *cluster) stop() {
	if c.server != nil {
		_ = c.server.Process.Signal(syscall.SIGQUIT) // it may have ended
		_ = c.server.Wait()                          // likewise
		c.server = nil
	}
}

// settings are those of the server, for a user.
func (c *cluster) settings(user string) map[string]string {
	return map[string]string{"host": "127.0.0.1", "port": c.port, "user": user, "database": "postgres"}
}

func accepted(n int64, url, text string) sink.Item {
	return sink.Item{ID: fmt.Sprint(n), Kind: sink.Accepted, N: n, URL: url, Page: &sink.Page{
		Outcome: n, Title: "T\x00\xff", Text: text, Score: .5, Fetched: time.Unix(0, 0), Reasons: []orbweaver.Reason{{Rule: "r", Evidence: "e\x00", Weight: 1}}, Creators: []string{"A"},
	}}
}

// TestTable: rows by URL in a real server: replaced by later versions alone, deleted, the same again, and there after the server was away.
func TestTable(t *testing.T) {
	c := newCluster(t)
	table := New(Options{Settings: c.settings("tester"), Table: "public.Pages"})
	defer table.Close()
	for range 2 {
		if err := table.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	rows := func() string {
		t.Helper()
		got, err := table.rows(t.Context(), `SELECT url, n, text, title, reasons->0->>'rule' FROM "Pages" ORDER BY url`)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range got {
			all = append(all, strings.Join(r, " "))
		}
		return strings.Join(all, ", ")
	}
	items := []sink.Item{accepted(1, "a", "old"), accepted(2, "b", "b"), accepted(3, "a", "new"), {Kind: sink.Withdrawn, N: 4, URL: "b"}, accepted(5, "c", "c"), {Kind: sink.End, N: 5}}
	want := "a 3 new T\ufffd\ufffd r, c 5 c T\ufffd\ufffd r"
	for range 2 {
		if err := table.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if err := table.Deliver(t.Context(), items[:2]); err != nil { // a part of them, once more
		t.Fatal(err)
	}
	if got := rows(); !strings.Contains(got, "a 3 new") {
		t.Error(got)
	}
	if err := table.Deliver(t.Context(), items[3:4]); err != nil {
		t.Fatal(err)
	}
	c.stop()
	if err := table.Deliver(t.Context(), []sink.Item{accepted(6, "d", "d")}); err == nil {
		t.Error("delivered to a server that is away")
	}
	c.start(t)
	if err := table.Deliver(t.Context(), []sink.Item{accepted(6, "d", "d")}); err != nil {
		t.Fatal(err)
	}
	if got := rows(); !strings.HasSuffix(got, "d 6 d T\ufffd\ufffd r") {
		t.Error(got)
	}
}

// TestUnfit: what is wrong with a table is said before anything is delivered.
func TestUnfit(t *testing.T) {
	c := newCluster(t)
	good := New(Options{Settings: c.settings("tester"), Table: "good"})
	if err := good.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer good.Close()
	for _, statement := range []string{"CREATE TABLE narrow (url text PRIMARY KEY, n text)", "CREATE TABLE loose AS SELECT * FROM good", "CREATE ROLE guest LOGIN"} {
		if _, err := good.rows(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		settings    map[string]string
		table, want string
	}{
		{c.settings("tester"), "narrow", "lacks columns: id text, n bigint,"},
		{c.settings("tester"), "loose", "unique"},
		{c.settings("tester"), "nowhere.pages", "nowhere"},
		{c.settings("guest"), "good", "permission denied"},
		{c.settings("stranger"), "good", "stranger"},
		{map[string]string{"host": "127.0.0.1", "port": "1", "user": "tester"}, "good", "refused"},
		{map[string]string{"port": "1", "user": "tester"}, "good", "no host"},
	} {
		err := New(Options{Settings: tc.settings, Password: "hush", Table: tc.table}).Check(t.Context())
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%v %s: %v", tc.settings, tc.table, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Options{Settings: c.settings("tester"), Table: "good"}).Deliver(ctx, []sink.Item{accepted(1, "a", "a")}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
