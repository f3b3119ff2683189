package cluster

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/local"
	"orbweaver/internal/cluster/node"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

// reaching calls do with a client of the cluster that the flags of a verb name; done is false if they name none.
func (w *way) reaching(ctx context.Context, a *job.Job, args []string, do func(*node.Client) error) (done bool, err error) {
	if w.url == "" || len(args) == 0 {
		return false, nil
	}
	client, err := w.dial(ctx, a)
	if err != nil {
		return true, err
	}
	defer client.Close()
	return true, do(client)
}

// Reaching lets a verb that takes a crawl folder take a crawl of a cluster instead, by --cluster HOST:PORT and its name: what the nodes have is gathered into a folder of this machine first.
func Reaching(a *job.Job, c *cobra.Command) *cobra.Command {
	w := within(c)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		_, err := w.reaching(c.Context(), a, args, func(client *node.Client) error {
			folder, err := client.Folder(c.Context(), args[0])
			args = append([]string{folder}, args[1:]...)
			return err
		})
		if err != nil {
			return err
		}
		return run(c, args)
	}
	return c
}

// A Reach is who runs a crawl beside this process: a cluster, or more processes of this machine.
type Reach struct {
	way
	processes int
}

// Flags adds the flags that name it.
func (r *Reach) Flags(c *cobra.Command) {
	c.Flags().StringVar(&r.url, "cluster", "", "give the crawl to the cluster at `HOST:PORT`: see orbweaver cluster")
	r.flags(c.Flags())
	c.Flags().IntVar(&r.processes, "processes", 1, "share the crawl among `N` processes of this machine")
}

// Used reports whether the flags name any.
func (r *Reach) Used() bool { return r.url != "" || r.processes != 1 }

// Crawl runs a session of a crawl by a cluster, or by several processes, if the flags say so, and prints the summary.
func (r *Reach) Crawl(ctx context.Context, a *job.Job, file string, refresh time.Duration) (done bool, err error) {
	switch {
	case !r.Used():
		return false, nil
	case refresh > 0:
		return true, fmt.Errorf("--refresh is done by one process (%w)", orbweaver.ErrInput)
	case r.url != "" && r.processes != 1:
		return true, fmt.Errorf("--processes and --cluster exclude each other (%w)", orbweaver.ErrInput)
	}
	sum, err := r.run(ctx, a, assembly.FromFile(a, file))
	if sum != nil {
		view.PrintSummary(a.Out, a.Columns(), sum)
	}
	return true, err
}

func (r *Reach) run(ctx context.Context, a *job.Job, from assembly.Source) (*assembly.Summary, error) {
	if r.url == "" {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return local.Run(ctx, a, from, r.processes, []string{program, worker})
	}
	client, err := r.dial(ctx, a)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Run(ctx, from)
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
		done, err := w.reaching(c.Context(), a, args, func(client *node.Client) error { return steer(c.Context(), a, c, client, args) })
		if !done {
			return run(c, args)
		}
		return err
	}
	return c
}

func steer(ctx context.Context, a *job.Job, c *cobra.Command, client *node.Client, args []string) error {
	crawl := args[0]
	switch c.Name() {
	case "status":
		s, err := client.Status(ctx, crawl)
		if err != nil && s.Nodes == 0 { // nobody has told anything
			return err
		}
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
