package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/cmd/orbweaver/rules"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/offline/rdffile"
)

func newRDF(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "rdf",
		Short: "Convert RDF, and extract it from pages",
		Args:  flags.Verb,
		RunE:  flags.Verbless,
		Example: `  orbweaver rdf convert --to nquads examples/aircraft.ttl
  orbweaver rdf convert --help
  orbweaver rdf extract --help`,
	}
	c.AddCommand(newRDFConvert(a), newRDFExtract(a), rules.Command(a))
	return c
}

func newRDFConvert(a *job.Job) *cobra.Command {
	read, written := rdffile.Syntaxes()
	opts := rdffile.ConvertOptions{}
	c := &cobra.Command{
		Use:   "convert FILE... --to SYNTAX",
		Short: "Convert RDF from any syntax to another",
		Long: `Reads RDF documents and writes their statements to standard output in another syntax. It streams
files of any size; only JSON-LD and pages are held in memory. Files compressed by gzip or bzip2,
and ZIP files with one document, are decompressed; - is standard input.

  read     ` + strings.Join(read, ", ") + `
  written  ` + strings.Join(written, ", ") + `

Without --from each document's name and first bytes determine its syntax. Relative IRIs resolve
against --base, or else against the file: URL of the file. Blank nodes of different files stay
distinct. N-Triples and Turtle have no graphs: input with graphs is refused unless --merge drops
their names.

The first syntax error ends the conversion with exit status 2; everything before it is written.
--lenient skips what cannot be read, reports it on standard error as FILE:LINE:COLUMN and counts
it at the end; the exit status is 0 unless a document could not be read to its end. Remote JSON-LD
contexts are never fetched: --context provides them, for http and https alike.`,
		Example: `  orbweaver rdf convert --to nquads examples/aircraft.ttl
  orbweaver rdf convert --to turtle --lenient core.ttl labels.ttl

  bzcat dump.nq.bz2 | orbweaver rdf convert --from nquads --to trig -
  curl -s https://kites.example/kite.jsonld \
    | orbweaver rdf convert --from jsonld --to turtle --context https://schema.org/=schema.jsonld -`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case opts.To == "":
				return flags.Misused(c, "name a syntax with --to: %s", strings.Join(written, ", "))
			case !slices.Contains(written, opts.To):
				return flags.Misused(c, "--to is one of %s, not %q", strings.Join(written, ", "), opts.To)
			case opts.From != "" && !slices.Contains(read, opts.From):
				return flags.Misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), opts.From)
			}
			return rdffile.Convert(c.Context(), &a.Console, args, opts)
		},
	}
	f := c.Flags()
	f.StringVar(&opts.From, "from", "", "the `syntax` of all files (default by name and first bytes)")
	f.StringVar(&opts.To, "to", "", "the `syntax` to write")
	f.StringVar(&opts.Base, "base", "", "the base `IRI`")
	f.BoolVar(&opts.Lenient, "lenient", false, "report and skip what cannot be read")
	f.BoolVar(&opts.Merge, "merge", false, "drop graph names if --to has no graphs")
	f.StringArrayVar(&opts.Contexts, "context", nil, contextUsage())
	return c
}

// contextUsage is the usage of --context.
func contextUsage() string {
	return "`IRI=FILE`: a file for a remote JSON-LD context; may be repeated"
}

func newRDFExtract(a *job.Job) *cobra.Command {
	format := "turtle"
	opts := offline.ExtractOptions{}
	c := &cobra.Command{
		Use:   "extract FILE|URL",
		Short: "Extract JSON-LD, RDFa, Microdata, microformats and Open Graph from a page",
		Long: `Writes the data embedded in a page: the number of triples in each syntax, as comments, then the
triples, as Turtle. --format nquads writes each syntax to a graph of its own, named by the page's
URL with #jsonld, #rdfa, #microdata, #microformats or #opengraph. Errors go to standard error, with
line and column where known; --format json prints only counts and problems. Open Graph is also RDFa, and so
counts twice if written as such.

A URL is fetched as politely as by a crawl, robots.txt first, and so are remote JSON-LD contexts, at
most 16. Private addresses are refused unless --allow-private is given. --crawl FILE fetches the page
with the settings of a crawl file, and from its web, which may be an archive. For a FILE nothing is
fetched: --context provides contexts, and --base sets the URL of the page. Scripts without their
context are skipped.

The exit status is 0 also for a page without data, 1 when the page could not be fetched, 2 when
the file does not exist or is not a page.`,
		Example: `  cat > kite.html <<END
  <p vocab="http://schema.org/" typeof="Product"><span property="name">Kite</span></p>
  END
  orbweaver rdf extract kite.html --base http://kites.example/
  orbweaver rdf extract kite.html --format json

  orbweaver rdf extract --crawl examples/aircraft.yaml http://skylines.example/types/a320.html

  nice orbweaver rdf extract https://example.org/ --contact me@example.org --format nquads`,
		Args: flags.Exactly(1, "a file or URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "turtle" && format != "nquads" && format != "json" {
				return flags.Misused(c, "--format is turtle, nquads or json, not %q", format)
			}
			opts.NQuads, opts.JSON = format == "nquads", format == "json"
			return offline.ExtractRDF(c.Context(), a, args[0], opts)
		},
	}
	f := c.Flags()
	f.StringVar(&format, "format", format, "turtle, nquads or json: counts and problems")
	flags.FormerlyJSON(c)
	f.StringVar(&opts.Base, "base", "", "the `URL` of the page, if it differs")
	f.StringArrayVar(&opts.Contexts, "context", nil, contextUsage())
	f.StringVar(&opts.Crawl, "crawl", "", "crawl `file` with the settings for fetching")
	f.StringVar(&opts.Contact, "contact", "", "contact `URL` or e-mail address, sent with every request")
	f.BoolVar(&opts.Private, "allow-private", false, "permit addresses of private networks and of this machine")
	f.BoolVar(&opts.Force, "force", false, "fetch the page even if scope or robots.txt forbids it")
	return c
}
