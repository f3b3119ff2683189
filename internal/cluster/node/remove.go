package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/console"
)

// Remove removes a crawl from the cluster: its notice, its files and messages, what its storage has of it, and the folder of it at each node. It refuses while the crawl runs, and,
// unless force is set, while a node that has a part of it is away. Such a node removes its folder when it is begun again; stay are their names.
func (c *Client) Remove(ctx context.Context, crawl string, force bool) (stay []string, err error) {
	n, err := c.notice(ctx, crawl)
	if err != nil {
		if revision, _ := c.board.Noted(ctx, crawl, &n); revision == 0 { // one that was begun to be removed is known
			return nil, err
		}
	}
	have, away, err := c.having(ctx, crawl, n)
	if err != nil {
		return nil, err
	}
	if len(away) > 0 && !force {
		return nil, fmt.Errorf("%s: nodes that have a part of the crawl are away: %s: begin them again, or add --force; they remove what they have when they are there again (%w)",
			crawl, strings.Join(away, ", "), orbweaver.ErrBusy)
	}
	err = change(ctx, c.board, crawl, func(n *Notice) error {
		if n.State == Runs {
			return fmt.Errorf("%s: the crawl runs: end it first with orbweaver stop %s --cluster (%w)", crawl, crawl, orbweaver.ErrBusy)
		}
		n.State = Gone
		n.Away = slices.Compact(slices.Sorted(slices.Values(slices.Concat(n.Away, have, away))))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, node := range have {
		within, cancel := context.WithTimeout(ctx, answerTime)
		if err := ask(within, c.board, node, question{Do: "remove", Crawl: crawl}, nil); err != nil {
			errs = append(errs, fmt.Errorf("node %s: %w", node, err))
		}
		cancel()
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if n.Cluster.Storage != "" {
		if err := record.Remove(ctx, n.Cluster.Storage, crawl); err != nil {
			if !force {
				return nil, err
			}
			console.Say(c.j.Err, "warning: what the storage has of crawl %s stays there: %v", crawl, err)
		}
	}
	err = c.board.RemoveCrawl(ctx, crawl)
	err = errors.Join(err, c.dropFile(ctx, crawl, n.Files)) // all that can go goes
	err = errors.Join(err, removeCached(crawl, n))
	if err != nil {
		return away, err // the notice stays, for another try
	}
	return away, cleared(ctx, c.board, crawl, have)
}

// having returns the nodes that are there, any of which may have a part of a crawl, and those that are away and have one.
func (c *Client) having(ctx context.Context, crawl string, n Notice) (there, away []string, err error) {
	if there, err = c.nodes(ctx); err != nil {
		return nil, nil, err
	}
	workers, err := c.board.WorkersOf(ctx, crawl)
	if err != nil {
		return nil, nil, err
	}
	have := slices.Clone(n.Away)
	for _, worker := range workers {
		have = append(have, strings.TrimPrefix(worker, crawl+"-"))
	}
	for _, node := range slices.Sorted(slices.Values(have)) {
		if !slices.Contains(there, node) && !slices.Contains(away, node) {
			away = append(away, node)
		}
	}
	return there, away, nil
}

// dropFile removes the file of a crawl that is removed, unless another crawl has the same.
func (c *Client) dropFile(ctx context.Context, crawl, file string) error {
	all, err := c.notices(ctx)
	if err != nil || file == "" {
		return err
	}
	for name, n := range all {
		if name != crawl && n.Files == file {
			return nil
		}
	}
	return c.board.RemoveFile(ctx, file)
}

// removeCached removes what was gathered of a crawl for looks on this machine.
func removeCached(crawl string, n Notice) error {
	base, err := cached(n)
	if err != nil {
		return err
	}
	return os.RemoveAll(base)
}

// cleared notes that nodes have no folder of a removed crawl any more, and removes the notice of a crawl of which no node has one.
func cleared(ctx context.Context, b *bus.Bus, crawl string, nodes []string) error {
	for {
		var n Notice
		revision, err := b.Noted(ctx, crawl, &n)
		if err != nil || revision == 0 {
			return err
		}
		n.Away = slices.DeleteFunc(n.Away, func(node string) bool { return slices.Contains(nodes, node) })
		if n.State == Gone && len(n.Away) == 0 {
			err = b.Unnote(ctx, crawl, revision)
		} else {
			_, err = b.Note(ctx, crawl, n, revision)
		}
		if !errors.Is(err, bus.ErrChanged) {
			return err
		}
	}
}

// remove removes this node's folder of a crawl that does not run any more.
func (n *Node) remove(ctx context.Context, crawl string) error {
	n.mu.Lock()
	w := n.works[crawl]
	n.mu.Unlock()
	if w != nil {
		w.stop()
		select {
		case <-w.done:
		case <-ctx.Done():
			return fmt.Errorf("its session of the crawl has not ended yet: try again (%w)", orbweaver.ErrBusy)
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if now := n.works[crawl]; now != nil && now != w {
		return fmt.Errorf("the crawl was begun again (%w)", orbweaver.ErrBusy)
	}
	return n.removeFolder(crawl)
}

// removeFolder is remove for a crawl of which no session runs. It is called with the lock.
func (n *Node) removeFolder(crawl string) error {
	if err := os.RemoveAll(filepath.Join(n.o.Folder, "crawls", crawl)); err != nil {
		return err
	}
	delete(n.works, crawl)
	return nil
}

// removeLate removes the folder of a crawl that was removed while this node was away. It is called with the lock.
func (n *Node) removeLate(ctx context.Context, crawl string) {
	if w := n.works[crawl]; w != nil && !w.over() {
		w.stop()
		return
	}
	err := n.removeFolder(crawl)
	if err == nil {
		within, cancel := context.WithTimeout(ctx, lookPause)
		defer cancel()
		err = cleared(within, n.board, crawl, []string{n.o.Name})
	}
	if err != nil && ctx.Err() == nil {
		n.say("crawl %s was removed: %v", crawl, err)
	}
}

// A Given is a crawl that a cluster has.
type Given struct {
	Crawl string `json:"crawl"`
	Notice
	Kept bus.Kept `json:"kept"` // messages on the bus
}

// Crawls returns the crawls that the cluster has, by name.
func (c *Client) Crawls(ctx context.Context) (all []Given, err error) {
	notices, err := c.notices(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(notices)) {
		g := Given{Crawl: name, Notice: notices[name]}
		if g.Kept, err = c.board.Kept(ctx, name); err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}
