package sparql_test

import (
	"context"
	"testing"
	"testing/synctest"

	"orbweaver/server/door/doortest"
	"orbweaver/server/sparql"
)

// TestSlowQueries: a thousand slow clients do not keep a query from its answer.
func TestSlowQueries(t *testing.T) {
	store := sparql.NewMemory(sample(t))
	synctest.Test(t, func(t *testing.T) {
		l := doortest.Listen(2000)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- sparql.New(store, sparql.Options{}).Serve(ctx, l) }()
		const head = " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
		wait := doortest.Served(t, l, doortest.Requests{
			Honest: "GET /sparql?query=ASK%7B%7D" + head,
			Large:  "GET /sparql?query=SELECT%20*%7B%3Fa%20%3Fb%20%3Fc.%3Fd%20%3Fe%20%3Ff.%3Fg%20%3Fh%20%3Fi%7D" + head,
			Post:   "POST /sparql" + head + "Content-Type: application/sparql-query\r\n",
		})
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wait()
	})
}
