package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"orbweaver/studio/nodes"
)

// lookTime is how long a page waits for nodes: those that are silent do not hold it up.
const lookTime = 2 * time.Second

// kindsOfCells is the number of colours with patterns that a map has; letters tell nodes apart beyond.
const kindsOfCells = 8

// clusterView is a cluster as its nodes tell it.
type clusterView struct {
	Frame
	CSS, Live, At string
	Stands        clusterState
	Nodes         []nodeCard
	Crawls        []crawlCard
}

// clusterState is what all nodes together are.
type clusterState struct {
	Asked    time.Time
	Problems []string
	More     int // problems that are not shown
	Began    bool
}

// A nodeCard is a node of the cluster.
type nodeCard struct {
	nodes.Node
	Key, Letter string // of the ids of its elements; of its cells
	Kind        int    // of its cells
	State       string
	Owned       int // partitions of all crawls
	Lag         int
	Rests       int // crawls of which it has results, and that it does not run
	Errors      []nodes.Work
	MayDrain    bool
	Action      string // path
}

// A crawlCard is a crawl of the cluster.
type crawlCard struct {
	nodes.Crawl
	Key, State, Class string
	Figures           []Figure
	Cells             []cell // by partition; none: no node runs it
	Owners            []owner
	Says              string // the map in words
}

// A cell is a partition on the map.
type cell struct {
	Partition    int
	Letter, Node string // empty: no node that answers has it
	Kind         int
}

// An owner is a node's part of a crawl.
type owner struct {
	Letter, Node, Ranges string
	Kind                 int
	nodes.Work
}

// cluster shows the nodes of the cluster.
func (h *Handler) cluster(w http.ResponseWriter, r *http.Request) error {
	v := clusterView{Frame: h.frame(r, "Cluster"), CSS: h.Asset("cluster.css")}
	s, err := h.look(r)
	switch {
	case errors.Is(err, nodes.ErrNone):
		return h.show(w, http.StatusOK, "cluster", v)
	case err != nil:
		return err
	}
	v.At, v.Live = s.At, "/cluster/view?list="+met(s)
	v.Stands, v.Nodes, v.Crawls = clusterOf(s, v.MayWrite)
	return h.show(w, http.StatusOK, "cluster", v)
}

func (h *Handler) look(r *http.Request) (nodes.Standing, error) {
	ctx, cancel := context.WithTimeout(r.Context(), lookTime)
	defer cancel()
	return h.Cluster.Look(ctx)
}

// ClusterParts returns the parts of the page of the cluster that change, as HomeParts does.
func (h *Handler) ClusterParts(r *http.Request) (map[string]string, error) {
	s, err := h.look(r)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{"part-list": ""}
	if met(s) != r.URL.Query().Get("list") {
		parts["part-list"] = `<p class="flash">Nodes or crawls have come or gone. <a href="/cluster">Show them</a></p>`
	}
	state, cards, crawls := clusterOf(s, h.MayWrite(r))
	add := func(id, name string, view any) {
		var out bytes.Buffer
		if failed := templates()["cluster"].ExecuteTemplate(&out, name, view); failed != nil {
			err = failed
		}
		parts[id] = out.String()
	}
	add("part-cluster", "part-cluster", state)
	for _, n := range cards {
		add("node-"+n.Key, "part-node", n)
		add("act-"+n.Key, "part-node-actions", n)
	}
	for _, c := range crawls {
		add("crawl-"+c.Key, "part-shared", c)
		add("map-"+c.Key, "part-partitions", c)
		add("owners-"+c.Key, "part-owners", c)
	}
	return parts, err
}

// drain has a node give all that it has to others.
func (h *Handler) drain(r *http.Request) (string, Flash, error) {
	node := r.PathValue("node")
	said := Flash{Text: "Node " + node + " gives what it has to others. When they have it, its process ends."}
	return "/cluster", said, h.Cluster.Drain(r.Context(), node)
}

// met stands for which nodes and crawls a page shows.
func met(s nodes.Standing) string {
	var names []string
	for _, n := range s.Nodes {
		names = append(names, "node "+n.Name)
	}
	for _, c := range s.Crawls {
		names = append(names, "crawl "+c.Name)
	}
	return keyOf(strings.Join(names, "\n"))
}

// maxProblems is the number of problems that are shown.
const maxProblems = 10

