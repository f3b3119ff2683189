package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	focus "orbweaver/focus/external"
)

// lastWords is the time that a program has to end after it closed its standard output, and that its children have to
// close its standard error.
const lastWords = time.Second

// A program is a judge that runs on this machine. It starts with the first exchange, and again with the first after it
// failed.
type program struct {
	section *section
	running *running // nil: it does not run
}

func newProgram(f *section) *program { return &program{section: f} }

// A running is one process of a program.
type running struct {
	in    io.WriteCloser
	out   *os.File
	lines chan []byte // what it writes; closed at the end, or after a line that is too long
	long  bool        // there was one; set before lines is closed
	said  *tail
	kill  func()
	gone  chan struct{} // closed when the process ended
	end   error         // how; set before gone is closed
	quit  chan struct{} // closed to end the reader
}

// exchange implements transport. The process is ended if it fails.
func (p *program) exchange(ctx context.Context, lines [][]byte, take func([]byte) bool) error {
	if p.running == nil {
		r, err := p.start()
		if err != nil {
			return fmt.Errorf("the judge cannot run: %w", err)
		}
		p.running = r
	}
	err := p.running.exchange(ctx, lines, p.section.Timeout, take)
	if err != nil {
		p.running.close()
		p.running = nil
	}
	return err
}

// close ends the process.
func (p *program) close() error {
	if p.running != nil {
		p.running.close()
		p.running = nil
	}
	return nil
}

// start runs the program.
func (p *program) start() (*running, error) {
	f := p.section
	cmd := exec.Command(f.Command[0], f.Command[1:]...)
	if f.Dir != "" && strings.ContainsRune(f.Command[0], filepath.Separator) && !filepath.IsAbs(f.Command[0]) {
		cmd.Path, cmd.Err = filepath.Join(f.Dir, f.Command[0]), nil
	}
	cmd.Dir = f.Dir
	cmd.Env = os.Environ()
	for _, name := range slices.Sorted(maps.Keys(f.Env)) {
		cmd.Env = append(cmd.Env, name+"="+f.Env[name])
	}
	r := &running{lines: make(chan []byte), said: &tail{}, gone: make(chan struct{}), quit: make(chan struct{})}
	cmd.Stderr, cmd.WaitDelay = r.said, lastWords
	separate(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	r.in, r.out, cmd.Stdout = in, out, theirs
	started := make(chan error)
	go func() {
		// On Linux the process ends with the thread that started it, so the thread stays with this goroutine.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		r.end = cmd.Wait()
		kill(cmd.Process) // what it left behind
		close(r.gone)
	}()
	err = errors.Join(<-started, theirs.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	r.kill = func() { kill(cmd.Process) }
	go r.read()
	return r, nil
}

// read passes on the lines of standard output, one at a time: a flood waits in the pipe.
func (r *running) read() {
	defer close(r.lines)
	b := bufio.NewReaderSize(r.out, 64<<10)
	for {
		line, err := readLine(b)
		if errors.Is(err, errLong) {
			r.long = true
			return
		}
		if len(line) > 0 {
			select {
			case r.lines <- line:
			case <-r.quit:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// errLong is the error of a line that is too long.
var errLong = fmt.Errorf("a line of more than %d bytes", focus.MaxLine)

// readLine reads a line, without white space around it. Longer ones than focus.MaxLine are errLong.
func readLine(b *bufio.Reader) (line []byte, err error) {
	for {
		part, err := b.ReadSlice('\n')
		if line = append(line, part...); len(line) > focus.MaxLine {
			return nil, errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// exchange sends lines and reads until nothing is owed. silence bounds the time between two lines.
func (r *running) exchange(ctx context.Context, lines [][]byte, silence time.Duration, take func([]byte) bool) error {
	written := make(chan struct{})
	go func() {
		defer close(written)
		for _, line := range lines {
			if _, err := r.in.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return // the program reads no more: that it ended, or is silent, is seen below
			}
		}
	}()
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for done := false; !done; {
		select {
		case line, ok := <-r.lines:
			if !ok {
				return r.ended()
			}
			done = take(line)
			timer.Reset(silence)
		case <-timer.C:
			return fmt.Errorf("the judge was silent for %v%s", silence, r.said)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select { // a program may answer before it has read all
	case <-written:
		return nil
	case <-timer.C:
		return fmt.Errorf("the judge did not read its input for %v%s", silence, r.said)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ended says why there are no more lines.
func (r *running) ended() error {
	if r.long {
		return fmt.Errorf("the judge wrote %w", errLong)
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-r.gone:
		if r.end == nil {
			return fmt.Errorf("the judge ended%s", r.said)
		}
		return fmt.Errorf("the judge ended: %w%s", r.end, r.said)
	case <-timer.C:
		return fmt.Errorf("the judge closed its standard output%s", r.said)
	}
}

// close ends the process and its group.
func (r *running) close() {
	close(r.quit)
	select {
	case <-r.gone:
	default:
		r.kill()
	}
	_ = r.in.Close() // both are pipes: an error says that they are closed
	_ = r.out.Close()
	<-r.gone
}

// maxSaid bounds what is kept of standard error.
const maxSaid = 2048

// A tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu sync.Mutex
	b  []byte
}

// Write keeps the end.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-maxSaid):]...)
	t.b = t.b[max(0, len(t.b)-maxSaid):]
	return len(p), nil
}

// String returns the last line that is not empty, for the end of a message; empty if there is none.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := bytes.TrimSpace(t.b)
	if len(said) == 0 {
		return ""
	}
	return "; its last words: " + string(said[bytes.LastIndexByte(said, '\n')+1:])
}
