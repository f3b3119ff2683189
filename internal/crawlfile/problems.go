package crawlfile

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver/internal/crawlfile/notation"
)

// maxProblems is the maximum number of reported problems.
const maxProblems = 100

// What is wrong with a file.
type (
	Problem  = notation.Problem
	Problems = notation.Problems
)

// inOrder sorts problems by place, those of the main file first, and truncates them to maxProblems.
func inOrder(ps []Problem, mainFile string) Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(foreign(a, mainFile), foreign(b, mainFile)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(ps) - maxProblems; more > 0 {
		ps = append(ps[:maxProblems:maxProblems], Problem{File: mainFile, Msg: fmt.Sprintf("and %d more problems", more)})
	}
	return ps
}

// foreign returns 0 for a problem of the main file and 1 for one of another file.
func foreign(p Problem, mainFile string) int {
	if p.File == mainFile {
		return 0
	}
	return 1
}
