// Package mediawiki gets the pages of a category and their texts from a wiki, through the API of MediaWiki 1.25
// or later: api.php.
//
// It follows https://www.mediawiki.org/wiki/API:Etiquette: one request at a time, a delay between them, maxlag
// in each, Retry-After obeyed, and many pages per request if the API takes many. Categories may be cyclic; each
// is requested once. Pages come in the order of the API, so that the same wiki gives the same pages.
//
// The caller's Getter handles User-Agent and guard. robots.txt does not apply: it is for crawlers that follow
// links, and Wikipedia's forbids the URL of its own API.
//
// This package is not part of the stable API.
package mediawiki
