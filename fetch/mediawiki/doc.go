// Package mediawiki gets the pages of a category and their texts from a wiki, through the API of MediaWiki 1.25 or
// later: api.php.
//
// It follows https://www.mediawiki.org/wiki/API:Etiquette: one request at a time, a delay between them, maxlag with
// each, Retry-After obeyed, and many pages in a request where the API takes many. Categories may be cyclic; each is
// requested once. Pages come in the order of the API, so that the same wiki gives the same pages.
//
// Who asks over the network, with which User-Agent and past which guard, is the caller's business, and so is
// robots.txt: that is for crawlers that follow links, and Wikipedia's forbids the address of its own API.
//
// This package is not part of the stable API.
package mediawiki
