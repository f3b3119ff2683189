//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKilledWhileLoading kills loads and updates at one change to the store's folder after the other:
// it opens, and has all of each or nothing.
func TestKilledWhileLoading(t *testing.T) {
	const statements, kills = 20_000, 10
	folder, random := t.TempDir(), rand.New(rand.NewPCG(7, 1))
	var text strings.Builder
	for i := range statements {
		fmt.Fprintf(&text, "<http://v/%d> <http://v/p> \"value %d\" .\n", i%977, i)
	}
	write(t, filepath.Join(folder, "a.nt"), text.String())
	write(t, filepath.Join(folder, "b.nt"), strings.ReplaceAll(text.String(), "value", "other"))
	write(t, filepath.Join(folder, "none.nt"), "")
	if out, err := program(t, folder, "store", "load", "store", "none.nt").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	has := func() (n int) {
		t.Helper()
		out, err := program(t, folder, "query", "store", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "--format", "csv").Output()
		if err == nil {
			_, err = fmt.Sscanf(strings.TrimPrefix(string(out), "n\r\n"), "%d", &n)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return n
	}
	for _, step := range []struct {
		args          []string
		before, after int
	}{
		{[]string{"store", "load", "store", "a.nt"}, 0, statements},
		{[]string{"store", "load", "store", "b.nt"}, statements, 2 * statements},
		{[]string{"query", "store", "--update", "DELETE { ?s ?p ?o } INSERT { ?s <http://v/q> 1 } WHERE { ?s ?p ?o }"}, 2 * statements, 977},
	} {
		killed, over := 0, false
		for !over {
			var told bytes.Buffer
			c, left := program(t, folder, step.args...), random.IntN(1<<random.IntN(9))
			c.Stdout, c.Stderr = &told, &told
			watching(t, filepath.Join(folder, "store/ledger")).until(t, c, syscall.SIGKILL, func(string) bool {
				left--
				return killed < kills && left < 0
			})
			over = c.ProcessState.Success()
			if !over && c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("%v: %s", c.ProcessState, &told)
			}
			n := has()
			if n != step.after && (over || n != step.before) {
				t.Fatalf("%v, killed %d times: %d statements", step.args, killed, n)
			}
			if !over {
				killed++
				over = n == step.after
			}
		}
		t.Logf("%v: %d times killed", step.args, killed)
	}
}
