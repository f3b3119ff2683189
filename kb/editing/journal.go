package editing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver/internal/atomicfile"
)

// A journal keeps the steps of a draft in a folder: a line of steps.jsonl for each, and the contents of the file that it was read from or
// saved to, as text-N, where N is the number of steps.
type journal struct{ dir string }

// A line of the journal: a step done after At steps, a change of the number of steps done, or a base.
type line struct {
	Step *Step `json:"step,omitempty"`
	At   int   `json:"at"`
	Base bool  `json:"base,omitempty"` // the content text-At was read or written
}

// A memory is what a journal says.
type memory struct {
	steps     []Step
	at, saved int
	texts     map[int][]byte
}

const (
	stepsFile = "steps.jsonl"
	textFile  = "text-"
	maxTexts  = 30        // contents that are kept
	maxStep   = 256 << 20 // bytes of a line
)

func openJournal(dir string) (*journal, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		_ = os.Rename(dir+".old", dir) // it was killed while it was written anew; else there is none
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("draft: %w", err)
	}
	return &journal{dir}, nil
}

// read reads the journal. A last line that is cut, as a power cut leaves it, does not count.
func (j *journal) read() (m memory, err error) {
	m.texts = map[int][]byte{}
	file, err := os.Open(filepath.Join(j.dir, stepsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("draft: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxStep)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.At < 0 || l.At > len(m.steps) {
			break
		}
		switch {
		case l.Base:
			m.saved = l.At
		case l.Step != nil:
			m.steps = append(m.steps[:l.At], *l.Step)
			m.at = l.At + 1
		default:
			m.at = l.At
		}
	}
	if err := lines.Err(); err != nil {
		return m, fmt.Errorf("draft: %w", err)
	}
	return m, j.readTexts(&m)
}

// readTexts reads the contents that fit a number of steps.
func (j *journal) readTexts(m *memory) error {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	for _, e := range entries {
		n, err := strconv.Atoi(strings.TrimPrefix(e.Name(), textFile))
		if err != nil || n > len(m.steps) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(j.dir, e.Name()))
		if err != nil {
			return fmt.Errorf("draft: %w", err)
		}
		m.texts[n] = text
	}
	if _, ok := m.texts[m.saved]; !ok { // it was killed between the two
		*m = memory{texts: map[int][]byte{}}
	}
	return nil
}

// add appends a line.
func (j *journal) add(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(j.dir, stepsFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(append(text, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	return nil
}

// base keeps a content of the file that fits a number of steps, as that on the disk.
func (j *journal) base(at int, text []byte) error {
	if err := j.keep(at, text); err != nil {
		return err
	}
	return j.add(line{At: at, Base: true})
}

// keep keeps a content that fits a number of steps.
func (j *journal) keep(at int, text []byte) error {
	name := filepath.Join(j.dir, textFile+strconv.Itoa(at))
	if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, text) {
		if err := atomicfile.WriteFile(name, text, 0o600); err != nil {
			return fmt.Errorf("draft: %w", err)
		}
	}
	return nil
}

// forget removes contents.
func (j *journal) forget(all []int) error {
	for _, at := range all {
		if err := os.Remove(filepath.Join(j.dir, textFile+strconv.Itoa(at))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("draft: %w", err)
		}
	}
	return nil
}

// clear forgets everything.
func (j *journal) clear() error {
	if err := os.RemoveAll(j.dir); err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	_, err := openJournal(j.dir)
	return err
}

// rewrite replaces the journal by one that says the same in other words.
func (j *journal) rewrite(m memory) error {
	n := &journal{j.dir + ".new"}
	if err := n.clear(); err != nil {
		return err
	}
	for i := range m.steps {
		if err := n.add(line{Step: &m.steps[i], At: i}); err != nil {
			return err
		}
	}
	for at, text := range m.texts {
		if at == m.saved {
			continue
		}
		if err := n.keep(at, text); err != nil {
			return err
		}
	}
	if err := n.base(m.saved, m.texts[m.saved]); err != nil {
		return err
	}
	if err := n.add(line{At: m.at}); err != nil {
		return err
	}
	old := j.dir + ".old"
	err := os.RemoveAll(old)
	if err == nil {
		err = os.Rename(j.dir, old)
	}
	if err == nil {
		err = atomicfile.Place(n.dir, j.dir)
	}
	if err == nil {
		err = os.RemoveAll(old)
	}
	if err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	return nil
}

// Unsaved reports whether the folder of a draft has steps that its file does not.
func Unsaved(folder string) bool {
	if _, err := os.Stat(filepath.Join(folder, stepsFile)); err != nil {
		return false
	}
	m, err := (&journal{folder}).read()
	return err == nil && m.at != m.saved
}
