// Package store has the verbs that look after the quad store of a folder.
//
// This package is not part of the stable API.
package store

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/internal/upkeep"
)

// New returns the verb store, which does nothing but have others, load among them; args and run say so.
func New(a *job.Job, load *cobra.Command, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	c := &cobra.Command{
		Use:   "store",
		Short: "Load RDF files into a quad store; back up, restore, dump, compact",
		Long: `Makes the quad store in DIR, or looks after it: a folder that load made, or a crawl folder. A store is
queried by orbweaver query and served by orbweaver serve; compact, backup and dump work while one of
these, or the crawl, uses it.`,
		Args: args,
		RunE: run,
		Example: `  orbweaver store load facts examples/aircraft.ttl
  orbweaver store backup facts facts-backup
  orbweaver store dump facts
  orbweaver store compact facts`,
	}
	c.AddCommand(load, newCompact(a), newBackup(a), newRestore(a), newDump(a))
	return c
}

// exactly requires n arguments; what describes them.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
			return fmt.Errorf("%s: want %s, have %d arguments: see %s --help (%w)", path, what, len(args), c.CommandPath(), orbweaver.ErrInput)
		}
		return nil
	}
}

func newCompact(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "compact DIR",
		Short: "Free the space of what was removed from a store",
		Long: `Rewrites the store in DIR without what was removed or replaced, so that it takes less space and is
read in fewer steps, and prints the sizes before and after. Terms that no statement has any more are
removed too, unless another process uses the store. It needs free space of the size of the store.`,
		Example: `  orbweaver store load facts examples/aircraft.ttl
  orbweaver query facts --update 'DELETE WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#comment> ?o }'
  orbweaver store compact facts`,
		Args: exactly(1, "one folder with a store"),
		RunE: func(c *cobra.Command, args []string) error { return upkeep.Compact(c.Context(), a, args[0]) },
	}
}

func newBackup(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "backup DIR FOLDER",
		Short: "Copy a store, also while it is used",
		Long: `Copies the store in DIR to FOLDER, which is new or empty: the store as of one moment, whole or not at
all. On the same disk the copy takes no space at first, as both share files that never change;
copy FOLDER elsewhere to survive the loss of the disk. While a load, an update, orbweaver serve or a
crawl uses the store, that process makes the copy, of what is committed.

FOLDER can be queried and served like DIR. It has the store alone: of a crawl folder neither archive
nor pages.jsonl.`,
		Example: `  orbweaver store load facts examples/aircraft.ttl
  orbweaver store backup facts facts-backup
  orbweaver query facts-backup 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'`,
		Args: exactly(2, "a folder with a store and one for the backup"),
		RunE: func(c *cobra.Command, args []string) error {
			return upkeep.Backup(c.Context(), a, args[0], args[1])
		},
	}
}

func newRestore(a *job.Job) *cobra.Command {
	force := false
	c := &cobra.Command{
		Use:   "restore BACKUP DIR",
		Short: "Put a backup back",
		Long: `Copies the store of BACKUP, a folder made by orbweaver store backup, to DIR, which is new or empty.
--force replaces the store that DIR has; no other process may use it. However the command ends, also
killed, DIR has its old store or the new one, whole; BACKUP stays as it is. The folder beside DIR
with the name DIR.part is used meanwhile, and left behind by a killed command until the next one.

A crawl folder is refused: its archive and pages.jsonl go with its own store.`,
		Example: `  orbweaver store load facts examples/aircraft.ttl
  orbweaver store backup facts facts-backup
  orbweaver query facts --update 'CLEAR ALL'
  orbweaver store restore facts-backup facts --force`,
		Args: exactly(2, "a backup and a folder"),
		RunE: func(c *cobra.Command, args []string) error {
			return upkeep.Restore(c.Context(), a, args[0], args[1], force)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "replace the store that DIR has")
	return c
}

func newDump(a *job.Job) *cobra.Command {
	d := upkeep.DumpJob{}
	c := &cobra.Command{
		Use:   "dump DIR",
		Short: "Write all statements of a store",
		Long: `Writes the statements of the store in DIR as N-Quads, or as TriG with --format trig: the default graph,
then each named graph, or those given with --graph alone. It writes as it reads, so that the size of
the store does not matter, and what is committed when it begins, whoever changes the store meanwhile.
The order follows from the terms: the same statements give the same bytes, however they were loaded,
and two dumps can be compared line by line. How far it is goes to standard error every ten seconds.

-o writes a file, whole or not at all, and compressed if its name ends with .gz; it replaces none.`,
		Example: `  orbweaver store load facts examples/aircraft.ttl --graph http://example.org/aircraft
  orbweaver store dump facts
  orbweaver store dump facts --format trig --graph http://example.org/aircraft
  orbweaver store dump facts -o facts.nq.gz`,
		Args: exactly(1, "one folder with a store"),
		RunE: func(c *cobra.Command, args []string) error {
			d.Dir = args[0]
			return upkeep.Dump(c.Context(), a, d)
		},
	}
	c.Flags().StringVar(&d.Format, "format", store.UpdateFormats()[0], strings.Join(store.UpdateFormats(), " or "))
	c.Flags().StringArrayVar(&d.Graphs, "graph", nil, "`IRI` of a graph to write; may be repeated")
	c.Flags().StringVarP(&d.Out, "output", "o", "", "output `file`; .gz: compressed")
	return c
}
