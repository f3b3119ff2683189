package rating

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
)

// TestWritten: the bytes of sheet and key.
func TestWritten(t *testing.T) {
	var sheet, key bytes.Buffer
	err := errors.Join(
		WriteSheet(&sheet, []Row{{"bcd-001", `The "A"`, "a, b\nc", "http://a.test/"}, {ID: "bcd-002"}}),
		WriteKey(&key, []Verdict{{"bcd-001", true, "http://a.test/", 7}, {"bcd-002", false, "", 30}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if want := "\ufeffid,title,snippet,url,relevant\r\nbcd-001,\"The \"\"A\"\"\",\"a, b\r\nc\",http://a.test/,\r\nbcd-002,,,,\r\n"; sheet.String() != want {
		t.Errorf("%q", sheet.String())
	}
	if want := "\ufeffid,accepted,url,pages\r\nbcd-001,yes,http://a.test/,7\r\nbcd-002,no,,30\r\n"; key.String() != want {
		t.Errorf("%q", key.String())
	}
	if err := WriteSheet(full{}, nil); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// read reads a sheet of sheet.key.csv, whose rows are bcd-001 to bcd-003.
func read(t *testing.T, content string) ([]Answer, error) {
	t.Helper()
	s, err := ReadSheet("anna.csv", strings.NewReader(content))
	if err != nil {
		return nil, err
	}
	return keyFor(t, 2, 1).Answers(s)
}

// TestSheetsAsTheyComeBack: spreadsheets write what was a table in many ways.
func TestSheetsAsTheyComeBack(t *testing.T) {
	want := []Answer{Relevant, Irrelevant, Unanswered}
	for name, content := range map[string]string{
		"as written":          "\ufeffid,title,snippet,url,relevant\r\nbcd-001,a,b,c,yes\r\nbcd-002,a,b,c,no\r\nbcd-003,a,b,c,\r\n",
		"no mark, LF, no end": "id,relevant\nbcd-001,yes\nbcd-002,no\nbcd-003,",
		"semicolons":          "id;title;relevant\nbcd-001;a, b;1\nbcd-002;\"c;d\";0\nbcd-003;;\n",
		"quoted semicolons":   "\"id\";\"title\";\"relevant\"\n\"bcd-001\";\"a, b\";\"1\"\n\"bcd-002\";\"c\";\"0\"\n\"bcd-003\";\"\";\"\"\n",
		"tabs":                "\ufeffid\ttitle\trelevant\r\nbcd-001\ta, b; c\tTRUE\r\nbcd-002\t\tFALSE\r\nbcd-003\r\n",
		"other order":         "relevant,notes,ID\n,?,bcd-003\nno,,bcd-002\nyes,,bcd-001\n",
		"short rows":          "id,relevant\nbcd-001,y\nbcd-002,n\nbcd-003\n",
		"empty rows":          "\nid,relevant\n\nbcd-001,y\n,\nbcd-002,n\n , \nbcd-003,\n,,,\n",
		"longer rows":         "id,relevant\nbcd-001,y,sure\nbcd-002,n,\nbcd-003,,,,\n",
		"spaces":              " Id , Relevant \n bcd-001 , yes \nbcd-002,  no\nbcd-003, \n",
		"lines within cells":  "id,title,relevant\nbcd-001,\"a\nb\",yes\nbcd-002,\"\n\",no\nbcd-003,,\n",
		"another encoding":    "id,title,relevant\nbcd-001,\xfcber,yes\nbcd-002,,no\nbcd-003,,\n",
	} {
		if got, err := read(t, content); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, text := range []string{"1", "yes", "Yes", "YES", "y", "Y", "true", "TRUE", "t", "relevant", "Relevant"} {
		if a, ok := answerOf(text); !ok || a != Relevant {
			t.Errorf("%q: %v %v", text, a, ok)
		}
	}
	for _, text := range []string{"0", "no", "No", "n", "N", "false", "FALSE", "f", "not relevant", "Not  Relevant", "not-relevant", "not_relevant", "irrelevant", "non-relevant"} {
		if a, ok := answerOf(text); !ok || a != Irrelevant {
			t.Errorf("%q: %v %v", text, a, ok)
		}
	}
	for _, text := range []string{"?", "maybe", "2", "-1", "yes no", "x", "10", "notrelevant?"} {
		if a, ok := answerOf(text); ok {
			t.Errorf("%q: %v", text, a)
		}
	}
}

// TestBadSheets: errors name file, line and id; all problems with rows are told at once.
func TestBadSheets(t *testing.T) {
	const rest = "bcd-001,yes\nbcd-002,no\n"
	for name, tc := range map[string]struct {
		content string
		want    []string
	}{
		"empty":                  {"", []string{"anna.csv: an empty file"}},
		"a mark and no more":     {"\ufeff\r\n", []string{"anna.csv:1: no column is called \"id\""}},
		"a workbook":             {"PK\x03\x04...", []string{"anna.csv: a workbook: save it as CSV"}},
		"UTF-16":                 {"\xff\xfei\x00d\x00", []string{"anna.csv:1: no column is called \"relevant\""}},
		"no header":              {rest, []string{"anna.csv:1: no column is called \"id\"", "bcd-001"}},
		"no column of answers":   {"id,title\nbcd-001,x\n", []string{"anna.csv:1: no column is called \"relevant\""}},
		"two columns of answers": {"id,relevant,Relevant\nbcd-001,yes,no\n", []string{"anna.csv:1: two columns are called \"relevant\""}},
		"the key":                {"id,accepted,url\nbcd-001,yes,\n", []string{"no column is called \"relevant\""}},
		"a quote that is open":   {"id,relevant\nbcd-001,\"yes\nbcd-002,no\n", []string{"anna.csv:3: ", "begins on line 2"}},
		"a quote in a cell":      {"id,relevant\nbcd-001,ye\"s\n", []string{"anna.csv:2: bare \""}},
		"missing":                {"id,relevant\nbcd-002,no\n", []string{"anna.csv: rows of the sample that are missing, 2 of 3: bcd-001, bcd-003"}},
		"no row":                 {"id,relevant\n", []string{"missing, 3 of 3"}},
		"twice":                  {"id,relevant\n" + rest + "bcd-003,\nbcd-002,no\n", []string{"anna.csv:5: bcd-002: the row stands on line 3 too"}},
		"foreign":                {"id,relevant\n" + rest + "bcd-003,\nbcd-004,yes\n", []string{"anna.csv:5: bcd-004: no such row in sheet.key.csv"}},
		"another sample":         {"id,relevant\nxyz-001,yes\nxyz-002,\n", []string{"anna.csv:2: neither this row, xyz-001, nor any other is in sheet.key.csv"}},
		"unknown answer":         {"id,relevant\n" + rest + "bcd-003,perhaps\n", []string{"anna.csv:4: bcd-003: \"perhaps\" is no answer"}},
		"no id":                  {"id,relevant\n" + rest + "bcd-003,\n,yes\n", []string{"anna.csv:5: a row without id"}},
		"a hostile id":           {"id,relevant\n" + rest + "bcd-003,\n\x1b[2J,yes\n", []string{`anna.csv:5: "\x1b[2J": no such row`}},
		"all at once": {"id,relevant\nbcd-001,?\nbcd-002,no\nbcd-002,yes\nbcd-009,1\n", []string{
			"anna.csv:2: bcd-001: \"?\"", "anna.csv:4: bcd-002: the row stands on line 3", "anna.csv:5: bcd-009: no such", "missing, 1 of 3: bcd-003"}},
	} {
		_, err := read(t, tc.content)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", name, err, want)
			}
		}
	}
}

// TestSheetsAreBounded: neither size nor rows nor words about them grow without end.
func TestSheetsAreBounded(t *testing.T) {
	many := "id,relevant\n" + strings.Repeat("x,y\n", MaxRows+1)
	if _, err := read(t, many); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "more than 10000 rows") {
		t.Error(err)
	}
	large := "id,relevant\nbcd-001," + strings.Repeat("y", maxSheet)
	if _, err := read(t, large); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "32 MiB") {
		t.Error(err)
	}
	wrong := "id,relevant\nbcd-001,y\n" + strings.Repeat("x,y\n", 1000)
	_, err := read(t, wrong)
	if err == nil || strings.Count(err.Error(), "\n") > shown+2 || !strings.Contains(err.Error(), "problems with 980 rows more") {
		t.Error(err)
	}
	if _, err := ReadSheet("anna.csv", broken{}); !errors.Is(err, errFull) || !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}

// broken is a file that cannot be read.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errFull }

func TestBadKeys(t *testing.T) {
	for content, want := range map[string]string{
		"":                               "k.csv: an empty file",
		"id,relevant\nx,yes\n":           "k.csv:1: no column is called \"accepted\"",
		"id,accepted\n":                  "k.csv: no rows",
		"id,accepted\nx,\n":              "k.csv:2: x: accepted is yes or no, not \"\"",
		"id,accepted\nx,perhaps\n":       "k.csv:2: x: accepted is yes or no, not \"perhaps\"",
		"id,accepted\nx,yes\nx,no\n":     "k.csv:3: x: the id stands twice",
		"id,accepted\nx,yes\n,no\n":      "k.csv:3: a row without id",
		"id;accepted\nx;yes\n\ny;what\n": "k.csv:4: y: accepted",
	} {
		if _, err := ReadKey("k.csv", strings.NewReader(content)); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// FuzzReadSheet: whatever a sheet holds, it is refused with the name of its file or has an answer or
// none for each row.
func FuzzReadSheet(f *testing.F) {
	for _, s := range []string{"", "\ufeffid,title,relevant\r\nbcd-001,\"a\r\nb\",yes\r\nbcd-002,,no\r\nbcd-003,,\r\n", "id;relevant\nbcd-001;1\n\nbcd-003;0\nbcd-002", "id\trelevant\nbcd-001\t\"", "PK\x03\x04", "\xff\xfe", "id,id,relevant", "\"\n", "relevant\x00,id\n,\xff"} {
		f.Add(s)
	}
	k, err := ReadKey("sheet.key.csv", strings.NewReader("id,accepted\nbcd-001,yes\nbcd-002,yes\nbcd-003,no\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content string) {
		s, err := ReadSheet("anna.csv", strings.NewReader(content))
		var answers []Answer
		if err == nil {
			answers, err = k.Answers(s)
		}
		if err != nil {
			if !errors.Is(err, orbweaver.ErrInput) || !strings.HasPrefix(err.Error(), "anna.csv:") {
				t.Errorf("%v", err)
			}
			if utf8.ValidString(content) && strings.ContainsAny(err.Error(), "\x00\x1b") {
				t.Errorf("%q", err.Error())
			}
			return
		}
		r := k.Score([]Rater{{"anna", answers}, {"ben", answers}})
		if len(answers) != 3 || r.Raters[0].Unanswered+int(r.Raters[0].Accepted.Judged+r.Raters[0].Rejected.Judged) != 3 {
			t.Errorf("%v: %+v", answers, r)
		}
	})
}

// FuzzWriteSheet: whatever pages say, their sheet comes back whole, through any of the three delimiters.
func FuzzWriteSheet(f *testing.F) {
	f.Add("plain", "text")
	f.Add("a,b;c\td", "\"\r\n'=1+1")
	f.Add("\xff\ufeff\x00", "bcd-001,yes\n")
	f.Fuzz(func(t *testing.T, title, snippet string) {
		var b bytes.Buffer
		rows := []Row{{"bcd-001", title, snippet, "http://a.test/"}, {"bcd-002", snippet, title, title}, {ID: "bcd-003", URL: snippet}}
		if err := WriteSheet(&b, rows); err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), mark))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i := range table[1:] {
			table[i+1][4] = []string{"yes", "no", ""}[i]
		}
		for _, comma := range ",;\t" {
			var back bytes.Buffer
			w := csv.NewWriter(&back)
			w.Comma = comma
			if err := w.WriteAll(table); err != nil {
				t.Fatal(err)
			}
			got, err := read(t, back.String())
			if want := []Answer{Relevant, Irrelevant, Unanswered}; err != nil || !slices.Equal(got, want) {
				t.Errorf("%q: %v, %v", comma, got, err)
			}
		}
	})
}

func BenchmarkReadSheet(b *testing.B) {
	var sheet bytes.Buffer
	rows := make([]Row, 400)
	for i := range rows {
		rows[i] = Row{fmt.Sprintf("bcd-%03d", i+1), "A title of a page", strings.Repeat("and what it says, ", 20), "http://a.test/a/page"}
	}
	if err := WriteSheet(&sheet, rows); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(sheet.Len()))
	for b.Loop() {
		if _, err := ReadSheet("anna.csv", bytes.NewReader(sheet.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
