package archive

import (
	"strings"

	"orbweaver/weburl"
)

// canonical returns the form of an archived URL that is the key of the index. Endpoint queries, which may be
// longer than a URL, and the URLs of datasets on disk stay unchanged.
func canonical(raw string) (string, error) {
	if _, ok := weburl.DatasetName(raw); ok {
		return raw, nil
	}
	url, err := weburl.Bare(raw)
	if err != nil && len(raw) > weburl.MaxLength && strings.HasPrefix(raw, "http") {
		return raw, nil
	}
	return url, err
}
