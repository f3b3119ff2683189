package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/store"
)

func newLoad(a *job.Job) *cobra.Command {
	job := store.LoadJob{}
	c := &cobra.Command{
		Use:   "load DIR [FILE...]",
		Short: "Load RDF files into the quad store of a folder",
		Long: `Adds files to the quad store in DIR: that of a crawl folder, or a new store if DIR is new or empty.
Files may be in any RDF syntax, compressed or not; - is standard input. Statements keep the graphs
they have in the files; the others go to the default graph, or to the graph given with --graph.

Each file is loaded atomically, even if the process is killed; it is sorted on disk, in some hundreds
of megabytes of memory, whatever its size. Loading an unchanged file again adds nothing. A syntax
error is reported with its line and ends the load.

--pages loads the data in pages of the crawl in DIR, from its archive, one named graph per page:
JSON-LD, Microdata, RDFa and the like, which only linked-data crawls extract themselves. Pages whose
graphs exist are skipped.

orbweaver query DIR, also meanwhile, and orbweaver serve DIR query the store. A crawl in DIR must end first.`,
		Example: `  orbweaver store load facts examples/aircraft.ttl
  cat > names.rq <<END
  SELECT ?name { ?class <http://www.w3.org/2000/01/rdf-schema#label> ?name } ORDER BY ?name LIMIT 3
  END
  orbweaver query facts --query names.rq

  orbweaver crawl examples/aircraft.yaml
  orbweaver store load crawls/aircraft --pages

  bzcat dump.nt.bz2 | orbweaver store load facts - --from ntriples --graph http://example.org/dump`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && !job.Pages {
				return flags.Misused(c, "want a folder, and files or --pages")
			}
			if read, _ := rdffile.Syntaxes(); job.From != "" && !slices.Contains(read, job.From) {
				return flags.Misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.From)
			}
			job.Dir, job.Files = args[0], args[1:]
			return store.Load(c.Context(), a, job)
		},
	}
	f := c.Flags()
	f.StringVar(&job.Graph, "graph", "", "`IRI` of the graph for statements without a graph")
	f.BoolVar(&job.Pages, "pages", false, "load the data in pages of the crawl, from its archive")
	f.StringVar(&job.From, "from", "", "the `syntax` of all files (default by name and first bytes)")
	f.StringArrayVar(&job.Contexts, "context", nil, contextUsage())
	return c
}
