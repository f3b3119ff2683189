package sparql_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"orbweaver/server/door/doortest"
	"orbweaver/server/sparql"
)

// TestNoPageQueries: in Chromium no page of another site queries a store or changes it, DNS rebinding included.
func TestNoPageQueries(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	store := sparql.NewMemory(sample(t))
	go func() { ended <- sparql.New(store, sparql.Options{Updates: store}).Serve(ctx, l) }()
	const changed = "/sparql?query=ASK%7B%3Ca%3Aa%3E%20%3Ca%3Ab%3E%20%3Fc%7D"
	doortest.Browsed(t, l.Addr().String(), "/sparql?query=ASK%7B%7D", "/")
	answer, err := http.Get("http://" + l.Addr().String() + changed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if answer.Body.Close(); err != nil || !strings.Contains(strings.ReplaceAll(string(text), " ", ""), `"boolean":false`) {
		t.Errorf("a page changed the store: %s, %v", text, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
