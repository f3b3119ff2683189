// Package searxng gets addresses from search engines: instances of SearXNG by their JSON API, others by the address
// of their pages of results, which may be JSON or HTML.
//
// One request is made at a time, with a delay between them, and no more than are needed: results come as they are
// taken. A search engine that limits or refuses requests gets no more; the error says so. Transport and guard are the
// caller's business, and so is whether an engine's terms allow it.
//
// This package is not part of the stable API.
package searxng
