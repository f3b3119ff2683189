package services

import (
	"orbweaver/fetch/access"
	"orbweaver/internal/crawlfile"
	"orbweaver/weburl"
)

// Logouts returns what tells, by the URL and the text of a link, and by which word, that the link ends a
// session that the crawl of a file keeps; nil if it keeps none, or if such links are followed. Scope patterns
// of a file that was checked compile.
func Logouts(f *crawlfile.Crawl) func(url, text string) (word string, is bool) {
	var sessions []*weburl.Scope
	for _, h := range f.HTTP {
		if h.Logout == "follow" || h.Login == nil && (h.Cookies == nil || h.Cookies.File == "") {
			continue
		}
		if urls, err := weburl.CompileScope(h.Hosts, nil, nil); err == nil {
			sessions = append(sessions, urls)
		}
	}
	if len(sessions) == 0 || f.Web != nil {
		return nil
	}
	return func(url, text string) (string, bool) {
		for _, urls := range sessions {
			if ok, _ := urls.Allows(url); ok {
				return access.LogsOut(url, text)
			}
		}
		return "", false
	}
}
