package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"

	"orbweaver"
	"orbweaver/ledger"
)

// Journal is a pages.jsonl up to a length. A crawl may append to it meanwhile.
type Journal struct {
	Path   string
	Length int64
	only   func(n int64) bool // lines of these outcomes; nil: all
}

// JournalLine is a line, as text and parsed.
type JournalLine struct {
	ledger.Line
	text   []byte // without line feed; valid until the next line
	number int    // from 1
}

// MaxJournalLine bounds a line of pages.jsonl, with all its URLs and evidence.
const MaxJournalLine = 16 << 20

// all ranges over the complete lines, with verdicts by the last threshold: see ledger.Threshold. The
// sequence ends after an error, which names file and line and wraps ErrInput.
func (j Journal) all() iter.Seq2[JournalLine, error] { return j.each }

// each yields the lines of all. It is a method so that loops call it, instead of holding a copy each.
func (j Journal) each(yield func(JournalLine, error) bool) {
	file, err := os.Open(j.Path)
	if err != nil {
		yield(JournalLine{}, err)
		return
	}
	defer file.Close()
	threshold, err := ledger.Threshold(j.Path, j.Length)
	if err != nil {
		yield(JournalLine{}, err)
		return
	}
	scanner := bufio.NewScanner(io.LimitReader(file, j.Length))
	scanner.Buffer(make([]byte, 0, 64<<10), MaxJournalLine)
	scanner.Split(WholeLines)
	number := 0
	for scanner.Scan() {
		number++
		line := JournalLine{text: scanner.Bytes(), number: number}
		err := json.Unmarshal(line.text, &line.Line)
		if err != nil {
			err = fmt.Errorf("%s:%d: %w: %w", j.Path, number, orbweaver.ErrInput, err)
		} else {
			err = line.under(threshold)
		}
		if !yield(line, err) || err != nil {
			return
		}
	}
	if err := scanner.Err(); err != nil {
		yield(JournalLine{}, fmt.Errorf("%s:%d: %w: %w", j.Path, number+1, orbweaver.ErrInput, err))
	}
}

// under applies a threshold to the line's verdict, in its text too.
func (l *JournalLine) under(threshold float64) error {
	now := l.Line.Under(threshold)
	if now.Accepted == l.Accepted && now.Threshold == l.Threshold {
		return nil
	}
	l.Line = now
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(now)
	l.text = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return err
}

// WholeLines splits like bufio.ScanLines, but drops an incomplete last line, which is still being written.
func WholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, atEOF)
	if atEOF && advance == len(data) && advance > 0 && data[advance-1] != '\n' {
		return advance, nil, err
	}
	return advance, token, err
}

// Standing knows the current lines of a journal: the last one about each request. It takes some 40 bytes a
// request.
type Standing struct {
	journal Journal
	seed    maphash.Seed
	last    map[uint64]int // request → number of its last line
}

// Stand reads a journal once to find its current lines.
func (j Journal) Stand() (*Standing, error) {
	s := &Standing{j, maphash.MakeSeed(), map[uint64]int{}}
	for line, err := range j.all() {
		if err != nil {
			return nil, err
		}
		s.last[s.request(line.Line)] = line.number
	}
	return s, nil
}

// request hashes the request that a line is about.
func (s *Standing) request(l ledger.Line) uint64 {
	return maphash.Comparable(s.seed, [3]string{l.URL, l.Accept, l.Query})
}

// Lines ranges over the current lines in commit order, or over those of accepted pages only.
func (s *Standing) Lines(accepted bool) iter.Seq2[JournalLine, error] {
	return func(yield func(JournalLine, error) bool) { s.each(accepted, yield) }
}

func (s *Standing) each(accepted bool, yield func(JournalLine, error) bool) {
	s.journal.each(func(line JournalLine, err error) bool {
		if err == nil && (s.last[s.request(line.Line)] != line.number || accepted && !IsAccepted(line.Line) || s.journal.only != nil && !s.journal.only(line.N)) {
			return true
		}
		return yield(line, err)
	})
}

// IsPage reports whether a line is about a page, not about a redirect or a failure. A page that was
// unchanged when refetched keeps the digest of the earlier fetch.
func IsPage(l ledger.Line) bool { return l.Digest != "" && l.Error == "" && l.Redirect == "" }

// IsAccepted reports whether a line is about an accepted page. The line of a redirect to one also has
// Accepted set, but does not count.
func IsAccepted(l ledger.Line) bool { return l.Accepted && l.Redirect == "" }
