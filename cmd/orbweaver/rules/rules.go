// Package rules has the parts of export's command line for single formats: one graph of what pages say, with the verb that shows its rule
// sets, and chunks for language models.
//
// This package is not part of the stable API.
package rules

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orbweaver"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/chunk"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/graph"
)

// Export is the help of export.
const Export = `Writes the contents of a crawl folder in another format. The crawl may be finished, interrupted
or running: export writes what is committed, with the last state of each page.

  jsonl   the lines of pages.jsonl, one per request, with what pages state of creator, date,
          rights and language
  csv     the same as a table, for a spreadsheet
  urls    the URLs of the pages, one per line
  warc    the archived requests and responses, one file for any WARC tool
  wacz    the same with an index and a list of pages, for replayweb.page
  text    one file per page: url, title, score and more as YAML, then the article, without
          lines that recur on the pages of its host
  chunks  for language models: parts of the articles in Markdown, cut by headings, one JSON
          object a line, with tokens, provenance, and what is said of their use
  nquads  the data of the pages: one named graph per document, and in the default graph their
          provenance (PROV-O) and a summary (VoID)
  trig    the same in a readable syntax
  ntriples, turtle  the data as one graph, without the pages: see below

jsonl, csv, urls, chunks and RDF go to standard output, or to the file given with -o. warc and
wacz need -o FILE (-o - is standard output), text needs -o FOLDER, which is new or empty. All but
the first three read the crawl's own archive or, without one, the archive that it crawled.
docs/reference/formats.md defines each format.

Documents with the same data, up to the names of blank nodes, are declared alternates of the
first; --distinct writes their data only once.

` + Help + `

` + chunkHelp + `

The exit status is 0 on success, 2 when the folder is not a crawl folder or lacks the data, 6 when the
graph violates the shapes.`

// Misused returns what is wrong with flags together; empty: nothing.
func Misused(o export.Options) string {
	triples := o.Format == export.NTriples || o.Format == export.Turtle
	switch {
	case o.Format != export.Chunks && o.Chunks != (chunk.Options{Tokens: chunk.DefaultTokens}) && o.Chunks != (chunk.Options{}):
		return "--tokens, --tokenizer, --overlap, --duplicates and --respect are for --format chunks"
	case o.Format == export.Chunks && (o.Chunks.Tokens < chunk.MinTokens || o.Chunks.Tokens > chunk.MaxTokens):
		return fmt.Sprintf("--tokens is from %d to %d", chunk.MinTokens, chunk.MaxTokens)
	case o.Format == export.Chunks && (o.Chunks.Overlap < 0 || o.Chunks.Overlap > o.Chunks.Tokens/2):
		return "--overlap is at most half of --tokens"
	case o.Plain && o.Format != export.CSV && o.Format != export.JSONL:
		return "--plain is for --format csv and jsonl"
	case o.Distinct && !export.IsRDF(o.Format):
		return "--distinct is for --format nquads and trig, and for ntriples and turtle"
	case o.Graph.Asked() && !export.IsRDF(o.Format):
		return "--construct, --key, --class-limit, --shapes, --report and --sources are for --format nquads, trig, ntriples and turtle"
	case o.Graph.Sources != "" && !triples:
		return "--sources is for --format ntriples and turtle: in the others each page is a graph"
	}
	return ""
}

// Help says in the help of export what the flags do.
const Help = `One graph: --construct maps what pages say by CONSTRUCT queries, each over the data of one page (GRAPH
?page is its name): a file, or a set that ships with the program (orbweaver rdf rules lists them;
standard is schema.org, DCAT, FOAF and Dublin Core, all as schema.org). Entities are merged by owl:sameAs
and by the values of each --key; blank nodes become IRIs. --shapes validates the graph by SHACL Core; the
output is written all the same. nquads and trig have a graph for each page with what it says, ntriples and
turtle each statement once; --sources names the pages there too, of each entity or of each statement.`

// Flags adds the flags of one graph.
func Flags(f *pflag.FlagSet, o *graph.Options) {
	f.StringArrayVar(&o.Rules, "construct", nil, "RDF: map by this `rule set or file` with a CONSTRUCT query; may be repeated")
	f.StringArrayVar(&o.Keys, "key", nil, "RDF: merge entities with equal values of this `property`, an IRI or PREFIX:NAME; or 'CLASS PROPERTY...'; may be repeated")
	f.IntVar(&o.Class, "class-limit", 0, fmt.Sprintf("RDF: leave `N` and more equal IRIs and key values apart (default %d)", graph.DefaultClass))
	f.StringArrayVar(&o.Shapes, "shapes", nil, "RDF: validate the graph by this `file` of SHACL shapes; may be repeated")
	f.StringVar(&o.Report, "report", "", "with --shapes: write the validation report to this `file`, Turtle or .txt")
	f.StringVar(&o.Sources, "sources", "", "with ntriples and turtle: the pages of `entities` or statements")
}

// Command is the verb that shows the rule sets.
func Command(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [NAME]",
		Short: "List the rule sets of export --construct, or print one",
		Long: `Lists the rule sets that ship with the program, or prints one: a CONSTRUCT query to begin a rule of
your own with. A rule reads the data of one page as its default graph; GRAPH ?page { … } gives the
page's URL.`,
		Example: `  orbweaver rdf rules
  orbweaver rdf rules foaf`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("rdf rules: want one name at most (%w)", orbweaver.ErrInput)
			}
			if len(args) == 1 {
				return show(a, args[0])
			}
			w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
			for _, s := range graph.Sets() {
				fmt.Fprintf(w, "%s\t%s\n", s.Name, s.About())
			}
			fmt.Fprintf(w, "%s\t%s\n", graph.Standard, "All of these but as-is.")
			return w.Flush()
		},
	}
}

// show prints a set.
func show(a *job.Job, name string) error {
	var known []string
	for _, s := range graph.Sets() {
		if s.Name == name {
			_, err := fmt.Fprint(a.Out, s.Text)
			return err
		}
		known = append(known, s.Name)
	}
	return fmt.Errorf("rdf rules: no rule set %q, there are %s (%w)", name, strings.Join(known, ", "), orbweaver.ErrInput)
}
