// Package inspect answers questions about a crawl, whether it runs or not: its state, its report,
// its pages, its suggestions, and why a URL is what it is.
package inspect
