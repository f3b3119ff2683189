package weburl

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// originEnd returns the index of the slash that starts the path of a canonical URL, or its length.
func originEnd(url string) int {
	i := strings.Index(url, "://")
	if i < 0 {
		return 0
	}
	start := i + len("://")
	if end := strings.IndexAny(url[start:], "/?#"); end >= 0 {
		return start + end
	}
	return len(url)
}

// Host returns scheme, host and port of a canonical URL, unchanged, such as "http://a.test:8080", without
// userinfo: the key of politeness. It is empty for a string that is no absolute URL.
func Host(url string) string {
	origin := url[:originEnd(url)]
	at := strings.LastIndexByte(origin, '@')
	if at < 0 {
		return origin
	}
	return origin[:strings.Index(origin, "://")+3] + origin[at+1:]
}

// Hostname returns the host of a canonical URL without its port, such as "a.test" or "[::1]". It is
// empty for a string that is no absolute URL.
func Hostname(url string) string {
	name, _ := hostPort(url)
	return name
}

// hostPort returns host and port of a canonical URL; the port is empty if it is the scheme's default.
func hostPort(url string) (host, port string) {
	end := originEnd(url)
	if end == 0 {
		return "", ""
	}
	host = url[strings.Index(url, "://")+3 : end]
	host = host[strings.LastIndexByte(host, '@')+1:]
	colon := strings.LastIndexByte(host, ':')
	if colon < 0 || colon < strings.LastIndexByte(host, ']') {
		return host, ""
	}
	return host[:colon], host[colon+1:]
}

// PayLevelDomain returns the registrable part of a host name: its public suffix and one more label, "bbc.co.uk"
// for "news.bbc.co.uk". It returns IP addresses, single labels and public suffixes unchanged, without a final
// dot.
func PayLevelDomain(hostname string) string {
	name := strings.TrimSuffix(hostname, ".")
	if isAddress(name) {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil {
		return name
	}
	return domain
}

// isAddress reports whether a canonical host is an IP address: IPv6 in brackets or bare, or IPv4, whose last
// label is numeric, unlike that of any name.
func isAddress(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return strings.IndexByte(host, ':') >= 0 || last != "" && digits(last, 0) == len(last)
}
