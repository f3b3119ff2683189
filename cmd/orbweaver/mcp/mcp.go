// Package mcp is the verb mcp: a server of the Model Context Protocol, by which language models search crawls, read their pages, ask why a URL
// is in or out, and query what pages state. It answers by the same functions as the verbs search, explain and query.
//
// All that it does reads. What pages say was written by others: results say so, set it between marks that a page cannot know, and have no
// control characters. Answers are bounded in time and size.
//
// This package is not part of the stable API.
package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/built"
	"orbweaver/internal/job"
)

// options are those of the verb.
type options struct {
	listen, token string
	time          time.Duration
	rows          int64
}

// Command is the verb.
func Command(a *job.Job, b built.Build) *cobra.Command {
	o := options{time: 30 * time.Second, rows: 1000}
	c := &cobra.Command{
		Use:   "mcp DIR...",
		Short: "Let language models search and read crawls (Model Context Protocol)",
		Long: `Serves crawl folders to clients of the Model Context Protocol, over standard input and output, or with
--listen over HTTP (Streamable HTTP at /mcp). The crawls may be running. Nothing is changed, and nothing is
fetched from the Web. The tools:

  search   accepted pages by words, best first, with snippets
  page     the article of a page in Markdown, part by part
  explain  why a URL was fetched, or why not, as orbweaver explain
  query    SPARQL over what a crawl found; SERVICE reaches nothing

Each crawl is named like its folder; its state is a resource, crawl:///NAME. Text of pages is marked as
data of others: still, a model may take it for instructions, so give the client that has this server no tool
that does harm. --timeout limits each call, --max-rows the answer of a query.

--listen takes addresses of this machine only. Requests under other host names, and those of pages of other
origins, are refused. --token asks for it as a bearer token.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # a client starts the server by itself; in its configuration (mcpServers):
  #   "aircraft": {"command": "orbweaver", "args": ["mcp", "/home/me/crawls/aircraft"]}

  # over HTTP, for clients that take a URL: http://127.0.0.1:7979/mcp
  cd crawls && orbweaver mcp aircraft --listen 127.0.0.1:7979`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("mcp: want at least one crawl folder (%w)", orbweaver.ErrInput)
			case o.time <= 0 || o.rows <= 0:
				return fmt.Errorf("mcp: --timeout and --max-rows must be above 0 (%w)", orbweaver.ErrInput)
			case o.token != "" && o.listen == "":
				return fmt.Errorf("mcp: --token is for --listen (%w)", orbweaver.ErrInput)
			}
			s, err := newServer(a, b, args, o)
			if err != nil {
				return err
			}
			if o.listen != "" {
				return s.serve(c.Context(), a)
			}
			return s.run(c.Context(), a.In, a.Out)
		},
	}
	c.Flags().StringVar(&o.listen, "listen", "", "serve over HTTP at `HOST:PORT` of this machine; port 0 picks a free port")
	c.Flags().StringVar(&o.token, "token", "", "with --listen: clients must give this bearer `token`; @FILE reads it")
	c.Flags().DurationVar(&o.time, "timeout", o.time, "time limit of a call")
	c.Flags().Int64Var(&o.rows, "max-rows", o.rows, "maximum rows or triples of a query's answer; beyond, an error")
	return c
}

// A server answers about crawls.
type server struct {
	options
	job    *job.Job
	crawls []*folder
	mark   string // around text of pages, unknown to these
	sdk    *sdk.Server
}

// A folder is one crawl.
type folder struct {
	name, dir string
	crawl     *crawl.Crawl
	turn      chan struct{} // one call at a time: a crawl at rest is opened by one process and one call
}

func newServer(a *job.Job, b built.Build, dirs []string, o options) (*server, error) {
	quiet := *a
	quiet.Out, quiet.In = io.Discard, strings.NewReader("") // they are the protocol's
	s := &server{options: o, job: &quiet, mark: rand.Text()[:12]}
	for _, dir := range dirs {
		c, err := crawl.Open(dir, crawl.On(&quiet))
		if err != nil {
			return nil, err
		}
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(whole)
		if slices.ContainsFunc(s.crawls, func(f *folder) bool { return f.name == name }) {
			return nil, fmt.Errorf("mcp: two folders are named %s: rename one (%w)", name, orbweaver.ErrInput)
		}
		s.crawls = append(s.crawls, &folder{name, dir, c, make(chan struct{}, 1)})
	}
	s.sdk = s.protocol(cmp.Or(b.Version, "unversioned"))
	return s, nil
}

// run answers one client until it closes its end or ctx ends; neither is an error.
func (s *server) run(ctx context.Context, in io.Reader, out io.Writer) error {
	closed, ok := in.(io.ReadCloser)
	if !ok {
		closed = io.NopCloser(in)
	}
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: closed, Writer: keptOpen{out}})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// keptOpen is a writer whose Close does nothing.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
