package rating

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"orbweaver"
)

// An Answer is a rater's judgement of a page.
type Answer int8

// The answers.
const (
	Unanswered Answer = iota
	Relevant
	Irrelevant
)

// answerOf parses an answer; ok is false if it is invalid. An empty one is Unanswered.
func answerOf(text string) (a Answer, ok bool) {
	switch strings.Join(strings.Fields(strings.ToLower(text)), " ") {
	case "":
		return Unanswered, true
	case "1", "yes", "y", "true", "t", "relevant":
		return Relevant, true
	case "0", "no", "n", "false", "f", "not relevant", "not-relevant", "not_relevant", "non-relevant", "irrelevant":
		return Irrelevant, true
	}
	return Unanswered, false
}

// A Key has the verdicts of a sample, in the order of its rows.
type Key struct {
	file     string
	ids      []string
	rows     map[string]int
	accepted []bool
	pages    [2]int // of the crawl: accepted, rejected; of a key without them, of the sample, which has them in proportion
}

// ReadKey reads a key file of WriteKey, also after a spreadsheet saved it. Errors name file and line and wrap
// ErrInput.
func ReadKey(file string, r io.Reader) (*Key, error) {
	entries, err := readTable(file, r, columnID, columnAccepted, columnPages)
	if err != nil {
		return nil, err
	}
	k := &Key{file: file, rows: map[string]int{}}
	found := problems{file: file}
	for _, e := range entries {
		verdict, ok := answerOf(e.value)
		_, again := k.rows[e.id]
		switch {
		case e.id == "":
			found.add(e, "a row without id")
		case again:
			found.add(e, "the id stands twice")
		case !ok || verdict == Unanswered:
			found.add(e, "accepted is yes or no, not %.40q", e.value)
		default:
			k.count(&found, e, verdict == Relevant)
		}
		k.rows[e.id] = len(k.ids)
		k.ids = append(k.ids, e.id)
		k.accepted = append(k.accepted, verdict == Relevant)
	}
	if len(entries) == 0 {
		found.all = append(found.all, fmt.Errorf("%s: no rows (%w)", file, orbweaver.ErrInput))
	}
	k.proportion()
	return k, found.joined()
}

// maxPages bounds the pages of a crawl that a key tells of: counts are exact as floating-point numbers.
const maxPages = 1 << 50

// count takes the number of pages of a verdict from a row.
func (k *Key) count(found *problems, e entry, accepted bool) {
	if e.more[0] == "" {
		return
	}
	of := &k.pages[1]
	if accepted {
		of = &k.pages[0]
	}
	n, err := strconv.Atoi(e.more[0])
	switch {
	case err != nil || n < 1 || n > maxPages:
		found.add(e, "pages is the number of pages of the crawl with this verdict, not %.40q", e.more[0])
	case *of != 0 && *of != n:
		found.add(e, "pages is %d, and was %d in a row of the same verdict", n, *of)
	default:
		*of = n
	}
}

// proportion makes the counts of the sample those of the crawl, if a verdict of the sample has no count or one that is too small.
func (k *Key) proportion() {
	var own [2]int
	for _, yes := range k.accepted {
		if yes {
			own[0]++
		} else {
			own[1]++
		}
	}
	if k.pages[0] < own[0] || k.pages[1] < own[1] {
		k.pages = own
	}
}

// A Mark is what a rater wrote about a page.
type Mark struct {
	Answer Answer
	Note   string    // as it is in the sheet
	At     time.Time // of the answer, or of passing over the page; zero: not known
}

// Len is the number of rows of the sample.
func (k *Key) Len() int { return len(k.ids) }

// Row returns the row of an id, from 0; ok is false if the sample has none.
func (k *Key) Row(id string) (row int, ok bool) {
	row, ok = k.rows[id]
	return row, ok
}

// Holds reports whether a sheet belongs to this sample, judged by its rows.
func (k *Key) Holds(s *Sheet) bool {
	for _, e := range s.entries {
		if _, ok := k.rows[e.id]; ok {
			return true
		}
	}
	return false
}

// Answers are those of a sheet, in the order of the key. The error is as of Marks.
func (k *Key) Answers(s *Sheet) ([]Answer, error) {
	marks, err := k.Marks(s)
	answers := make([]Answer, len(marks))
	for i, m := range marks {
		answers[i] = m.Answer
	}
	return answers, err
}

// Marks are the answers of a sheet with what stands beside them, in the order of the key. The error lists all problems of its rows: unknown,
// duplicate or missing ids, and invalid answers. It wraps ErrInput.
func (k *Key) Marks(s *Sheet) ([]Mark, error) {
	if len(s.entries) > 0 && !k.Holds(s) {
		return nil, fmt.Errorf("%s:%d: neither this row, %.40s, nor any other is in %s: a sheet of another sample (%w)",
			s.file, s.entries[0].line, plainID(s.entries[0].id), k.file, orbweaver.ErrInput)
	}
	marks := make([]Mark, len(k.ids))
	lines := make([]int, len(k.ids))
	found := problems{file: s.file}
	for _, e := range s.entries {
		row, ok := k.rows[e.id]
		answer, known := answerOf(e.value)
		switch {
		case e.id == "":
			found.add(e, "a row without id")
			continue
		case !ok:
			found.add(e, "no such row in %s: is the sheet of another sample?", k.file)
			continue
		case lines[row] > 0:
			found.add(e, "the row stands on line %d too", lines[row])
			continue
		case !known:
			found.add(e, "%.40q is no answer: yes or no, 1 or 0, or nothing", e.value)
		}
		at, _ := time.Parse(time.RFC3339Nano, e.more[1]) // a spreadsheet may have written it otherwise: then it is not known
		marks[row], lines[row] = Mark{answer, e.more[0], at}, e.line
	}
	found.missing(k, lines)
	return marks, found.joined()
}

// shown is the maximal number of problems of a kind that are reported for a file.
const shown = 20

// problems are the errors of the rows of a file.
type problems struct {
	file string
	all  []error
	more int
}

// add adds an error of a row.
func (p *problems) add(e entry, format string, args ...any) {
	if len(p.all) >= shown {
		p.more++
		return
	}
	name := ""
	if e.id != "" {
		name = fmt.Sprintf("%.40s: ", plainID(e.id))
	}
	p.all = append(p.all, fmt.Errorf("%s:%d: %s%s (%w)", p.file, e.line, name, fmt.Sprintf(format, args...), orbweaver.ErrInput))
}

// plainID formats an untrusted id.
func plainID(id string) string {
	quoted := fmt.Sprintf("%q", id)
	if quoted[1:len(quoted)-1] == id {
		return id
	}
	return quoted
}

// missing adds an error for the rows without a line.
func (p *problems) missing(k *Key, lines []int) {
	var ids []string
	n := 0
	for row, line := range lines {
		if line > 0 {
			continue
		}
		if n++; len(ids) < shown {
			ids = append(ids, plainID(k.ids[row]))
		}
	}
	if n == 0 {
		return
	}
	list := strings.Join(ids, ", ")
	if n > len(ids) {
		list += ", …"
	}
	p.all = append(p.all, fmt.Errorf("%s: rows of the sample that are missing, %d of %d: %s (%w)", p.file, n, k.Len(), list, orbweaver.ErrInput))
}

// joined is one error with a line per problem; nil without problems.
func (p *problems) joined() error {
	if p.more > 0 {
		p.all = append(p.all, fmt.Errorf("%s: and problems with %d rows more (%w)", p.file, p.more, orbweaver.ErrInput))
	}
	return errors.Join(p.all...)
}
