package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http2"

	"orbweaver"
	"orbweaver/fetch/access"
)

// A failure describes a failed exchange. It wraps only the Failure; the network error is text.
type failure struct {
	subject string // the operation: "fetch URL"
	reason  orbweaver.Failure
	detail  string
	started time.Time
}

func (f *failure) Error() string {
	return f.subject + ": " + string(f.reason) + ": " + f.detail
}

func (f *failure) Unwrap() error { return f.reason }

// Started is when the server received the request at the latest; zero: it never received it.
func (f *failure) Started() time.Time { return f.started }

// An exchange is one request, from its start to the end of the response body.
type exchange struct {
	target
	message message
	ctx     context.Context
	subject string
	whole   time.Time     // deadline of the whole exchange
	share   time.Duration // duration of one of the first phases
	marks   marks
	entry   access.Entry // what the request gets
	way     *way
	hide    *secret // not to be told by failures
	search  *secret // what the server got of it: an answer must not repeat it
}

func (c *Client) begin(ctx context.Context, subject string) *exchange {
	x := &exchange{ctx: ctx, subject: subject, share: c.share, whole: time.Now().Add(c.opt.Timeout), way: c.direct}
	if c.direct.proxy != nil {
		x.hide = c.direct.proxy.secret
	}
	return x
}

// enter settles what the exchange's request gets, and its way.
func (c *Client) enter(x *exchange) {
	if c.opt.Access == nil {
		return
	}
	x.entry = c.opt.Access.For(x.message.url)
	x.way = c.wayOf(x.entry.Route)
	if x.search = secretsOf(x.entry.Hidden); x.search != nil {
		x.hide = x.search
	}
	if p := x.way.proxy; p != nil && p.secret != nil {
		x.hide = p.secret.and(x.search)
	}
}

// phase returns the deadline of a phase that begins now.
func (x *exchange) phase() time.Time {
	end := time.Now().Add(x.share)
	if end.After(x.whole) {
		return x.whole
	}
	return end
}

// fail returns a failure of the exchange.
func (x *exchange) fail(reason orbweaver.Failure, format string, args ...any) error {
	return &failure{x.subject, reason, x.hide.hidden(fmt.Sprintf(format, args...)), x.marks.started()}
}

// blame turns a network error into a failure: the context's error if it ended; a time-out that names the phase;
// otherwise the given reason.
func (x *exchange) blame(phase string, reason orbweaver.Failure, err error) error {
	var known orbweaver.Failure
	switch {
	case x.ctx.Err() != nil:
		return fmt.Errorf("%s: %w", x.subject, x.ctx.Err())
	case timedOut(err):
		return x.fail(orbweaver.ErrTimeout, "%s took too long", phase)
	case errors.As(err, &known):
		word := string(known)
		text := strings.TrimSuffix(strings.TrimPrefix(says(err), word+": "), ": "+word)
		return x.fail(known, "%s: %s", phase, text)
	}
	return x.fail(reason, "%s: %s", phase, says(err))
}

// timedOut reports whether an error is a missed deadline.
func timedOut(err error) bool {
	var timeout net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &timeout) && timeout.Timeout()
}

const longestSaying = 200 // bytes of an error's text, which servers have a say in

// says returns an error's text without the addresses that Go puts before it, shortened and without control
// characters.
func says(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		err = op.Err
	}
	text := err.Error()
	if len(text) > longestSaying {
		text = text[:longestSaying] + "…"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		text = strconv.Quote(text)
	}
	return text
}

// handshakeSays returns the text of a TLS handshake error.
func handshakeSays(err error) string {
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return "certificate: " + says(cert.Err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "handshake: the connection ended"
	}
	return "handshake: " + says(err)
}

// streamReason returns the Failure of an HTTP/2 error.
func streamReason(err error) orbweaver.Failure {
	var stream http2.StreamError
	var conn http2.ConnectionError
	switch {
	case errors.As(err, &stream):
		if stream.Cause != nil && stream.Cause.Error() == "received from peer" {
			return orbweaver.ErrCut
		}
		return orbweaver.ErrMalformed
	case errors.As(err, &conn), errors.Is(err, http2.ErrFrameTooLarge), errors.Is(err, errFlood):
		return orbweaver.ErrMalformed
	}
	for _, broken := range []string{"header list larger", "declared Content-Length", "malformed", "invalid"} {
		if strings.Contains(err.Error(), broken) {
			return orbweaver.ErrMalformed
		}
	}
	return orbweaver.ErrCut
}
