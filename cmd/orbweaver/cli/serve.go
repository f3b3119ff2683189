package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/doctor"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/store"
)

func newServe(a *job.Job) *cobra.Command {
	job := store.ServeJob{}
	c := &cobra.Command{
		Use:   "serve [DIR | --data FILE]",
		Short: "Serve a crawl, a quad store or RDF files as a SPARQL endpoint",
		Long: `Serves SPARQL 1.1 from the quad store in DIR - a crawl folder whose crawl does not run, or a folder
made by orbweaver store load - or from files, which it reads into memory: queries at /sparql (GET, form and
direct POST), graphs at /graphs (Graph Store HTTP Protocol), a service description at /sparql and
statistics (VoID) at /.well-known/void. The Accept header selects the format of answers; they are
gzipped if the client accepts that.

--update lets clients change the data: the store in DIR permanently, files only in memory. Updates are
atomic. --federate lets SERVICE, and LOAD in updates, reach the Web. orbweaver query DIR works while a
folder is served.

Only this machine has access, unless --listen gives another address. Cross-origin requests of browsers
are refused unless --cors names their origin, and requests to another host name unless --host names
it. --timeout limits requests, --max-rows answers; short ones run first. See docs/howto/sparql.md. Ctrl-C stops the server.`,
		Example: `  # query the data locally first
  cat > count.rq <<END
  SELECT (COUNT(*) AS ?statements) WHERE { ?s ?p ?o }
  END
  orbweaver query --data examples/aircraft.ttl --query count.rq

  cd examples && orbweaver serve --data aircraft.ttl --listen 127.0.0.1:7878

  # in another terminal
  curl http://127.0.0.1:7878/sparql --data-urlencode query@count.rq`,
		RunE: func(c *cobra.Command, args []string) error {
			read, _ := rdffile.Syntaxes()
			files := len(job.Data.Files)+len(job.Data.Named) > 0
			switch {
			case files && len(args) > 0, len(args) > 1:
				return flags.Misused(c, "want --data FILE or one crawl folder")
			case !files && !job.Update && len(args) == 0:
				return flags.Misused(c, "want --data FILE or a crawl folder, or --update to start empty")
			case job.Data.From != "" && !slices.Contains(read, job.Data.From):
				return flags.Misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.Data.From)
			case job.Time <= 0 || job.MaxRows <= 0:
				return flags.Misused(c, "--timeout and --max-rows must be above 0")
			}
			if len(args) == 1 {
				job.Data.Crawl = args[0]
			}
			return store.Serve(c.Context(), a, job)
		},
	}
	f := c.Flags()
	dataFlags(c, &job.Data)
	f.StringVar(&job.Listen, "listen", doctor.Serve, "`HOST:PORT`; port 0 picks a free port")
	f.BoolVar(&job.Update, "update", false, "let clients change the data: a folder permanently, files in memory")
	f.BoolVar(&job.Web, "federate", false, "let SERVICE, and LOAD in updates, reach the Web")
	f.BoolVar(&job.Private, "allow-private", false, "with --federate: also addresses of private networks and of this machine")
	f.DurationVar(&job.Time, "timeout", 30*time.Second, "time limit of a request")
	f.Int64Var(&job.MaxRows, "max-rows", 1_000_000, "maximum rows or triples of an answer; beyond, an error")
	f.StringArrayVar(&job.Hosts, "host", nil, "host `name` of this server that clients may use; may be repeated")
	f.StringArrayVar(&job.Origins, "cors", nil, "permitted `origin` of cross-origin requests, or *; may be repeated")
	return c
}
