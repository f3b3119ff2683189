package sample

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/console"
)

// TestRateHarmless: no text of a page becomes a formula in a spreadsheet, or a control sequence in a
// terminal.
func TestRateHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "  @SUM(A1)\n": "'@SUM(A1)", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-x": "'-x", "\t=1": "'=1",
		"a\x1b[2J\u202eb": "a\ufffd[2J\ufffdb", "\xff": "\ufffd", "": "", "-5": "-5", "two\n\nlines": "two lines",
	} {
		var row rating.Row
		new(sampling).fill(&row, &orbweaver.Page{Title: text, Text: text})
		if row.Title != want || row.Snippet != want {
			t.Errorf("%q: %q, %q", text, row.Title, row.Snippet)
		}
	}
	var row rating.Row
	long := strings.Repeat("é", 5000)
	new(sampling).fill(&row, &orbweaver.Page{Title: long, Text: long})
	if utf8.RuneCountInString(row.Title) != longestTitle || utf8.RuneCountInString(row.Snippet) != longestSnippet {
		t.Errorf("%d and %d characters", utf8.RuneCountInString(row.Title), utf8.RuneCountInString(row.Snippet))
	}
}

// ratings is a folder with a key of three rows and sheets.
type ratings struct {
	t   *testing.T
	dir string
}

func newRatings(t *testing.T) ratings {
	t.Helper()
	r := ratings{t, t.TempDir()}
	r.write("sheet.key.csv", "id,accepted\nbcd-001,yes\nbcd-002,no\nbcd-003,yes\n")
	r.write("anna.csv", "id,relevant\nbcd-001,yes\nbcd-002,no\nbcd-003,no\n")
	r.write("ben.csv", "\ufeffid;relevant\r\nbcd-003;1\r\nbcd-002;\r\nbcd-001;1\r\n")
	return r
}

func (r ratings) write(name, content string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
		r.t.Fatal(err)
	}
}

// score scores files of the folder.
func (r ratings) score(asJSON bool, names ...string) (stdout, stderr string, err error) {
	var messages, log bytes.Buffer
	for i, name := range names {
		names[i] = filepath.Join(r.dir, name)
	}
	err = Score(&console.Console{Out: &messages, Err: &log}, names, asJSON)
	return messages.String(), log.String(), err
}

func TestRateScore(t *testing.T) {
	r := newRatings(t)
	r.write("empty.csv", "id,relevant\nbcd-001,\nbcd-002,\nbcd-003,\n")
	messages, log, err := r.score(false, "anna.csv", "ben.csv", "empty.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(messages, "\n")
	want := `
rater    harvest ratio         rightly rejected      unanswered
anna     1/2 50.00%            1/1 100.00%                    0
ben      2/2 100.00%           -                              1
empty    -                     -                              3
average  1.5/2 75.00%          0.5/0.5 100.00%

Fleiss' kappa -0.33 (95 %: -1.00 to 0.54): poor agreement
of 2 raters on 2 of 3 rows, those that all of them answered

Cohen's kappa of pairs
anna, ben: 0.00 (95 %: 0.00 to 0.00): slight agreement, on 2 rows

95 %     precision                  recall                     harvest
anna     50.00% (9.45 to 90.55)     100.00% (42.44 to 100.00)  33.33% (6.30 to 71.15)
ben      100.00% (34.24 to 100.00)  -                          -
agreed   100.00% (20.65 to 100.00)  100.00% (60.54 to 100.00)  66.67% (13.77 to 93.12)
agreed answers: 2 of 3 rows; on 1 the raters differ as many to as many
`
	if table != want {
		t.Errorf("%s\nwant%s", table, want)
	}
	if log != "ben: rows left empty: 1 of 3\nempty: no row is answered; left out of average and kappa\n" {
		t.Error(log)
	}
	messages, _, err = r.score(true, "anna.csv", "ben.csv")
	var result struct {
		Key string
		rating.Result
	}
	if err := errors.Join(err, json.Unmarshal([]byte(messages), &result)); err != nil {
		t.Fatal(err)
	}
	if filepath.Base(result.Key) != "sheet.key.csv" || len(result.Raters) != 2 || result.Raters[0].Accepted != (rating.Tally{Judged: 2, Right: 1, Ratio: 0.5}) ||
		result.Agreement == nil || result.Agreement.Kappa != -0.333333 {
		t.Errorf("%s", messages)
	}
	messages, log, err = r.score(true, "anna.csv")
	if err != nil || !strings.Contains(messages, `"agreement": null`) || !strings.Contains(messages, `"undefined": "agreement wants two raters who answered"`) {
		t.Error(messages, log, err)
	}
}

// TestRateScoreFindsTheKey: the key may be one of several, beside any sheet, or named; raters with sheets
// of the same name are distinguished.
func TestRateScoreFindsTheKey(t *testing.T) {
	r := newRatings(t)
	r.write("a.key.csv", "id,accepted\nxyz-001,yes\n")
	r.write("b.key.csv", "not a key")
	sheet, err := os.ReadFile(filepath.Join(r.dir, "anna.csv"))
	if err != nil {
		t.Fatal(err)
	}
	r.write("far/anna.csv", string(sheet))
	for _, names := range [][]string{{"anna.csv"}, {"far/anna.csv", "anna.csv"}, {"far/anna.csv", "sheet.key.csv"}, {"sheet.key.csv", "anna.csv"}} {
		messages, _, err := r.score(false, slices.Clone(names)...)
		if err != nil || !strings.Contains(messages, "accepted 2, rejected 1") {
			t.Errorf("%v: %s, %v", names, messages, err)
		}
	}
	if _, _, err := r.score(false, "far/anna.csv"); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no key beside it") {
		t.Error(err)
	}
	messages, _, err := r.score(true, "far/anna.csv", "anna.csv")
	if err != nil || !strings.Contains(messages, "far/anna.csv\"") {
		t.Errorf("two of one name: %s %v", messages, err)
	}
}

