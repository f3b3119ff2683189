package archive

import (
	"strings"

	"orbweaver/weburl"
)

// canonical returns the form of an archived address under which it is looked up. A query put to an
// endpoint may be longer than a URL of the Web; it stays as it is.
func canonical(raw string) (string, error) {
	url, err := weburl.Canonical(raw)
	if err != nil && len(raw) > weburl.MaxLength && strings.HasPrefix(raw, "http") {
		return raw, nil
	}
	return url, err
}
