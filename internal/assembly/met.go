package assembly

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/engine"
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

func (m *Met) add(line *ledger.Line) {
	for _, r := range line.Reasons {
		switch r.Rule {
		case engine.RuleDuplicate:
			m.Copies++
		case engine.RuleNearDuplicate:
			m.Near++
		case "no-text":
			m.Textless++
		case "needs-script":
			m.Scripted++
		case engine.RuleSender:
			if line.Error != orbweaver.ErrWall {
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
	var walls []string
	for _, vendor := range vendors {
		walls = append(walls, fmt.Sprintf("%d %s", m.Walls[vendor], vendor))
	}
	for _, line := range [...][2]string{
		{"walls by", strings.Join(walls, ", ")},
		{"duplicates", counted(m.Copies, "with the same bytes", m.Near, "with nearly the same text")},
		{"without text", counted(m.Textless, "by their kind (orbweaver explain says why)",
			m.Scripted, "before their scripts run (render: {when: empty} runs them)")},
	} {
		if line[1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// counted joins those of two counts that are not zero.
func counted(n int64, what string, m int64, other string) string {
	var parts []string
	if n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", n, what))
	}
	if m > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", m, other))
	}
	return strings.Join(parts, ", ")
}
