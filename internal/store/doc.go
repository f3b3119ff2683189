// Package store serves the databases of crawl folders: it loads, queries, updates, serves and
// searches them.
package store
