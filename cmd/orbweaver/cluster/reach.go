package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/node"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

// Reaching lets a verb that takes a crawl folder take a crawl of a cluster instead, by --cluster HOST:PORT and its name: what the nodes have is gathered into a folder of this machine first.
func Reaching(a *job.Job, c *cobra.Command) *cobra.Command {
	w := within(c)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if w.url == "" || len(args) == 0 {
			return run(c, args)
		}
		client, err := w.dial(c.Context(), a)
		if err != nil {
			return err
		}
		defer client.Close()
		folder, err := client.Folder(c.Context(), args[0])
		if err != nil {
			return err
		}
		return run(c, append([]string{folder}, args[1:]...))
	}
	return c
}

// A Reach is the cluster to which a crawl is given.
type Reach struct{ way }

// Flags adds the flags that name it.
func (r *Reach) Flags(c *cobra.Command) {
	c.Flags().StringVar(&r.url, "cluster", "", "give the crawl to the cluster at `HOST:PORT`: see orbweaver cluster")
	r.flags(c.Flags())
}

// Crawl gives a crawl to the cluster, if one is named, and prints the summary when it is over.
func (r *Reach) Crawl(ctx context.Context, a *job.Job, file string, refresh time.Duration) (done bool, err error) {
	if r.url == "" {
		return false, nil
	}
	if refresh > 0 {
		return true, fmt.Errorf("--refresh is done by one process, not by a cluster (%w)", orbweaver.ErrInput)
	}
	client, err := r.dial(ctx, a)
	if err != nil {
		return true, err
	}
	defer client.Close()
	sum, err := client.Run(ctx, assembly.FromFile(a, file))
	if sum != nil {
		view.PrintSummary(a.Out, a.Columns(), sum)
	}
	return true, err
}

// within adds the flags of a way to a verb.
func within(c *cobra.Command) *way {
	w := &way{}
	c.Flags().StringVar(&w.url, "cluster", "", "the crawl of this name in the cluster at `HOST:PORT`, in place of a folder")
	w.flags(c.Flags())
	return w
}

// Steering lets one of the verbs status, pause, resume, stop and add reach a crawl of a cluster.
func Steering(a *job.Job, c *cobra.Command) *cobra.Command {
	w := within(c)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if w.url == "" || len(args) == 0 {
			return run(c, args)
		}
		client, err := w.dial(c.Context(), a)
		if err != nil {
			return err
		}
		defer client.Close()
		return steer(c.Context(), a, c, client, args)
	}
	return c
}

func steer(ctx context.Context, a *job.Job, c *cobra.Command, client *node.Client, args []string) error {
	crawl := args[0]
	switch c.Name() {
	case "status":
		s, err := client.Status(ctx, crawl)
		if format := c.Flags().Lookup("format"); format != nil && format.Value.String() == "json" {
			return view.StatusJSON(a.Out, s)
		}
		if s.Name != "" {
			view.Status(a.Out, s)
		}
		return err
	case "stop":
		return client.Stop(ctx, crawl)
	case "add":
		for _, url := range args[1:] {
			added, err := client.Add(ctx, crawl, url)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Out, "%s: %s\n", added.URL, added.Result)
			if added.Refused() {
				return fmt.Errorf("%s: %s (%w)", added.URL, added.Result, orbweaver.ErrInput)
			}
		}
		return nil
	}
	return client.Steer(ctx, crawl, c.Name())
}
