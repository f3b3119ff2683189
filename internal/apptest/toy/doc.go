// Package toy holds webs in memory and small files for the tests of several packages; it runs no
// crawl.
package toy
