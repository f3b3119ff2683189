// Package judge says what a crawl makes of a single page, without a ledger.
package judge
