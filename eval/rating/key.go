package rating

import (
	"errors"
	"fmt"
	"io"
	"strings"

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
}

// ReadKey reads a key file of WriteKey, also after a spreadsheet saved it. Errors name file and line and wrap
// ErrInput.
func ReadKey(file string, r io.Reader) (*Key, error) {
	entries, err := readTable(file, r, columnID, columnAccepted)
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
		}
		k.rows[e.id] = len(k.ids)
		k.ids = append(k.ids, e.id)
		k.accepted = append(k.accepted, verdict == Relevant)
	}
	if len(entries) == 0 {
		found.all = append(found.all, fmt.Errorf("%s: no rows (%w)", file, orbweaver.ErrInput))
	}
	return k, found.joined()
}

// Len is the number of rows of the sample.
func (k *Key) Len() int { return len(k.ids) }

// Holds reports whether a sheet belongs to this sample, judged by its rows.
func (k *Key) Holds(s *Sheet) bool {
	for _, e := range s.entries {
		if _, ok := k.rows[e.id]; ok {
			return true
		}
	}
	return false
}

// Answers are those of a sheet, in the order of the key. The error lists all problems of its rows: unknown,
// duplicate or missing ids, and invalid answers. It wraps ErrInput.
func (k *Key) Answers(s *Sheet) ([]Answer, error) {
	if len(s.entries) > 0 && !k.Holds(s) {
		return nil, fmt.Errorf("%s:%d: neither this row, %.40s, nor any other is in %s: a sheet of another sample (%w)",
			s.file, s.entries[0].line, plainID(s.entries[0].id), k.file, orbweaver.ErrInput)
	}
	answers := make([]Answer, len(k.ids))
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
		answers[row], lines[row] = answer, e.line
	}
	found.missing(k, lines)
	return answers, found.joined()
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
