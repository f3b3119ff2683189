package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/run"
)

// quickOrFile wants one crawl file, or seeds and terms.
func quickOrFile(c *cobra.Command, args []string, quick run.QuickCrawl) error {
	told := len(quick.Terms) > 0 || quick.Requests != 0 || quick.Contact != "" || quick.Output != ""
	switch {
	case isQuick(args) && len(quick.Terms) == 0:
		return misused(c, "want --terms WORDS beside URLs, or a crawl file alone")
	case isQuick(args) && quick.Requests < 0:
		return misused(c, "--requests wants a number above 0")
	case isQuick(args):
		return nil
	case len(args) == 1 && told:
		return misused(c, "%s is taken for a crawl file, which says terms, limits.requests, politeness.contact and output itself; URLs begin with https:// or http://", args[0])
	}
	return exactly(1, "one crawl file")(c, args)
}

// isQuick tells seeds from a crawl file.
func isQuick(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "-" || strings.Contains(arg, "://") })
}

// logs gives a command the flags of a crawl's log.
func logs(c *cobra.Command, a *job.Job) {
	c.Flags().BoolVarP(&a.Log.Quiet, "quiet", "q", false, "show the summary and errors alone")
	c.Flags().BoolVarP(&a.Log.Verbose, "verbose", "v", false, "show every request, as records of the log")
	c.Flags().StringVar(&a.Log.Format, "log-format", "", "show records of the log, as `text or json`, in place of lines for people")
}

// checkLog finds flags of the log that make no sense.
func checkLog(c *cobra.Command, a *job.Job) error {
	switch {
	case a.Log.Quiet && a.Log.Verbose:
		return misused(c, "--quiet and --verbose exclude each other")
	case a.Log.Format != "" && a.Log.Format != "text" && a.Log.Format != "json":
		return misused(c, "--log-format is text or json, not %q", a.Log.Format)
	}
	return nil
}

const crawlHelp = `Crawls what the crawl file says, or goes on where an interrupted crawl of the same file
stopped. Prints, at the end, what was found and where the report is. A crawl that is over says
which limit ended it: raised in the file, the same command goes on.

Without a file, URLs are the seeds (- stands for those of standard input, one a line) and
--terms says what pages are to be about. The crawl file is crawl.yaml in the crawl's folder then,
crawls/HOST: what you change there counts when the same command goes on.

Ctrl-C stops after the page in hand, a second Ctrl-C at once. Either way, and after a crash
or kill -9 too, the same command goes on; no page is lost and none is fetched twice but those
in flight. Limits may be raised between two sessions.

Without web: in the file it is the live Web that is crawled, as a good guest does: robots.txt
is the first thing a host is asked for, and obeyed; one request at a time to a host and to an
address, a second apart or as far as Crawl-delay asks; Retry-After is heeded, and hosts that
are slow or fail are left alone for longer. Say who you are: contact (a URL or an e-mail
address, in politeness) goes with every request. Private addresses are refused unless
allow_private names their network. What was fetched is archived as WARC.

orbweaver status, pause, resume, add and stop take the crawl's folder while it runs.

With --refresh AGE a crawl of the live Web asks the pages it accepted again that were fetched
longer ago than that, by what the server said of their version where the archive has it, and
follows links that are new on them, one step. It tells what is new, changed and gone.

With --metrics HOST:PORT the crawl answers GET /metrics there, for Prometheus, while it runs;
--pprof adds Go's profiles under /debug/pprof/. Without HOST, as in :9100, none but this machine
can ask; port 0 is any that is free, and printed. docs/metrics.md has every metric. --profile
writes cpu.pprof and heap.pprof for go tool pprof; they are whole however the crawl ends, but
by a second Ctrl-C.

Progress, warnings and failures go to standard error: on a terminal a line that is redrawn, else
a line every ten seconds, and a line a minute after the first. -q shows none, -v every request;
--log-format text or json shows records with a time and a level. The folder keeps them as JSON in
log.jsonl, in any case; a file of 10 MB becomes log.1.jsonl.

docs/crawl-file.md has every key of the file. The exit status is 0 when the crawl is over,
130 when it was stopped, 2 when the file or what it names is wrong (nothing is written then), 3
when it is over and fetched no page: the summary names each seed with its reason and the mend,
and the same command begins afresh, also under a mended file.`

const crawlExamples = `  orbweaver crawl examples/aircraft.yaml

  # the smallest crawl file: an archive as the web, an ontology, a target
  cat > mine.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  focus:
    ontology: {files: examples/aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}
  END
  orbweaver crawl mine.yaml && head -3 crawls/mine/pages.jsonl

  # a crawl of the live Web without a file
  nice orbweaver crawl https://example.org/ --terms "airplane, glider" --contact me@example.org
  sort -u seeds.txt | orbweaver crawl - --terms airplane -o crawls/planes

  # measured while it runs, and where its time went
  orbweaver crawl mine.yaml --metrics 127.0.0.1:0 --pprof --profile profiles
  go tool pprof -top profiles/cpu.pprof

  # the live Web: web: is left out, contact says whom to write to
  cat > live.yaml <<END
  seeds: [https://example.org/]
  focus: {keyword: {terms: [airplane, glider]}}
  limits: {pages: 1000}
  politeness: {contact: me@example.org}
  END
  nice orbweaver crawl live.yaml
  nice orbweaver crawl live.yaml --refresh 24h   # a day later: what is new, changed, gone?`
