package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// tenth is a comparison on a web of 20 documents with a budget of 10: the marks are 1 to 10, and 16
// for a checkpoint beyond the budget.
func tenth() *Comparison {
	truth, lines := tenRequests()
	return &Comparison{
		Name: "tenth", Truth: "b, d and f", Seeds: []string{"a"}, Budget: 10, Checkpoints: []float64{0.8, 0.25},
		Web: WebFacts{Documents: 20, Reachable: 12, Relevant: 5, RelevantReachable: 4},
		Runs: []Run{
			{Name: "whole", Focus: "keyword: {terms: [b]}", Ended: "10 requests", Curves: []*Curve{curveOf(truth, 4, lines)}},
			{Name: "short, \"quoted\"", Curves: []*Curve{curveOf(truth, 4, lines[:2])}},
			{Name: "oracle", Oracle: true, Curves: []*Curve{curveOf(truth, 4, slices.Concat(lines[1:2], lines[5:6], lines[9:]))}},
		},
	}
}

func TestMarks(t *testing.T) {
	for _, tc := range []struct {
		name string
		c    Comparison
		want []int
	}{
		{"each request of a small budget", Comparison{Budget: 3}, []int{1, 2, 3}},
		{"checkpoints in between and beyond, rounded", Comparison{Budget: 4, Web: WebFacts{Documents: 10}, Checkpoints: []float64{1, 0.26, 0.01}}, []int{1, 2, 3, 4, 10}},
	} {
		if got := tc.c.Marks(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	marks := (&Comparison{Budget: 460, Web: WebFacts{Documents: 4598}}).Marks()
	if len(marks) != 102 || marks[0] != 5 || marks[1] != 9 || !slices.Contains(marks, 230) || !slices.Contains(marks, 460) || marks[100] != 920 || marks[101] != 2299 {
		t.Errorf("460 requests on 4598 documents: %v", marks)
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	var csv, js bytes.Buffer
	if err := errors.Join(tenth().WriteCSV(&csv), tenth().WriteJSON(&js)); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"testdata/comparison.csv": csv.Bytes(), "testdata/comparison.json": js.Bytes()} {
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs:\n%s", name, got)
		}
	}
	if !json.Valid(js.Bytes()) {
		t.Error("comparison.json is no JSON")
	}
}

func TestRepeatedComparison(t *testing.T) {
	half := curveOf(only{"a"}, 2, []ledger.Line{page("a", false), page("b", false)})
	whole := curveOf(only{"a", "b"}, 2, []ledger.Line{page("a", false), page("b", false)})
	none := curveOf(only{}, 0, []ledger.Line{page("a", false)})
	c := Comparison{Name: "each", Budget: 2, Runs: []Run{{Name: "r", Curves: []*Curve{half, whole, none}}}}
	f := c.Runs[0].Figures([]int{2})[0]
	if f.HarvestRate.Mean != 0.5 || f.HarvestRate.N != 3 {
		t.Errorf("harvest rate of 1/2, 2/2 and 0/1: %+v, want 0.5 of 3", f.HarvestRate)
	}
	if f.Recall.Mean != 0.75 || f.Recall.N != 2 {
		t.Errorf("recall of 1/2 and 2/2, nothing to reach in the third: %+v, want 0.75 of 2", f.Recall)
	}
	var csv, html bytes.Buffer
	if err := errors.Join(c.WriteCSV(&csv), c.WriteReport(&html)); err != nil {
		t.Fatal(err)
	}
	// deviation of 0.5, 1, 0 is 0.5, t is 4.3027: 4.3027·0.5/√3; of 0.5, 1: 12.7062·0.25
	// the last three: (1/2 + 1) ÷ 2, (1 + 2 + 0)/50 ÷ 3, (2/1 + 2/2 + 1/1) ÷ 3; no schedule, no hours
	want := "r,2,1.666667,1,0.5,0.75,1.242083,3.17655,0.75,0.02,1.333333,\n"
	if !strings.HasSuffix(csv.String(), want) {
		t.Errorf("CSV\n%swant at the end\n%s", &csv, want)
	}
	if !strings.Contains(html.String(), "0.500 ± 1.242") {
		t.Error("the report tells no interval")
	}
}

func TestBest(t *testing.T) {
	at := func(recall, harvest float64) Figure {
		return Figure{Relevant: Estimate{Mean: recall * 100}, Recall: Estimate{Mean: recall}, HarvestRate: Estimate{Mean: harvest}}
	}
	c := Comparison{Runs: []Run{{Oracle: true}, {}, {}, {}}}
	for _, tc := range []struct {
		name    string
		figures []Figure
		want    []bool
	}{
		{"most recall, the oracle left out", []Figure{at(1, 1), at(.2, .9), at(.3, .1), at(.1, 1)}, []bool{false, false, true, false}},
		{"then most harvest", []Figure{at(1, 1), at(.2, .1), at(.2, .3), at(.2, .2)}, []bool{false, false, true, false}},
		{"equals all", []Figure{at(.2, .1), at(.2, .1), at(.2, .1), at(.1, .1)}, []bool{false, true, true, false}},
		{"none when nothing was found", []Figure{at(1, 1), at(0, 0), at(0, 0), at(0, 0)}, []bool{false, false, false, false}},
	} {
		if got := c.best(tc.figures); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestCheckTellsAllProblems(t *testing.T) {
	c := tenth()
	c.Checkpoints = []float64{0, 1.5, 0.5}
	c.Runs[1].Name = "whole"
	c.Runs[2].Curves = nil
	c.Runs = append(c.Runs, Run{})
	err := c.WriteCSV(&bytes.Buffer{})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatalf("%v is no ErrInput", err)
	}
	for _, want := range []string{"checkpoint 0 ", "checkpoint 1.5 ", `two runs are called "whole"`, `run "oracle" has 0 crawls`, "without a name"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "0.5") {
		t.Errorf("0.5 is a share:\n%v", err)
	}
	if err := (&Comparison{Name: "x"}).WriteReport(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no runs") {
		t.Errorf("no runs: %v", err)
	}
}
