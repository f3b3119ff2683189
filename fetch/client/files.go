package client

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"time"
)

// The first and the longest pause before another try when no file could be opened.
const (
	firstPause = 10 * time.Millisecond
	lastPause  = time.Second
)

// patiently calls do until it does not fail for lack of files. Each time it closes the idle connections and waits, as long as the
// context lasts, until others have closed theirs: what this process lacks is no failure of a host.
func (c *Client) patiently(ctx context.Context, do func() error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := do()
		if !tooManyFiles(err) {
			return err
		}
		c.pool.shed()
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
}

// tooManyFiles reports whether an error says that this process, or the machine, can open no more files. The resolver's errors say so
// in their text alone.
func tooManyFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) ||
		err != nil && strings.Contains(err.Error(), syscall.EMFILE.Error())
}

// shed closes all idle connections.
func (p *pool) shed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.order.Len() > 0 {
		p.drop(p.order.Back().Value.(*conn))
	}
}
