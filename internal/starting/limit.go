package starting

import (
	"fmt"

	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
)

// Limit returns the key of the limit that ended a crawl, and its current value. Both are empty if no limit ended it.
func Limit(ended string, l crawlfile.Limits) (key, value string) {
	switch ended {
	case engine.EndRequests:
		return "limits.requests", fmt.Sprint(l.Requests)
	case engine.EndPages:
		return "limits.pages", fmt.Sprint(l.Pages)
	case engine.EndBytes:
		return "limits.bytes", console.SizeOf(l.Bytes)
	case engine.EndTime:
		return "limits.time", l.Time.String()
	case engine.EndPerHost:
		return "limits.per_host", fmt.Sprint(l.PerHost)
	}
	return "", ""
}
