package render

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A connection carries messages to and from a browser through two pipes, each message ended by a zero byte. A page
// controls the length of some messages (uploads are reported in full), so an overlong one is dropped and its page
// reported as crashed.
type connection struct {
	*chromedp.PipeConn // writes and closes
	from               *bufio.Reader
	limit              int64 // bytes of a message
	buffer             []byte
}

func newConnection(from io.ReadCloser, to io.WriteCloser, limit int64) *connection {
	return &connection{
		PipeConn: chromedp.NewPipeConn(from, to),
		from:     bufio.NewReaderSize(from, 64<<10),
		limit:    limit,
	}
}

// Read reads the next message. Only one goroutine may call it.
func (c *connection) Read(_ context.Context, m *cdproto.Message) error {
	whole, err := c.next()
	switch {
	case err != nil:
		return err
	case !whole:
		return tooLong(c.buffer, m)
	}
	err = jsonv2.Unmarshal(c.buffer, m, chromedp.DefaultUnmarshalOptions)
	if cap(c.buffer) > 1<<20 { // rare: release it
		c.buffer = nil
	}
	return err
}

// next reads a message into the buffer, without its zero byte; of an overlong one, only the end.
func (c *connection) next() (whole bool, err error) {
	c.buffer, whole = c.buffer[:0], true
	for {
		part, err := c.from.ReadSlice(0)
		c.buffer = append(c.buffer, part...)
		if int64(len(c.buffer)) > c.limit {
			whole = false
			c.buffer = append(c.buffer[:0], c.buffer[len(c.buffer)-min(len(c.buffer), longestEnd):]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			c.buffer = bytes.TrimSuffix(c.buffer, []byte{0})
			return whole, err
		}
	}
}

// longestEnd is how much of an overlong message is kept: its session id is last.
const longestEnd = 200

// tooLong turns the end of an overlong message into the event that its page crashed.
func tooLong(end []byte, m *cdproto.Message) error {
	const mark = `"sessionId":"`
	_, session, found := bytes.Cut(end[max(0, bytes.LastIndex(end, []byte(mark))):], []byte(mark))
	session, _, closed := bytes.Cut(session, []byte(`"`))
	if !found || !closed {
		return fmt.Errorf("a message of the browser is too long: ends in %q", end)
	}
	*m = cdproto.Message{
		SessionID: target.SessionID(session),
		Method:    cdproto.MethodType(inspector.TargetCrashed.Method),
		Params:    jsonv2.Value("{}"),
	}
	return nil
}

// An attachment connects chromedp to our running browser through its pipes.
type attachment struct{ connection *connection }

// Allocate returns the browser at the other end.
func (a attachment) Allocate(ctx context.Context, o ...chromedp.BrowserOption) (*chromedp.Browser, error) {
	return chromedp.NewBrowserTransport(ctx, a.connection, o...)
}

// Attaches reports that chromedp neither starts nor ends the browser.
func (attachment) Attaches() bool { return true }

// Wait has nothing to wait for.
func (attachment) Wait() {}
