package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// TestManPage: what roff(7) would read as a request or an escape stands as it was written.
func TestManPage(t *testing.T) {
	root := &cobra.Command{Use: "weave", Short: "Weaves"}
	c := &cobra.Command{Use: "web DIR", Short: "A web", Long: "First.\n.hidden files\n'tis C:\\web", Example: "  weave web x --deep", Run: func(*cobra.Command, []string) {}}
	c.Flags().Bool("deep", false, "all of it")
	root.AddCommand(c)
	page := manPage(c, time.Unix(0, 0).UTC())
	for _, want := range []string{
		`.TH "WEAVE-WEB" "1" "Jan 1970"`, ".SH NAME\nweave\\-web \\- A web\n", "\\fBweave web DIR [flags]\\fP", "First.\n\\&.hidden files\n\\&'tis C:\\eweb",
		".SH EXAMPLE\n.nf\n  weave web x \\-\\-deep\n.fi\n", "\\-\\-deep   all of it", "\\fBweave(1)\\fP",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in:\n%s", want, page)
		}
	}
}
