package weburl

import (
	"strings"
)

const (
	datasetScheme  = "dataset:"
	maxDatasetName = 100 // bytes
)

// Dataset is the URL of a dataset on this machine. A crawl queries it like an endpoint of the Web, without a
// host. A name consists of ASCII letters, digits and "-_.", at most 100; the error says so.
func Dataset(name string) (url string, err error) {
	odd := func(r rune) bool {
		return ('a' > r|0x20 || r|0x20 > 'z') && ('0' > r || r > '9') && r != '-' && r != '_' && r != '.' || r > 0x7f
	}
	if name == "" || len(name) > maxDatasetName || strings.ContainsFunc(name, odd) {
		return "", &invalid{datasetScheme + name, `the name of a dataset is letters, digits and "-_." of ASCII, 1 to 100 of them`}
	}
	return datasetScheme + name, nil
}

// DatasetName is the name in the URL of a dataset on this machine, without its query; ok is false for any other
// URL.
func DatasetName(url string) (name string, ok bool) {
	name, ok = strings.CutPrefix(url, datasetScheme)
	name, _, _ = strings.Cut(name, "?")
	return name, ok
}
