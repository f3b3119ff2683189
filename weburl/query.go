package weburl

import (
	"net/url"
	"strings"
)

// Queried is the address of what a SPARQL query that is put to an endpoint gets: the endpoint's URL, to
// which the query is added as the parameter "query", as the SPARQL 1.1 Protocol (section 2.1.1) does for
// GET. Without a query it is the URL.
func Queried(endpoint, query string) string {
	if query == "" {
		return endpoint
	}
	join := "?"
	if strings.Contains(endpoint, "?") {
		join = "&"
	}
	return endpoint + join + "query=" + url.QueryEscape(query)
}
