package eval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Met counts what a crawl met beside pages to judge and failures.
type Met struct {
	Walls    map[string]int64 `json:"walls,omitempty"`        // by vendor; part of the failures
	Copies   int64            `json:"copies,omitempty"`       // pages with the bytes of an earlier one
	Near     int64            `json:"near_copies,omitempty"`  // with nearly its text
	Textless int64            `json:"textless,omitempty"`     // documents without text
	Scripted int64            `json:"needs_script,omitempty"` // pages with hardly any text before their scripts run
}

// Add counts a line.
func (m *Met) Add(line *ledger.Line) {
	for _, r := range line.Reasons {
		switch r.Rule {
		case ruleDuplicate:
			m.Copies++
		case ruleNearDuplicate:
			m.Near++
		case ruleNoText:
			m.Textless++
		case ruleScript:
			m.Scripted++
		case ruleSender:
			if line.Error != step.ErrWall {
				continue
			}
			if m.Walls == nil {
				m.Walls = map[string]int64{}
			}
			m.Walls[r.Evidence]++
		}
	}
}

// Lines says it in words, a name and its figures a line.
func (m *Met) Lines() (lines [][2]string) {
	vendors := slices.SortedFunc(maps.Keys(m.Walls), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.Walls[b], m.Walls[a]), cmp.Compare(a, b))
	})
	documents := "%d documents"
	if m.Textless == 1 {
		documents = "1 document"
	}
	var walls []string
	for _, vendor := range vendors {
		walls = append(walls, fmt.Sprintf("%d %s", m.Walls[vendor], vendor))
	}
	for _, line := range [...][2]string{
		{"walls by", strings.Join(walls, ", ")},
		{"duplicates", joined(sayCount(m.Copies, "%d with the same bytes"), sayCount(m.Near, "%d with nearly the same text"))},
		{"without text", joined(sayCount(m.Textless, documents+" (orbweaver explain says why)"),
			sayCount(m.Scripted, "%d before their scripts run (render: {when: empty} runs them)"))},
	} {
		if line[1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// sayCount is a count in words; empty: there was none.
func sayCount(n int64, words string) string {
	if n == 0 {
		return ""
	}
	return strings.Replace(words, "%d", strconv.FormatInt(n, 10), 1)
}

// joined joins those of some words that are not empty.
func joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), ", ")
}
