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
		Short: "Recommend vocabularies and datasets from a metadata crawl",
		Long: `Ranks the results of a metadata crawl: vocabularies by the number of given terms they reach, the
number of datasets that use them and their instances there; and datasets by the terms of which they
have instances. Each comes with the counts behind its rank, and the path that led to it;
docs/metadata.md gives the formula.

--data FILE, your own dataset in any RDF syntax, weights terms by their use in it: the result is
the vocabularies near those it uses, and the datasets it could be linked to.`,
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
				return misused(c, "--top must not be negative")
			}
			return metadata.Recommend(c.Context(), a.Out, args[0], data, opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", findings.Text, "text or json")
	c.Flags().IntVar(&opts.Top, "top", 20, "number of each; 0: all")
	c.Flags().StringVar(&data, "data", "", "RDF `file` of your own dataset")
	return c
}

func newSwget(a *job.Job) *cobra.Command {
	job := run.SwgetJob{}
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

Nodes on hosts outside --domains and their subdomains are reported and not fetched. docs/swget.md
describes the language. --save keeps the data of the documents as N-Quads.`,
		Example: `  orbweaver swget '<http://harbour.example/terms#Ship> (^<rdfs:subClassOf>)+' --documents http://harbour.example/=examples/harbour.ttl
  orbweaver swget '^<rdfs:subClassOf>|<owl:equivalentClass>' --from http://harbour.example/terms#Ship --documents http://harbour.example/=examples/harbour.ttl --paths --save graph.nq

  nice orbweaver swget '<http://dbpedia.org/resource/Rome> (<owl:sameAs>)*' --domains dbpedia.org,data.nytimes.com --save graph.nq`,
		Args: exactly(1, "one expression"),
		RunE: func(c *cobra.Command, args []string) error {
			job.Expression = args[0]
			if job.MaxNodes < 1 || job.Depth < 1 || job.Delay < 0 {
				return misused(c, "--max-nodes and --depth must be at least 1, --delay not negative")
			}
			for prefix := range job.Documents {
				if !strings.Contains(prefix, "://") {
					return misused(c, "--documents wants URL-PREFIX=FILE, not %q", prefix)
				}
			}
			return run.Swget(c.Context(), a, job)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&job.From, "from", nil, "IRIs to start from")
	f.StringSliceVar(&job.Domains, "domains", nil, "hosts whose documents are fetched (default all)")
	f.StringVar(&job.Save, "save", "", "output `file` for the data of the documents, as N-Quads")
	f.StringToStringVar(&job.Prefixes, "prefix", nil, "NAME=IRI, for the expression; rdf, rdfs, owl, skos, foaf and others are predefined")
	f.StringToStringVar(&job.Documents, "documents", nil, "PREFIX=FILE: answer URLs with this prefix from a file")
	f.StringArrayVar(&job.Archive, "archive", nil, "WARC `file` or folder to use instead of the live Web")
	f.StringVar(&job.Output, "output", "", "crawl `folder` to keep, so that the same command can resume (default none)")
	f.IntVar(&job.MaxNodes, "max-nodes", 10_000, "maximum number of nodes")
	f.IntVar(&job.Depth, "depth", 32, "maximum number of steps from a start")
	f.DurationVar(&job.Delay, "delay", time.Second, "delay between two requests to one host")
	f.StringVar(&job.Contact, "contact", "", "contact URL or e-mail `address`, sent with every request")
	f.BoolVar(&job.Private, "allow-private", false, "permit addresses of private networks and of this machine")
	f.BoolVar(&job.Paths, "paths", false, "print each node's level and path too")
	f.BoolVar(&job.JSON, "json", false, "print one line of JSON per node")
	return c
}
