package storage

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"orbweaver"
)

// A refusal is an answer of the server that is an error.
type refusal struct {
	Code, Message, Region string // as it says them
	status                int
}

func (r *refusal) Error() string { return cmp.Or(r.Message, r.Code, http.StatusText(r.status)) }

// readRefusal reads an answer that is an error, and closes it. One that says nothing means what its status does.
func readRefusal(answer *http.Response) *refusal {
	defer answer.Body.Close()
	r := &refusal{status: answer.StatusCode}
	if body, err := io.ReadAll(io.LimitReader(answer.Body, maxRefusal)); err == nil {
		// An answer to HEAD has none; what a proxy says is HTML, and a server of TLS that is asked without says a line of text.
		if xml.Unmarshal(body, r) != nil && !bytes.Contains(body, []byte("<")) {
			r.Message = strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), maxSaid)])), "")
		}
	}
	if r.Region == "" {
		r.Region = answer.Header.Get("X-Amz-Bucket-Region")
	}
	switch {
	case r.Code != "":
	case r.status == http.StatusPreconditionFailed:
		r.Code = "PreconditionFailed"
	case r.status == http.StatusRequestedRangeNotSatisfiable:
		r.Code = "InvalidRange"
	case r.status == http.StatusNotFound && answer.Request != nil && strings.Trim(answer.Request.URL.Path, "/") != "":
		r.Code = noSuchKey
	}
	return r
}

// maxRefusal bounds the body of an error, and maxSaid what is shown of one that is no XML, in bytes.
const maxRefusal, maxSaid = 1 << 20, 200

// Codes of errors.
const noSuchKey, noSuchBucket = "NoSuchKey", "NoSuchBucket"

// refusalOf returns the server's answer within an error; nil if there is none.
func refusalOf(err error) *refusal {
	var answered *refusal
	errors.As(err, &answered)
	return answered
}

// codeOf returns the server's code within an error, or "".
func codeOf(err error) string {
	if r := refusalOf(err); r != nil {
		return r.Code
	}
	return ""
}

// failure says what an error of a request means. ctx is the caller's, not that of the one attempt.
func (b *bucket) failure(ctx context.Context, err error) error {
	var own *failure
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case errors.As(err, &own), errors.Is(err, orbweaver.ErrInput): // such as keys that are no more
		return err
	}
	if r := refusalOf(err); r != nil {
		return b.answer(r)
	}
	var host *net.DNSError
	switch {
	case isTLS(err):
		return &failure{reason: orbweaver.ErrInput, err: err,
			text: "no secure connection: name an authority to trust by SSL_CERT_FILE, or say tls=off for a server without TLS"}
	case errors.As(err, &host) && host.IsNotFound:
		return &failure{reason: orbweaver.ErrInput, err: err, text: "no such host: see the endpoint", passes: true}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &failure{err: err, text: "the answer was cut short", passes: true}
	}
	return &failure{err: err, text: "unreachable", passes: true}
}

// isTLS reports whether a connection failed by its certificate or handshake.
func isTLS(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		authority   x509.UnknownAuthorityError
		name        x509.HostnameError
		invalid     x509.CertificateInvalidError
	)
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &authority) ||
		errors.As(err, &name) || errors.As(err, &invalid) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// answer says what an answer of the server means.
func (b *bucket) answer(r *refusal) error {
	said := fmt.Errorf("%w [%s, status %d]", r, r.Code, r.status)
	is := func(codes ...string) bool { return slices.Contains(codes, r.Code) }
	switch {
	case is(noSuchKey):
		return &failure{reason: ErrAbsent, err: r}
	case is(noSuchBucket):
		return &failure{reason: orbweaver.ErrInput, err: r, text: "no such bucket: make it first"}
	case r.status == http.StatusInsufficientStorage, strings.Contains(r.Code, "Quota"), strings.Contains(r.Code, "StorageFull"):
		return &failure{reason: ErrFull, err: said, text: "make room there"}
	case is("ExpiredToken", "ExpiredTokenException"):
		b.client.expire() // so that they are read again
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused: the session token is over", passes: true}
	case is("AuthorizationHeaderMalformed", "InvalidRegion", "PermanentRedirect", "IllegalLocationConstraintException"):
		// The client learned the region from the answer, and uses it next time unless there is one in the location.
		return &failure{reason: orbweaver.ErrInput, err: said, text: "another region: see region and endpoint", passes: b.at.region == "" && r.Region != ""}
	case r.status == http.StatusForbidden, r.status == http.StatusUnauthorized:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused: see the keys, and what they are allowed to do"}
	case r.status == http.StatusNotImplemented, r.status == http.StatusHTTPVersionNotSupported:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "no server of S3, or not of this request"}
	case r.status >= 500, r.status == http.StatusRequestTimeout, r.status == http.StatusTooManyRequests,
		is("RequestTimeout", "SlowDown", "Throttling", "OperationAborted", "ConditionalRequestConflict"),
		is("XAmzContentSHA256Mismatch", "BadDigest", "IncompleteBody"): // other bytes arrived than were sent
		return &failure{err: said, text: "the server failed", passes: true}
	case r.status >= 400:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused"}
	}
	return &failure{err: said}
}
