// Package mediawiki asks a wiki for the pages of a category and for their texts, through the API of
// MediaWiki 1.25 or later: api.php.
//
// It is a guest as https://www.mediawiki.org/wiki/API:Etiquette would have it: one request at a time,
// a delay between them, maxlag with each, Retry-After heeded, and many pages in a request where the API
// takes many. Categories may hold each other in circles; each is asked for once. Pages come in the
// order of the API, so that the same wiki gives the same pages.
//
// Who asks over the network, with which User-Agent and past which guard, is the caller's business, and
// so is robots.txt: that is for who follows links, and Wikipedia's forbids the address of its own API.
//
// This package is not part of the stable API.
package mediawiki
