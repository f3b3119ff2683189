// Package nodes is what the studio knows of a cluster: its nodes, the crawls that they share, and which partitions of a crawl each has.
//
// A Watch asks the nodes while somebody looks, once a second at most however many look, and tells what they told last. It holds no truth
// and decides nothing: which node has what is up to the cluster.
//
// This package is not part of the stable API.
package nodes

import (
	"context"
	"time"

	"orbweaver/crawl"
)

// Partitions is the number of partitions of a crawl.
const Partitions = 256

// A Cluster answers what the studio asks. Its methods may be called from any goroutine.
type Cluster interface {
	// Nodes returns what the nodes that answer tell, also beside an error, which then names those that do not.
	Nodes(ctx context.Context) ([]Node, error)
	// Drain has a node give all that it has to others, and end. It returns when the node knows.
	Drain(ctx context.Context, node string) error
	// Status returns the sum of what the nodes that answer tell of a crawl, also beside an error.
	Status(ctx context.Context, crawl string) (crawl.Status, error)
}

// A Node is what a node tells of itself.
type Node struct {
	Name     string    `json:"node"`
	Version  string    `json:"version"`
	Began    time.Time `json:"began"`
	Server   bool      `json:"server"`  // it has a server of the bus
	Present  bool      `json:"present"` // it reaches the bus
	Draining bool      `json:"draining"`
	Works    []Work    `json:"crawls"`

	Answers bool      `json:"answers"` // it did when the nodes were asked last; if not, the rest is as of Seen
	Seen    time.Time `json:"seen"`    // when it answered last
}

// A Work is what a node tells of a crawl.
type Work struct {
	Crawl      string `json:"crawl"`
	Runs       bool   `json:"runs"`
	Error      string `json:"error,omitempty"` // of its last session
	Partitions []int  `json:"partitions"`      // ascending, each from 0 to Partitions-1
	Moving     int    `json:"moving"`          // of these, that come or go
	Lag        int    `json:"lag"`             // partitions to which messages are on their way
}

// A Crawl is a crawl of the cluster: the sum of what the nodes that answer tell of it.
type Crawl struct {
	Name     string  `json:"name"`
	Runs     bool    `json:"runs"` // at a node at least
	Paused   bool    `json:"paused"`
	End      string  `json:"end,omitempty"` // why it is over, in one word
	Requests int64   `json:"requests"`
	Pages    int64   `json:"pages"`
	Accepted int64   `json:"accepted"`
	Rate     float64 `json:"rate"` // pages a second now
	Waiting  int     `json:"waiting"`
	Owned    int     `json:"owned"` // partitions that a node has
	Moving   int     `json:"moving"`
	Lag      int     `json:"lag"`
}

// A Standing is a cluster as its nodes told it last.
type Standing struct {
	At       string    `json:"at"`    // where it is reached
	Asked    time.Time `json:"asked"` // when the nodes answered last; zero: they have not yet
	Problems []string  `json:"problems"`
	Nodes    []Node    `json:"nodes"`  // by name
	Crawls   []Crawl   `json:"crawls"` // by name
}
