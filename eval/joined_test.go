package eval

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/ledger"
)

// threeItems is a comparison of three items: "ours" finds the relevant page at once, the baseline after 1, 2 and 3 others.
func threeItems(name string) *Comparison {
	late := func(before int) *Curve {
		lines := []ledger.Line{page("http://h.test/1", false), page("http://h.test/2", false), page("http://h.test/3", false)}[:before]
		return readTimed(append(lines, page("http://h.test/r", true)))
	}
	return &Comparison{
		Name: name, Budget: 4, Web: WebFacts{Documents: 10}, Units: []string{"x", "y", "z"},
		Pairing: Pairing{Baseline: "base", Seed: 1, Samples: 200}, Schedule: &Schedule{},
		Runs: []Run{{Name: "base", Curves: []*Curve{late(1), late(2), late(3)}}, {Name: "ours", Curves: []*Curve{late(0), late(0), late(0)}},
			{Name: "oracle", Oracle: true, Curves: []*Curve{late(0), late(0), late(0)}}},
	}
}

func readTimed(lines []ledger.Line) *Curve {
	c, err := ReadCurve(sequence(lines), only{"http://h.test/r"}, 1, nil, &Schedule{Delay: time.Hour, Connections: 1, AtOnce: 1})
	if err != nil {
		panic(err)
	}
	return c
}

func TestPairedOfItems(t *testing.T) {
	p, err := threeItems("items").Paired()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range p.Rows {
		if r.Measure != "average_precision" || r.Run != "ours" {
			continue
		}
		found = true // 1 − (1/2, 1/3, 1/4)
		if r.N != 3 || r.Above != 3 || !same(rounded(r.Difference), rounded((1.0/2+2.0/3+3.0/4)/3)) || r.Test.P != 0.25 || r.Low < 0.5 || r.High > 0.75 {
			t.Errorf("%+v", r)
		}
	}
	if !found {
		t.Errorf("no row of ours: %+v", p.Rows)
	}
	var csv, again bytes.Buffer
	if err := errors.Join(p.WriteCSV(&csv), p.WriteCSV(&again)); err != nil || csv.String() != again.String() {
		t.Error(err)
	}
	if want := "requests_per_relevant,ours,3,1,3,-2,"; !strings.Contains(csv.String(), want) {
		t.Errorf("no %q in\n%s", want, &csv)
	}
	if want := "hours_per_relevant,ours,3,0,2,-2,"; !strings.Contains(csv.String(), want) {
		t.Errorf("no %q in\n%s", want, &csv)
	}
	c := threeItems("one")
	c.Pairing.Baseline = ""
	if p, err := c.Paired(); p != nil || err != nil {
		t.Errorf("without a baseline: %v, %v", p, err)
	}
}

// written writes a comparison.json and returns its folder.
func written(t *testing.T, c *Comparison) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return folderWith(t, out.String())
}

func folderWith(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "comparison.json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestJoin: topics and items of several comparisons are units alike, and joining gives what comparing them at once does.
func TestJoin(t *testing.T) {
	one, more := threeItems("one"), threeItems("more")
	for i := range one.Runs {
		one.Runs[i].Curves = one.Runs[i].Curves[:1]
	}
	one.Units = nil
	more.Runs = append(more.Runs, Run{Name: "extra", Curves: more.Runs[0].Curves})
	j, err := Join("both", []string{written(t, one), written(t, more)}, Pairing{Baseline: "base", Seed: 1, Samples: 200})
	if err != nil {
		t.Fatal(err)
	}
	table := j.Paired.Table
	if got := strings.Join(table.Units, ", "); got != "one, more: x, more: y, more: z" {
		t.Error(got)
	}
	if len(table.Runs) != 3 || !table.Runs[2].Ceiling || len(j.Notes) != 1 || j.Notes[0] != "run extra is left out: one has none of that name" {
		t.Errorf("%+v, %q", table.Runs, j.Notes)
	}
	if got := table.Runs[0].Values[RequestsPerRelevant]; len(got) != 4 || got[0] != 2 || got[3] != 4 {
		t.Errorf("%v", got)
	}
	var js, html, csv bytes.Buffer
	if err := errors.Join(j.WriteJSON(&js), j.WriteReport(&html), j.Paired.WriteCSV(&csv)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"baseline": "base"`, `"more: z"`} {
		if !strings.Contains(js.String(), want) {
			t.Errorf("no %s in\n%s", want, &js)
		}
	}
	for _, want := range []string{"4 units", "run extra is left out", "<svg", "more: y"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("no %s in\n%s", want, &html)
		}
	}
}

func TestJoinMistakes(t *testing.T) {
	good := written(t, threeItems("good"))
	older := folderWith(t, `{"name": "older", "items": 1, "runs": [{"name": "base"}]}`)
	for _, tc := range []struct {
		folders  []string
		baseline string
		want     string
	}{
		{[]string{good, t.TempDir()}, "base", "want the output folder of a comparison"},
		{[]string{good, good}, "base", `another comparison is called "good"`},
		{[]string{good, older}, "base", "run the comparison again"},
		{[]string{good, folderWith(t, "{}")}, "base", "no comparison.json"},
		{[]string{good, folderWith(t, "x")}, "base", "invalid character"},
		{[]string{good, written(t, threeItems("other"))}, "none", `no run is called "none"`},
	} {
		if _, err := Join("x", tc.folders, Pairing{Baseline: tc.baseline}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}

func FuzzDecodeComparison(f *testing.F) {
	var out bytes.Buffer
	if err := threeItems("seed").WriteJSON(&out); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte(`{"items": 1, "runs": [{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decodeComparison(bytes.NewReader(text))
		if err == nil && (len(c.unitNames()) != c.Items || len(c.Runs) == 0) {
			t.Errorf("%+v", c)
		}
	})
}
