package weburl

import "testing"

func TestPathWords(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.test/types/jet-engine.html?x=1#top": "types/jet-engine",
		"http://a.test/caf%C3%A9%20noir":              "café noir",
		"http://a.test/100%zz":                        "100%zz",
		"http://a.test/100%-caf%C3%A9-%2":             "100%-café-%2",
		"http://a.test/caf%E9/%FCber":                 "café/über",
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

func TestHostWords(t *testing.T) {
	for host, want := range map[string]string{
		"a.test": "a.test", "xn--caf-dma.test": "café.test", "www.xn--mnchen-3ya.test": "www.münchen.test", "xn--!.test": "xn--!.test",
	} {
		if got := HostWords(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}
