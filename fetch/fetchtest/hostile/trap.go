package hostile

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// traps are hosts with an unlimited number of valid pages.
func traps() []Host {
	links := func(v *visit, refs ...string) {
		var b strings.Builder
		for _, ref := range refs {
			fmt.Fprintf(&b, "<p>Go on <a href='%s'>to the next</a>.", ref)
		}
		v.html(b.String())
	}
	return []Host{
		{Name: "calendar", Does: "a calendar without end", Path: "/cal?month=1", answer: func(v *visit) {
			month, _ := strconv.Atoi(v.query("month"))
			links(v, fmt.Sprintf("/cal?month=%d", month-1), fmt.Sprintf("/cal?month=%d", month+1))
		}},
		{Name: "jsessionid", Does: "a session of its own for each page, in the path", answer: func(v *visit) {
			links(v, "/shop;jsessionid="+drawn(v.target+"a"), "/cart;jsessionid="+drawn(v.target+"b"))
		}},
		{Name: "sid", Does: "a session of its own for each page, in the query", answer: func(v *visit) {
			links(v, "/shop?sid="+drawn(v.target+"a"), "/cart?sid="+drawn(v.target+"b"))
		}},
		{Name: "paths", Does: "a path that repeats itself for ever", answer: func(v *visit) {
			path := strings.TrimSuffix(v.path, "/")
			links(v, path+"/shop/cart", path+"/cart/shop")
		}},
		{Name: "nested", Does: "a relative link that nests for ever", Path: "/part/", answer: func(v *visit) { links(v, "part/") }},
		{Name: "queries", Does: "more parameters for each page", Path: "/?a=1", answer: func(v *visit) { links(v, v.target+"&amp;a=1", v.target+"&amp;b=2") }},
		{Name: "refreshes", Does: "pages that send on to the next", Path: "/1", answer: func(v *visit) {
			n, _ := strconv.Atoi(v.path[1:])
			v.html(fmt.Sprintf("<meta http-equiv=refresh content='0;url=/%d'><p>A page.", n+1))
		}},
		{Name: "wild", Does: "a host for every name below its own", answer: func(v *visit) { links(v, "http://a."+v.host+"/") }},
		{Name: "soft-404", Does: "a page for every URL, each with links to ten that are not there", answer: func(v *visit) {
			var refs []string
			for i := range 10 {
				refs = append(refs, strings.TrimSuffix(v.path, "/")+fmt.Sprintf("/%d", i))
			}
			links(v, refs...)
		}},
	}
}

// drawn is a session id: pseudo-random but deterministic.
func drawn(from string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(from)))[:32] }
