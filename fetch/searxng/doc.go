// Package searxng gets URLs from search engines: instances of SearXNG by their JSON API, others by the URL of
// their result pages, which may be JSON or HTML.
//
// It makes one request at a time, with a delay between them, and only while the consumer wants more results. It
// stops at a search engine that limits or refuses requests; the error says so. The caller handles transport and
// guard, and checks that an engine's terms allow it.
//
// This package is not part of the stable API.
package searxng
