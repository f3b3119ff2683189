package sample

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/order"
)

// The words of package rating that callers of this package use.
type (
	Design = rating.Design
	Result = rating.Result
)

// MaxRows bounds the pages of a sample.
const MaxRows = rating.MaxRows

// DefaultDesign is the design of the paper.
func DefaultDesign() Design { return rating.DefaultDesign() }

// SheetFile is the sample in the folder of a rating, which Draw writes there with its key.
const SheetFile = "sheet.csv"

// Bounds of the folder of a rating.
const (
	maxRaters   = 50
	longestNote = 500 // characters
)

// A Rating is a folder with a sample, its key, and a sheet for each rater: what rate score reads. The sheet of settled answers is there too.
// Its methods read and write files; two that write the sheet of the same rater must not run at the same time. A sheet is replaced whole, so
// that what was answered stays, whatever happens.
type Rating struct {
	dir  string
	rows []rating.Row
	key  *rating.Key
}

// Open opens the folder of a rating. The error wraps orbweaver.ErrUnknown if it has no sample, and orbweaver.ErrInput if that cannot be read.
func Open(dir string) (*Rating, error) {
	r := &Rating{dir: dir}
	sheet := filepath.Join(dir, SheetFile)
	content, err := os.ReadFile(sheet)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no sample: %w", filepath.Base(dir), orbweaver.ErrUnknown)
	}
	if err == nil {
		r.rows, err = rating.ReadRows(SheetFile, bytes.NewReader(content))
	}
	if err == nil {
		r.key, err = readKey(KeyOf(sheet))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", filepath.Base(dir), err, orbweaver.ErrInput)
	}
	return r, r.check()
}

// check verifies that sheet and key have the same rows.
func (r *Rating) check() error {
	for i, row := range r.rows {
		if at, ok := r.key.Row(row.ID); !ok || at != i {
			return fmt.Errorf("%s: %s and its key have other rows, or others first: %.40q (%w)", filepath.Base(r.dir), SheetFile, row.ID, orbweaver.ErrInput)
		}
	}
	if len(r.rows) != r.key.Len() {
		return fmt.Errorf("%s: %s has %d rows, its key %d (%w)", filepath.Base(r.dir), SheetFile, len(r.rows), r.key.Len(), orbweaver.ErrInput)
	}
	return nil
}

// name is what a rater may be called, but for its length: it is the name of the sheet.
var name = regexp.MustCompile(`^[\pL\pN][\pL\pN\pM-]*$`)

// CheckName returns an error that wraps orbweaver.ErrInput if a rater, or a rating, cannot have a name: letters, digits and hyphens, at most
// 40, and none of those that mean something else.
func CheckName(what, text string) error {
	switch lower := strings.ToLower(text); {
	case utf8.RuneCountInString(text) > 40, !name.MatchString(text):
		return fmt.Errorf("%s: %.60q is no name: write letters, digits and hyphens, at most 40, beginning with a letter or a digit (%w)", what, text, orbweaver.ErrInput)
	case lower == Settled, lower == rating.AgreedName, lower == "sheet", lower == "average":
		return fmt.Errorf("%s: %s means something else here: choose another name (%w)", what, text, orbweaver.ErrInput)
	}
	return nil
}

// Len is the number of pages of the sample.
func (r *Rating) Len() int { return len(r.rows) }

// A Standing says how far a rater is.
type Standing struct {
	Rater    string    `json:"rater"`
	Answered int       `json:"answered"`      // pages with an answer
	Skipped  int       `json:"skipped"`       // pages passed over
	Pages    int       `json:"pages"`         // of the sample
	Last     time.Time `json:"last,omitzero"` // when the last answer was given, as far as the sheet says
}

// Left is the number of pages that the rater has not seen.
func (s Standing) Left() int { return s.Pages - s.Answered - s.Skipped }

// standing counts marks.
func (r *Rating) standing(rater string, marks []rating.Mark) Standing {
	s := Standing{Rater: rater, Pages: len(r.rows)}
	for _, m := range marks {
		switch {
		case m.Answer != rating.Unanswered:
			s.Answered++
		case !m.At.IsZero():
			s.Skipped++
		}
		if m.At.After(s.Last) {
			s.Last = m.At
		}
	}
	return s
}

