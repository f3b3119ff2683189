// Package survey computes the ground truth of an archive: which of its documents are relevant and
// reachable, and thus the best result of a crawl.
package survey
