package lab

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	swgetkind "orbweaver/internal/kind/swget"
)

// A traversal is a swget crawl, given by flags.
type traversal struct {
	expression string
	from       []string
	domains    []string
	prefixes   map[string]string
	documents  map[string]string // URL prefix to file
	archive    []string          // none: the live Web
	private    bool
	contact    string
	delay      time.Duration
	maxNodes   int
	depth      int
	save       string // output file for the graph; empty: none
	output     string // crawl folder; empty: a temporary one
	paths      bool
	format     string // text or json
}

func newSwget(a *job.Job) *cobra.Command {
	w := traversal{format: "text"}
	c := &cobra.Command{
		Use:   "swget EXPRESSION",
		Short: "Traverse the Web of data with a NautiLOD expression, and print the result nodes",
		Long: `Starts from the IRI at the beginning of the expression, or from those of --from, and follows matching
statements from document to document: a node's IRI dereferences to the statements about it. Prints
the result nodes, one per line.

  <IRI>  <p:name>  a statement with this predicate     a/b  a|b  (a)   then, or, group
  ^<p:name>        in the inverse direction            a*  a+  a?      any number, at least one, at most one
  _                any predicate                       a<m-n>          m to n times
  a[ASK {...}]     only if the document of the node reached satisfies the query; ?ctx is that node

Nodes on hosts outside --domains and their subdomains are reported and not fetched. docs/howto/swget.md
describes the language. --save keeps the data of the documents as N-Quads.`,
		Example: `  orbweaver lab swget '<http://harbour.example/terms#Ship> (^<rdfs:subClassOf>)+' --documents http://harbour.example/=examples/harbour.ttl
  orbweaver lab swget '^<rdfs:subClassOf>|<owl:equivalentClass>' --from http://harbour.example/terms#Ship --documents http://harbour.example/=examples/harbour.ttl --paths --save graph.nq

  nice orbweaver lab swget '<http://dbpedia.org/resource/Rome> (<owl:sameAs>)*' --domains dbpedia.org,data.nytimes.com --save graph.nq`,
		Args: flags.Exactly(1, "one expression"),
		RunE: func(c *cobra.Command, args []string) error {
			w.expression = args[0]
			if w.maxNodes < 1 || w.depth < 1 || w.delay < 0 {
				return flags.Misused(c, "--limit and --depth must be at least 1, --delay not negative")
			}
			if w.format != "text" && w.format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", w.format)
			}
			for prefix := range w.documents {
				if !strings.Contains(prefix, "://") {
					return flags.Misused(c, "--documents wants URL-PREFIX=FILE, not %q", prefix)
				}
			}
			return traverse(c.Context(), a, w)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&w.from, "from", nil, "IRIs to start from")
	f.StringSliceVar(&w.domains, "domains", nil, "hosts whose documents are fetched (default all)")
	f.StringVar(&w.save, "save", "", "output `file` for the data of the documents, as N-Quads")
	f.StringToStringVar(&w.prefixes, "prefix", nil, "NAME=IRI, for the expression; rdf, rdfs, owl, skos, foaf and others are predefined")
	f.StringToStringVar(&w.documents, "documents", nil, "PREFIX=FILE: answer URLs with this prefix from a file")
	f.StringArrayVar(&w.archive, "archive", nil, "WARC `file` or folder to use instead of the live Web")
	f.StringVarP(&w.output, "output", "o", "", "crawl `folder` to keep, so that the same command can resume (default none)")
	f.IntVar(&w.maxNodes, "limit", 10_000, "maximum number of nodes")
	flags.Formerly(c, "max-nodes", "limit")
	f.IntVar(&w.depth, "depth", 32, "maximum number of steps from a start")
	f.DurationVar(&w.delay, "delay", time.Second, "delay between two requests to one host")
	f.StringVar(&w.contact, "contact", "", "contact `URL` or e-mail address, sent with every request")
	f.BoolVar(&w.private, "allow-private", false, "permit addresses of private networks and of this machine")
	f.BoolVar(&w.paths, "paths", false, "print each node's level and path too")
	f.StringVar(&w.format, "format", w.format, "text or json; json: a line per node")
	flags.FormerlyJSON(c)
	return c
}

// traverse runs a traversal and prints its result nodes.
func traverse(ctx context.Context, a *job.Job, w traversal) (err error) {
	if err := swgetkind.Check(w.expression, w.prefixes, w.from, w.domains); err != nil {
		return err
	}
	if w.output == "" {
		scratch, err := os.MkdirTemp("", "orbweaver-swget-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(scratch)
		w.output = filepath.Join(scratch, "crawl")
	}
	c, err := crawl.New(append(w.options(), crawl.On(a))...)
	if err != nil {
		return err
	}
	if _, err := c.Run(ctx); err != nil {
		return err
	}
	if w.save != "" {
		if err := swgetkind.CopyGraph(w.output, w.save); err != nil {
			return err
		}
	}
	return swgetkind.Print(a.Out, w.output, w.format == "json", w.paths)
}

// options are the keys of the crawl file that says the same.
func (w traversal) options() []crawl.Option {
	all := []crawl.Option{
		crawl.Folder(w.output),
		crawl.Set("focus.swget.expression", w.expression),
		crawl.Set("focus.swget.save", w.save != ""),
		crawl.Set("focus.swget.max_nodes", w.maxNodes),
		crawl.Set("focus.swget.depth", w.depth),
		crawl.Set("politeness.delay", w.delay.String()),
		crawl.Set("allow_private", w.private),
	}
	given := func(yes bool, o crawl.Option) {
		if yes {
			all = append(all, o)
		}
	}
	given(len(w.from) > 0, crawl.Set("focus.swget.from", w.from))
	given(len(w.domains) > 0, crawl.Set("focus.swget.domains", w.domains))
	given(w.contact != "", crawl.Contact(w.contact))
	given(len(w.prefixes) > 0, crawl.Set("prefixes", w.prefixes))
	given(len(w.documents) > 0, crawl.Set("documents", w.documents))
	given(len(w.archive) > 0, crawl.Archive(w.archive...))
	return all
}
