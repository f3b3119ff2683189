// Package survey computes what a crawl of an archive could find at best, from its whole reachable
// web.
package survey
