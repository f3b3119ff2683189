// Package tier tells tests how much is to run. `go test ./...` is for everybody: each package's own behaviour on small cases, in minutes. `go test -tags e2e ./...`
// (`make check`) adds the tests below e2e, other programs, and suites at full size. It is for tests alone.
package tier

import "testing"

// Long skips a test that is for the second tier, and says what it does that takes long.
func Long(tb testing.TB, what string) {
	tb.Helper()
	if !Whole {
		tb.Skipf("%s: go test -tags e2e", what)
	}
}

// Of returns n where suites run whole, and otherwise few: how many cases, rounds or seeds a test takes.
func Of(few, n int) int {
	if Whole {
		return n
	}
	return few
}
