package weburl

import "testing"

func TestPathWords(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.test/types/jet-engine.html?x=1#top": "types/jet-engine",
		"http://a.test/caf%C3%A9%20noir":              "café noir",
		"http://a.test/100%zz":                        "100%zz",
		"http://a.test/v1.2.3/guide":                  "v1.2.3/guide",
		"http://a.test/archive.longextension":         "archive.longextension",
		"http://a.test/":                              "",
		"http://a.test":                               "",
		"":                                            "",
	} {
		if got := PathWords(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
