package weburl

import (
	"net/url"
	"strings"
)

// Queried is the URL that identifies the answer to a SPARQL query at an endpoint: the endpoint's URL with the
// query as the parameter "query", as in a GET of the SPARQL 1.1 Protocol (section 2.1.1). Without a query it is
// the endpoint's URL.
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

// Unqueried is a URL without its parameters "query", which an endpoint's redirect may have copied: the inverse
// of Queried. Other parameters are unchanged.
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
