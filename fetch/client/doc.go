// Package client asks the live Web: it puts one request to one server, once, and hands back what it
// answers. It gets, and posts what asks for something and changes nothing: queries.
//
// It speaks HTTP/1.1 over connections of its own, and HTTP/2 where a server of https offers it. Go's
// own Transport is not used, since a good guest has to know what it did: that one repeats requests by
// itself, and hides which address it asked and when. Here every exchange is one attempt at one known
// address, with a moment from which the server can be taken to have had the request; a failure is
// one of the short list in the root package, and every phase has a deadline.
//
// Connections are kept and used again, per host and address, after a look that they still live. The
// guard is asked about each address before a connection is made to it, and names are looked up here
// alone, so that what was checked is what is asked. Nothing is read from the environment.
//
// Delays, retries, redirects, robots.txt, size limits and content codings are not its business; it
// keeps no cookies, and a user's name in a URL is not sent.
//
// This package is not part of the stable API.
package client
