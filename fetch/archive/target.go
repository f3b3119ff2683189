package archive

import (
	"orbweaver"
	"orbweaver/weburl"
)

// TargetURI is the address under which a request is archived: that of weburl.Queried.
func TargetURI(req orbweaver.Request) string { return weburl.Queried(req.URL, req.Query) }
