package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/cluster/local"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/recording"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A Client speaks with the nodes of a cluster.
type Client struct {
	j     *job.Job
	board *bus.Bus
	kept  []*record.Record // that are open
}

// How long servers are waited for, and a node is.
const (
	dialTime   = 15 * time.Second
	answerTime = 20 * time.Second
	showPause  = time.Second
)

// Dial reaches a cluster. The error wraps orbweaver.ErrInput if there is none at the URLs, or it refuses the credentials.
func Dial(ctx context.Context, j *job.Job, a Access) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	b, err := bus.Dial(ctx, a.options(board, fmt.Sprintf("client-%d-%d", os.Getpid(), time.Now().UnixNano()), 1))
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no cluster answers at %s: %w (%w)", strings.Join(a.URLs, ", "), err, orbweaver.ErrInput)
	}
	if err != nil {
		return nil, told(err)
	}
	return &Client{j: j, board: b}, nil
}

// Close ends the connection.
func (c *Client) Close() {
	for _, r := range c.kept {
		_ = r.Close() // it was only read
	}
	c.board.Close()
}

// nodes returns the names of the nodes that are there.
func (c *Client) nodes(ctx context.Context) (names []string, err error) {
	if _, err := c.board.Owners(ctx); err != nil {
		return nil, err
	}
	for _, m := range c.board.Members() {
		if m.Live {
			names = append(names, m.Worker)
		}
	}
	if others := deaf(c.board.Members(), "", Messages); len(others) > 0 {
		return nil, fmt.Errorf("this program (%s) speaks version %d of the messages of a cluster; %s: use a program of their version (%w)", server.Version(), Messages, spoken(others), orbweaver.ErrInput)
	}
	if len(names) == 0 {
		err = fmt.Errorf("the cluster has no nodes: begin one by orbweaver cluster (%w)", orbweaver.ErrInput)
	}
	return names, err
}

// each asks all nodes that are there.
func (c *Client) each(ctx context.Context, do func(ctx context.Context, node string) error) error {
	names, err := c.nodes(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		within, cancel := context.WithTimeout(ctx, answerTime)
		if err := do(within, name); err != nil {
			errs = append(errs, fmt.Errorf("node %s: %w", name, err))
		}
		cancel()
	}
	return errors.Join(errs...)
}

// Nodes returns what the nodes tell of themselves.
func (c *Client) Nodes(ctx context.Context) (all []Figures, err error) {
	err = c.each(ctx, func(ctx context.Context, node string) error {
		var f Figures
		err := ask(ctx, c.board, node, question{Do: "figures"}, &f)
		if err == nil {
			all = append(all, f)
		}
		return err
	})
	return all, err
}

// Drain has a node give all that it has to others, and end.
func (c *Client) Drain(ctx context.Context, node string) error {
	names, err := c.nodes(ctx)
	switch {
	case err != nil:
		return err
	case !slices.Contains(names, node):
		return fmt.Errorf("the cluster has no node %s; it has %v (%w)", node, names, orbweaver.ErrInput)
	case len(names) == 1:
		return fmt.Errorf("node %s is the only one: no other can take what it has; stop it by Ctrl-C, it goes on later (%w)", node, orbweaver.ErrInput)
	}
	return ask(ctx, c.board, node, question{Do: "drain"}, nil)
}

// notices returns those of all crawls, by name, but of those that are removed.
func (c *Client) notices(ctx context.Context) (map[string]Notice, error) {
	texts, err := c.board.Notes(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]Notice{}
	for name, text := range texts {
		var n Notice
		if err := json.Unmarshal(text, &n); err != nil {
			return nil, fmt.Errorf("notice of crawl %s: %w", name, err)
		}
		if n.State != Gone {
			all[name] = n
		}
	}
	return all, nil
}

// notice returns the notice of a crawl.
func (c *Client) notice(ctx context.Context, crawl string) (n Notice, err error) {
	revision, err := c.board.Noted(ctx, crawl, &n)
	if err != nil && !errors.Is(err, bus.ErrName) || revision > 0 && n.State != Gone {
		return n, err
	}
	all, err := c.notices(ctx)
	if err != nil {
		return n, err
	}
	has := "it has none"
	if len(all) > 0 {
		has = "it has " + strings.Join(slices.Sorted(maps.Keys(all)), ", ")
	}
	return n, fmt.Errorf("the cluster knows no crawl %s; %s (%w)", crawl, has, orbweaver.ErrInput)
}

