// Package cluster tests that a crawl on several workers or nodes keeps its promises whatever fails: processes that are killed, stopped and
// continued, servers of the bus that are cut off, killed or wiped, workers that join, leave and are gone, slow disks and clocks that jump, alone and
// together, drawn from seeds. Its tests are tagged e2e.
//
// Each worker is a process of its own, so that a kill is one. The servers of the bus and the web that is crawled are in the test's process, which
// measures.
//
// This package is not part of the stable API.
package cluster
