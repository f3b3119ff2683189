package iri_test

import (
	"testing"

	"orbweaver/rdf/iri"
)

func TestEncode(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/x?y=1": "http://a.test/x?y=1", "http://a.test/a|b^`{}\\\"<> c": "http://a.test/a%7Cb%5E%60%7B%7D%5C%22%3C%3E%20c", "http://a.test/é": "http://a.test/é",
	} {
		if got := iri.Encode(url); got != want {
			t.Errorf("%q is %q, want %q", url, got, want)
		}
	}
}
