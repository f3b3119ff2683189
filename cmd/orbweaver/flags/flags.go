// Package flags has what verbs share: errors of a command line, and the old names of flags, so that one meaning has one name in the help and
// scripts of before work.
//
// This package is not part of the stable API.
package flags

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Formerly lets a flag be given by a name that it had, which no help shows; standard error says the new one.
func Formerly(c *cobra.Command, was, is string) {
	f, told := c.Flags(), false
	before := f.GetNormalizeFunc()
	f.SetNormalizeFunc(func(set *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == was {
			if !told {
				tell(c, was, is)
			}
			told, name = true, is
		}
		return before(set, name)
	})
}

// FormerlyJSON lets a command with --format be given --json for --format json.
func FormerlyJSON(c *cobra.Command) {
	f := c.Flags().VarPF(&asJSON{c: c}, "json", "", "")
	f.NoOptDefVal, f.Hidden = "true", true
}

// tell says the new name of a flag.
func tell(c *cobra.Command, was, is string) {
	fmt.Fprintf(c.ErrOrStderr(), "--%s of `%s` is now --%s\n", was, c.CommandPath(), is)
}

// asJSON is the value of --json.
type asJSON struct {
	c  *cobra.Command
	on bool
}

// String returns true or false.
func (v *asJSON) String() string { return strconv.FormatBool(v.on) }

// Type makes it a switch.
func (*asJSON) Type() string { return "bool" }

// Set sets --format.
func (v *asJSON) Set(text string) (err error) {
	if v.on, err = strconv.ParseBool(text); err != nil || !v.on {
		return err
	}
	tell(v.c, "json", "format json")
	return v.c.Flags().Set("format", "json")
}
