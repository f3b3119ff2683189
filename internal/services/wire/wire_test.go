package wire

import (
	"fmt"
	"testing"
)

// TestPrivateServers: only the private address that the user named may be reached.
func TestPrivateServers(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:2222/rest": "[127.0.0.1/32]", "http://[::1]/": "[::1/128]", "http://10.1.2.3/x": "[10.1.2.3/32]",
		"http://localhost:2222/": "[127.0.0.0/8 ::1/128]", "http://spotlight.test/": "[]", "nothing": "[]",
	} {
		if got := fmt.Sprint(NamedNetworks(url)); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	for url, want := range map[string]string{
		"http://127.0.0.1:6000/rest": "[6000]", "http://[::1]:25/": "[25]", "http://[::1]/": "[]", "http://a.test/:25": "[]", "http://a.test:80/": "[]", "nothing": "[]",
	} {
		if got := fmt.Sprint(NamedPorts(url)); got != want {
			t.Errorf("%s: port %s, want %s", url, got, want)
		}
	}
}
