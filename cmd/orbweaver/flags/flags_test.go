package flags

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestOldNames: an old name sets the flag of today, is told once, and stands in no help.
func TestOldNames(t *testing.T) {
	for _, tc := range []struct {
		args, limit, format, told string
	}{
		{"--top 3 --top 4", "4", "text", "--top of `list` is now --limit\n"},
		{"--top=5 --json", "5", "json", "--top of `list` is now --limit\n--json of `list` is now --format json\n"},
		{"--json=false", "20", "text", ""},
		{"--limit 6 --format json", "6", "json", ""},
	} {
		var out, err bytes.Buffer
		c := &cobra.Command{Use: "list", Run: func(*cobra.Command, []string) {}}
		limit, format := c.Flags().Int("limit", 20, ""), c.Flags().String("format", "text", "")
		Formerly(c, "top", "limit")
		FormerlyJSON(c)
		c.SetArgs(strings.Fields(tc.args))
		c.SetOut(&out)
		c.SetErr(&err)
		if e := c.Execute(); e != nil || err.String() != tc.told || out.Len() > 0 {
			t.Errorf("%s: %v, told %q, printed %q", tc.args, e, err.String(), out.String())
		}
		if f := c.Flags().Lookup("limit").Value.String(); f != tc.limit || *format != tc.format || *limit == 20 != (tc.limit == "20") {
			t.Errorf("%s: --limit %s --format %s", tc.args, f, *format)
		}
		if usage := c.UsageString(); strings.Contains(usage, "--top") || strings.Contains(usage, "--json") {
			t.Errorf("old names in\n%s", usage)
		}
	}
}
