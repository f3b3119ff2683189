// Package survey looks at the whole reachable Web of an archive: what a crawl of it could find at
// best.
package survey
