package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"orbweaver/internal/console"
)

// How often a worker process that dies is begun again: deaths within a minute of its beginning, one after the other.
const (
	mostDeaths = 8
	longLife   = time.Minute
	pause      = time.Second
)

// work keeps a worker process running until it ends in order, and returns how.
func (w *crew) work(name string) (ended string, err error) {
	for deaths := 0; ; {
		began := time.Now()
		ended, err = w.process(name)
		if err == nil || w.stopping.Err() != nil {
			return ended, err
		}
		if deaths++; time.Since(began) > longLife {
			deaths = 1
		}
		if deaths == mostDeaths {
			return "", err
		}
		console.Say(w.j.Err, "warning: worker %s died, and is begun again: %v", name, err)
		select {
		case <-time.After(pause):
		case <-w.stopping.Done():
		}
	}
}

// process runs a worker process once.
func (w *crew) process(name string) (ended string, err error) {
	said, err := w.logOf(name)
	if err != nil {
		return "", err
	}
	defer said.Close()
	var out, last bytes.Buffer
	c := exec.Command(w.command[0], w.command[1:]...)
	c.Stdout, c.Stderr = &out, io.MultiWriter(said, &last)
	ordersFrom, orders, err := os.Pipe()
	if err != nil {
		return "", err
	}
	c.Stdin = ordersFrom
	own(c)
	err = c.Start()
	_ = ordersFrom.Close()
	if err != nil {
		return "", errors.Join(err, orders.Close())
	}
	done := context.AfterFunc(w.stopping, func() { _ = orders.Close() }) // its input ends: it stops in order
	err = w.order(orders, name)
	if err = errors.Join(c.Wait(), err); done() {
		_ = orders.Close()
	}
	if err != nil {
		return "", fmt.Errorf("%w%s", err, lastWords(last.String()))
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return "", fmt.Errorf("it ended without a result%s", lastWords(last.String()))
	}
	return r.Ended, nil
}

// lastWords is the last line of a text, in parentheses.
func lastWords(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return " (" + console.Visible(strings.TrimPrefix(last, "orbweaver: "), 500) + ")"
	}
	return ""
}
