package endpointtest_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/internal/endpointtest"
)

const (
	header = "endpoint\tdatasets\tupNow\tuptimeOverall\tunion\tdistinct\tcount_groupby\tn10ok\tn11ok\tvoid\texample_exception\n"
	good   = "http://e.org/s\thttp://d/1|http://d/2\tTrue\t0.8\tTrue\tFalse\tNone\t20\t1\tTrue\tline\r one\n"
)

func TestRead(t *testing.T) {
	rows, err := endpointtest.Read(strings.NewReader(header + good + good))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v, %v", rows, err)
	}
	r := rows[1]
	if r.Line != 3 || len(r.Datasets) != 2 || !r.Up || r.Uptime != 0.8 || r.Distinct != endpointtest.Unable ||
		r.Count != endpointtest.NotMeasured || r.Works10 != 20 || r.Works11 != 1 || !r.VoID || r.Exception != "line\r one" {
		t.Errorf("%+v", r)
	}
}

// TestReadWrong: the error lists all problems by line and column.
func TestReadWrong(t *testing.T) {
	bad := strings.NewReplacer("0.8", "1.8", "False", "Perhaps", "20", "-1").Replace(good)
	rows, err := endpointtest.Read(strings.NewReader(header + good + bad + "a\tb\n" + good))
	if len(rows) != 2 || err == nil {
		t.Fatalf("%v, %v", rows, err)
	}
	for _, want := range []string{"line 3: ", "uptimeOverall", "distinct", "n10ok", "line 4: 2 columns, not 11"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no word of %s", err, want)
		}
	}
	if _, err := endpointtest.Read(strings.NewReader(good)); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("no header: %v", err)
	}
}

// FuzzRead: the rows of any file have profiles or an error with the line.
func FuzzRead(f *testing.F) {
	f.Add(header + good)
	f.Add(header + strings.Replace(good, "line", "QueryExceptionHTTP:Forbidden", 1))
	f.Fuzz(func(t *testing.T, text string) {
		rows, _ := endpointtest.Read(strings.NewReader(text))
		for _, row := range rows {
			p, err := endpointtest.ProfileOf(row)
			switch {
			case err != nil && !strings.Contains(err.Error(), fmt.Sprintf("line %d, ", row.Line)):
				t.Error(err)
			case err == nil && (p.Always.Kind == endpointtest.Media || p.Refusal.Kind == endpointtest.Down || row.Up && !p.Answers()):
				t.Errorf("%+v", p)
			}
		}
	})
}

// FuzzNeedsOf: keywords in strings and comments do not count.
func FuzzNeedsOf(f *testing.F) {
	f.Add("a \\ # UNION")
	f.Fuzz(func(t *testing.T, text string) {
		endpointtest.NeedsOf(text)
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune("\"\\\n\r'", r) {
				return -1
			}
			return r
		}, text)
		query := "ASK {?s ?p \"" + text + "\"} #" + text
		if n := endpointtest.NeedsOf(query); n != (endpointtest.Needs{}) {
			t.Errorf("%q: %+v", query, n)
		}
	})
}
