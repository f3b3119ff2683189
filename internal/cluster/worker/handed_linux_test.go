package worker

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestFull: where a write fails half way, what this worker kept before stays as it was. It runs in a process of its own,
// whose files are limited.
func TestFull(t *testing.T) {
	folder := flag.Arg(0)
	if folder == "" {
		self := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFull$", "--", t.TempDir())
		if told, err := self.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, told)
		}
		return
	}
	w := &Worker{o: Options{Folder: folder}}
	if err := w.keepCrew([]string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
		t.Fatal(err)
	}
	if err := w.keepCrew(strings.Split(strings.Repeat("name ", 1000), " ")); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("the limit does not hold: %v", err)
	}
	if crew, err := w.keptCrew(); err != nil || !slices.Equal(crew, []string{"a", "b"}) {
		t.Errorf("kept is %v, %v", crew, err)
	}
}
