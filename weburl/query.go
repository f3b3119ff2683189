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

// Unqueried is an address without its parameters "query", which an endpoint's redirect takes along: the inverse of
// Queried. Other parameters stay as they are. Without such a
// parameter it is the address.
func Unqueried(address string) string {
	base, parameters, _ := strings.Cut(address, "?")
	if !strings.Contains(parameters, "query") {
		return address
	}
	var own []string
	taken := false
	for p := range strings.SplitSeq(parameters, "&") {
		if name, _, _ := strings.Cut(p, "="); name == "query" {
			taken = true
			continue
		}
		own = append(own, p)
	}
	switch {
	case !taken:
		return address
	case len(own) == 0:
		return base
	}
	return base + "?" + strings.Join(own, "&")
}
