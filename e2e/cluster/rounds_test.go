//go:build e2e

package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/ledger"
)

// topicWeb is a web of hosts whose pages are about bees, chess and other things, and link to pages of other hosts beside words of their topics. A page of each host is a
// redirect to another host.
func topicWeb(hosts, pages int, delay time.Duration) *fetchtest.Web {
	draw := rand.New(rand.NewPCG(7, 1))
	words := strings.Fields(`bee honey hive nectar pollen swarm chess rook castle pawn knight bishop river lake delta flood canal basin engine piston valve crank
		diesel torque violin cello viola oboe flute harp glacier moraine crevasse icefall serac avalanche bread flour yeast dough crust oven`)
	const parts = 7
	pick := func(part, n int) string { // most words are of one part
		var all []string
		for range n {
			at := draw.IntN(len(words))
			if draw.IntN(4) > 0 {
				at = 6*(part%parts) + at%6
			}
			all = append(all, words[at])
		}
		return strings.Join(all, " ")
	}
	var all []fetchtest.Host
	for i := range hosts {
		h := fetchtest.Host{Name: fmt.Sprintf("h%03d.test", i), At: i, Pages: []fetchtest.Page{}}
		for n := range pages {
			part := (i + n/2)
			var b strings.Builder
			fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><title>%s %d.%d</title></head><body><p>%s.</p>\n", pick(part, 2), i, n, pick(part, 14))
			for range 6 {
				to, at := draw.IntN(hosts), draw.IntN(pages)
				fmt.Fprintf(&b, "<p>%s <a href=\"http://h%03d.test/p%d\">%s</a> %s</p>\n", pick(to+at/2, 3), to, at, pick(to+at/2, 2), pick(to+at/2, 3))
			}
			h.Pages = append(h.Pages, fetchtest.Page{Path: fmt.Sprint("/p", n), Body: b.String() + "</body></html>"})
		}
		h.Pages[pages-1] = fetchtest.Page{Path: fmt.Sprint("/p", pages-1), Redirect: fmt.Sprintf("http://h%03d.test/p1", (i+1)%hosts)}
		all = append(all, h)
	}
	return fetchtest.NewWeb(fetchtest.Politeness{Delay: delay, Retries: 2}, all...)
}

// roundsCrew is a crew that looks for pages about bees and chess in it, by rounds.
func roundsCrew(t *testing.T, n, hosts int, delay time.Duration) (*crew, *fetchtest.Web) {
	t.Helper()
	w := topicWeb(hosts, 8, delay)
	c := newCrew(t, w, n, fmt.Sprintf("politeness: {delay: %s, contact: me@example.org, timeout: 10s}", delay))
	item := filepath.Join(c.folder, "item.html")
	if err := os.WriteFile(item, []byte("<html lang=en><title>Bees</title><p>bee honey hive nectar pollen swarm rook castle pawn</p></html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.seeds, c.focus = c.seeds[:2], fmt.Sprintf("{crossref: {item: %s, round: 15, rounds: fixed, theta: 0.45}}", item)
	return c, w
}

// A found is what a crew found: the same whatever its number.
type found struct {
	pages  []string // with their layers and scores
	rounds string   // figures of rounds
}

// found returns what workers found, and checks that all learned the same.
func (c *crew) found() (f found) {
	c.t.Helper()
	pages := map[string]bool{}
	lines, _ := c.lines()
	for _, l := range lines {
		if l.Status == 200 {
			if l.Predicted != nil {
				l.Predicted.Chance = 0 // each worker estimates it by its own pages
			}
			text, err := json.Marshal([]any{l.URL, l.Class, l.Score, l.Accepted, l.Predicted, l.Reasons})
			if pages[string(text)] = true; err != nil {
				c.t.Error(err)
			}
		}
	}
	f.pages = slices.Sorted(maps.Keys(pages))
	var model []byte
	for _, name := range c.names {
		text, err := os.ReadFile(filepath.Join(c.output(name), "rounds.json"))
		if err != nil {
			c.t.Error(err)
		}
		book, err := ledger.OpenForLooks(c.output(name))
		if err != nil {
			c.t.Fatal(err)
		}
		snapshot, _, err := book.Model()
		if err = errors.Join(err, book.Close()); err != nil {
			c.t.Error(err)
		}
		if f.rounds != "" && f.rounds != string(text) || model != nil && !bytes.Equal(model, snapshot) {
			c.t.Errorf("%s learned something else", name)
		}
		f.rounds, model = string(text), snapshot
	}
	return f
}

// TestRoundsAreShared: a cross-reference crawl by one, two four and eight workers has the same pages in the same layers with the same scores and reasons, and the same figures
// of labels and layers after each round; also if one of four is ended, again and again, in the middle of rounds. All workers have learned the same, to the byte.
func TestRoundsAreShared(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var want found
	numbers := []int{1, 4}
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		numbers = []int{1, 4, 2}
	}
	for _, n := range numbers {
		c, w := roundsCrew(t, n, 8, time.Millisecond)
		if n%4 == 0 {
			c.interrupted(ctx, w)
		} else {
			c.all(ctx)
		}
		have := c.found()
		if n == 1 {
			want = have
		}
		var rounds []struct{ Labels int }
		if err := json.Unmarshal([]byte(have.rounds), &rounds); err != nil || len(rounds) < 4 || len(have.pages) < 50 || rounds[len(rounds)-1].Labels == 0 {
			t.Errorf("%d workers: %d pages, rounds %v; %v", n, len(have.pages), rounds, err)
		}
		if !slices.Equal(have.pages, want.pages) || have.rounds != want.rounds {
			t.Errorf("%d workers found\n%v\nwant\n%v\n%s\nwant\n%s", n, have.pages, want.pages, have.rounds, want.rounds)
		}
		if twice := w.Repeated(); len(twice) > 0 && n%4 != 0 { // of one that is ended, what is in flight is asked for again
			t.Errorf("%d workers asked twice for %v", n, twice)
		}
	}
}

// interrupted runs the workers, and ends the first again and again.
func (c *crew) interrupted(ctx context.Context, w *fetchtest.Web) {
	var running sync.WaitGroup
	for _, name := range c.names[1:] {
		running.Go(func() {
			if err := c.work(ctx, name); err != nil {
				c.t.Error(err)
			}
		})
	}
	for n := 8; n <= 24; n += 16 {
		within, leave := context.WithCancel(ctx)
		stopped := make(chan error, 1)
		go func() { stopped <- c.work(within, c.names[0]) }()
		asked(ctx, c.t, w, n)
		leave()
		if err := <-stopped; !errors.Is(err, console.ErrInterrupted) && !errors.Is(err, context.Canceled) {
			c.t.Errorf("stopped: %v", err)
		}
	}
	if err := c.work(ctx, c.names[0]); err != nil {
		c.t.Error(err)
	}
	running.Wait()
}

// TestRoundsRefuseWhoIsLate: a worker that comes when the rounds have begun is told so, and the others end as without it, exactly at the crawl's limit.
func TestRoundsRefuseWhoIsLate(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, w := roundsCrew(t, 1, 4, 20*time.Millisecond)
	c.keys += "\nlimits: {requests: 24}"
	first := make(chan error, 1)
	go func() { first <- c.work(ctx, c.names[0]) }()
	asked(ctx, t, w, 5)
	if err := c.work(ctx, "late"); !errors.Is(err, worker.ErrLate) {
		t.Errorf("late: %v", err)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
	if lines, _ := c.lines(); len(lines) != 24 {
		t.Errorf("%d requests", len(lines))
	}
}
