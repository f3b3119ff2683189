package gather

import (
	"context"
	"errors"
	"net/http"

	"orbweaver/ledger"
	"orbweaver/server"
)

// Route lets a running worker be gathered of, by its control socket: POST /since takes a position, and answers with a line of JSON and entries.
func Route(book *ledger.Ledger) server.Route {
	return server.Route{Pattern: "POST /since", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var p ledger.Position
		err := server.Decode(r, &p)
		var x *ledger.Excerpt
		if err == nil {
			x, err = book.Since(p, partSize)
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Stream(w, x.Write)
	})}
}

// since asks the process that runs the worker of a folder. The error wraps server.ErrNoCrawl if none does.
func since(ctx context.Context, folder string, p ledger.Position) (x *ledger.Excerpt, err error) {
	c, err := server.Dial(folder)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	body, err := c.Post(ctx, "/since", p)
	if err != nil {
		return nil, err
	}
	x, err = ledger.ReadExcerpt(body)
	return x, errors.Join(err, body.Close())
}
