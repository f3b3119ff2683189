package console

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A screen is a terminal that several goroutines write to.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// take returns what was written since it was last taken.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

// TestBusy: on a terminal something is there after two seconds without output, moves each second, and is gone before what is printed.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen screen
		in, answer := io.Pipe()
		c := &Console{Out: &screen, Err: &screen, In: in, Terminal: true}
		stop := c.ShowBusy("export", false)
		after(Patience - time.Millisecond)
		if got := screen.take(); got != "" {
			t.Errorf("too early: %q", got)
		}
		after(1500 * time.Millisecond)
		Say(c.Out, "a line")
		after(1500 * time.Millisecond)
		if got, want := screen.take(), "\rexport ... 2 s\x1b[K\rexport ... 3 s\x1b[K\r\x1b[Ka line\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		go func() { // somebody is asked
			after(time.Minute)
			_, _ = io.WriteString(answer, "yes")
		}()
		_, err := io.ReadFull(c.In, make([]byte, 3))
		if got := screen.take(); err != nil || got != "" {
			t.Errorf("%v, drawn over a question: %q", err, got)
		}
		after(Patience + 100*time.Millisecond)
		stop()
		if got := screen.take(); c.Out != io.Writer(&screen) || !strings.HasSuffix(got, " s\x1b[K\r\x1b[K") {
			t.Errorf("at the end %q", got)
		}
	})
}

// TestNotBusy: a server is silent after its first line, and so is what has no terminal.
func TestNotBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen screen
		for _, terminal := range []bool{true, false} {
			c := &Console{Out: &screen, Err: &screen, Terminal: terminal}
			stop := c.ShowBusy("serve", true)
			Say(c.Out, "at a port")
			after(time.Hour)
			stop()
		}
		if got := screen.take(); got != "at a port\nat a port\n" {
			t.Errorf("%q", got)
		}
	})
}
