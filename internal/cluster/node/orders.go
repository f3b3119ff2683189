package node

import (
	"context"
	"os"
	"path/filepath"

	"orbweaver/internal/cluster/local"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
)

// Exclude narrows the scope of a crawl for good at all its workers: at those that run, before it returns; later at those that are away or come. sum counts the waiting requests of those that run.
func (c *Client) Exclude(ctx context.Context, crawl string, e inspect.Exclusion) (sum inspect.Excluded, err error) {
	if err := local.CheckExclusion(e.Patterns); err != nil {
		return sum, err
	}
	if _, err := c.notice(ctx, crawl); err != nil {
		return sum, err
	}
	if !e.Preview {
		if err := c.order(ctx, crawl, local.Order{Exclude: e.Patterns}); err != nil {
			return sum, err
		}
	}
	sum.Examples = []string{}
	err = c.each(ctx, func(ctx context.Context, node string) error {
		var one inspect.Excluded
		err := ask(ctx, c.board, node, question{Do: "exclude", Crawl: crawl, Exclusion: &e}, &one)
		if err == nil {
			sum = local.Sum(sum, one)
		}
		return err
	})
	return sum, err
}

// SetLimits changes the limits of a crawl until it is given again. Its workers take them up within seconds.
func (c *Client) SetLimits(ctx context.Context, crawl string, l inspect.Limits) error {
	n, err := c.notice(ctx, crawl)
	if err != nil {
		return err
	}
	file, err := c.fileOf(ctx, n)
	if err == nil {
		err = local.CheckLimits(file, l)
	}
	if err != nil {
		return err
	}
	return c.order(ctx, crawl, local.Order{Limits: &l})
}

// order adds an order to those of a crawl.
func (c *Client) order(ctx context.Context, crawl string, o local.Order) error {
	return change(ctx, c.board, crawl, func(n *Notice) error {
		n.Orders.Add(o)
		return nil
	})
}

// fileOf returns the crawl file of a crawl that the cluster has. The files that it names are not there.
func (c *Client) fileOf(ctx context.Context, n Notice) (*crawlfile.Crawl, error) {
	body, err := c.board.File(ctx, n.Files)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "orbweaver-cluster-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := unpack(body, folder, folder); err != nil {
		return nil, err
	}
	return c.j.Schema().Load(filepath.Join(folder, crawlfolder.RunFile))
}
