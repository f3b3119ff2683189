// Package offline holds the jobs that do not crawl: they build knowledge resources, extract RDF and replay
// archives.
package offline
