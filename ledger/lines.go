package ledger

import (
	"bufio"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	fast "github.com/go-json-experiment/json"

	"orbweaver"
)

// Bounds of a lot of lines.
const (
	lotLines = 128
	lotBytes = 256 << 10
)

// A lot is some lines of pages.jsonl, which a goroutine of its own decodes.
type lot struct {
	text  []byte
	ends  []int // of the lines in text
	lines []Line
	err   error // after these lines
	done  chan struct{}
}

// lots are those that nobody uses any more: their memory is used again.
var lots = sync.Pool{New: func() any { return &lot{text: make([]byte, 0, lotBytes), lines: make([]Line, 0, lotLines)} }}

// newLot returns an empty lot.
func newLot() *lot {
	l := lots.Get().(*lot)
	l.text, l.ends, l.lines, l.err, l.done = l.text[:0], l.ends[:0], l.lines[:0], nil, make(chan struct{})
	return l
}

// release gives the memory of a lot back, whose lines nobody reads any more. What lines refer to stays.
func (l *lot) release() {
	clear(l.lines)
	if cap(l.text) <= 2*lotBytes {
		lots.Put(l)
	}
}

// linesOf ranges over the lines of a file, as split finds them. Lots of lines are decoded ahead, as many at a time as there are cores.
func linesOf(path string, split bufio.SplitFunc) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(Line{}, err)
			return
		}
		defer file.Close()
		scanner := bufio.NewScanner(file)
		scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
		scanner.Split(split)
		var work sync.WaitGroup
		defer work.Wait()
		over, sent := make(chan struct{}), make(chan *lot, runtime.GOMAXPROCS(0))
		defer close(over)
		work.Go(func() { scanLots(scanner, &work, sent, over) })
		number := 0
		for some := range sent {
			<-some.done
			for _, line := range some.lines {
				if number++; !yield(line, nil) {
					return
				}
			}
			if some.err == nil {
				some.release()
				continue
			}
			err := fmt.Errorf("%s:%d: %w", path, number+1, some.err)
			if len(some.lines) < len(some.ends) {
				err = fmt.Errorf("%s:%d: no line of a crawl (%w); %s (%w)", path, number+1, some.err, Advice(filepath.Dir(path)), orbweaver.ErrInput)
			}
			yield(Line{}, err)
			return
		}
	}
}

// scanLots sends the lines of a file in lots, until there are no more or it is over.
func scanLots(scanner *bufio.Scanner, work *sync.WaitGroup, sent chan<- *lot, over <-chan struct{}) {
	defer close(sent)
	for more := true; more; {
		some := newLot()
		for more = scanner.Scan(); more; more = scanner.Scan() {
			some.text = append(some.text, scanner.Bytes()...)
			if some.ends = append(some.ends, len(some.text)); len(some.ends) == lotLines || len(some.text) >= lotBytes {
				break
			}
		}
		if !more {
			some.err = scanner.Err()
		}
		work.Go(some.decode)
		select {
		case sent <- some:
		case <-over:
			return
		}
	}
}

// decode decodes the lines. What the fast decoder does not take, the usual one explains or takes.
func (l *lot) decode() {
	defer close(l.done)
	from := 0
	for _, to := range l.ends {
		var line Line
		if text := l.text[from:to]; fast.Unmarshal(text, &line) != nil {
			line = Line{}
			if err := json.Unmarshal(text, &line); err != nil {
				l.err = err
				return
			}
		}
		l.lines, from = append(l.lines, line), to
	}
}
