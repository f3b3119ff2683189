//go:build !e2e

package tier

// Whole is whether suites run at full size.
const Whole = false
