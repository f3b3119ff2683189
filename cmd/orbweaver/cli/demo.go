package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/examples"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

func newDemo(a *job.Job) *cobra.Command {
	closed := false
	c := &cobra.Command{
		Use:   "demo",
		Short: "Crawl the demo web that the program carries, and open its report",
		Long: `Runs the first crawl of README.md from the program alone, without a network: 200 requests to a web of
31 hosts, most of them about gardens, kitchens and plane trees, that find 77 of its 90 pages about
aircraft. The crawl file, its ontology, the web and the result are in a temporary folder, which stays.

On a terminal of a desktop it opens the report in a browser, unless --no-open.`,
		Example: `  orbweaver demo
  orbweaver demo --no-open`,
		Args: flags.Exactly(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			folder, err := os.MkdirTemp("", "orbweaver-demo-")
			if err != nil {
				return err
			}
			console.Say(a.Err, "crawling the demo web in %s ...", folder)
			one, err := demoIn(folder, crawl.On(a))
			if err != nil {
				return err
			}
			if err := runCrawl(c.Context(), a, 0, func() (*crawl.Crawl, error) { return one, nil }); err != nil {
				return err
			}
			report := filepath.Join(one.Folder(), "report.html")
			console.Say(a.Out, "\nThe report is %s.", report)
			console.Say(a.Out, "The demo wrote into %s alone: `orbweaver studio %s` opens it; remove it at any time.", folder, folder)
			if !closed && a.Person {
				openPage(c, report)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&closed, "no-open", false, "open no browser")
	return c
}

// demoIn writes the files of the demo crawl into a folder, which a studio can open, and loads it.
func demoIn(folder string, options ...crawl.Option) (*crawl.Crawl, error) {
	if err := os.CopyFS(folder, examples.Demo); err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	file := filepath.Join(folder, "aircraft.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	text = bytes.ReplaceAll(text, []byte("output: ../crawls/"), []byte("output: crawls/"))
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	return crawl.Load(file, options...)
}

// openPage opens a file in the browser of the desktop, if this is one, and does not wait for it. A browser that cannot be
// started is no failure: the path has been printed.
func openPage(c *cobra.Command, file string) {
	var command []string
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		command = []string{"open"}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
		command = []string{"xdg-open"}
	}
	browser := exec.CommandContext(context.WithoutCancel(c.Context()), command[0], append(command[1:], file)...)
	if err := browser.Start(); err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "the report could not be opened in a browser: %v\n", err)
	}
}
