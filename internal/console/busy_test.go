package console

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// TestBusy: on a terminal something is there after two seconds without output, moves each second, and is gone before what is printed.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		in, answer := io.Pipe()
		c := &Console{Out: &screen, Err: &screen, In: in, Terminal: true}
		stop := c.ShowBusy("export", false)
		after(Patience - time.Millisecond)
		if screen.Len() > 0 {
			t.Errorf("too early: %q", screen.String())
		}
		after(1500 * time.Millisecond)
		Say(c.Out, "a line")
		after(1500 * time.Millisecond)
		if want := "\rexport ... 2 s\x1b[K\rexport ... 3 s\x1b[K\r\x1b[Ka line\n"; screen.String() != want {
			t.Errorf("%q, want %q", screen.String(), want)
		}
		screen.Reset()
		go func() { // somebody is asked
			after(time.Minute)
			_, _ = io.WriteString(answer, "yes")
		}()
		if _, err := io.ReadFull(c.In, make([]byte, 3)); err != nil || screen.Len() > 0 {
			t.Errorf("%v, drawn over a question: %q", err, screen.String())
		}
		after(Patience + 100*time.Millisecond)
		stop()
		if c.Out != io.Writer(&screen) || !bytes.HasSuffix(screen.Bytes(), []byte(" s\x1b[K\r\x1b[K")) {
			t.Errorf("at the end %q", screen.String())
		}
	})
}

// TestNotBusy: a server is silent after its first line, and so is what has no terminal.
func TestNotBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		for _, terminal := range []bool{true, false} {
			c := &Console{Out: &screen, Err: &screen, Terminal: terminal}
			stop := c.ShowBusy("serve", true)
			Say(c.Out, "at a port")
			after(time.Hour)
			stop()
		}
		if screen.String() != "at a port\nat a port\n" {
			t.Errorf("%q", screen.String())
		}
	})
}
