package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/cluster"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/doctor"
	"orbweaver/internal/job"
	"orbweaver/server/door"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// studioFlags are the flags of orbweaver studio.
type studioFlags struct {
	listen, token, readToken, cert, key string
	budget, spare                       string
	hosts                               []string
	atOnce                              int
	withoutTLS                          bool
	framePort                           uint16
	cluster                             cluster.Shown
}

func newStudio(a *job.Job) *cobra.Command {
	var s studioFlags
	c := &cobra.Command{
		Use:   "studio [FOLDER]",
		Short: "Crawl in a browser: begin, watch, rate and search crawls; an API",
		Long: `Opens a workspace - a folder of crawl files, ontologies and crawls (default: the working directory) - in
a browser: begin crawls, watch and steer them, look at their pages and why each is there, search, ask,
export. The same by programs: an API at /api/v1, described at /api/v1/openapi.json.

Crawls run in this process, --at-once of them; more wait. Ctrl-C ends them in order, and they go on when
the workspace is opened again. Crawls that orbweaver crawl runs in the folder are shown and steered too.

Only this machine has access. Another --listen address asks for a token: --token gives all, --read-token
what changes nothing; @FILE reads one from a file. It also asks for TLS, or for --without-tls where
something before it encrypts.`,
		Example: `  orbweaver init work                                 a starter crawl file, if you like
  cd work && orbweaver studio                         at http://127.0.0.1:7979
  cd work && orbweaver studio --listen :0             at any free port

  # with a page of the nodes of a cluster
  cd work && orbweaver studio --cluster 127.0.0.1:4222

  # for other machines
  cd work && orbweaver studio --listen 192.0.2.7:7979 --token @token.txt --tls-cert cert.pem --tls-key key.pem`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return flags.Misused(c, "want one folder, have %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			return s.run(c, a, folder)
		},
	}
	f := c.Flags()
	f.StringVar(&s.listen, "listen", doctor.Studio, "`HOST:PORT`; without a HOST this machine's own; port 0 picks a free port")
	f.StringVar(&s.token, "token", "", "`token` that gives all; @FILE reads it")
	f.StringVar(&s.readToken, "read-token", "", "`token` that gives what changes nothing; @FILE reads it")
	f.StringVar(&s.cert, "tls-cert", "", "`file` with the certificate, in PEM")
	f.StringVar(&s.key, "tls-key", "", "`file` with its key")
	f.BoolVar(&s.withoutTLS, "without-tls", false, "serve other machines without TLS")
	f.Uint16Var(&s.framePort, "archived-port", 0, "`port` of archived pages, which have an origin of their own; 0 picks a free port")
	f.StringArrayVar(&s.hosts, "host", nil, "host `name` of this server that clients may use; may be repeated")
	f.IntVar(&s.atOnce, "at-once", 2, "crawls that run at the same time")
	f.StringVar(&s.budget, "budget", "", "`size` that the workspace may take on the disk, such as 50 GB; beyond, crawls pause")
	f.StringVar(&s.spare, "spare", "1 GB", "`size` to leave free on the disk; below, crawls pause")
	s.cluster.Flags(f)
	return c
}

// run opens the workspace and serves it until the context ends.
func (s studioFlags) run(c *cobra.Command, a *job.Job, folder string) (err error) {
	o, sizes, err := s.options(c)
	if err != nil {
		return err
	}
	var hangUp func()
	if o.Cluster, hangUp, err = s.cluster.Open(a); err != nil {
		return err
	}
	defer hangUp()
	if strings.HasPrefix(s.listen, ":") {
		s.listen = "127.0.0.1" + s.listen
	}
	var config net.ListenConfig
	l, err := config.Listen(c.Context(), "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w (%w)", s.listen, err, orbweaver.ErrInput)
	}
	if err := o.Check(l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	if o.Workspace, err = workspace.Open(folder, sizes); err != nil {
		return errors.Join(err, l.Close())
	}
	defer func() { err = errors.Join(err, o.Workspace.Close()) }()
	scheme := "http"
	if o.TLS != nil {
		scheme = "https"
	}
	console.Say(a.Out, "%s is open at %s://%s/", console.Relative(o.Workspace.Dir()), scheme, l.Addr())
	console.Say(a.Out, "Ctrl-C ends its crawls in order; they go on when it is opened again.")
	return studio.New(o).Serve(c.Context(), l)
}

// options reads tokens, certificates and sizes.
func (s studioFlags) options(c *cobra.Command) (o studio.Options, w workspace.Options, err error) {
	o = studio.Options{Hosts: s.hosts, Open: s.withoutTLS, FramePort: s.framePort}
	if s.atOnce < 1 {
		return o, w, flags.Misused(c, "--at-once is 1 or more, not %d", s.atOnce)
	}
	w.AtOnce = s.atOnce
	for text, size := range map[*string]*int64{&s.budget: &w.Budget, &s.spare: &w.Spare} {
		if *text == "" {
			continue
		}
		if *size, err = crawlfile.Size(*text); err != nil {
			return o, w, flags.Misused(c, "%q is no size such as 500 MB: %v", *text, err)
		}
	}
	if w.Spare == 0 {
		w.Spare = -1
	}
	if o.Token, err = door.Token(s.token); err == nil {
		o.ReadToken, err = door.Token(s.readToken)
	}
	if err != nil {
		return o, w, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if (s.cert == "") != (s.key == "") {
		return o, w, flags.Misused(c, "--tls-cert and --tls-key go together")
	}
	if s.cert != "" {
		pair, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return o, w, fmt.Errorf("--tls-cert %s: %w (%w)", s.cert, err, orbweaver.ErrInput)
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	}
	return o, w, nil
}
