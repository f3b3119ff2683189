package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/store"
)

func newLoad(a *job.Job) *cobra.Command {
	job := store.LoadJob{}
	c := &cobra.Command{
		Use:   "load DIR [FILE...]",
		Short: "Load files of RDF into the quad store of a folder",
		Long: `Adds what files say to the quad store in DIR: that of a crawl's folder, or one that begins now
where DIR is new or empty. Files are in any syntax of RDF, packed or not; - is standard input.
Their statements are in the graphs that the files have them in, and the others in the default
graph, or in the one that --graph names.

Each file comes in as a whole or not at all, whatever kills the process; it is sorted on disk, in
some hundreds of megabytes of memory, however large it is. A file that is loaded again unchanged
adds nothing. A mistake in a file is told with its line, and ends the load.

With --pages what the pages of the crawl in DIR say is read from its archive and loaded, a named
graph a page: JSON-LD, Microdata, RDFa and the like, which only a crawl for RDF reads by itself. Pages
whose graphs are there already are passed over.

orbweaver query DIR and orbweaver serve DIR ask the store. A crawl that runs in DIR has to end first.`,
		Example: `  orbweaver load facts examples/aircraft.ttl
  cat > names.rq <<END
  SELECT ?name { ?class <http://www.w3.org/2000/01/rdf-schema#label> ?name } ORDER BY ?name LIMIT 3
  END
  orbweaver query facts --query names.rq

  orbweaver crawl examples/aircraft.yaml
  orbweaver load crawls/aircraft --pages

  bzcat dump.nt.bz2 | orbweaver load facts - --from ntriples --graph http://example.org/dump`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && !job.Pages {
				return misused(c, "want a folder and what to load into it: files, or --pages")
			}
			if read, _ := rdffile.Syntaxes(); job.From != "" && !slices.Contains(read, job.From) {
				return misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.From)
			}
			job.Dir, job.Files = args[0], args[1:]
			return store.Load(c.Context(), a, job)
		},
	}
	f := c.Flags()
	f.StringVar(&job.Graph, "graph", "", "`IRI` of the graph of statements that the files have in none")
	f.BoolVar(&job.Pages, "pages", false, "load what the pages of the crawl say, from its archive")
	f.StringVar(&job.From, "from", "", "the `syntax` of all files; left out: told by name and first bytes")
	f.StringArrayVar(&job.Contexts, "context", nil, contextUsage())
	return c
}
