package archive

import (
	"orbweaver"
	"orbweaver/weburl"
)

// TargetURI is the URL under which a request is archived: weburl.Queried.
func TargetURI(req orbweaver.Request) string { return weburl.Queried(req.URL, req.Query) }
