package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/store"
)

func newServe(a *job.Job) *cobra.Command {
	job := store.ServeJob{}
	c := &cobra.Command{
		Use:   "serve [DIR | --data FILE]",
		Short: "Answer SPARQL over HTTP, from a crawl, a quad store or files of RDF",
		Long: `Answers any client of SPARQL 1.1 from the quad store in DIR, that of a crawl which does not run or
one that orbweaver load made, or from files, which it reads into memory: queries at
/sparql (GET, form and direct POST), graphs at /graphs (Graph Store HTTP Protocol), a service
description at /sparql and statistics (VoID) at /.well-known/void. Answers come as the client's
Accept header likes them, packed by gzip where it reads that.

With --update clients may change the data: the store in DIR for good, those of files in memory, and
files stay as they are. An update is done as a whole or not at all. With --federate SERVICE, and LOAD
of updates, reach the Web for them. orbweaver query DIR asks a folder while it is served, too.

Only this machine can ask, unless --listen names another address. Browsers' pages from elsewhere are
refused unless --cors names their origin, and so is a name that is not this machine's, unless --host
names it. A request has --timeout, and an answer --max-rows. docs/sparql.md says more. Ctrl-C ends it.`,
		Example: `  # what is served can be asked here first
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
				return misused(c, "want --data FILE or one crawl folder")
			case !files && !job.Update && len(args) == 0:
				return misused(c, "want --data FILE or a crawl folder, or --update to begin with nothing")
			case job.Data.From != "" && !slices.Contains(read, job.Data.From):
				return misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.Data.From)
			case job.Time <= 0 || job.MaxRows <= 0:
				return misused(c, "--timeout and --max-rows are more than 0")
			}
			if len(args) == 1 {
				job.Data.Crawl = args[0]
			}
			return store.Serve(c.Context(), a, job)
		},
	}
	f := c.Flags()
	dataFlags(c, &job.Data)
	f.StringVar(&job.Listen, "listen", "127.0.0.1:7878", "`address` and port; port 0 takes any that is free")
	f.BoolVar(&job.Update, "update", false, "clients may change the data: of a folder for good, of files in memory")
	f.BoolVar(&job.Web, "federate", false, "SERVICE, and LOAD of updates, reach the Web on behalf of clients")
	f.BoolVar(&job.Private, "allow-private", false, "with --federate: and addresses of private networks, this machine's too")
	f.DurationVar(&job.Time, "timeout", 30*time.Second, "how long a request may take")
	f.Int64Var(&job.MaxRows, "max-rows", 1_000_000, "rows or triples an answer may have; with more it is an error")
	f.StringArrayVar(&job.Hosts, "host", nil, "a `name` by which clients ask for this server; may be repeated")
	f.StringArrayVar(&job.Origins, "cors", nil, "`origin` of a browser's pages that may ask, or *; may be repeated")
	return c
}
