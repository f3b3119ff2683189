package archive

import (
	"net/url"
	"strings"

	"orbweaver"
)

// TargetURI is the address under which a request is archived: its URL, to which a Query is added as
// the parameter "query", as the SPARQL 1.1 Protocol (section 2.1.1) does for GET.
func TargetURI(req orbweaver.Request) string {
	if req.Query == "" {
		return req.URL
	}
	join := "?"
	if strings.Contains(req.URL, "?") {
		join = "&"
	}
	return req.URL + join + "query=" + url.QueryEscape(req.Query)
}
