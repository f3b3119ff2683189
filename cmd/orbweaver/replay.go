package main

import (
	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

func newReplay(a *job.Job) *cobra.Command {
	job := offline.ReplayJob{}
	c := &cobra.Command{
		Use:   "replay ARCHIVE...",
		Short: "Walk an archive with any browser or crawler",
		Long: `Serves archives - WARC files, folders of them, or the folder of a crawl that keeps one - as
the Web they were: under /web/URL for a browser, links rewritten so that they stay there,
and as an HTTP proxy for browsers and crawlers alike. What the archive lacks is 404 there,
with what is near; nothing is ever fetched from the live Web.

The proxy answers https too, by certificates of an authority that is made at each start:
--ca writes its certificate, for a client to trust. --absent 504 tells a proxy's client what
the archive lacks from what was not there; crawlers ask again then. Ctrl-C ends it.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # the web that it crawled: open what is printed in a browser
  cd examples && orbweaver replay demo.warc.gz

  # in another terminal
  http_proxy=http://127.0.0.1:8080 curl http://skylines.example/
  http_proxy=http://127.0.0.1:8080 wget --recursive http://hangar.example/`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(c, "want at least one archive: a WARC file, a folder of them, or a crawl folder")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if job.Absent < 400 || job.Absent > 599 {
				return misused(c, "--absent is a status from 400 to 599, not %d", job.Absent)
			}
			job.Archives = args
			return offline.Replay(c.Context(), a, job)
		},
	}
	c.Flags().StringVar(&job.Listen, "listen", "127.0.0.1:8080", "`address` and port; port 0 takes any that is free")
	c.Flags().StringVar(&job.CA, "ca", "", "write the certificate that https clients have to trust to this `file`")
	c.Flags().IntVar(&job.Absent, "absent", 404, "`status` that the proxy answers for what the archive lacks")
	return c
}
