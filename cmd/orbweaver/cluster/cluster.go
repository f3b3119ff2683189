// Package cluster has the verbs of crawls that several workers share.
//
// This package is not part of the stable API.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/local"
	"orbweaver/internal/cluster/node"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// worker is the argument of a process that `crawl --processes` starts. It is no verb: people do not type it.
const worker = "worker-process"

// Execute executes a command line, also that of such a process.
func Execute(ctx context.Context, a *job.Job, root *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == worker {
		return local.Work(ctx, a, a.In, a.Out)
	}
	return root.ExecuteContext(ctx)
}

// Command returns the verb cluster.
func Command(a *job.Job) *cobra.Command { return newCluster(a) }

// A way is how a cluster is reached, as flags say it.
type way struct {
	url, credentials string
	tls              bus.TLS
}

// flags adds those of a way.
func (w *way) flags(f *pflag.FlagSet) {
	f.StringVar(&w.credentials, "credentials", "", "`file` with the cluster's token, or USER:PASSWORD")
	f.StringVar(&w.tls.CA, "tls-ca", "", "`file` with the certificate of who signed those of the cluster")
	f.StringVar(&w.tls.Certificate, "tls-cert", "", "`file` with this side's certificate, where the cluster wants one")
	f.StringVar(&w.tls.Key, "tls-key", "", "`file` with its key")
}

// access reads what the flags name.
func (w *way) access() (a node.Access, err error) {
	a.TLS = w.tls
	for url := range strings.SplitSeq(w.url, ",") {
		if url = strings.TrimSpace(url); url == "" {
			continue
		}
		if !strings.Contains(url, "://") {
			url = "nats://" + url
		}
		a.URLs = append(a.URLs, url)
	}
	if w.credentials == "" {
		return a, nil
	}
	text, err := os.ReadFile(w.credentials)
	if err != nil {
		return a, fmt.Errorf("--credentials: %w (%w)", err, orbweaver.ErrInput)
	}
	line := strings.TrimSpace(string(text))
	if line == "" {
		return a, fmt.Errorf("--credentials: %s is empty (%w)", w.credentials, orbweaver.ErrInput)
	}
	user, password, both := strings.Cut(line, ":")
	if both {
		a.User, a.Password = user, password
	} else {
		a.Token = line
	}
	return a, nil
}

// dial reaches the cluster.
func (w *way) dial(ctx context.Context, a *job.Job) (*node.Client, error) {
	access, err := w.access()
	if err != nil {
		return nil, err
	}
	return node.Dial(ctx, a, access)
}

// exactly requires n arguments; what describes them.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("%s: want %s, have %d arguments: see %s --help (%w)", c.Name(), what, len(args), c.CommandPath(), orbweaver.ErrInput)
		}
		return nil
	}
}

const clusterHelp = `Makes this machine a node of a cluster, which crawls what people give it by orbweaver crawl FILE
--cluster HOST:PORT. Each node works on the hosts of a part of the partitions of each crawl; one
that joins takes its share, one that is drained leaves nothing behind.

DIR is the node's folder. The first node needs nothing else. Of three machines each names all:
--join a:6222,b:6222,c:6222, and the bus goes on when one of them is down. --nats URL uses a NATS
server of your own (2.12.2 or later, with JetStream) instead.

Beyond this machine, a node wants --credentials, a file with a token or USER:PASSWORD, and
--tls-cert and --tls-key; who does not have them is refused.

Ctrl-C stops the node; its crawls go on when it is begun again. orbweaver cluster drain moves
what it has to others first. docs/howto/cluster.md has three machines step by step.`

func newCluster(a *job.Job) *cobra.Command {
	o := node.Options{}
	server := bus.ServerOptions{}
	w, join, own := way{}, []string{}, ""
	c := &cobra.Command{
		Use:   "cluster DIR",
		Short: "Run a node of a cluster: many machines crawl together",
		Long:  clusterHelp,
		Example: `  # a cluster of one node
  orbweaver cluster nodes/a --name a

  # the second of three machines, with a token, TLS and a page of figures
  orbweaver cluster nodes/b --name b --listen 10.0.0.2:4222 --join 10.0.0.1:6222,10.0.0.2:6222,10.0.0.3:6222 --credentials token --tls-cert b.pem --tls-key b.key --tls-ca ca.pem --status 127.0.0.1:7400

  # what the nodes do, and one that is to leave
  orbweaver cluster status 127.0.0.1:4222
  orbweaver cluster drain 127.0.0.1:4222 b`,
		Args: exactly(1, "one folder"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			w.url = own
			if o.Access, err = w.access(); err != nil {
				return err
			}
			version, _, _ := strings.Cut(c.Root().Version, " ")
			o.Program = bus.Program{Version: version, Speaks: node.Messages}
			if o.Folder, err = filepath.Abs(args[0]); err != nil {
				return err
			}
			if o.Name == "" {
				o.Name = hostName()
			}
			if own == "" {
				if len(join) >= 3 && o.Replicas == 0 {
					o.Replicas = 3
				}
				if o.Server, err = serverOf(server, o, join); err != nil {
					return err
				}
			}
			if a.Crawling != nil {
				a.Crawling()
			}
			return node.Run(c.Context(), a, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Name, "name", "", "the node's `name`, unique in the cluster, the same at each start (default: this machine's)")
	f.StringVar(&server.Listen, "listen", "127.0.0.1:4222", "`HOST:PORT` for clients and workers")
	f.StringVar(&server.Cluster.Listen, "listen-nodes", "", "`HOST:PORT` for the servers of other nodes (default: the host of --listen, port 6222)")
	f.StringSliceVar(&join, "join", nil, "`HOST:PORT` for servers of all nodes that have one, comma-separated, this one among them")
	f.StringVar(&own, "nats", "", "`URL` of a NATS server of your own: the node begins none")
	f.IntVar(&o.Replicas, "replicas", 0, "servers that keep each message and entry: 1, 3 or 5 (default: 3 of three nodes or more)")
	f.StringVar(&o.Status, "status", "", "`HOST:PORT` at which GET /status, /metrics and /healthz answer")
	w.flags(f)
	c.AddCommand(newNodes(a), newDrain(a), newRemove(a), newExclude(a), newLimits(a))
	return c
}

// hostName is the machine's name as one of a node.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "node"
	}
	name, _, _ = strings.Cut(name, ".")
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}

