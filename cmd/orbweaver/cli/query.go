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

func newQuery(a *job.Job) *cobra.Command {
	rows, graphs := store.QueryFormats()
	formats := slices.Concat(rows, graphs)
	opts := store.QueryOptions{}
	c := &cobra.Command{
		Use:   "query [DIR | --data FILE] [QUERY]",
		Short: "Query a crawl, a quad store or RDF files in SPARQL",
		Long: `Runs a SPARQL 1.1 query over the quad store in DIR: a crawl folder, also while the crawl runs, or
a folder made by orbweaver store load. In a crawl folder the default graph describes each requested
document with its outcome, score, reasons and links (docs/reference/vocabulary.ttl); named graphs hold the
data extracted from the documents.

--data reads files into memory and queries those instead: any syntax, compressed or not, - for
standard input. Statements keep their graphs; the others are in the default graph. --named FILE
reads a file as one named graph, named by its file: URL; --named IRI=FILE sets the name.

SELECT prints a table, ASK true or false, CONSTRUCT and DESCRIBE print Turtle; --format selects
another format:

  rows, booleans  ` + strings.Join(rows, ", ") + `
  triples         ` + strings.Join(graphs, ", ") + `

--update runs a SPARQL update. It changes the store in DIR atomically; files are not changed, but
the updated data is printed as N-Quads or TriG. LOAD reads files in the working directory, and
documents of the Web.

SERVICE queries other endpoints, with one request at a time to each. Private addresses are refused
unless --allow-private is given.

Relative IRIs in a query resolve against the working directory. --explain prints the query plan
instead: one line per step, with estimated and actual rows, and the time. See docs/howto/sparql.md.
orbweaver serve answers the same queries over HTTP.

The exit status is 0 on success, 1 when a limit of time or rows was exceeded, 2 when the query or
the data is wrong.`,
		Example: `  cat > planes.rq <<END
  PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
  SELECT ?class ?label WHERE { ?class rdfs:subClassOf ?above ; rdfs:label ?label } ORDER BY ?label
  END
  orbweaver query --data examples/aircraft.ttl --query planes.rq
  orbweaver query --data examples/aircraft.ttl --query planes.rq --format csv
  orbweaver query --data examples/aircraft.ttl --query planes.rq --explain

  cat > shorter.ru <<END
  DELETE WHERE { ?class <http://www.w3.org/2004/02/skos/core#altLabel> ?label }
  END
  orbweaver query --data examples/aircraft.ttl --update --query shorter.ru --format trig

  orbweaver crawl examples/linked-data.yaml
  cat > best.rq <<END
  PREFIX ow: <http://orbweaver.example/terms#>
  SELECT ?page ?score { ?page ow:accepted true ; ow:score ?score ; ow:number ?n } ORDER BY DESC(?score) ?n LIMIT 10
  END
  orbweaver query crawls/linked-data --query best.rq

  bzcat dump.nq.bz2 | orbweaver query --data - --from nquads 'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }'`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := queried(c, &opts, args); err != nil {
				return err
			}
			if err := checkQuery(c, opts, formats); err != nil {
				return err
			}
			return store.Query(c.Context(), a, opts)
		},
	}
	f := c.Flags()
	dataFlags(c, &opts.Data)
	f.StringVar(&opts.File, "query", "", "`file` with the query; - for standard input")
	f.BoolVar(&opts.Update, "update", false, "run an update: change DIR, or print the updated files")
	f.StringVar(&opts.Format, "format", "", strings.Join(formats, ", ")+"; for updates "+strings.Join(store.UpdateFormats(), ", "))
	f.BoolVar(&opts.Explain, "explain", false, "print the query plan, with estimated and actual rows")
	f.DurationVar(&opts.Time, "timeout", 0, "time limit, as in 30s, without loading; 0: none")
	f.BoolVar(&opts.Private, "allow-private", false, "let SERVICE and LOAD reach addresses of private networks and of this machine")
	f.BoolVar(&opts.Union, "union", false, "without FROM, query the union of all graphs")
	f.Int64Var(&opts.MaxRows, "max-rows", 0, "fail if there are more rows or triples; 0: no limit")
	return c
}

// checkQuery validates the combination of flags.
func checkQuery(c *cobra.Command, opts store.QueryOptions, formats []string) error {
	read, _ := rdffile.Syntaxes()
	switch {
	case opts.Update && opts.Format != "" && !slices.Contains(store.UpdateFormats(), opts.Format):
		return flags.Misused(c, "--format of --update is %s, not %q", strings.Join(store.UpdateFormats(), " or "), opts.Format)
	case opts.Update && (opts.Explain || opts.MaxRows > 0):
		return flags.Misused(c, "--update and --explain or --max-rows exclude each other")
	case !opts.Update && opts.Format != "" && !slices.Contains(formats, opts.Format):
		return flags.Misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), opts.Format)
	case opts.Data.From != "" && !slices.Contains(read, opts.Data.From):
		return flags.Misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), opts.Data.From)
	case opts.Time < 0 || opts.MaxRows < 0:
		return flags.Misused(c, "--timeout and --max-rows must not be negative")
	}
	return nil
}

// dataFlags adds the flags that select the data.
func dataFlags(c *cobra.Command, d *store.QueryData) {
	f := c.Flags()
	f.StringArrayVar(&d.Files, "data", nil, "an RDF `file`; may be repeated")
	f.StringArrayVar(&d.Named, "named", nil, "`FILE` or IRI=FILE: a file as a named graph; may be repeated")
	f.StringVar(&d.From, "from", "", "the `syntax` of all files (default by name and first bytes)")
	f.StringArrayVar(&d.Contexts, "context", nil, contextUsage())
}

// queried reads the arguments: a folder unless files are given, and a query unless it is in a file.
func queried(c *cobra.Command, opts *store.QueryOptions, args []string) error {
	files, inFile := len(opts.Data.Files)+len(opts.Data.Named) > 0, opts.File != ""
	want := 2
	if files {
		want--
	}
	if inFile {
		want--
	}
	switch {
	case len(args) == want:
	case files && inFile:
		return flags.Misused(c, "want no arguments with --data and --query, have %d", len(args))
	case files:
		return flags.Misused(c, "want one query, have %d arguments", len(args))
	case inFile:
		return flags.Misused(c, "want --data FILE or one crawl folder, have %d arguments", len(args))
	default:
		return flags.Misused(c, "want --data FILE or a crawl folder, and a query, have %d arguments", len(args))
	}
	if !files {
		opts.Data.Crawl, args = args[0], args[1:]
	}
	if !inFile {
		opts.Text = args[0]
	}
	return nil
}
