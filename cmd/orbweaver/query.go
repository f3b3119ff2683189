package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
		Short: "Ask a crawl, a quad store or files of RDF by SPARQL",
		Long: `Answers a query of SPARQL 1.1 over the quad store in DIR: the folder of a crawl, also while it
runs, or one that orbweaver load made. Of a crawl the default graph has each document that it
asked for with what became of it, score, reasons and links (docs/vocabulary.ttl); what a page
itself says is in a named graph, where the crawl read it.

With --data files are read into memory and asked instead: of any syntax, packed or not, - for
standard input; their statements are in the default graph, or in the graphs that the file has them
in. --named FILE reads a file as one named graph, whose name is its file: URL, --named IRI=FILE
names it.

SELECT prints a table, ASK true or false, CONSTRUCT and DESCRIBE print Turtle; --format chooses
another form:

  rows, booleans  ` + strings.Join(rows, ", ") + `
  triples         ` + strings.Join(graphs, ", ") + `

With --update the text is an update. The store in DIR is changed by it, as a whole or not at all;
files stay as they are, and are printed as it would leave them, as N-Quads or TriG. LOAD reads
files in the working directory, and documents of the Web.

SERVICE asks other endpoints, one request at a time each. Private addresses are refused unless
--allow-private is given.

Relative IRIs in a query are those of files in the folder it is run in. --explain prints how the
answer is found instead: a step a line, with the rows that were expected and those that came, and
the time. docs/sparql.md says more; orbweaver serve answers the same queries to other programs.

The exit status is 0 when it was answered, 1 when time or rows were too many, 2 when the query or
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
	f.StringVar(&opts.File, "query", "", "`file` that the query is in; - for standard input")
	f.BoolVar(&opts.Update, "update", false, "the text is an update: of DIR, or print files as it leaves them")
	f.StringVar(&opts.Format, "format", "", strings.Join(formats, ", ")+"; of updates "+strings.Join(store.UpdateFormats(), ", "))
	f.BoolVar(&opts.Explain, "explain", false, "print the plan, with what was expected and what came")
	f.DurationVar(&opts.Time, "timeout", 0, "how long it may take, as in 30s, loading left out; 0: as long as it takes")
	f.BoolVar(&opts.Private, "allow-private", false, "SERVICE and LOAD may reach addresses of private networks, this machine's too")
	f.BoolVar(&opts.Union, "union", false, "without FROM, ask all graphs together as one")
	f.Int64Var(&opts.MaxRows, "max-rows", 0, "end with an error beyond so many rows or triples; 0: any number")
	return c
}

// checkQuery makes sure that the flags go together.
func checkQuery(c *cobra.Command, opts store.QueryOptions, formats []string) error {
	read, _ := rdffile.Syntaxes()
	switch {
	case opts.Update && opts.Format != "" && !slices.Contains(store.UpdateFormats(), opts.Format):
		return misused(c, "with --update --format is %s, not %q", strings.Join(store.UpdateFormats(), " or "), opts.Format)
	case opts.Update && (opts.Explain || opts.MaxRows > 0):
		return misused(c, "--update and --explain or --max-rows exclude each other")
	case !opts.Update && opts.Format != "" && !slices.Contains(formats, opts.Format):
		return misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), opts.Format)
	case opts.Data.From != "" && !slices.Contains(read, opts.Data.From):
		return misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), opts.Data.From)
	case opts.Time < 0 || opts.MaxRows < 0:
		return misused(c, "--timeout and --max-rows are not negative")
	}
	return nil
}

// dataFlags are those that say what data there is.
func dataFlags(c *cobra.Command, d *store.QueryData) {
	f := c.Flags()
	f.StringArrayVar(&d.Files, "data", nil, "a `file` of RDF; may be repeated")
	f.StringArrayVar(&d.Named, "named", nil, "`FILE` or IRI=FILE: a file as a named graph; may be repeated")
	f.StringVar(&d.From, "from", "", "the `syntax` of all files; left out: told by name and first bytes")
	f.StringArrayVar(&d.Contexts, "context", nil, contextUsage())
}

// queried takes the arguments: a folder where no files are given, and a query where none is in a file.
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
		return misused(c, "want no arguments beside --data and --query, have %d", len(args))
	case files:
		return misused(c, "want one query, have %d arguments", len(args))
	case inFile:
		return misused(c, "want --data FILE or one crawl folder, have %d arguments", len(args))
	default:
		return misused(c, "want --data FILE or a crawl folder, and a query, have %d arguments", len(args))
	}
	if !files {
		opts.Data.Crawl, args = args[0], args[1:]
	}
	if !inFile {
		opts.Text = args[0]
	}
	return nil
}
