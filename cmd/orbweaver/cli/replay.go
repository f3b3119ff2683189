package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

func newReplay(a *job.Job) *cobra.Command {
	job := offline.ReplayJob{}
	c := &cobra.Command{
		Use:   "replay ARCHIVE...",
		Short: "Serve an archive to any browser or crawler",
		Long: `Serves archives - WARC files, folders of them, or crawl folders with an archive: under /web/URL for
a browser, with links rewritten to stay there, and as an HTTP proxy for browsers and crawlers. URLs
missing from the archive are answered with 404 and similar URLs; nothing is fetched from the live
Web.

The proxy also serves https, with certificates of an authority created at each start: --ca writes
its certificate, for clients to trust. --absent 504 lets proxy clients distinguish URLs missing from
the archive from archived 404s; crawlers retry a 504. --log records what clients of the proxy
request, in order, so that compare can evaluate another crawler (requests: LOG). Ctrl-C stops the
server.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # serve the web it crawled; open the printed URL in a browser
  cd examples && orbweaver replay demo.warc.gz

  # in another terminal
  http_proxy=http://127.0.0.1:8080 curl http://skylines.example/
  http_proxy=http://127.0.0.1:8080 wget --recursive http://hangar.example/

  # record the requests of another crawler
  cd examples && orbweaver replay demo.warc.gz --log ../wget.log`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.Misused(c, "want at least one archive: a WARC file, a folder of them, or a crawl folder")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if job.Absent < 400 || job.Absent > 599 {
				return flags.Misused(c, "--absent is a status from 400 to 599, not %d", job.Absent)
			}
			job.Archives = args
			return offline.Replay(c.Context(), a, job)
		},
	}
	c.Flags().StringVar(&job.Listen, "listen", "127.0.0.1:8080", "`HOST:PORT`; port 0 picks a free port")
	c.Flags().StringVar(&job.CA, "ca", "", "write the CA certificate for https clients to this `file`")
	c.Flags().StringVar(&job.Log, "log", "", "write the requests of proxy clients to this new `file`: URL, method and status, a line each")
	c.Flags().IntVar(&job.Absent, "absent", 404, "`status` of the proxy for URLs missing from the archive")
	return c
}
