package cluster

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"orbweaver/internal/cluster/node"
	"orbweaver/internal/console"
)

// printNodes prints the nodes of a cluster, each with its crawls.
func printNodes(w io.Writer, nodes []node.Figures) {
	for i, n := range nodes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		state := "works"
		if n.Draining {
			state = "drains"
		}
		if !n.Present {
			state += ", does not reach the bus: it " + n.Waits
		}
		if n.Server {
			state += ", has a server of the bus"
		}
		fmt.Fprintf(w, "%s: %s, orbweaver %s, messages %d\n", n.Node, state, n.Version, n.Messages)
		for _, c := range n.Crawls {
			state := "rests"
			if c.Runs {
				state = fmt.Sprintf("%s, %d moving, messages to %d on their way", console.Several(len(c.Partitions), "partition"), c.Moving, c.Outbox)
			}
			if c.Error != "" && c.Runs {
				state += "; " + console.Visible(c.Error, 300)
			} else if c.Error != "" {
				state = "failed: " + console.Visible(c.Error, 300)
			}
			fmt.Fprintf(w, "  %-16s %s\n", c.Crawl, state)
			if c.Runs && len(c.Partitions) > 0 {
				fmt.Fprintf(w, "  %-16s %s\n", "", ranges(c.Partitions))
			}
		}
	}
}

// printCrawls prints the crawls that a cluster has.
func printCrawls(w io.Writer, crawls []node.Given) {
	if len(crawls) > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range crawls {
		state := c.State
		if end := c.End(); end != "" {
			state += ": " + end
		}
		fmt.Fprintf(w, "crawl %s: %s, given %s, %s of messages on the bus\n", c.Crawl, state, c.Given.Local().Format("2006-01-02 15:04"), console.SizeOf(int64(c.Kept.Bytes)))
	}
}

// ranges writes numbers, ascending, as ranges.
func ranges(numbers []int) string {
	var all []string
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0]+n {
			n++
		}
		if n == 1 {
			all = append(all, fmt.Sprint(numbers[0]))
		} else {
			all = append(all, fmt.Sprintf("%d-%d", numbers[0], numbers[n-1]))
		}
		numbers = slices.Clone(numbers[n:])
	}
	return strings.Join(all, " ")
}
