package sparql_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

// TestFullQueue: a client whose requests wait in too great a number gets 503 at once, from whichever of its addresses, and
// the others wait as before.
func TestFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := sparql.New(&slow{sparql.NewMemory(sample(t))}, sparql.Options{Time: time.Second, AtOnce: 1})
		from := func(address string) *http.Response {
			r := ask("ASK {}")
			r.RemoteAddr = address
			return send(h, r)
		}
		var all sync.WaitGroup
		for i := range 201 { // one of them runs
			all.Go(func() { from(fmt.Sprintf("[2001:db8::%x]:80", i+1)) })
		}
		synctest.Wait()
		began := time.Now()
		if res := from("[2001:db8::ffff]:80"); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || time.Since(began) > 0 {
			t.Errorf("one more: %s after %v", res.Status, time.Since(began))
		}
		if from("[2001:db8:0:1::1]:80"); time.Since(began) < time.Second/2 {
			t.Error("another client did not wait")
		}
		all.Wait()
	})
}
