package crawlfile

import "orbweaver/internal/crawlfile/notation"

// What is wrong with a file.
type (
	Problem  = notation.Problem
	Problems = notation.Problems
)