// Status returns the status of a crawl: the sum of those of all nodes.
func (c *Client) Status(ctx context.Context, crawl string) (server.Status, error) {
	n, err := c.notice(ctx, crawl)
	if err != nil {
		return server.Status{}, err
	}
	answered := 0
	sum := gather.NewSum(server.Status{Name: crawl, Started: n.Given})
	err = c.each(ctx, func(ctx context.Context, node string) error {
		var s server.Status
		err := ask(ctx, c.board, node, question{Do: "status", Crawl: crawl}, &s)
		if err == nil {
			answered++
			sum.Add(s)
		}
		return err
	})
	s := sum.Status()
	if n.State == Runs {
		s.Nodes = answered
	}
	if n.State == Over {
		s.Progress.Ended = n.End()
	}
	if n.State != Runs {
		s.Started = time.Time{}
	}
	return s, err
}

// End is why the crawl ended; empty: it has not.
func (n Notice) End() string {
	if n.State != Over {
		return ""
	}
	var ends []string
	for _, end := range n.Ends {
		ends = append(ends, end)
	}
	return gather.Ended(ends)
}

// Steer pauses or resumes a crawl at all nodes: do is "pause" or "resume".
func (c *Client) Steer(ctx context.Context, crawl, do string) error {
	if _, err := c.notice(ctx, crawl); err != nil {
		return err
	}
	return c.each(ctx, func(ctx context.Context, node string) error {
		return ask(ctx, c.board, node, question{Do: do, Crawl: crawl}, nil)
	})
}

// Stop ends the sessions of a crawl at all nodes. To give the crawl again goes on with it.
func (c *Client) Stop(ctx context.Context, crawl string) error {
	if _, err := c.notice(ctx, crawl); err != nil {
		return err
	}
	return change(ctx, c.board, crawl, func(n *Notice) error {
		if n.State == Runs {
			n.State = Stops
		}
		return nil
	})
}

// Add offers a URL as a seed to the worker that has its partition.
func (c *Client) Add(ctx context.Context, crawl, url string) (added server.Added, err error) {
	if _, err := c.notice(ctx, crawl); err != nil {
		return added, err
	}
	err = c.each(ctx, func(ctx context.Context, node string) error {
		var one server.Added
		err := ask(ctx, c.board, node, question{Do: "add", Crawl: crawl, URL: url}, &one)
		if err == nil && one.Result != server.ResultElsewhere && one.Result != "" {
			added = one
		}
		return err
	})
	if err == nil && added.URL == "" {
		err = fmt.Errorf("no node has %s now: try again in a moment (%w)", url, orbweaver.ErrBusy)
	}
	return added, err
}

// sources returns whose results of a crawl the nodes have, or the storage, if it has one at a location.
func (c *Client) sources(ctx context.Context, crawl, location string) (all []gather.Source, err error) {
	known := map[string]bool{}
	err = c.each(ctx, func(ctx context.Context, node string) error {
		var workers []string
		if err := ask(ctx, c.board, node, question{Do: "workers", Crawl: crawl}, &workers); err != nil {
			return err
		}
		for _, worker := range workers {
			if !known[worker] {
				known[worker] = true
				all = append(all, remote{bus: c.board, node: node, crawl: crawl, worker: worker})
			}
		}
		return nil
	})
	if err != nil || location == "" {
		return all, err
	}
	kept, err := record.Open(ctx, location, crawl) // of workers that are gone
	if err != nil {
		return nil, err
	}
	c.kept = append(c.kept, kept)
	workers, err := kept.Workers(ctx)
	for _, worker := range workers {
		if !known[worker] {
			all = append(all, kept.Source(worker))
		}
	}
	return all, err
}

// Folder brings a crawl folder on this machine up to what the nodes have of a crawl now, and returns it: the folder answers as that of a crawl by one process. It is kept for
// the next time, in the user's cache.
func (c *Client) Folder(ctx context.Context, crawl string) (folder string, err error) {
	n, err := c.notice(ctx, crawl)
	if err != nil {
		return "", err
	}
	base, err := cached(n)
	if err != nil {
		return "", err
	}
	folder = filepath.Join(base, crawl)
	input := filepath.Join(base, "input-"+n.Files)
	body, err := c.board.File(ctx, n.Files)
	if err != nil {
		return "", err
	}
	if err := unpack(body, input, input); err != nil {
		return "", err
	}
	file, err := c.j.Schema().Load(filepath.Join(input, crawlfolder.RunFile))
	if err != nil {
		return "", err
	}
	file.Output = folder
	if err := gather.Begin(folder, 1, func() error { return crawlfolder.Make(file) }); err != nil {
		return "", err
	}
	stop := c.j.AfterAWhile("gathering what the nodes have ...")
	defer stop()
	book, err := ledger.Open(folder)
	if err != nil {
		return "", err
	}
	err = c.gathered(ctx, crawl, n, func(sources ...gather.Source) error { return gather.Into(ctx, folder, book, sources...) })
	if err == nil {
		_, err = gather.End(folder, book, n.End(), n.State == Runs)
	}
	return folder, errors.Join(err, book.Close())
}