// clusterOf is what a page shows of a cluster.
func clusterOf(s nodes.Standing, mayWrite bool) (state clusterState, cards []nodeCard, crawls []crawlCard) {
	shown := s.Problems[:min(len(s.Problems), maxProblems)]
	state = clusterState{Asked: s.Asked, Problems: shown, More: len(s.Problems) - len(shown), Began: len(s.Nodes) > 0}
	answering := 0
	for _, n := range s.Nodes {
		if n.Answers && !n.Draining {
			answering++
		}
	}
	for i, n := range s.Nodes {
		c := nodeCard{Node: n, Key: keyOf(n.Name), Letter: letter(i), Kind: i % kindsOfCells, State: stateOf(n), Action: "/cluster/nodes/" + url.PathEscape(n.Name) + "/drain"}
		for _, work := range n.Works {
			c.Owned, c.Lag = c.Owned+len(work.Partitions), c.Lag+work.Lag
			if !work.Runs {
				c.Rests++
			}
			if work.Error != "" {
				c.Errors = append(c.Errors, work)
			}
		}
		c.MayDrain = mayWrite && n.Answers && !n.Draining && answering > 1
		cards = append(cards, c)
	}
	for _, c := range s.Crawls {
		crawls = append(crawls, crawlOf(c, cards))
	}
	return state, cards, crawls
}

// stateOf says in a word how a node stands.
func stateOf(n nodes.Node) string {
	switch {
	case !n.Answers:
		return "does not answer"
	case n.Draining:
		return "drains"
	case !n.Present:
		return "does not reach the bus"
	}
	return "works"
}

// letter is the name of the i-th node on maps: A to Z, AA and so on.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// crawlOf is a crawl with its map.
func crawlOf(c nodes.Crawl, cards []nodeCard) crawlCard {
	card := crawlCard{Crawl: c, Key: keyOf(c.Name)}
	switch {
	case c.Paused && c.Runs:
		card.State, card.Class = "is paused", "paused"
	case c.Runs:
		card.State, card.Class = "runs", "running"
	case c.End != "":
		card.State, card.Class = "is over", "ended"
	default:
		card.State, card.Class = "rests", ""
	}
	card.Figures = []Figure{
		{"Pages", count(c.Pages), "Distinct URLs that answered with a page, of all nodes together."},
		{"Accepted", count(c.Accepted), "Pages that the focus of the crawl accepts: their score reaches the threshold."},
		{"Pages a second", fmt.Sprintf("%.1f", c.Rate), "Of all nodes together, over the last ten seconds or more."},
		{"Waiting", count(c.Waiting), "Requests that wait for their turn."},
		{"Moving", count(c.Moving), "Partitions that come to a node or leave one, with all that is known of them."},
		{"Lag", count(c.Lag), "Partitions to which messages are on their way, summed over nodes. Links to requests of another node are such messages; they stay with the sender until the receiver has them."},
	}
	if c.Runs {
		card.Cells = make([]cell, nodes.Partitions)
		for p := range card.Cells {
			card.Cells[p].Partition = p
		}
	}
	var says []string
	for _, n := range cards {
		for _, work := range n.Works {
			if work.Crawl != c.Name {
				continue
			}
			if work.Runs || work.Error != "" {
				card.Owners = append(card.Owners, owner{n.Letter, n.Name, ranges(work.Partitions), n.Kind, work})
			}
			if !n.Answers || card.Cells == nil {
				continue
			}
			for _, p := range work.Partitions {
				if p >= 0 && p < nodes.Partitions { // the last of two tells: one of them gives it away
					card.Cells[p] = cell{p, n.Letter, n.Name, n.Kind}
				}
			}
			says = append(says, fmt.Sprintf("%s has %d", n.Name, len(work.Partitions)))
		}
	}
	card.Says = fmt.Sprintf("Map of the %d partitions: ", nodes.Partitions) + strings.Join(says, ", ") + fmt.Sprintf("; %d have no node", nodes.Partitions-c.Owned)
	return card
}

// ranges writes numbers, ascending, as ranges.
func ranges(numbers []int) string {
	var all []string
	for _, run := range runs(numbers) {
		if run[0] == run[1] {
			all = append(all, fmt.Sprint(run[0]))
		} else {
			all = append(all, fmt.Sprintf("%d–%d", run[0], run[1]))
		}
	}
	return strings.Join(all, ", ")
}

// runs are the first and the last of numbers that follow one another.
func runs(numbers []int) (all [][2]int) {
	for _, n := range slices.Compact(slices.Sorted(slices.Values(numbers))) {
		if last := len(all) - 1; last >= 0 && all[last][1] == n-1 {
			all[last][1] = n
		} else {
			all = append(all, [2]int{n, n})
		}
	}
	return all
}
