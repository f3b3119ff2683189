package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/services/catalogs"
)

func newCatalog(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "catalog",
		Short: "List, describe and check the datasets of catalogues",
		Long: `Reads catalogues of datasets: what a CKAN answers, DCAT, VoID and SPARQL service descriptions in any
syntax of RDF, the JSON of the LOD cloud, and lists in YAML; packed by gzip or not, from files and
from the Web. A dataset that several catalogues have is one dataset. docs/catalogs.md says more.`,
		Example: `  cat > cloud.yml <<END
  - {name: planes, title: Aeroplanes, endpoint: "http://127.0.0.1:9/sparql", dump: planes.ttl}
  END
  orbweaver catalog list cloud.yml
  orbweaver catalog describe cloud.yml --name planes
  orbweaver catalog check cloud.yml --allow-private`,
		Args: verb,
		RunE: verbless,
	}
	c.AddCommand(newCatalogList(a), newCatalogDescribe(a), newCatalogCheck(a))
	return c
}

// catalogJobs are the catalogues' own way to this process's output.
func catalogJobs(a *job.Job) *catalogs.Catalogs {
	return &catalogs.Catalogs{Out: a.Out, Err: a.Err, In: a.In, Terminal: a.Terminal, Client: a.Wire.Options}
}

// sourceFlags are those of all three verbs.
func sourceFlags(c *cobra.Command, s *catalogs.Sources) {
	f := c.Flags()
	f.StringArrayVar(&s.With, "with", nil, "only datasets that have one: "+strings.Join(catalogs.With(), ", ")+"; may be repeated")
	f.StringVar(&s.Match, "match", "", "only datasets that speak of all these `words`")
	f.BoolVar(&s.Private, "allow-private", false, "addresses of private networks may be asked, this machine's too")
	f.StringVar(&s.Agent, "user-agent", "", "how to introduce oneself; left out: orbweaver")
	f.DurationVar(&s.Timeout, "timeout", 0, "how long one request may take; 0: 30s for catalogues, 10s for endpoints")
	f.DurationVar(&s.Delay, "delay", time.Second, "between two requests to one host")
	f.IntVar(&s.Pages, "max-requests", 0, "to one CKAN; 0: 10000")
}

// checkSources makes sure of the arguments and flags of all three verbs.
func checkSources(c *cobra.Command, s *catalogs.Sources, args []string, format string, formats []string) error {
	s.Names = args
	for _, what := range s.With {
		if !slices.Contains(catalogs.With(), what) {
			return misused(c, "--with is one of %s, not %q", strings.Join(catalogs.With(), ", "), what)
		}
	}
	switch {
	case len(args) == 0:
		return misused(c, "want at least one catalogue: a file, or a URL")
	case !slices.Contains(formats, format):
		return misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), format)
	case s.Timeout < 0 || s.Delay < 0 || s.Pages < 0:
		return misused(c, "--timeout, --delay and --max-requests are not negative")
	}
	return nil
}

func newCatalogList(a *job.Job) *cobra.Command {
	s, format, formats := catalogs.Sources{}, "", catalogs.ListFormats()
	c := &cobra.Command{
		Use:   "list FILE|URL...",
		Short: "List the datasets of catalogues",
		Long: `Prints a line a dataset, in the order of names: name, title, endpoint, how many dumps, VoID
description. Other forms: json, all that is known; csv; nquads, as VoID and DCAT, which is a
catalogue, too.

A URL of CKAN's action API (https://HOST/api/3/action/package_search?q=WORDS) is read page by page
until all is there; any other is one document. What is wrong with an entry is said, and the rest is
listed.`,
		Example: `  cat > cloud.yml <<END
  - name: planes
    title: Aeroplanes of the world
    endpoint: http://planes.example/sparql
    dump: [http://planes.example/planes.nt.gz, local/planes.ttl]
    void: http://planes.example/void.ttl
  - {name: pilots, endpoint: "http://people.example/sparql", graph: "http://people.example/pilots"}
  END
  orbweaver catalog list cloud.yml
  orbweaver catalog list cloud.yml --with endpoint --with dump --format json
  orbweaver catalog list cloud.yml --match world --format nquads

  nice orbweaver catalog list https://HOST/api/3/action/package_search?fq=res_format:api/sparql
  nice orbweaver catalog list lod-cloud.json.gz http://HOST/.well-known/void --with endpoint --format csv`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkSources(c, &s, args, format, formats); err != nil {
				return err
			}
			return catalogJobs(a).List(c.Context(), s, format)
		},
	}
	sourceFlags(c, &s)
	c.Flags().StringVar(&format, "format", formats[0], strings.Join(formats, ", "))
	return c
}

func newCatalogDescribe(a *job.Job) *cobra.Command {
	s, names, format, formats := catalogs.Sources{}, []string(nil), "", catalogs.DescribeFormats()
	c := &cobra.Command{
		Use:   "describe FILE|URL...",
		Short: "Tell all that catalogues say of some datasets",
		Long: `Prints everything that is known of the datasets named: aliases, endpoints and the default graphs to
ask for, dumps, VoID descriptions, examples, vocabularies, what classes and properties they have, and
which catalogues say so. --format turtle prints VoID.`,
		Example: `  cat > cloud.yml <<END
  - {name: planes, aliases: aeroplanes, endpoint: "http://planes.example/sparql"}
  - {name: pilots, dump: pilots.ttl}
  END
  orbweaver catalog describe cloud.yml --name aeroplanes
  orbweaver catalog describe cloud.yml --name p* --format turtle`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkSources(c, &s, args, format, formats); err != nil {
				return err
			}
			return catalogJobs(a).Describe(c.Context(), s, names, format)
		},
	}
	sourceFlags(c, &s)
	c.Flags().StringArrayVar(&names, "name", nil, "`name` or alias of a dataset, * and ? stand for any; may be repeated; left out: all")
	c.Flags().StringVar(&format, "format", formats[0], strings.Join(formats, ", "))
	return c
}

func newCatalogCheck(a *job.Job) *cobra.Command {
	s, o, formats := catalogs.Sources{}, catalogs.CheckOptions{}, catalogs.CheckFormats()
	c := &cobra.Command{
		Use:   "check FILE|URL...",
		Short: "Ask which endpoints of catalogues answer, and how",
		Long: `Asks each endpoint four small questions: ASK by GET, ASK by POST, a UNION and a COUNT. Prints who is
up, the version of SPARQL, by which way it takes queries, at how many rows it stops where it says so,
the make of its server, the median time of an answer in milliseconds, and what it cannot do or why it
is down.

A host is asked one question at a time, with --delay between two; many hosts are asked at once. An
endpoint that is down is no error.`,
		Example: `  cat > mine.yml <<END
  - {name: mine, endpoint: "http://127.0.0.1:9/sparql"}
  END
  orbweaver catalog check mine.yml --allow-private
  orbweaver catalog check mine.yml --allow-private --format json

  nice orbweaver catalog check lod-cloud.json.gz --match bio --rows 10001 --timeout 20s`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkSources(c, &s, args, o.Format, formats); err != nil {
				return err
			}
			if o.Rows < 0 || o.Rows > 1_000_000 {
				return misused(c, "--rows is 0 to 1000000, not %d", o.Rows)
			}
			return catalogJobs(a).Check(c.Context(), s, o)
		},
	}
	sourceFlags(c, &s)
	c.Flags().IntVar(&o.Rows, "rows", 0, "ask for so many rows, too, to see at how many it stops; 0: not asked")
	c.Flags().StringVar(&o.Format, "format", formats[0], strings.Join(formats, ", "))
	return c
}