// gatherTries bounds how often what the nodes have is gathered anew because one of them left, at times gatherPause apart: it is a member for a
// moment longer than it answers.
const (
	gatherTries = 60
	gatherPause = 500 * time.Millisecond
)

// gathered calls into with whose results of a crawl the nodes have, again if one left meanwhile: others have what it had.
func (c *Client) gathered(ctx context.Context, crawl string, n Notice, into func(...gather.Source) error) error {
	for tries := 1; ; tries++ {
		sources, err := c.sources(ctx, crawl, n.Cluster.Storage)
		if err == nil {
			err = into(sources...)
		}
		if !errors.Is(err, bus.ErrNobody) || tries == gatherTries {
			return err
		}
		select {
		case <-time.After(gatherPause):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
	}
}

// cached is the folder of this machine into which a crawl is gathered for looks. That of a crawl which was removed and given again is another.
func cached(n Notice) (string, error) {
	if len(n.Files) < 16 {
		return "", fmt.Errorf("the crawl's notice names no files: %q", n.Files)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := n.Files[:16]
	if !n.Begun.IsZero() {
		name += "-" + strconv.FormatInt(n.Begun.UnixMilli(), 36)
	}
	return filepath.Join(cache, "orbweaver", "clusters", name), nil
}

// Run gives a crawl to the cluster, or goes on with it, and follows it until it is over; then the crawl folder of the file is gathered of all nodes. When ctx is done before, the crawl
// goes on in the cluster.
func (c *Client) Run(ctx context.Context, from assembly.Source) (*assembly.Summary, error) {
	at, err := assembly.Prepare(ctx, from, c.j.Wire)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	if !crawlfolder.IsFresh(at.File.Output) && crawlfolder.Workers(at.File.Output) != 1 {
		return nil, fmt.Errorf("%s: the folder has a crawl that no cluster began: name another output (%w)", console.Relative(at.File.Output), orbweaver.ErrInput)
	}
	crawl := at.File.Name()
	if err := c.give(ctx, at); err != nil {
		return nil, err
	}
	if err := gather.Begin(at.File.Output, 1, func() error { return crawlfolder.Make(at.File) }); err != nil {
		return nil, err
	}
	n, err := c.follow(ctx, crawl)
	if err != nil {
		return nil, err
	}
	sum, err := local.Conclude(ctx, c.j, at, n.End(), func(into func(...gather.Source) error) error { return c.gathered(ctx, crawl, n, into) })
	if err == nil && n.State == Over { // given again, it makes the stream anew
		err = c.board.RemoveParcels(ctx, crawl)
	}
	return sum, err
}

// give puts a crawl's notice up.
func (c *Client) give(ctx context.Context, at *assembly.Crawl) error {
	crawl := at.File.Name()
	if why := kind.AbilitiesOf(at.File.Focus).Alone; why != "" {
		return fmt.Errorf("%s: --cluster: a %s crawl runs by one process: %s (%w)", at.Path, at.File.Focus.Key(), why, orbweaver.ErrInput)
	}
	if why := local.Alone(at.File); why != "" {
		return fmt.Errorf("%s: --cluster: %s (%w)", at.Path, why, orbweaver.ErrInput)
	}
	if len(at.File.Archive.Known) > 0 {
		return fmt.Errorf("%s: --cluster: %s (%w)", at.Path, recording.Alone, orbweaver.ErrInput)
	}
	if crawl == board {
		return fmt.Errorf("%s: no crawl of a cluster is called so: name another output (%w)", crawl, orbweaver.ErrInput)
	}
	if err := assembly.Greet(c.j, at, 0); err != nil {
		return err
	}
	at.Env.Console, at.Env.Yes = &c.j.Console, c.j.Yes
	if err := at.Focus.Settle(ctx, at.Env); err != nil {
		return err
	}
	nodes, err := c.nodes(ctx)
	if err != nil {
		return err
	}
	if err := c.stores(ctx, at); err != nil {
		return err
	}
	body, err := bundled(at.File)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	files := hex.EncodeToString(sum[:])
	for {
		var n Notice
		revision, err := c.board.Noted(ctx, crawl, &n)
		if err != nil {
			return told(err)
		}
		switch {
		case revision > 0 && n.State != Gone:
			err = c.same(ctx, crawl, n, at.File)
		case !crawlfolder.IsFresh(at.File.Output) && !crawlfolder.HasNothing(at.File.Output):
			err = fmt.Errorf("%s: the folder has results of a crawl that the cluster does not have any more: remove it, or name another output (%w)", console.Relative(at.File.Output), orbweaver.ErrInput)
		}
		if err != nil {
			return err
		}
		last := n
		if n.State == Gone {
			last = Notice{Away: n.Away}
		}
		if err := c.board.PutFile(ctx, files, body); err != nil {
			return err
		}
		n = Notice{State: Runs, Files: files, By: server.Version(), Cluster: at.File.Shared(), Nodes: len(nodes), Given: time.Now().UTC(), Begun: last.Begun, Away: last.Away, Orders: last.Orders.Lasting()}
		if revision == 0 || n.Begun.IsZero() && last.State == "" {
			n.Begun = n.Given
		}
		if _, err = c.board.Note(ctx, crawl, n, revision); !errors.Is(err, bus.ErrChanged) {
			return err
		}
	}
}

// stores checks that all nodes reach the storage of a crawl.
func (c *Client) stores(ctx context.Context, at *assembly.Crawl) error {
	location := at.File.Shared().Storage
	if location == "" {
		return nil
	}
	err := c.each(ctx, func(ctx context.Context, node string) error {
		return ask(ctx, c.board, node, question{Do: "storage", Crawl: at.File.Name(), Location: location}, nil)
	})
	if err != nil {
		return fmt.Errorf("%s: cluster.storage: %w (%w)", at.Path, err, orbweaver.ErrInput)
	}
	return nil
}

// same checks that a crawl which the cluster has is the one of a crawl file.
func (c *Client) same(ctx context.Context, crawl string, n Notice, file *crawlfile.Crawl) error {
	body, err := c.board.File(ctx, n.Files)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "orbweaver-cluster-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := unpack(body, folder, folder); err != nil {
		return err
	}
	ran, err := file.Schema.Load(filepath.Join(folder, crawlfolder.RunFile))
	if err != nil {
		return err
	}
	mine, err := bundled(file)
	if err != nil {
		return err
	}
	again, err := os.MkdirTemp("", "orbweaver-cluster-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(again)
	if err := unpack(mine, again, folder); err != nil { // with the paths of the other
		return err
	}
	given, err := file.Schema.Load(filepath.Join(again, crawlfolder.RunFile))
	if err != nil {
		return err
	}
	if keys := given.Differences(ran); len(keys) > 0 {
		return fmt.Errorf("the cluster has another crawl %s; these keys differ: %v. Name another output (%w)", crawl, keys, orbweaver.ErrForeign)
	}
	return nil
}

// runs reports whether a node works on a crawl, and says once what went wrong at each.
func (c *Client) runs(ctx context.Context, crawl string, said map[string]bool) (runs bool) {
	nodes, _ := c.Nodes(ctx) // one that does not answer does not hold the others up
	for _, n := range nodes {
		for _, f := range n.Crawls {
			if f.Crawl != crawl {
				continue
			}
			runs = runs || f.Runs
			if words := n.Node + ": " + f.Error; f.Error != "" && !said[words] {
				said[words] = true
				console.Say(c.j.Err, "warning: node %s", words)
			}
		}
	}
	return runs
}

// follow shows the progress of a crawl until it is over or stopped.
func (c *Client) follow(ctx context.Context, crawl string) (n Notice, err error) {
	said := map[string]bool{}
	s, _ := c.Status(ctx, crawl)
	line := console.StartProgress(c.j.Err, c.j.Terminal && !c.j.Log.Quiet, c.j.Columns(), local.Snapshot(s))
	defer line.Close()
	tick := time.NewTicker(showPause)
	defer tick.Stop()
	for {
		runs := c.runs(ctx, crawl, said)
		if n, err = c.notice(ctx, crawl); err == nil && n.State != Runs && !runs {
			return c.notice(ctx, crawl) // all have told their ends
		}
		if s, err := c.Status(ctx, crawl); err == nil {
			line.Update(local.Snapshot(s))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return n, fmt.Errorf("crawl %s goes on in the cluster: see orbweaver status %s --cluster, or end it with orbweaver stop %s --cluster (%w)", crawl, crawl, crawl, console.ErrInterrupted)
		}
	}
}
