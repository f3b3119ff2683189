package step

import (
	"strconv"
	"strings"

	"orbweaver"
)

// A PartOf is what one part of a blend says of a page.
type PartOf struct {
	Name     string  `json:"name"`
	Score    float64 `json:"score,omitempty"`  // the part's own
	Chance   float64 `json:"chance,omitempty"` // that the page is what the part is for
	Accepted bool    `json:"accepted,omitempty"`
	Silent   bool    `json:"silent,omitempty"` // it has no opinion
}

// PartsOf returns what the parts of a blend say of a page, by the reasons of its judgement; nil for other focuses.
func PartsOf(j orbweaver.Judgement) (parts []PartOf) {
	for _, r := range j.Reasons {
		if r.Rule != orbweaver.RulePart {
			continue
		}
		if p, ok := partOf(r.Evidence); ok {
			parts = append(parts, p)
		}
	}
	return parts
}

// partOf reads the evidence of such a reason: "NAME: accepted, chance 0.8, score 0.7", the same with "not accepted", or
// "NAME: no opinion".
func partOf(evidence string) (p PartOf, ok bool) {
	name, says, _ := strings.Cut(evidence, ": ")
	fields := strings.Split(says, ", ")
	p.Name, p.Accepted = name, fields[0] == "accepted"
	switch {
	case says == "no opinion":
		p.Silent = true
		return p, true
	case len(fields) != 3 || !p.Accepted && fields[0] != "not accepted":
		return p, false
	}
	chance, known := strings.CutPrefix(fields[1], "chance ")
	score, scored := strings.CutPrefix(fields[2], "score ")
	var err, bad error
	p.Chance, err = strconv.ParseFloat(chance, 64)
	p.Score, bad = strconv.ParseFloat(score, 64)
	return p, known && scored && err == nil && bad == nil
}
