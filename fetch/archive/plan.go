package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
)

// The files of a removal. OpenWriter removes them with index.cdxj.
const (
	planName = indexName + ".removal"
	nextName = indexName + ".next"
)

// ErrUnfinished is the error of OpenWriter for an archive in which Remove was begun and neither ended nor committed: call Remove again.
var ErrUnfinished = errors.New("a removal from the archive is not finished")

// A plan is what a removal does, without a URL: it is on the disk before anything is overwritten, and done as often as necessary.
type plan struct {
	From    Mark            // before
	To      Mark            // after
	Answers int             // removed
	Blank   []orbweaver.Ref // ranges to blank, in order
	Moved   []Move          // in order
}

// readPlan reads the plan in a folder; nil if there is none.
func readPlan(dir string) (*plan, error) {
	path := filepath.Join(dir, planName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &plan{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, orbweaver.ErrDamaged, err)
	}
	return p, nil
}

// write makes the plan durable.
func (p *plan) write(on files, dir string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return writeWhole(on, filepath.Join(dir, planName), func(out *bufio.Writer) error {
		_, err := out.Write(text)
		return err
	})
}

// settled reports whether a mark is the plan's result or behind it: the result was committed.
func (p *plan) settled(mark Mark) bool {
	behind := mark.Seq > p.To.Seq || mark.Seq == p.To.Seq && mark.Length >= p.To.Length
	return behind && mark != p.From
}

// checkPlan refuses a mark that a removal has overtaken.
func checkPlan(dir string, mark Mark) error {
	p, err := readPlan(dir)
	if err != nil || p == nil || p.settled(mark) {
		return err
	}
	return ErrUnfinished
}

func (p *plan) result(resumed bool) Removed {
	r := Removed{Mark: p.To, Answers: p.Answers, Moved: p.Moved, Resumed: resumed}
	for _, at := range p.Blank {
		r.Bytes += at.Length
	}
	return r
}
