package main

import (
	"strings"
	"time"

	"orbweaver/internal/kind/metadata"

	"github.com/spf13/cobra"

	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/internal/run"
)

func newRecommend(a *job.Job) *cobra.Command {
	opts, data := findings.Options{}, ""
	c := &cobra.Command{
		Use:   "recommend DIR",
		Short: "Tell which vocabularies to use and which datasets to link to, by a metadata crawl",
		Long: `Ranks what a metadata crawl found: vocabularies, by how many of the terms given they reach, in how many
datasets they are used and how many instances they have there; and datasets, by the terms of which they
have instances. Each comes with the counts that its place is due to, and the path that led to it;
docs/metadata.md has the formula.

With --data FILE, a dataset of yours in any syntax of RDF, terms count by how much it uses them: which
vocabularies are near to those it uses, and which datasets could it be linked to?`,
		Example: `  orbweaver crawl examples/harbour.yaml
  orbweaver recommend crawls/harbour
  orbweaver recommend crawls/harbour --top 3 --format json
  orbweaver recommend crawls/harbour --data examples/register.ttl`,
		Args: exactly(1, "the folder of a metadata crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			if opts.Format != findings.Text && opts.Format != findings.JSON {
				return misused(c, "--format is text or json, not %q", opts.Format)
			}
			if opts.Top < 0 {
				return misused(c, "--top is not negative")
			}
			return metadata.Recommend(c.Context(), a.Out, args[0], data, opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", findings.Text, "text or json")
	c.Flags().IntVar(&opts.Top, "top", 20, "how many of each; 0: all")
	c.Flags().StringVar(&data, "data", "", "`file` of RDF: your own dataset")
	return c
}

func newSwget(a *job.Job) *cobra.Command {
	job := run.SwgetJob{}
	c := &cobra.Command{
		Use:   "swget EXPRESSION",
		Short: "Walk the Web of data by an expression (NautiLOD), and print where it ends",
		Long: `Starts from the IRI in front of the expression, or those of --from, and follows the statements that the
expression asks for, from document to document: what a node's IRI dereferences to says what its
neighbours are. Prints the nodes at which the expression ends, one a line.

  <IRI>  <p:name>  a statement with this predicate     a/b  a|b  (a)   then, or, group
  ^<p:name>        against its direction               a*  a+  a?      any number, at least one, at most one
  _                any predicate                       a<m-n>          m to n times
  a[ASK {...}]     only where the document of the node reached says so; ?ctx is that node

Nodes on other hosts than those of --domains, and their subdomains, are told of and not fetched.
docs/swget.md has all of the language. --save keeps what the documents said, as N-Quads.`,
		Example: `  orbweaver swget '<http://harbour.example/terms#Ship> (^<rdfs:subClassOf>)+' --documents http://harbour.example/=examples/harbour.ttl
  orbweaver swget '^<rdfs:subClassOf>|<owl:equivalentClass>' --from http://harbour.example/terms#Ship --documents http://harbour.example/=examples/harbour.ttl --paths --save graph.nq

  nice orbweaver swget '<http://dbpedia.org/resource/Rome> (<owl:sameAs>)*' --domains dbpedia.org,data.nytimes.com --save graph.nq`,
		Args: exactly(1, "one expression"),
		RunE: func(c *cobra.Command, args []string) error {
			job.Expression = args[0]
			if job.MaxNodes < 1 || job.Depth < 1 || job.Delay < 0 {
				return misused(c, "--max-nodes and --depth are at least 1, --delay is not negative")
			}
			for prefix := range job.Documents {
				if !strings.Contains(prefix, "://") {
					return misused(c, "--documents wants the beginning of URLs, =, and a file, not %q", prefix)
				}
			}
			return run.Swget(c.Context(), a, job)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&job.From, "from", nil, "IRIs to start from")
	f.StringSliceVar(&job.Domains, "domains", nil, "hosts whose documents are fetched; left out: all")
	f.StringVar(&job.Save, "save", "", "`file` for what the documents said, as N-Quads")
	f.StringToStringVar(&job.Prefixes, "prefix", nil, "NAME=IRI, for the expression; rdf, rdfs, owl, skos, foaf and others are known")
	f.StringToStringVar(&job.Documents, "documents", nil, "PREFIX=FILE: URLs that begin so are answered from a file")
	f.StringArrayVar(&job.Archive, "archive", nil, "WARC `file` or folder that is walked instead of the live Web")
	f.StringVar(&job.Output, "output", "", "crawl `folder` to keep, with which the same command goes on; left out: none")
	f.IntVar(&job.MaxNodes, "max-nodes", 10_000, "nodes reached at most")
	f.IntVar(&job.Depth, "depth", 32, "steps from a start at most")
	f.DurationVar(&job.Delay, "delay", time.Second, "between two requests to one host")
	f.StringVar(&job.Contact, "contact", "", "URL or e-mail `address` that hosts are told")
	f.BoolVar(&job.Private, "allow-private", false, "addresses of private networks may be reached, this machine's too")
	f.BoolVar(&job.Paths, "paths", false, "print each node's level and path too")
	f.BoolVar(&job.JSON, "json", false, "print a line of JSON for each node")
	return c
}
