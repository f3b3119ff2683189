package ledger_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// TestPredicted: the rules are those of a class, each once, heaviest first, ten at most.
func TestPredicted(t *testing.T) {
	var many []orbweaver.Reason
	for i := range 12 {
		many = append(many, orbweaver.Reason{Rule: fmt.Sprint(i), Weight: float64(i)})
	}
	for _, tc := range []struct {
		name string
		j    orbweaver.Judgement
		want string
	}{
		{"nothing", orbweaver.Judgement{}, `{"score":0}`},
		{"no class, no rules", orbweaver.Judgement{Score: 0.5, Reasons: many}, `{"score":0.5}`},
		{"a class without reasons", orbweaver.Judgement{Score: 1, Class: "R"}, `{"score":1,"class":"R"}`},
		{"each rule once", orbweaver.Judgement{Score: 1, Class: "R", Reasons: []orbweaver.Reason{
			{Rule: "a", Weight: 0.25}, {Rule: "b", Weight: 0.5}, {Rule: "a", Weight: 0.25}, {Rule: "c", Weight: 0.25},
		}}, `{"score":1,"class":"R","rules":["b","a","c"]}`},
		{"the heaviest ten", orbweaver.Judgement{Score: 1, Class: "R", Reasons: many}, `{"score":1,"class":"R","rules":["11","10","9","8","7","6","5","4","3","2"]}`},
	} {
		got, err := json.Marshal(ledger.LineOf(orbweaver.Outcome{Predicted: tc.j}).Predicted)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %s, %v; want %s", tc.name, got, err, tc.want)
		}
	}
	var older ledger.Line
	if err := json.Unmarshal([]byte(`{"predicted":{"score":1,"class":"R"}}`), &older); err != nil || older.Predicted.Rules != nil {
		t.Errorf("a line of an earlier version: %+v, %v", older.Predicted, err)
	}
}
