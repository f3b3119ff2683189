package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
)

// Score compares the raters' answers on sheets with the verdicts of the crawl, and prints a table or JSON.
// If the files do not include the key, Score searches it beside the sheets. The error lists all problems
// of all sheets, and wraps ErrInput.
func Score(con *console.Console, files []string, asJSON bool) error {
	keys := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !isKey(f) })
	names := slices.DeleteFunc(slices.Clone(files), isKey)
	switch {
	case len(names) == 0:
		return fmt.Errorf("no sheet is named, only its key (%w)", orbweaver.ErrInput)
	case len(keys) > 1:
		return fmt.Errorf("%s and %s are both keys: one sample at a time (%w)", keys[0], keys[1], orbweaver.ErrInput)
	}
	sheets, err := readSheets(names)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		keys = keysBeside(names)
	}
	key, file, err := pickKey(keys, names, sheets)
	if err != nil {
		return err
	}
	raters, err := answersOf(key, names, sheets)
	if err != nil {
		return err
	}
	result := scored(key, raters)
	if asJSON {
		return rateJSON(con, file, result)
	}
	rateTable(con, file, result)
	return nil
}

// Settled is the name of the sheet with the answers that raters agreed on where they differed. It is no rater's.
const Settled = "settled"

// scored scores raters, without the sheet of settled answers, which count where it has some.
func scored(key *rating.Key, all []rating.Rater) *rating.Result {
	var settled []rating.Answer
	raters := slices.DeleteFunc(slices.Clone(all), func(r rating.Rater) bool {
		is := strings.EqualFold(r.Name, Settled)
		if is {
			settled = r.Answers
		}
		return is
	})
	return key.Score(raters, settled...)
}

// readSheets reads all sheets; each may be named once.
func readSheets(names []string) ([]*rating.Sheet, error) {
	var problems []error
	var known []fs.FileInfo
	sheets := make([]*rating.Sheet, len(names))
	for i, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			problems = append(problems, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
			continue
		}
		if at := slices.IndexFunc(known, func(k fs.FileInfo) bool { return os.SameFile(k, info) }); at >= 0 {
			problems = append(problems, fmt.Errorf("%s: named twice: each rater has one sheet (%w)", name, orbweaver.ErrInput))
			continue
		}
		known = append(known, info)
		if sheets[i], err = readSheet(name); err != nil {
			problems = append(problems, err)
		}
	}
	return sheets, errors.Join(problems...)
}

func readSheet(name string) (*rating.Sheet, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer f.Close()
	return rating.ReadSheet(name, f)
}

func readKey(name string) (*rating.Key, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer f.Close()
	return rating.ReadKey(name, f)
}

// maxKeys bounds the keys in a folder that are read.
const maxKeys = 100

// keysBeside lists the keys in the folders of sheets, those with a sheet's name first.
func keysBeside(sheets []string) (keys []string) {
	for _, sheet := range sheets {
		if own := KeyOf(sheet); !slices.Contains(keys, own) {
			if _, err := os.Stat(own); err == nil {
				keys = append(keys, own)
			}
		}
	}
	var seen []string
	for _, sheet := range sheets {
		folder := filepath.Dir(sheet)
		if slices.Contains(seen, folder) {
			continue
		}
		seen = append(seen, folder)
		entries, _ := os.ReadDir(folder) // an unreadable folder has no usable key
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			if isKey(name) && len(keys) < maxKeys && !slices.Contains(keys, name) {
				keys = append(keys, name)
			}
		}
	}
	return keys
}

