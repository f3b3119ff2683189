package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/offline/rdffile"
)

func newRDF(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "rdf",
		Short: "Convert RDF, and take it out of pages",
		Args:  verb,
		RunE:  verbless,
		Example: `  orbweaver rdf convert --to nquads examples/aircraft.ttl
  orbweaver rdf convert --help
  orbweaver rdf extract --help`,
	}
	c.AddCommand(newRDFConvert(a), newRDFExtract(a))
	return c
}

func newRDFConvert(a *job.Job) *cobra.Command {
	read, written := rdffile.Syntaxes()
	opts := rdffile.ConvertOptions{}
	c := &cobra.Command{
		Use:   "convert FILE... --to SYNTAX",
		Short: "Read RDF in any syntax and write it in another",
		Long: `Reads documents of RDF and writes their statements to standard output in another syntax, while
they are read: a file may be of any size, but JSON-LD and pages, which are held whole. A file
packed by gzip or bzip2, or a ZIP file of one document, is unpacked; - is standard input.

  read     ` + strings.Join(read, ", ") + `
  written  ` + strings.Join(written, ", ") + `

Without --from each document's name and first bytes tell its syntax. Relative IRIs are
resolved against --base, or else against the file's own file: URL. Blank nodes of several files
stay different. N-Triples and Turtle have no graphs: documents that have some are refused
unless --merge leaves their names out.

The first mistake ends it with exit status 2; all before it is written. With --lenient what
cannot be read is skipped, told on standard error as FILE:LINE:COLUMN and counted at the end,
and the exit status is 0, unless a document could not be read to its end. Nobody is
asked for JSON-LD's remote contexts: --context answers them, http and https alike.`,
		Example: `  orbweaver rdf convert --to nquads examples/aircraft.ttl
  orbweaver rdf convert --to turtle --lenient core.ttl labels.ttl

  bzcat dump.nq.bz2 | orbweaver rdf convert --from nquads --to trig -
  curl -s https://kites.example/kite.jsonld \
    | orbweaver rdf convert --from jsonld --to turtle --context https://schema.org/=schema.jsonld -`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case opts.To == "":
				return misused(c, "name a syntax with --to: %s", strings.Join(written, ", "))
			case !slices.Contains(written, opts.To):
				return misused(c, "--to is one of %s, not %q", strings.Join(written, ", "), opts.To)
			case opts.From != "" && !slices.Contains(read, opts.From):
				return misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), opts.From)
			}
			return rdffile.Convert(c.Context(), &a.Console, args, opts)
		},
	}
	f := c.Flags()
	f.StringVar(&opts.From, "from", "", "the `syntax` of all files; left out: told by name and first bytes")
	f.StringVar(&opts.To, "to", "", "the `syntax` to write")
	f.StringVar(&opts.Base, "base", "", "the `IRI` that relative ones are resolved against")
	f.BoolVar(&opts.Lenient, "lenient", false, "skip and tell what cannot be read")
	f.BoolVar(&opts.Merge, "merge", false, "leave out the names of graphs where --to has none")
	f.StringArrayVar(&opts.Contexts, "context", nil, contextUsage())
	return c
}

// contextUsage is what both verbs say of --context.
func contextUsage() string {
	return "`IRI=FILE`: a file for a remote context of JSON-LD; may be repeated"
}

func newRDFExtract(a *job.Job) *cobra.Command {
	format := "turtle"
	opts := offline.ExtractOptions{}
	c := &cobra.Command{
		Use:   "extract FILE|URL",
		Short: "Take the data out of a page: JSON-LD, RDFa, Microdata, microformats, Open Graph",
		Long: `Writes all data that a page has within itself: how many triples in each syntax, as comments, then
the triples, as Turtle, or with --format nquads each syntax in a graph of its own, which is the
page's URL with #jsonld, #rdfa, #microdata, #microformats or #opengraph. What is wrong in it
is told on standard error, with line and column where they are known; --json prints counts and
problems alone. Open Graph is RDFa too, and so counts twice where it is written as such.

A URL is fetched as politely as by a crawl, its host asked for robots.txt first, and so are
JSON-LD's remote contexts, 16 of them at most. Private addresses are refused unless
--allow-private is given. --crawl FILE has the page fetched by the rules of a crawl file, and
from its web, be that an archive. For a FILE nobody is asked: --context answers for contexts,
and --base says where the page is from. A script whose context is not to be had is left out.

The exit status is 0 also for a page without data, 1 when the page could not be had, 2 when
the file is none, or no page.`,
		Example: `  cat > kite.html <<END
  <p vocab="http://schema.org/" typeof="Product"><span property="name">Kite</span></p>
  END
  orbweaver rdf extract kite.html --base http://kites.example/
  orbweaver rdf extract kite.html --json

  orbweaver rdf extract --crawl examples/aircraft.yaml http://skylines.example/types/a320.html

  nice orbweaver rdf extract https://example.org/ --contact me@example.org --format nquads`,
		Args: exactly(1, "a file or URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "turtle" && format != "nquads" {
				return misused(c, "--format is turtle or nquads, not %q", format)
			}
			if opts.JSON && c.Flags().Changed("format") {
				return misused(c, "--json and --format exclude each other")
			}
			opts.NQuads = format == "nquads"
			return offline.ExtractRDF(c.Context(), a, args[0], opts)
		},
	}
	f := c.Flags()
	f.StringVar(&format, "format", format, "turtle or nquads")
	f.BoolVar(&opts.JSON, "json", false, "counts and problems as JSON")
	f.StringVar(&opts.Base, "base", "", "the `URL` of the page, where it is not its own")
	f.StringArrayVar(&opts.Contexts, "context", nil, contextUsage())
	f.StringVar(&opts.Crawl, "crawl", "", "crawl `file` by whose rules a URL is fetched")
	f.StringVar(&opts.Contact, "contact", "", "`URL or e-mail address` to send with every request")
	f.BoolVar(&opts.Private, "allow-private", false, "private addresses may be reached")
	f.BoolVar(&opts.Force, "force", false, "ask for it even if scope or robots.txt forbid it")
	return c
}
