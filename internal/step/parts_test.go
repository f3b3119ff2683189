package step

import (
	"slices"
	"testing"

	"orbweaver"
)

func TestPartsOf(t *testing.T) {
	j := orbweaver.Judgement{Reasons: []orbweaver.Reason{
		{Rule: orbweaver.RulePart, Evidence: "topic: accepted, chance 0.83, score 0.7"},
		{Rule: orbweaver.RulePart, Evidence: "rdf: not accepted, chance 1e-06, score 0"},
		{Rule: orbweaver.RulePart, Evidence: "own: no opinion"},
		{Rule: orbweaver.RulePart, Evidence: "link: worth 0.3, chance 0.2, score 0.1"},
		{Rule: "topic/part", Evidence: "topic: accepted, chance 0.83, score 0.7"},
	}}
	want := []PartOf{{Name: "topic", Score: 0.7, Chance: 0.83, Accepted: true}, {Name: "rdf", Chance: 1e-06}, {Name: "own", Silent: true}}
	if got := PartsOf(j); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
