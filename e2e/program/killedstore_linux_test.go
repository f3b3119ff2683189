//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKilledWhileRestoring kills backups and restores at one change after the other: a folder has the old store or the new one, a backup
// is whole or not there, and the same command does the rest.
func TestKilledWhileRestoring(t *testing.T) {
	const kills = 4
	kill := 0
	folder, random := t.TempDir(), rand.New(rand.NewPCG(7, 2))
	run := func(args ...string) string {
		t.Helper()
		out, err := program(t, folder, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	killed := func(args ...string) (over bool) {
		t.Helper()
		var told bytes.Buffer
		c, left := program(t, folder, args...), random.IntN(1<<random.IntN(6))
		c.Stdout, c.Stderr = &told, &told
		watching(t, folder).until(t, c, syscall.SIGKILL, func(string) bool {
			left--
			return left < 0
		})
		if over = c.ProcessState.Success(); !over && c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%v: %v: %s", args, c.ProcessState, &told)
		}
		if !over {
			kill++
		}
		return over
	}
	for i, name := range []string{"old", "new"} {
		write(t, filepath.Join(folder, name+".nt"), strings.Repeat("<u:s> <u:p> \""+name+"\" .\n", i+1)+"<u:s> <u:q> \""+name+"\" .\n")
	}
	run("store", "load", "old", "old.nt")
	run("store", "load", "new", "new.nt")
	old, fresh := run("store", "dump", "old"), run("store", "dump", "new")
	for i := range kills {
		backup := fmt.Sprint("backup", i)
		over := killed("store", "backup", "new", backup)
		if _, err := os.Stat(filepath.Join(folder, backup)); err == nil {
			if got := run("store", "dump", backup); got != fresh {
				t.Errorf("a backup that was killed: %q", got)
			}
		} else if over {
			t.Error("no backup")
		}
	}
	if got := run("store", "dump", "new"); got != fresh {
		t.Errorf("after backups: %q", got)
	}
	run("store", "backup", "old", "ancient")
	run("store", "backup", "new", "backup")
	have := old
	for range kills {
		over := killed("store", "restore", "backup", "old", "--force")
		got := run("store", "dump", "old")
		if got != fresh && (over || got != have) {
			t.Fatalf("restored %t: %q", over, got)
		}
		if have = got; got == fresh {
			run("store", "restore", "ancient", "old", "--force")
			have = old
		}
	}
	run("store", "restore", "backup", "old", "--force")
	if got := run("store", "dump", "old"); got != fresh {
		t.Errorf("in the end: %q", got)
	}
	for range kills {
		over := killed("store", "restore", "backup", "another")
		_, err := os.Stat(filepath.Join(folder, "another"))
		if over && err != nil {
			t.Errorf("a new folder: %v", err)
		}
		if err == nil {
			if got := run("store", "dump", "another"); got != fresh {
				t.Errorf("a new folder has %q", got)
			}
			if err := os.RemoveAll(filepath.Join(folder, "another")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d commands were killed", kill); kill == 0 {
		t.Error("no command was killed")
	}
}
