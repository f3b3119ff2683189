// Package cluster says how a crawl is divided among workers.
package cluster

import (
	"github.com/cespare/xxhash/v2"

	"orbweaver/weburl"
)

// Partitions is the number of partitions of a crawl. A worker owns some of them.
const Partitions = 256

// Desks is the number of desks of a crawl. The one of an address grants it to one worker at a time.
const Desks = 64

// DeskOf returns the desk of an address, IP and port, from 0 to Desks-1.
func DeskOf(address string) int { return int(xxhash.Sum64String(address) % Desks) }

// PartitionOf returns the partition of a URL, from 0 to Partitions-1: that of its pay-level domain, so that hosts that share servers and rules are
// mostly one worker's. URLs without a host, such as dataset:NAME, are of partition 0.
func PartitionOf(url string) int {
	name := weburl.Hostname(url)
	if name == "" {
		return 0
	}
	return int(xxhash.Sum64String(weburl.PayLevelDomain(name)) % Partitions)
}
