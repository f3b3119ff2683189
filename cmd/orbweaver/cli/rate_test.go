package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestRate: a sample is drawn, two raters judge it, one as the key has it and one who takes all for
// relevant, in a spreadsheet with semicolons; their figures are those that follow.
func TestRate(t *testing.T) {
	project(t)
	for _, args := range []string{"crawl examples/aircraft.yaml", "rate sample crawls/aircraft -o sheet.csv --error 0.1"} {
		if status, stdout, stderr := execute(t, strings.Fields(args)...); status != exitDone {
			t.Fatalf("%s: %d\n%s%s", args, status, stdout, stderr)
		}
	}
	verdicts := rowsOf(t, "sheet.key.csv")
	rows := rowsOf(t, "sheet.csv")
	accepted := 0
	for i, row := range verdicts[1:] {
		if row[0] != rows[i+1][0] {
			t.Fatalf("%v is not %v", row, rows[i+1])
		}
		if row[1] == "yes" {
			accepted++
		}
	}
	given(t, "anna.csv", ',', rows, func(i int) string { return verdicts[i][1] })
	given(t, "ben.csv", ';', rows, func(int) string { return "RELEVANT" })
	status, stdout, stderr := execute(t, "rate", "score", "anna.csv", "ben.csv", "sheet.csv", "--format", "json")
	if status != exitDone || stderr != "" {
		t.Fatalf("%d\n%s", status, stderr)
	}
	var result struct {
		Raters []struct {
			Rater              string
			Unanswered         int
			Accepted, Rejected struct{ Judged, Right, Ratio float64 }
		}
		Agreement struct{ Observed, Chance, Kappa float64 }
	}
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || len(result.Raters) != 3 {
		t.Fatalf("%v\n%s", err, stdout)
	}
	n := len(rows) - 1
	anna, ben, nobody := result.Raters[0], result.Raters[1], result.Raters[2]
	if anna.Accepted.Ratio != 1 || anna.Rejected.Ratio != 1 || ben.Accepted.Right != float64(accepted) || ben.Rejected.Right != 0 || nobody.Unanswered != n {
		t.Errorf("%+v", result)
	}
	agreed := float64(accepted) / float64(n)
	relevant := (1 + agreed) / 2
	chance := relevant*relevant + (1-relevant)*(1-relevant)
	if want, got := (agreed-chance)/(1-chance), result.Agreement.Kappa; want-got > 1e-5 || got-want > 1e-5 {
		t.Errorf("kappa %v, want %v", got, want)
	}
}

// rowsOf reads a table with commas.
func rowsOf(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(read(t, path)), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// judge writes a sheet as a rater gives it back.
func given(t *testing.T, path string, comma rune, rows [][]string, answer func(row int) string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	w.Comma = comma
	for i, row := range rows {
		if i > 0 {
			row = append(row[:4:4], answer(i))
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if w.Flush(); w.Error() != nil {
		t.Fatal(w.Error())
	}
}

func TestRateMisused(t *testing.T) {
	project(t)
	write(t, "a.csv", "id,relevant\nbcd-001,what\nbcd-002,\n")
	write(t, "a.key.csv", "id,accepted\nbcd-001,yes\nbcd-003,no\n")
	for _, tc := range []struct {
		args string
		want []string
	}{
		{"rate", []string{"rate: want a command: sample, score", "See `orbweaver rate --help`."}},
		{"rate smple x", []string{`rate: unknown command "smple" (did you mean sample?)`, "See `orbweaver rate --help`."}},
		{"rate sample", []string{"rate sample: want one crawl folder, have 0 arguments", "See"}},
		{"rate sample examples", []string{"rate sample: name the sheet with -o", "See"}},
		{"rate sample examples -o -", []string{"rate sample: name the sheet with -o", "See"}},
		{"rate sample examples -o s.csv --error 1 --seed 3", []string{"examples is not a crawl folder: it has no crawl.yaml", "error 1: it is above 0 and below 1"}},
		{"rate sample examples -o s.csv --seed -1", []string{`invalid argument "-1" for "--seed"`, "See"}},
		{"rate score", []string{"rate score: want a sheet for each rater", "See"}},
		{"rate score a.csv --format csv", []string{`rate score: --format is text or json, not "csv"`, "See"}},
		{"rate score none.csv", []string{"none.csv: no such file"}},
		{"rate score a.csv", []string{`a.csv:2: bcd-001: "what" is no answer`, "a.csv:3: bcd-002: no such row in a.key.csv", "a.csv: rows of the sample that are missing, 1 of 2: bcd-003"}},
	} {
		t.Run(tc.args, func(t *testing.T) { refused(t, strings.Fields(tc.args), tc.want) })
	}
}

// TestWithdraw: a verdict is told by explain and moves the pages; withdrawn it does neither, and cannot be withdrawn again.
func TestWithdraw(t *testing.T) {
	project(t)
	const page = "http://skylines.example/types/a320.html"
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		status, stdout, stderr := execute(t, args...)
		if status != want {
			t.Fatalf("%s: %d\n%s%s", args, status, stdout, stderr)
		}
		return stdout, stderr
	}
	run(exitDone, "crawl", "examples/aircraft.yaml")
	first, _ := run(exitDone, "pages", "crawls/aircraft", "--now", "--format", "json")
	if err := os.WriteFile("ask.csv", []byte("url,relevant\n"+page+",no\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(exitDone, "rate", "teach", "crawls/aircraft", "ask.csv")
	if said, _ := run(exitDone, "explain", "crawls/aircraft", page); !strings.Contains(said, "a person says: not relevant") {
		t.Errorf("explain does not tell the verdict:\n%s", said)
	}
	if taught, _ := run(exitDone, "pages", "crawls/aircraft", "--now", "--format", "json"); taught == first {
		t.Error("a verdict moves no page")
	}
	run(exitDone, "rate", "withdraw", "crawls/aircraft", page)
	if said, _ := run(exitDone, "explain", "crawls/aircraft", page); strings.Contains(said, "a person says") {
		t.Errorf("explain tells what was withdrawn:\n%s", said)
	}
	if again, _ := run(exitDone, "pages", "crawls/aircraft", "--now", "--format", "json"); again != first {
		t.Error("a verdict that was withdrawn still moves pages")
	}
	if _, why := run(exitInput, "rate", "withdraw", "crawls/aircraft", page); !strings.Contains(why, "no verdict on it holds") {
		t.Errorf("withdrawn again: %s", why)
	}
}
