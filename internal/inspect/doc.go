// Package inspect reads and steers a crawl, running or not: status, report, lists of pages, suggestions, decisions, and
// explanations of what the crawl did about a URL.
package inspect
