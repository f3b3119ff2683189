package spotlight

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

const formType = "application/x-www-form-urlencoded"

// A call is one question.
type call struct {
	url, form string
	key       string // under which its answer is kept
}

func (c *Client) newCall(service, text string) call {
	q := call{url: c.opt.Base + "/" + service, form: c.opt.form(text)}
	sum := sha256.Sum256([]byte(q.url + "\n" + q.form))
	q.key = hex.EncodeToString(sum[:])
	return q
}

// settle passes the answer to a call to read: the kept one, or a new one from the server, which it then keeps. It
// rejects an answer that read cannot parse.
func (c *Client) settle(ctx context.Context, q call, t *Tally, read func([]byte) error) error {
	if known, err := c.recall(q, t, read); known || err != nil {
		return err
	}
	if c.opt.Poster == nil {
		return c.failed(ErrNotKept, 0, "", nil)
	}
	select {
	case c.slot <- struct{}{}:
		defer func() { <-c.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if known, err := c.recall(q, t, read); known || err != nil { // who had the slot may have asked the same
		return err
	}
	if left := c.rest.left(time.Now()); left > 0 {
		return c.failed(ErrResting, 0, fmt.Sprintf("it failed too often; it is asked again in %v", left.Round(time.Second)), nil)
	}
	t.Asked++
	answer, err := c.post(ctx, q)
	if err == nil {
		err = c.reading(read(answer))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if c.rest.note(time.Now(), err); err != nil || c.opt.Kept == nil {
		return err
	}
	return c.opt.Kept.Put(q.key, answer)
}

// recall has read the answer that is kept, if one is.
func (c *Client) recall(q call, t *Tally, read func([]byte) error) (known bool, err error) {
	if c.opt.Kept == nil {
		return false, nil
	}
	answer, known, err := c.opt.Kept.Get(q.key)
	if err != nil || !known {
		return false, err
	}
	t.Kept++
	return true, c.reading(read(answer))
}

// post returns the body of the answer to a call.
func (c *Client) post(ctx context.Context, q call) ([]byte, error) {
	r := orbweaver.Request{URL: q.url, Accept: "application/json"}
	response, err := c.opt.Poster.Post(ctx, r, formType, []byte(q.form))
	if err != nil {
		return nil, c.unreached(err)
	}
	defer response.Body.Close()
	if response.Status/100 != 2 {
		return nil, c.refused(response)
	}
	body, err := readBody(response, maxAnswer)
	if err != nil {
		return nil, c.unreached(err)
	}
	return body, nil
}

// refused returns what a status that is no success means. Half of what the answer says is enough.
func (c *Client) refused(response *step.Response) error {
	said, _ := readBody(response, maxHead)
	e := c.failed(classOf(response.Status), response.Status, plain(said), nil)
	if e.Class == ErrMoved {
		e.Message = "to " + response.Redirect
	}
	e.after = retryAfter(response)
	return e
}

// classOf returns what an HTTP status means.
func classOf(status int) Class {
	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden,
		http.StatusProxyAuthRequired, http.StatusUnavailableForLegalReasons:
		return ErrForbidden
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return ErrNoService
	case http.StatusRequestTimeout, http.StatusGatewayTimeout, 524:
		return ErrTimedOut
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, 509, 520, 521, 522, 523:
		return ErrUnavailable
	case http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return ErrFormat
	}
	switch status / 100 {
	case 3:
		return ErrMoved
	case 4:
		return ErrRefused
	}
	return ErrInternal
}
