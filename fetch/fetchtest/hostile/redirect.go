package hostile

import (
	"fmt"
	"strconv"
	"strings"
)

// redirects are hosts with bad redirects.
func redirects() []Host {
	to := func(location string) func(*visit) { return func(v *visit) { v.redirect(location) } }
	return []Host{
		{Name: "redirect-chain", Does: "10 000 redirects to a page", Path: "/10000", answer: func(v *visit) {
			n, _ := strconv.Atoi(v.path[1:])
			if n == 0 {
				v.html("<p>A page.")
				return
			}
			v.redirect(fmt.Sprintf("/%d", n-1))
		}},
		{Name: "redirect-self", Does: "a redirect to itself", answer: to("/")},
		{Name: "redirect-loop", Does: "a redirect there and back", answer: func(v *visit) {
			if v.path == "/" {
				v.redirect("/there")
				return
			}
			v.redirect("/")
		}},
		{Name: "redirect-grow", Does: "a redirect to itself with more of a query each time", Path: "/?a=b", answer: func(v *visit) { v.redirect(v.target + "&a=b") }},
		{Name: "redirect-far", Does: "a redirect to a script", answer: to("javascript:alert(1)")},
		{Name: "redirect-file", Does: "a redirect to a file", answer: to("file:///etc/passwd")},
		{Name: "redirect-long", Does: "a redirect to 100 kB of URL", answer: to("/" + strings.Repeat("a", 100_000))},
		{Name: "redirect-port", Does: "a redirect to a port that is none", answer: to("http://redirect-port.test:99999/")},
		{Name: "redirect-private", Does: "a redirect to a private address", answer: to("http://169.254.169.254/latest/meta-data/")},
		{Name: "redirect-body", Does: "a redirect with a body without end", answer: func(v *visit) {
			if v.path != "/" {
				v.html("<p>A page.")
				return
			}
			v.head("302 Found", "Location: /there")
			v.forever(strings.Repeat("a", 4096), 0)
		}},
	}
}