// pickKey returns the first key with rows of a sheet. If there is none, the error includes the problems of
// unreadable keys.
func pickKey(keys, names []string, sheets []*rating.Sheet) (*rating.Key, string, error) {
	var problems []error
	for _, name := range keys {
		key, err := readKey(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if slices.ContainsFunc(sheets, key.Holds) {
			return key, name, nil
		}
	}
	what := "no key beside it, or the other sheets, has any of its rows"
	if len(keys) == 1 {
		what = "none of its rows is in " + keys[0]
	}
	problems = append(problems, fmt.Errorf("%s: %s; the key is the file *%s written by orbweaver rate sample: name it too (%w)",
		names[0], what, keyEnds, orbweaver.ErrInput))
	return nil, "", errors.Join(problems...)
}

// answersOf returns the answers of each rater, named like the sheet, or by its whole path if file names
// collide.
func answersOf(key *rating.Key, names []string, sheets []*rating.Sheet) ([]rating.Rater, error) {
	var problems []error
	called := map[string]int{}
	short := func(name string) string {
		base := filepath.Base(name)
		return strings.TrimSuffix(base, filepath.Ext(base))
	}
	for _, name := range names {
		called[short(name)]++
	}
	raters := make([]rating.Rater, len(sheets))
	for i, sheet := range sheets {
		answers, err := key.Answers(sheet)
		problems = append(problems, err)
		raters[i] = rating.Rater{Name: short(names[i]), Answers: answers}
		if called[raters[i].Name] > 1 {
			raters[i].Name = names[i]
		}
	}
	return raters, errors.Join(problems...)
}

// rateJSON writes the figures as JSON.
func rateJSON(con *console.Console, key string, r *rating.Result) error {
	e := json.NewEncoder(con.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Key string `json:"key"`
		*rating.Result
	}{key, r})
}

// rateTable writes the figures for people.
func rateTable(con *console.Console, key string, r *rating.Result) {
	console.Say(con.Out, "Sample of %s: accepted %d, rejected %d\n", console.Visible(key, export.MaxJournalLine), r.Accepted, r.Rejected)
	width := len("average")
	for _, s := range r.Raters {
		width = max(width, utf8.RuneCountInString(console.Visible(s.Rater, widestName)))
	}
	console.Say(con.Out, "%s  %-20s  %-20s  %s", console.Padded("rater", width), "harvest ratio", "rightly rejected", "unanswered")
	for _, s := range r.Raters {
		rateRow(con, width, s.Rater, s.Tallies, strconv.Itoa(s.Unanswered))
	}
	if r.Average.Answered() {
		rateRow(con, width, "average", r.Average, "")
	}
	console.Say(con.Out, "")
	if g := r.Agreement; g != nil {
		console.Say(con.Out, "Fleiss' kappa %s", g)
		console.Say(con.Out, "of %d raters on %d of %d rows, those that all of them answered", g.Raters, g.Rows, r.Accepted+r.Rejected)
	} else {
		console.Say(con.Out, "No kappa: %s", r.Undefined)
	}
	if len(r.Pairs) > 0 {
		pairTable(con, r)
	}
	if r.Agreed != nil {
		qualityTable(con, width, r)
	}
	for _, s := range r.Raters {
		switch {
		case !s.Answered():
			console.Say(con.Err, "%s: no row is answered; left out of average and kappa", console.Visible(s.Rater, widestName))
		case s.Unanswered > 0:
			console.Say(con.Err, "%s: rows left empty: %d of %d", console.Visible(s.Rater, widestName), s.Unanswered, r.Accepted+r.Rejected)
		}
	}
}

func rateRow(con *console.Console, width int, rater string, t rating.Tallies, unanswered string) {
	row := fmt.Sprintf("%s  %-20s  %-20s  %10s", console.Padded(console.Visible(rater, widestName), width), t.Accepted, t.Rejected, unanswered)
	console.Say(con.Out, "%s", strings.TrimRight(row, " "))
}

// pairTable writes the agreement of each pair of raters.
func pairTable(con *console.Console, r *rating.Result) {
	console.Say(con.Out, "\nCohen's kappa of pairs")
	for _, p := range r.Pairs {
		names := console.Visible(p.Raters[0], widestName) + ", " + console.Visible(p.Raters[1], widestName)
		if p.Agreement == nil {
			console.Say(con.Out, "%s: none: %s", names, p.Undefined)
		} else {
			console.Say(con.Out, "%s: %s, on %d rows", names, p.Agreement, p.Agreement.Rows)
		}
	}
}

// qualityTable writes what the answers of each rater say of the crawl.
func qualityTable(con *console.Console, width int, r *rating.Result) {
	console.Say(con.Out, "\n%s  %-25s  %-25s  %s", console.Padded("95 %", width), "precision", "recall", "harvest")
	for _, q := range r.Quality {
		console.Say(con.Out, "%s  %-25s  %-25s  %s", console.Padded(console.Visible(q.Rater, widestName), width), q.Precision, q.Recall, q.Harvest)
	}
	console.Say(con.Out, "agreed answers: %d of %d rows; on %d the raters differ as many to as many", r.Accepted+r.Rejected-r.Agreed.Unanswered, r.Accepted+r.Rejected, r.Split)
}

// widestName bounds a rater's name in the table, in characters.
const widestName = 24
