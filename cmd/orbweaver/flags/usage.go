package flags

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// A UsageError is an invalid command line.
type UsageError struct {
	Command string // with the program's name
	Err     error
}

// Error is what is wrong.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e UsageError) Unwrap() error { return e.Err }

// Misused returns a UsageError of a command, which names it.
func Misused(c *cobra.Command, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if c.HasParent() { // the program's name stands before each error
		err = fmt.Errorf("%s: %w", strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "), err)
	}
	return UsageError{Command: c.CommandPath(), Err: err}
}

// Exactly requires n arguments; what describes them.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return Misused(c, "want %s, have %d arguments", what, len(args))
		}
		return nil
	}
}

// Verb wants no arguments where verbs are: what is no verb comes here.
func Verb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return Misused(c, "unknown command %q%s", args[0], hint)
}

// Verbless is a command line without its verb.
func Verbless(c *cobra.Command, _ []string) error {
	var verbs []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			verbs = append(verbs, sub.Name())
		}
	}
	return Misused(c, "want a command: %s", strings.Join(verbs, ", "))
}