// raters are the names of the raters with a sheet, sorted.
func (r *Rating) raters() ([]string, error) {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(r.dir), err)
	}
	var all []string
	for _, e := range entries {
		rater, is := strings.CutSuffix(e.Name(), ".csv")
		if is && e.Type().IsRegular() && CheckName("rater", rater) == nil {
			all = append(all, rater)
		}
	}
	return all, nil
}

// Raters says how far the raters are, by name.
func (r *Rating) Raters() ([]Standing, error) {
	names, err := r.raters()
	all := []Standing{}
	for _, rater := range names {
		marks, err := r.marks(rater)
		if err != nil {
			return nil, err
		}
		all = append(all, r.standing(rater, marks))
	}
	return all, err
}

// path is the file of a rater's sheet.
func (r *Rating) path(rater string) string { return filepath.Join(r.dir, rater+".csv") }

// marks are what a rater wrote, in the order of the sample; nothing if the rater has no sheet.
func (r *Rating) marks(rater string) ([]rating.Mark, error) {
	content, err := os.ReadFile(r.path(rater))
	if errors.Is(err, os.ErrNotExist) {
		return make([]rating.Mark, len(r.rows)), nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(r.dir), err)
	}
	return r.read(rater, bytes.NewReader(content))
}

// read reads a rater's sheet.
func (r *Rating) read(rater string, from io.Reader) ([]rating.Mark, error) {
	sheet, err := rating.ReadSheet(rater+".csv", from)
	if err != nil {
		return nil, err
	}
	return r.key.Marks(sheet)
}

// write replaces a rater's sheet.
func (r *Rating) write(rater string, marks []rating.Mark) error {
	var b bytes.Buffer
	if err := rating.WriteMarks(&b, r.rows, marks); err != nil {
		return err
	}
	if _, err := os.Lstat(r.path(rater)); errors.Is(err, os.ErrNotExist) && rater != Settled {
		if all, err := r.raters(); err != nil || len(all) >= maxRaters {
			return cmp.Or(err, fmt.Errorf("%s: %d raters are enough (%w)", filepath.Base(r.dir), maxRaters, orbweaver.ErrInput))
		}
		if err := r.unlike(rater); err != nil {
			return err
		}
	}
	return atomicfile.WriteFile(r.path(rater), b.Bytes(), 0o666)
}

// unlike verifies that no other rater's name differs by case alone: on some disks they would have one sheet.
func (r *Rating) unlike(rater string) error {
	all, err := r.raters()
	for _, other := range all {
		if strings.EqualFold(other, rater) {
			return fmt.Errorf("rater: there is %s already, and %s differs by case alone (%w)", other, rater, orbweaver.ErrInput)
		}
	}
	return err
}

// Sheet is the sheet of a rater, as it is on the disk; of nobody, the sample's without answers. The error wraps orbweaver.ErrUnknown if the
// rater has none.
func (r *Rating) Sheet(rater string) ([]byte, error) {
	file := SheetFile
	if rater != "" {
		if err := CheckName("rater", rater); err != nil && rater != Settled {
			return nil, err
		}
		file = rater + ".csv"
	}
	return r.file(file)
}

// Key is the key of the sample, as it is on the disk.
func (r *Rating) Key() ([]byte, error) { return r.file(KeyOf(SheetFile)) }

func (r *Rating) file(name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(r.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no sheet %s: %w", filepath.Base(r.dir), name, orbweaver.ErrUnknown)
	}
	return content, err
}

// order is a rater's order of rows: another for each rater, the same each time.
func (r *Rating) order(rater string) []int {
	rows, places := make([]int, len(r.rows)), make([]uint64, len(r.rows))
	for i, row := range r.rows {
		sum := sha256.Sum256([]byte(rater + "\x00" + row.ID))
		rows[i], places[i] = i, binary.BigEndian.Uint64(sum[:])
	}
	order.By(rows, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return rows
}

// noteOf is a rater's note as a cell: one line, no formula, not long.
func noteOf(text string) string {
	return export.Harmless(console.Visible(text, longestNote))
}
