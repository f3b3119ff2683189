package gather

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A head is what comes before the entries of an excerpt.
type head struct {
	To       ledger.Position `json:"to"`
	More     bool            `json:"more,omitempty"`
	Progress step.Progress   `json:"progress"`
	Archive  json.RawMessage `json:"archive,omitempty"`
}

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
		server.Stream(w, func(to io.Writer) error { return Write(to, x) })
	})}
}

// Write writes an excerpt, for Read.
func Write(to io.Writer, x *ledger.Excerpt) error {
	if err := json.NewEncoder(to).Encode(head{x.To, x.More, x.Progress, x.Archive}); err != nil {
		return err
	}
	_, err := to.Write(x.Entries)
	return err
}

// Read reads what Write wrote.
func Read(from io.Reader) (*ledger.Excerpt, error) {
	in := bufio.NewReader(from)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, err
	}
	entries, err := io.ReadAll(in)
	return &ledger.Excerpt{Entries: entries, To: h.To, More: h.More, Progress: h.Progress, Archive: h.Archive}, err
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
	x, err = Read(body)
	return x, errors.Join(err, body.Close())
}
