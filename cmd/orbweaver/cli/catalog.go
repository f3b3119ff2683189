package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/services/catalogs"
)

func newCatalog(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "catalog",
		Short: "List, describe and check the datasets of catalogues",
		Long: `Reads dataset catalogues: CKAN responses, DCAT, VoID and SPARQL service descriptions in any RDF
syntax, the JSON of the LOD cloud, and YAML lists; gzipped or not, from files and from the Web.
A dataset listed in several catalogues counts once. See docs/howto/catalogs.md.`,
		Example: `  cat > cloud.yml <<END
  - {name: planes, title: Aeroplanes, endpoint: "http://127.0.0.1:9/sparql", dump: planes.ttl}
  END
  orbweaver catalog list cloud.yml
  orbweaver catalog describe cloud.yml --name planes
  orbweaver catalog check cloud.yml --allow-private`,
		Args: flags.Verb,
		RunE: flags.Verbless,
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
	f.StringArrayVar(&s.With, "with", nil, "only datasets with this; one of "+strings.Join(catalogs.With(), ", ")+"; may be repeated")
	f.StringVar(&s.Match, "match", "", "only datasets whose description has all these `words`")
	f.BoolVar(&s.Private, "allow-private", false, "permit addresses of private networks and of this machine")
	f.StringVar(&s.Agent, "user-agent", "", "User-Agent to send (default orbweaver)")
	f.DurationVar(&s.Timeout, "timeout", 0, "limit of one request; 0: 30s for catalogues, 10s for endpoints")
	f.DurationVar(&s.Delay, "delay", time.Second, "delay between two requests to one host")
	f.IntVar(&s.Pages, "requests", 0, "maximum `number` of requests to one CKAN; 0: 10000")
	flags.Formerly(c, "max-requests", "requests")
}

// checkSources makes sure of the arguments and flags of all three verbs.
func checkSources(c *cobra.Command, s *catalogs.Sources, args []string, format string, formats []string) error {
	s.Names = args
	for _, what := range s.With {
		if !slices.Contains(catalogs.With(), what) {
			return flags.Misused(c, "--with is one of %s, not %q", strings.Join(catalogs.With(), ", "), what)
		}
	}
	switch {
	case len(args) == 0:
		return flags.Misused(c, "want at least one catalogue: a file, or a URL")
	case !slices.Contains(formats, format):
		return flags.Misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), format)
	case s.Timeout < 0 || s.Delay < 0 || s.Pages < 0:
		return flags.Misused(c, "--timeout, --delay and --requests must not be negative")
	}
	return nil
}

func newCatalogList(a *job.Job) *cobra.Command {
	s, format, formats := catalogs.Sources{}, "", catalogs.ListFormats()
	c := &cobra.Command{
		Use:   "list FILE|URL...",
		Short: "List the datasets of catalogues",
		Long: `Prints one line per dataset, sorted by name: name, title, endpoint, number of dumps, VoID
description. Other formats: json, with all fields; csv; nquads, as VoID and DCAT, which catalog
commands read as a catalogue.

Catalog pages through a URL of CKAN's action API (https://HOST/api/3/action/package_search?q=WORDS)
to the end; any other URL is one document. Errors in an entry are reported; the other entries are
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
		Short: "Show the full catalogue entries of datasets",
		Long: `Prints all that is known about the named datasets: aliases, endpoints and their default graphs,
dumps, VoID descriptions, examples, vocabularies, classes and properties, and the catalogues that
list them. --format turtle prints VoID.`,
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
	c.Flags().StringArrayVar(&names, "name", nil, "`name` or alias of a dataset, with wildcards * and ?; may be repeated (default all)")
	c.Flags().StringVar(&format, "format", formats[0], strings.Join(formats, ", "))
	return c
}

func newCatalogCheck(a *job.Job) *cobra.Command {
	s, o, formats := catalogs.Sources{}, catalogs.CheckOptions{}, catalogs.CheckFormats()
	c := &cobra.Command{
		Use:   "check FILE|URL...",
		Short: "Check which endpoints answer, and measure them",
		Long: `Sends each endpoint four small queries: ASK by GET, ASK by POST, a UNION and a COUNT. Prints which
endpoints are up, the SPARQL version, the request methods that work, the row limit if the endpoint
reveals it, the server software, the median response time in milliseconds, and what the endpoint
does not support or why it is down.

Each host gets one request at a time, --delay apart; many hosts are checked in parallel. An
endpoint that is down is not an error.`,
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
				return flags.Misused(c, "--rows is 0 to 1000000, not %d", o.Rows)
			}
			return catalogJobs(a).Check(c.Context(), s, o)
		},
	}
	sourceFlags(c, &s)
	c.Flags().IntVar(&o.Rows, "rows", 0, "also request this many rows, to find the row limit; 0: do not")
	c.Flags().StringVar(&o.Format, "format", formats[0], strings.Join(formats, ", "))
	return c
}
