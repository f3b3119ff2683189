// Package offline holds the jobs that crawl nothing: they build knowledge resources, extract RDF,
// replay archives.
package offline
