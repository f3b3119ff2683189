package client_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
)

// TestProxyEchoes: an answer that repeats the user name and password of the proxy, in its head or in its body, across reads
// too, is none, and no error shows them.
func TestProxyEchoes(t *testing.T) {
	const password = "s3cr3t:pw/x"
	user := url.UserPassword("someone", password)
	token := base64.StdEncoding.EncodeToString([]byte("someone:" + password))
	ca := newCA(t)
	for _, tc := range []struct {
		name, url, answer string
		failure           orbweaver.Failure
	}{
		{"a status line", "http://a.test/", "HTTP/1.1 407 who is " + token + "\r\nContent-Length: 0\r\n\r\n", orbweaver.ErrMalformed},
		{"a refused tunnel", "https://a.test/", "HTTP/1.1 407 who is " + token + "\r\nContent-Length: 0\r\n\r\n", orbweaver.ErrConnect},
		{"a field", "http://a.test/", "HTTP/1.1 200 OK\r\nX-You: Basic " + token + "\r\nContent-Length: 2\r\n\r\nhi", orbweaver.ErrMalformed},
		{"no HTTP", "http://a.test/", "you are " + token + "\r\n", orbweaver.ErrMalformed},
		{"a body", "http://a.test/", body("<p>someone:" + password + "</p>"), orbweaver.ErrMalformed},
		{"as in a URL", "http://a.test/", body("<a href='http://" + user.String() + "@proxy.test/'>"), orbweaver.ErrMalformed},
		{"after much", "http://a.test/", body(strings.Repeat("x", 16<<10-20) + token + strings.Repeat("y", 40000)), orbweaver.ErrMalformed},
		{"others' words", "http://a.test/", body("<p>someone: s3cr3t" + strings.Repeat("x", 100_000)), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := newNet(answering(tc.answer, true))
			n.names["proxy.test"] = []string{"127.0.0.1"}
			c := n.client(client.Options{Proxy: &url.URL{Scheme: "http", Host: "proxy.test", User: user}, Roots: ca.pool})
			resp, got, err := get(c, tc.url)
			wantFailure(t, err, tc.failure)
			if err == nil && (resp.Status != 200 || len(got) < 100_000) {
				t.Errorf("status %d, %d bytes", resp.Status, len(got))
			}
			if err != nil && (strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("the error tells it: %v", err)
			}
			c.Close()
			n.conns.Wait()
		})
	}
}

// body is an answer with a body.
func body(text string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
}
