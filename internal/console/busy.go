package console

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A busy fills the silence of a job on a terminal: a line with a name and the time since the job began, redrawn in place. It is
// there after Patience without output, and gone before the next.
type busy struct {
	name string
	err  io.Writer
	once bool // only until the first output

	mu      sync.Mutex
	began   time.Time
	last    time.Time // latest output
	drawn   bool
	reading int  // reads of standard input that wait: somebody is asked, or another program speaks
	over    bool // nothing is drawn any more
}

// ShowBusy has the terminal of c show, from now on, that a job runs while nothing else is printed; once: until it prints something.
// Without a terminal it does nothing. The caller must call stop when the job ended.
func (c *Console) ShowBusy(name string, once bool) (stop func()) {
	if !c.Terminal {
		return func() {}
	}
	before := *c
	b := &busy{name: name, err: c.Err, once: once, began: time.Now(), last: time.Now()}
	c.Out, c.Err = busyWriter{b, c.Out}, busyWriter{b, c.Err}
	if c.In != nil {
		c.In = busyReader{b, c.In}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				b.draw()
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		b.clear()
		c.Out, c.Err, c.In = before.Out, before.Err, before.In
	}
}

// draw shows the line, unless something else was printed lately.
func (b *busy) draw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); !b.over && b.reading == 0 && now.Sub(b.last) >= Patience {
		fmt.Fprintf(b.err, "\r%s ... %d s\x1b[K", b.name, int(now.Sub(b.began).Seconds()))
		b.drawn = true
	}
}

// clear takes the line away.
func (b *busy) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

// erase is clear for who has the lock.
func (b *busy) erase() {
	if b.drawn {
		fmt.Fprint(b.err, "\r\x1b[K")
	}
	b.drawn = false
}

// busyWriter writes what else is printed.
type busyWriter struct {
	b  *busy
	to io.Writer
}

func (w busyWriter) Write(p []byte) (int, error) {
	w.b.mu.Lock()
	defer w.b.mu.Unlock()
	w.b.erase()
	w.b.last, w.b.over = time.Now(), w.b.once
	return w.to.Write(p)
}

// busyReader reads standard input.
type busyReader struct {
	b    *busy
	from io.Reader
}

func (r busyReader) Read(p []byte) (int, error) {
	r.b.wait(1)
	defer r.b.wait(-1)
	return r.from.Read(p)
}

// wait counts reads that wait.
func (b *busy) wait(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading += n
	b.last = time.Now()
}
