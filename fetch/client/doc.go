// Package client fetches from the live Web: it sends one request to one server, once, and returns the response. It
// sends GETs, and POSTs that change nothing: queries.
//
// It speaks HTTP/1.1 over connections of its own, and HTTP/2 where a server of https offers it. Go's own Transport is
// not used, since a good guest has to know what it did: that one repeats requests by itself, and hides which address
// it asked and when. Here every exchange is one attempt at one known address, with a moment from which the server can
// be taken to have had the request; a failure is one of the short list in the root package, and every phase has a
// deadline.
//
// Connections are reused per host and address after a liveness check. The guard checks each address before a
// connection, and names are resolved only here, so that the checked address is the one connected to. It reads nothing
// from the environment.
//
// Delays, retries, redirects, robots.txt, size limits and content codings are not its business; it keeps no cookies,
// and a user's name in a URL is not sent.
//
// This package is not part of the stable API.
package client
