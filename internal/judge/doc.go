// Package judge fetches and judges a single page as a crawl would, without a ledger.
package judge
