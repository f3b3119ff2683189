package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

func newCheck(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Check the files of a crawl folder: all digests, all references",
		Long: `Reads all files of a crawl folder and changes nothing: every block of the ledger with its checksum,
every line of pages.jsonl against the ledger, every record of the archive with its lengths and
digests, both of its indexes, each reference from the ledger to a record, and the report. It names
each damaged file and what is lost. The crawl must not be running. The exit status is 0 if all
is whole, and 1 if not.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver check crawls/aircraft`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := crawl.Check(c.Context(), args[0], crawl.On(a))
			if err != nil {
				return err
			}
			r.Print(a.Out)
			if len(r.Faults) > 0 {
				return fmt.Errorf("%s: %w in %s", args[0], orbweaver.ErrDamaged, console.Several(len(r.Faults), "place"))
			}
			return nil
		},
	}
}

func newRepair(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "repair DIR",
		Short: "Repair a crawl folder from what is left of it",
		Long: `Checks a crawl folder as orbweaver check does and repairs what other files tell: pages.jsonl and the
report from the ledger, the indexes of the archive from its records, crawl.yaml from the ledger's
copy. If ledger or archive are damaged and the crawl was of an archive, repair crawls that
archive again, as far as the crawl had come: the result has the same bytes. Until then the
damaged files stay in the folder damaged. Of a crawl of the live Web, a lost page or ledger is
not to be had again; repair says which it is. The exit status is 0 if all is whole again, and 1 if not.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  rm crawls/aircraft/pages.jsonl
  orbweaver repair crawls/aircraft`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := crawl.Repair(c.Context(), args[0], crawl.On(a))
			if r != nil {
				r.Print(a.Out)
			}
			if err != nil {
				return err
			}
			if n := len(r.After.Faults); n > 0 {
				return fmt.Errorf("%s: %w in %s that cannot be repaired: %s: %s", args[0], orbweaver.ErrDamaged, console.Several(n, "place"), r.After.Faults[0].File, r.After.Faults[0].What)
			}
			return nil
		},
	}
}