// TestRateScoreRefuses: any problem prevents the count, and the error lists all problems with positions.
func TestRateScoreRefuses(t *testing.T) {
	r := newRatings(t)
	r.write("wrong.csv", "id,relevant\nbcd-001,yes\nbcd-002,perhaps\nbcd-003,no\n")
	r.write("short.csv", "id,relevant\nbcd-001,yes\nbcd-001,yes\n")
	r.write("foreign.csv", "id,relevant\nxyz-001,yes\n")
	r.write("text.csv", "hello")
	r.write("other.key.csv", "id,accepted\nxyz-001,yes\n")
	r.write("bad.key.csv", "id,accepted\nbcd-001,\n")
	if err := os.Link(filepath.Join(r.dir, "anna.csv"), filepath.Join(r.dir, "link.csv")); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		files, want []string
	}{
		"two sheets with problems": {[]string{"anna.csv", "wrong.csv", "short.csv"}, []string{
			`wrong.csv:3: bcd-002: "perhaps" is no answer`, "short.csv:3: bcd-001: the row stands on line 2 too", "short.csv: rows of the sample that are missing, 2 of 3: bcd-002, bcd-003"}},
		"two files that are none": {[]string{"none.csv", "text.csv"}, []string{"none.csv: no such file", `text.csv:1: no column is called "id"`}},
		"a sheet named twice":     {[]string{"anna.csv", "./anna.csv"}, []string{"anna.csv: named twice"}},
		"a sheet by two names":    {[]string{"anna.csv", "link.csv"}, []string{"link.csv: named twice"}},
		"another sample":          {[]string{"anna.csv", "foreign.csv", "sheet.key.csv"}, []string{"foreign.csv:2: neither this row, xyz-001"}},
		"the key of another":      {[]string{"anna.csv", "other.key.csv"}, []string{"none of its rows is in", "other.key.csv"}},
		"a malformed key":         {[]string{"anna.csv", "bad.key.csv"}, []string{"bad.key.csv:2: bcd-001: accepted is yes or no"}},
		"a missing key":           {[]string{"anna.csv", "none.key.csv"}, []string{"none.key.csv: no such file"}},
		"two keys":                {[]string{"anna.csv", "sheet.key.csv", "other.key.csv"}, []string{"are both keys"}},
		"only a key":              {[]string{"sheet.key.csv"}, []string{"no sheet is named"}},
		"a folder":                {[]string{"."}, []string{"is a directory"}},
	} {
		messages, _, err := r.score(false, tc.files...)
		if !errors.Is(err, orbweaver.ErrInput) || messages != "" {
			t.Errorf("%s: %v %s", name, err, messages)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %q", name, err, want)
			}
		}
	}
	if err := os.Remove(filepath.Join(r.dir, "sheet.key.csv")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.score(false, "anna.csv"); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "bad.key.csv:2") || !strings.Contains(err.Error(), "name it too") {
		t.Error(err)
	}
}
