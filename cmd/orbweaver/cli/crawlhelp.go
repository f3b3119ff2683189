package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
)

// quickOrFile requires one crawl file, or seeds and terms.
func quickOrFile(c *cobra.Command, args []string, quick crawl.QuickCrawl) error {
	told := len(quick.Terms) > 0 || quick.Requests != 0 || quick.Pages != 0 || quick.Private || quick.Contact != "" || quick.Output != ""
	switch {
	case isQuick(args) && len(quick.Terms) == 0:
		return flags.Misused(c, "want URLs with --terms WORDS, or one crawl file")
	case isQuick(args) && (quick.Requests < 0 || quick.Pages < 0):
		return flags.Misused(c, "--requests and --limit want numbers above 0")
	case isQuick(args):
		return nil
	case len(args) == 1 && told:
		return flags.Misused(c, "%s is read as a crawl file, which sets terms, limits, allow_private, politeness.contact and output itself; URLs begin with https:// or http://", args[0])
	}
	return flags.Exactly(1, "one crawl file")(c, args)
}

// isQuick reports whether the arguments are seeds, not a crawl file.
func isQuick(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "-" || strings.Contains(arg, "://") })
}

// logs gives a command the flags of a crawl's log.
func logs(c *cobra.Command, a *job.Job) {
	c.Flags().BoolVarP(&a.Log.Quiet, "quiet", "q", false, "show only the summary and errors")
	c.Flags().BoolVarP(&a.Log.Verbose, "verbose", "v", false, "show every request, as log records")
	c.Flags().StringVar(&a.Log.Format, "log-format", "", "`format` of log records in place of the status line: text or json")
}

// checkLog validates the log flags.
func checkLog(c *cobra.Command, a *job.Job) error {
	switch {
	case a.Log.Quiet && a.Log.Verbose:
		return flags.Misused(c, "--quiet and --verbose exclude each other")
	case a.Log.Format != "" && a.Log.Format != "text" && a.Log.Format != "json":
		return flags.Misused(c, "--log-format is text or json, not %q", a.Log.Format)
	}
	return nil
}

const crawlHelp = `Runs the crawl that the crawl file defines, or resumes an interrupted crawl of the same file.
At the end it prints what it found and the path of the report. A finished crawl names the limit
that ended it: raise the limit in the file, and the same command continues.

Without a file, URLs are the seeds (- reads them from standard input, one per line) and --terms
gives the topic; --limit ends it after a number of pages, --allow-private crawls sites of your own
network. The command then writes the crawl file crawls/HOST/crawl.yaml; edits there take effect when
the same command resumes the crawl.

Ctrl-C finishes in-flight requests and stops; a second Ctrl-C stops at once. Either way, and
after a crash or kill -9, the same command resumes: no page is lost, and none is fetched twice
but those in flight. Limits may be raised between sessions.

Without web: in the file the crawl fetches from the live Web, politely: it fetches and obeys
robots.txt first; it sends one request at a time to a host and to an address, one second apart
or as Crawl-delay says; it obeys Retry-After and slows down for slow and failing hosts. Set
politeness.contact (a URL or an e-mail address); it is sent with every request. Private
addresses are refused unless allow_private names their network. Responses are archived as WARC.
Sites with logins, keys, client certificates or proxies have sections of http in the file; while a
login is lost its hosts wait, and orbweaver resume tries again: docs/howto/access.md.

While the crawl runs, orbweaver status, pause, resume, add and stop take its folder.

--refresh AGE fetches accepted pages of the live Web again that are older than AGE, with
conditional requests where the archive has validators, and follows new links on them one step.
It reports what is new, changed and gone.

--metrics HOST:PORT serves GET /metrics for Prometheus while the crawl runs; --pprof adds Go's
profiles under /debug/pprof/. Without HOST, as in :9100, only this machine has access; port 0
picks a free port and prints it. docs/reference/metrics.md lists all metrics. --profile writes cpu.pprof
and heap.pprof for go tool pprof; they are complete unless a second Ctrl-C ends the crawl.

Progress, warnings and failures go to standard error: on a terminal as a status line, elsewhere
as a line every ten seconds, and every minute after the first. -q hides progress, -v shows every
request; --log-format text or json shows log records with time and level. The folder always
keeps them as JSON in log.jsonl, which becomes log.1.jsonl at 10 MB.

A host that does not answer is asked again now and then while others are crawled. When no host
answers any more, the machine's own network is down: the crawl says so, pauses, asks hosts that
answered before until one does, and goes on as if nothing had been.

docs/reference/crawl-file.md documents every key of the file. The exit status is 0 when the crawl is over,
130 when it was stopped, 2 when the file or its input is wrong (nothing is written), and 3 when
the crawl is over and fetched no page: the summary names each seed with the reason and a remedy,
and the same command starts again, also with a corrected file. It is 4 when all that waits is at
hosts that are down, and 5 when the network was down for longer than limits.outage: the same
command goes on later, and asks again what failed for reasons that pass. It is 7 when a sink of
the crawl file lacks pages: the same command delivers them later.`

const crawlExamples = `  orbweaver crawl examples/aircraft.yaml

  # the smallest crawl file: an archive as the web, an ontology, a target
  cat > mine.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  focus:
    ontology: {files: examples/aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}
  END
  orbweaver crawl mine.yaml && head -3 crawls/mine/pages.jsonl

  # URLs too many to be seeds (one per line, a sitemap, a CDX index, pages of a WACZ), ranked like a sitemap's
  cat > urls.txt <<END
  http://skylines.example/types/a320.html
  http://skylines.example/types/boeing-737.html
  END
  cat > listed.yaml <<END
  seeds: {urls: [http://skylines.example/], list: urls.txt}
  web: {archive: examples/demo.warc.gz}
  focus: {keyword: {terms: [airplane, glider]}}
  END
  orbweaver crawl listed.yaml

  # a judge of your own, in any language: pages as JSON lines in, scores out (docs/howto/external.md)
  cat > judge.py <<END
  import json, sys
  for line in sys.stdin:
      page = json.loads(line)
      score = min(1, page["text"].lower().count("plane") / 5)
      print(json.dumps({"id": page["id"], "score": score}), flush=True)
  END
  cat > judged.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  focus: {external: {command: [python3, judge.py]}}
  END
  orbweaver judge judged.yaml http://skylines.example/types/a320.html
  orbweaver crawl judged.yaml

  # a crawl of the live Web without a file
  nice orbweaver crawl https://example.org/ --terms "airplane, glider" --limit 500 --contact me@example.org
  nice orbweaver crawl http://localhost:8000/ --terms airplane --allow-private
  sort -u seeds.txt | orbweaver crawl - --terms airplane -o crawls/planes

  # with metrics while it runs, and a CPU profile
  orbweaver crawl mine.yaml --metrics 127.0.0.1:0 --pprof --profile profiles
  go tool pprof -top profiles/cpu.pprof

  # the live Web: omit web:, set contact
  cat > live.yaml <<END
  seeds: [https://example.org/]
  focus: {keyword: {terms: [airplane, glider]}}
  limits: {pages: 1000}
  politeness: {contact: me@example.org}
  END
  nice orbweaver crawl live.yaml
  nice orbweaver crawl live.yaml --refresh 24h   # a day later: what is new, changed, gone?`
