package edit

import (
	"fmt"
	"strings"
)

// context is the number of equal lines around a change that a diff shows.
const context = 3

// Diff returns the lines that differ between two contents as a unified diff with three lines of context; empty if they are the same. Where
// more than a few thousand lines differ it shows all lines between the first and the last of them as changed.
func Diff(name string, was, next []byte) string {
	a, b := split(string(was)), split(string(next))
	ops := compare(a, b)
	var out strings.Builder
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i++
			continue
		}
		from := max(0, i-context)
		to, quiet := i, 0
		for ; to < len(ops) && quiet <= 2*context; to++ {
			if quiet++; ops[to].kind != ' ' {
				quiet = 0
			}
		}
		to -= max(0, quiet-context)
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
		}
		hunk(&out, ops[from:to])
		i = to
	}
	return out.String()
}

// hunk writes a hunk.
func hunk(out *strings.Builder, ops []op) {
	var removed, added int
	for _, o := range ops {
		if o.kind != '+' {
			removed++
		}
		if o.kind != '-' {
			added++
		}
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", ops[0].a+1, removed, ops[0].b+1, added)
	for _, o := range ops {
		fmt.Fprintf(out, "%c%s\n", o.kind, strings.TrimRight(o.line, "\r\n"))
	}
}

// An op is a line that stays (' '), goes ('-') or comes ('+'), with its number before and after, from 0.
type op struct {
	kind byte
	line string
	a, b int
}

func split(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// mostCells bounds the table by which lines are compared.
const mostCells = 4_000_000

// compare compares lines: what is the same at both ends, then by the longest common subsequence.
func compare(a, b []string) (ops []op) {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for i := range start {
		ops = append(ops, op{' ', a[i], i, i})
	}
	ops = append(ops, middle(a[start:len(a)-end], b[start:len(b)-end], start)...)
	for i := range end {
		ops = append(ops, op{' ', a[len(a)-end+i], len(a) - end + i, len(b) - end + i})
	}
	return ops
}

// middle compares lines whose first and last differ.
func middle(a, b []string, start int) (ops []op) {
	i, k := 0, 0
	if len(a)*len(b) <= mostCells {
		common := make([][]int32, len(a)+1)
		for r := range common {
			common[r] = make([]int32, len(b)+1)
		}
		for r := len(a) - 1; r >= 0; r-- {
			for c := len(b) - 1; c >= 0; c-- {
				if a[r] == b[c] {
					common[r][c] = common[r+1][c+1] + 1
				} else {
					common[r][c] = max(common[r+1][c], common[r][c+1])
				}
			}
		}
		for i < len(a) && k < len(b) {
			switch {
			case a[i] == b[k]:
				ops = append(ops, op{' ', a[i], start + i, start + k})
				i++
				k++
			case common[i+1][k] >= common[i][k+1]:
				ops = append(ops, op{'-', a[i], start + i, start + k})
				i++
			default:
				ops = append(ops, op{'+', b[k], start + i, start + k})
				k++
			}
		}
	}
	for ; i < len(a); i++ {
		ops = append(ops, op{'-', a[i], start + i, start + k})
	}
	for ; k < len(b); k++ {
		ops = append(ops, op{'+', b[k], start + i, start + k})
	}
	return ops
}
