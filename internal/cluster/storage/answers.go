package storage

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"

	"orbweaver"
)

// codeOf returns the server's code within an error, or "".
func codeOf(err error) string {
	var answered minio.ErrorResponse
	errors.As(err, &answered)
	return answered.Code
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
	var answered minio.ErrorResponse
	if errors.As(err, &answered) {
		return b.answer(answered)
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
func (b *bucket) answer(r minio.ErrorResponse) error {
	said := fmt.Errorf("%w [%s, status %d]", r, r.Code, r.StatusCode)
	is := func(codes ...string) bool { return slices.Contains(codes, r.Code) }
	switch {
	case is(minio.NoSuchKey):
		return &failure{reason: ErrAbsent, err: r}
	case is(minio.NoSuchBucket):
		return &failure{reason: orbweaver.ErrInput, err: r, text: "no such bucket: make it first"}
	case r.StatusCode == http.StatusInsufficientStorage, strings.Contains(r.Code, "Quota"), strings.Contains(r.Code, "StorageFull"):
		return &failure{reason: ErrFull, err: said, text: "make room there"}
	case is("ExpiredToken", "ExpiredTokenException"):
		b.client.expire() // so that they are read again
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused: the session token is over", passes: true}
	case is("AuthorizationHeaderMalformed", "InvalidRegion", "PermanentRedirect", "IllegalLocationConstraintException"):
		// The library learns the region from the answer, and uses it next time unless there is one in the location.
		return &failure{reason: orbweaver.ErrInput, err: said, text: "another region: see region and endpoint", passes: b.at.region == "" && r.Region != ""}
	case r.StatusCode == http.StatusForbidden, r.StatusCode == http.StatusUnauthorized:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused: see the keys, and what they are allowed to do"}
	case r.StatusCode == http.StatusNotImplemented, r.StatusCode == http.StatusHTTPVersionNotSupported:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "no server of S3, or not of this request"}
	case r.StatusCode >= 500, r.StatusCode == http.StatusRequestTimeout, r.StatusCode == http.StatusTooManyRequests,
		is("RequestTimeout", "SlowDown", "Throttling", "OperationAborted", "ConditionalRequestConflict"),
		is("XAmzContentSHA256Mismatch", "BadDigest", "IncompleteBody"): // other bytes arrived than were sent
		return &failure{err: said, text: "the server failed", passes: true}
	case r.StatusCode >= 400:
		return &failure{reason: orbweaver.ErrInput, err: said, text: "refused"}
	}
	return &failure{err: said}
}
