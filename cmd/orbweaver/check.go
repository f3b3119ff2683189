package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"orbweaver"
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
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := crawl.Check(c.Context(), args[0], crawl.On(a))
			if err != nil {
				return err
			}
			printCheck(a.Out, r)
			if len(r.Faults) > 0 {
				return fmt.Errorf("%s: %w in %s", args[0], orbweaver.ErrDamaged, several(len(r.Faults), "place"))
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
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := crawl.Repair(c.Context(), args[0], crawl.On(a))
			if r != nil {
				printRepaired(a.Out, r)
			}
			if err != nil {
				return err
			}
			if n := len(r.After.Faults); n > 0 {
				return fmt.Errorf("%s: %w in %s that cannot be repaired: %s: %s", args[0], orbweaver.ErrDamaged, several(n, "place"), r.After.Faults[0].File, r.After.Faults[0].What)
			}
			return nil
		},
	}
}

// printCheck prints what a check of a crawl folder found.
func printCheck(w io.Writer, r *crawl.CheckReport) {
	short := console.Relative(r.Folder)
	console.Say(w, "%s: %d requests, %d waiting, %d records of %d answers", short, r.Requests, r.Waiting, r.Records, r.Answers)
	for _, note := range r.Notes {
		console.Say(w, "  note: %s", note)
	}
	printFaults(w, r)
	if len(r.Faults) == 0 {
		console.Say(w, "  whole: all digests and references are right")
	} else {
		console.Say(w, "Next:\n  orbweaver repair %s   mends what other files tell", short)
	}
}

// printRepaired prints what a repair did.
func printRepaired(w io.Writer, r *crawl.Repaired) {
	short := console.Relative(r.Before.Folder)
	if len(r.Before.Faults) == 0 {
		console.Say(w, "%s: whole, nothing to repair", short)
		return
	}
	console.Say(w, "%s: %s", short, several(len(r.Before.Faults), "fault"))
	printFaults(w, r.Before)
	for _, did := range r.Done {
		console.Say(w, "  repaired: %s", did)
	}
	for _, why := range r.Refused {
		console.Say(w, "  not repaired: %s", why)
	}
	if len(r.After.Faults) == 0 {
		console.Say(w, "  whole again")
	}
}

// printFaults prints a line for each fault.
func printFaults(w io.Writer, r *crawl.CheckReport) {
	for _, f := range r.Faults {
		console.Say(w, "  %s: %s", f.File, f.What)
	}
}

// several is a number of things in words: 1 place, 2 places.
func several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
