// Package client fetches from the live Web: it sends one request to one server, once, and returns the response.
// It sends GETs, and POSTs without side effects: queries.
//
// It speaks HTTP/1.1 over its own connections, and HTTP/2 to https servers that offer it. It does not use
// http.Transport, which repeats requests by itself and hides which address it contacted and when; politeness
// needs both. Here every exchange is one attempt at one known address, and reports the time at which the server
// received the request. Every failure is one of the short list in the root package, and every phase has a
// deadline.
//
// Connections are reused per host and address after a liveness check. The guard checks each address before a
// connection is made, and names are resolved only here, so that the checked address is the one connected to.
// The package reads nothing from the environment.
//
// It does not handle delays, retries, redirects, robots.txt, size limits or content codings. Cookies and credentials are those of
// Options.Access, and no response has them; the userinfo of a URL is not sent.
//
// This package is not part of the stable API.
package client