// serverOf is the node's own server. One that others reach needs credentials and a certificate.
func serverOf(s bus.ServerOptions, o node.Options, join []string) (*bus.ServerOptions, error) {
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: HOST:PORT (%w)", s.Listen, orbweaver.ErrInput)
	}
	ip := net.ParseIP(host)
	beyond := host != "localhost" && (ip == nil || !ip.IsLoopback())
	switch {
	case beyond && o.Token == "" && o.User == "":
		return nil, fmt.Errorf("--listen %s: others reach this node: name a file with credentials, --credentials FILE (%w)", s.Listen, orbweaver.ErrInput)
	case beyond && o.TLS.Certificate == "":
		return nil, fmt.Errorf("--listen %s: others reach this node: name its certificate, --tls-cert FILE --tls-key FILE (%w)", s.Listen, orbweaver.ErrInput)
	}
	s.Name, s.Folder = o.Name, filepath.Join(o.Folder, "nats")
	s.User, s.Password, s.Token, s.TLS = o.User, o.Password, o.Token, o.TLS
	s.SyncAlways = len(join) > 0
	if len(join) == 0 {
		s.Cluster.Listen = ""
		return &s, nil
	}
	if s.Cluster.Listen == "" {
		s.Cluster.Listen = net.JoinHostPort(host, "6222")
	}
	s.Cluster.Name, s.Cluster.Routes = "orbweaver", join
	return &s, nil
}

func newNodes(a *job.Job) *cobra.Command {
	w, format := way{}, ""
	c := &cobra.Command{
		Use:   "status HOST:PORT",
		Short: "Show the nodes of a cluster, and which partitions of which crawl each has",
		Example: `  orbweaver cluster status 127.0.0.1:4222
  orbweaver cluster status 127.0.0.1:4222 --format json`,
		Args: exactly(1, "HOST:PORT of a node"),
		RunE: func(c *cobra.Command, args []string) error {
			w.url = args[0]
			client, err := w.dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			nodes, err := client.Nodes(c.Context())
			if format == "json" {
				return errors.Join(err, console.WriteJSON(a.Out, nodes))
			}
			printNodes(a.Out, nodes)
			crawls, problem := client.Crawls(c.Context())
			printCrawls(a.Out, crawls)
			return errors.Join(err, problem)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	w.flags(c.Flags())
	return c
}

func newDrain(a *job.Job) *cobra.Command {
	w := way{}
	c := &cobra.Command{
		Use:   "drain HOST:PORT NODE",
		Short: "Have a node of a cluster give all that it has to others, and end",
		Long: `The node's partitions go to other nodes with all that is known of them, its results go to one of
them, and then its process ends: nothing that it had is missing.`,
		Example: `  orbweaver cluster drain 127.0.0.1:4222 b`,
		Args:    exactly(2, "HOST:PORT of a node and the name of one"),
		RunE: func(c *cobra.Command, args []string) error {
			w.url = args[0]
			client, err := w.dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			return client.Drain(c.Context(), args[1])
		},
	}
	w.flags(c.Flags())
	return c
}

func newRemove(a *job.Job) *cobra.Command {
	w, force := way{}, false
	c := &cobra.Command{
		Use:   "remove HOST:PORT CRAWL",
		Short: "Remove a crawl from a cluster, and what each node has of it",
		Long: `Removes a crawl that is over or stopped: what the bus, the storage and each node have of it. The crawl
folder that was gathered stays. With a node away that has a part of the crawl it refuses; with --force
it does not, and that node removes its part when it is begun again.`,
		Example: `  orbweaver stop live --cluster 127.0.0.1:4222
  orbweaver cluster remove 127.0.0.1:4222 live`,
		Args: exactly(2, "HOST:PORT of a node and the name of a crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			w.url = args[0]
			client, err := w.dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			stay, err := client.Remove(c.Context(), args[1], force)
			for _, node := range stay {
				console.Say(a.Err, "node %s is away: its folder crawls/%s stays until the node is begun again, which removes it", node, args[1])
			}
			return err
		},
	}
	c.Flags().BoolVar(&force, "force", false, "also while nodes that have a part of the crawl, or its storage, are away")
	w.flags(c.Flags())
	return c
}
