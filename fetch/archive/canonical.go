package archive

import (
	"strings"

	"orbweaver/weburl"
)

// canonical returns the form of an archived address under which it is looked up. A query put to an
// endpoint may be longer than a URL of the Web, or one to a dataset of the machine that crawled: those
// stay as they are.
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
