package cluster

import (
	"context"
	"sync"

	"github.com/spf13/pflag"

	"orbweaver/crawl"
	"orbweaver/internal/cluster/node"
	"orbweaver/internal/job"
	"orbweaver/studio/nodes"
)

// A Shown is the cluster that the studio shows.
type Shown struct{ way }

// Flags adds the flags that name it. Those of the certificate that a cluster may want are called so that the studio's own keep their names.
func (s *Shown) Flags(f *pflag.FlagSet) {
	f.StringVar(&s.url, "cluster", "", "show the cluster at `HOST:PORT`: see orbweaver cluster")
	f.StringVar(&s.credentials, "credentials", "", "`file` with the cluster's token, or USER:PASSWORD")
	f.StringVar(&s.tls.CA, "tls-ca", "", "`file` with the certificate of who signed those of the cluster")
	f.StringVar(&s.tls.Certificate, "cluster-tls-cert", "", "`file` with the studio's certificate for the cluster, where it wants one")
	f.StringVar(&s.tls.Key, "cluster-tls-key", "", "`file` with the key of --cluster-tls-cert")
}

// Open returns the cluster, and what ends the connection to it; a nil Watch if no flag names one. It is dialled when somebody looks: the
// studio begins without it, too.
func (s *Shown) Open(a *job.Job) (*nodes.Watch, func(), error) {
	if s.url == "" {
		return nil, func() {}, nil
	}
	access, err := s.access()
	if err != nil {
		return nil, nil, err
	}
	l := &line{j: a, access: access}
	return nodes.New(s.url, l), l.close, nil
}

// A line to a cluster is dialled when it is needed first.
type line struct {
	j      *job.Job
	access node.Access

	mu     sync.Mutex // held while it is dialled: the bus goes on connecting by itself later
	client *node.Client
}

func (l *line) dial(ctx context.Context) (*node.Client, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != nil {
		return l.client, nil
	}
	client, err := node.Dial(ctx, l.j, l.access)
	if err != nil {
		return nil, err
	}
	l.client = client
	return client, nil
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != nil {
		l.client.Close()
	}
}

// Nodes implements nodes.Cluster.
func (l *line) Nodes(ctx context.Context) ([]nodes.Node, error) {
	client, err := l.dial(ctx)
	if err != nil {
		return nil, err
	}
	figures, err := client.Nodes(ctx)
	return nodesOf(figures), err
}

// Drain implements nodes.Cluster.
func (l *line) Drain(ctx context.Context, name string) error {
	client, err := l.dial(ctx)
	if err != nil {
		return err
	}
	return client.Drain(ctx, name)
}

// Status implements nodes.Cluster.
func (l *line) Status(ctx context.Context, name string) (crawl.Status, error) {
	client, err := l.dial(ctx)
	if err != nil {
		return crawl.Status{}, err
	}
	return client.Status(ctx, name)
}

// nodesOf are figures as the studio has them.
func nodesOf(figures []node.Figures) (all []nodes.Node) {
	for _, f := range figures {
		n := nodes.Node{Name: f.Node, Version: f.Version, Began: f.Began, Server: f.Server, Present: f.Present, Draining: f.Draining}
		for _, c := range f.Crawls {
			n.Works = append(n.Works, nodes.Work{Crawl: c.Crawl, Runs: c.Runs, Error: c.Error, Partitions: c.Partitions, Moving: c.Moving, Lag: c.Outbox})
		}
		all = append(all, n)
	}
	return all
}
