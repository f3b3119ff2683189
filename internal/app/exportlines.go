package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"

	"orbweaver"
	"orbweaver/ledger"
)

// A journal is a pages.jsonl as of a length: a crawl may go on writing behind it.
type journal struct {
	path   string
	length int64
}

// A journalLine is a line as it stands and as what it says.
type journalLine struct {
	ledger.Line
	text   []byte // without line feed; valid until the next line
	number int    // from 1
}

// maxJournalLine bounds a line of pages.jsonl: URLs, evidence and all.
const maxJournalLine = 16 << 20

// all ranges over the whole lines. Nothing follows an error, which names file and line and wraps
// ErrInput.
func (j journal) all() iter.Seq2[journalLine, error] {
	return func(yield func(journalLine, error) bool) {
		file, err := os.Open(j.path)
		if err != nil {
			yield(journalLine{}, err)
			return
		}
		defer file.Close()
		scanner := bufio.NewScanner(io.LimitReader(file, j.length))
		scanner.Buffer(make([]byte, 0, 64<<10), maxJournalLine)
		scanner.Split(wholeLines)
		number := 0
		for scanner.Scan() {
			number++
			line := journalLine{text: scanner.Bytes(), number: number}
			err := json.Unmarshal(line.text, &line.Line)
			if err != nil {
				err = fmt.Errorf("%s:%d: %w: %w", j.path, number, orbweaver.ErrInput, err)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield(journalLine{}, fmt.Errorf("%s:%d: %w: %w", j.path, number+1, orbweaver.ErrInput, err))
		}
	}
}

// wholeLines is bufio.ScanLines but for a last line without its end, which is being written.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, atEOF)
	if atEOF && advance == len(data) && advance > 0 && data[advance-1] != '\n' {
		return advance, nil, err
	}
	return advance, token, err
}

// A standing knows which lines of a journal stand: of those about one request the last. It takes some
// 40 bytes a request.
type standing struct {
	journal journal
	seed    maphash.Seed
	last    map[uint64]int // request → number of its last line
}

// stand reads a journal once.
func (j journal) stand() (*standing, error) {
	s := &standing{j, maphash.MakeSeed(), map[uint64]int{}}
	for line, err := range j.all() {
		if err != nil {
			return nil, err
		}
		s.last[s.request(line.Line)] = line.number
	}
	return s, nil
}

// request hashes what a line is about.
func (s *standing) request(l ledger.Line) uint64 {
	return maphash.Comparable(s.seed, [3]string{l.URL, l.Accept, l.Query})
}

// lines ranges over the lines that stand, in commit order; the accepted pages alone if wanted.
func (s *standing) lines(accepted bool) iter.Seq2[journalLine, error] {
	return func(yield func(journalLine, error) bool) {
		for line, err := range s.journal.all() {
			if err == nil && (s.last[s.request(line.Line)] != line.number || accepted && !isAccepted(line.Line)) {
				continue
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// isPage says whether a line is about a page, and not a redirect to one or a failure. A page that is
// as it was when asked again keeps the digest of what was fetched.
func isPage(l ledger.Line) bool { return l.Digest != "" && l.Error == "" && l.Redirect == "" }

// isAccepted says whether a line is about an accepted page. A redirect to one says so too, and is none.
func isAccepted(l ledger.Line) bool { return l.Accepted && l.Redirect == "" }
