package weburl

import (
	"strings"
)

const (
	datasetScheme  = "dataset:"
	maxDatasetName = 100 // bytes
)

// Dataset is the address of a dataset that is on this machine: a crawl puts queries to it as to an
// endpoint of the Web, and no host is asked. A name has letters and digits of ASCII and "-_." in it, at
// most 100; the error says so.
func Dataset(name string) (url string, err error) {
	odd := func(r rune) bool {
		return ('a' > r|0x20 || r|0x20 > 'z') && ('0' > r || r > '9') && r != '-' && r != '_' && r != '.' || r > 0x7f
	}
	if name == "" || len(name) > maxDatasetName || strings.ContainsFunc(name, odd) {
		return "", &invalid{datasetScheme + name, `the name of a dataset is letters, digits and "-_." of ASCII, 1 to 100 of them`}
	}
	return datasetScheme + name, nil
}

// DatasetName is the name in the address of a dataset on this machine; false for any other address. What
// stands behind "?" is not part of it.
func DatasetName(url string) (name string, ok bool) {
	name, ok = strings.CutPrefix(url, datasetScheme)
	name, _, _ = strings.Cut(name, "?")
	return name, ok
}
